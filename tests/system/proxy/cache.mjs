// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The prompt caches of Anthropic and OpenAI, and the bill.
//
// Both caches hold prefixes of the prompt, identified by a chain of digests. quote() looks a request up without changing anything; commit() of the quote stores
// and refreshes entries, and is called when the response starts. So a request that arrives before the response to an equal one starts pays in full.
import { canonical, digest, kBytesPerToken, tokensOf } from "./canonical.mjs";

const kLives = { "5m": 300_000, "1h": 3_600_000 };

// Real time, or a time that only tests move. It never goes back.
export class Clock {
    #now;
    constructor(isVirtual, start = 0) {
        this.#now = isVirtual ? start : undefined;
    }
    get isVirtual() {
        return this.#now !== undefined;
    }
    now() {
        return this.#now ?? Date.now();
    }
    moveTo(now_ms) {
        this.#now = Math.max(this.#now, now_ms);
    }
    advance(ms) {
        this.#now += ms;
    }
}

const asBlocks = (content) => (typeof content === "string" ? [{ type: "text", text: content }] : content);

const hasImage = (blocks) => Array.isArray(blocks) && blocks.some(({ type, content }) => type === "image" || hasImage(content));

// Lists the blocks of a Messages request in the order of the prompt: tools (except deferred ones), system, messages. `life`: the lifetime of a block with a cache mark.
export function promptBlocks(body) {
    const blocks = [];
    const add = (where, value) => blocks.push({ text: `${where} ${canonical(value)}\n`, life: value.cache_control && kLives[value.cache_control.ttl ?? "5m"] });
    for (const tool of body.tools ?? []) if (!tool.defer_loading) add("tool", tool);
    for (const block of asBlocks(body.system ?? [])) add("system", block);
    // These change how messages are shown to the model; tools and system stay cached.
    const choices = canonical({ tool_choice: body.tool_choice, thinking: body.thinking, images: body.messages.some(({ content }) => hasImage(content)) });
    body.messages.forEach((message, at) => {
        for (const block of asBlocks(message.content)) add(at === 0 ? `${choices} ${message.role}` : message.role, block);
    });
    if (body.cache_control && blocks.length) blocks.at(-1).life ??= kLives[body.cache_control.ttl ?? "5m"];
    return blocks;
}

// Anthropic: an entry ends at each marked block. A lookup checks the marked block and those before it, `lookback` blocks in all. A hit restarts the
// entry's lifetime.
export class MarkedCache {
    #entries = new Map();
    constructor({ min_tokens = 1024, lookback = 20 } = {}) {
        Object.assign(this, { min_tokens, lookback });
    }
    #isLive(hash, now) {
        const entry = this.#entries.get(hash);
        return entry !== undefined && now - entry.used <= entry.life;
    }
    // Returns the last block of the entry that a mark finds; -1: none.
    #lookUp(blocks, mark, now) {
        for (let at = mark; at >= 0 && at > mark - this.lookback; --at) if (this.#isLive(blocks[at].hash, now)) return at;
        return -1;
    }
    quote(body, now) {
        const blocks = promptBlocks(body);
        let hash = digest(body.model),
            bytes = 0;
        for (const block of blocks) {
            block.hash = hash = digest(hash, block.text);
            block.tokens = Math.ceil((bytes += Buffer.byteLength(block.text)) / kBytesPerToken);
        }
        const marks = [...blocks.keys()].filter((at) => blocks[at].life && blocks[at].tokens >= this.min_tokens);
        const found = marks.map((mark) => this.#lookUp(blocks, mark, now)).filter((at) => at >= 0);
        const end = (list) => list.reduce((most, at) => Math.max(most, blocks[at].tokens), 0);
        // The prompt has four parts: read, written for an hour, written for five minutes, not cached.
        const read = end(found),
            hour = Math.max(read, end(marks.filter((at) => blocks[at].life === kLives["1h"]))),
            marked = Math.max(hour, end(marks));
        const usage = { input: (blocks.at(-1)?.tokens ?? 0) - marked, read, write_5m: marked - hour, write_1h: hour - read };
        return { usage, commit: (start) => this.#commit(blocks, marks, found, start) };
    }
    #commit(blocks, marks, found, now) {
        for (const at of found) {
            const entry = this.#entries.get(blocks[at].hash);
            if (entry) entry.used = now;
        }
        for (const at of marks) if (!this.#isLive(blocks[at].hash, now)) this.#entries.set(blocks[at].hash, { used: now, life: blocks[at].life });
    }
}

const kStepTokens = 128;

// The text of a prompt for OpenAI: tools, instructions, then messages or items; identifiers of items are not shown to the model.
export function promptText(body) {
    const items = body.messages ?? (typeof body.input === "string" ? [{ role: "user", content: body.input }] : (body.input ?? []));
    const shown = items.map(({ id, status, ...item }) => `${canonical(item)}\n`);
    return [...(body.tools ?? []).map((tool) => `tool ${canonical(tool)}\n`), canonical(body.instructions ?? ""), ...shown].join("");
}

// OpenAI: automatic. Every prefix of at least `min_tokens`, in steps of 128 tokens, is an entry.
export class AutomaticCache {
    #used = new Map();
    constructor({ min_tokens = 1024, life_ms = 300_000 } = {}) {
        Object.assign(this, { min_tokens, life_ms });
    }
    quote(body, now) {
        const text = Buffer.from(promptText(body)),
            step = kStepTokens * kBytesPerToken,
            prefixes = [];
        let hash = digest(body.model, body.prompt_cache_key ?? "");
        for (let end = step; end <= text.length; end += step) {
            hash = digest(hash, text.toString("latin1", end - step, end));
            if (end / kBytesPerToken >= this.min_tokens) prefixes.push({ hash, tokens: end / kBytesPerToken });
        }
        const isLive = ({ hash: at }) => this.#used.has(at) && now - this.#used.get(at) <= this.life_ms;
        const read = prefixes.findLast(isLive)?.tokens ?? 0;
        const total = Math.ceil(text.length / kBytesPerToken);
        return {
            usage: { input: total - read, read, write_5m: 0, write_1h: 0 },
            commit: (start) => prefixes.forEach((one) => this.#used.set(one.hash, start)),
        };
    }
}

// Prices in thousandths of a plain input token.
export const kPrices = { input: 1000, read: 100, write_5m: 1250, write_1h: 2000, output: 5000 };
export const priceOf = (usage) => Object.keys(kPrices).reduce((sum, kind) => sum + kPrices[kind] * (usage[kind] ?? 0), 0);

// Totals for each conversation.
export class Bill {
    conversations = {};
    add(conversation, usage) {
        const total = (this.conversations[conversation] ??= { calls: 0, input: 0, read: 0, write_5m: 0, write_1h: 0, output: 0, billed_input: 0, billed: 0 });
        total.calls += 1;
        for (const kind of Object.keys(kPrices)) total[kind] += usage[kind];
        total.billed += priceOf(usage);
        total.billed_input += priceOf({ ...usage, output: 0 });
    }
}

export const outputTokens = (content) => (content.length ? tokensOf(canonical(content)) : 0);
