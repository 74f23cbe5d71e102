// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A recorded session of a coding agent as Messages requests, for replay.mjs.
import { tokensOf } from "./canonical.mjs";

const kMark = { cache_control: { type: "ephemeral" } };
const kTools = 16;

const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? ""));
const nonEmpty = (text) => (text.trim() ? text : "(empty)");

// Returns English-like text of this many tokens, always the same.
function prose(tokens, seed) {
    const words = ["check", "the", "file", "before", "each", "change", "and", "report", "what", "failed", "with", "its", "path", "never", "guess", "a", "name"];
    let text = "",
        at = seed;
    while (tokensOf(text) < tokens) text += `${words[(at = (at * 48271 + 11) % 0x7fffffff) % words.length]}${at % 13 ? " " : ". "}`;
    return text;
}

// A fifth of the tokens are the system prompt, the rest tools, as in coding agents.
export function makeFront(tokens, names) {
    const all = [...new Set([...names, ...Array.from({ length: kTools }, (_, at) => `Tool${at}`)])].slice(0, Math.max(kTools, names.length));
    const tools = all.map((name, at) => ({
        name,
        description: prose(Math.floor((tokens * 0.8) / all.length) - 30, at + 1),
        input_schema: { type: "object", properties: { path: { type: "string" } } },
    }));
    Object.assign(tools.at(-1), kMark);
    return { tools, system: [{ type: "text", text: prose(Math.floor(tokens * 0.2), 99), ...kMark }] };
}

export const isCall = ({ intent, payload }) => intent === "req" && "arguments" in payload;

// `messages`: the whole conversation. `calls`: the calls of the model, {count: the number of messages that the call sees, ts: seconds}. Tool calls in a
// row, without a thought or a result between them, are in one turn.
export class Session {
    calls = [];
    #open = []; // calls of tools without a result
    constructor(lines, marker) {
        this.marker = marker;
        this.messages = [{ role: "user", content: [{ type: "text", text: `<system-reminder>Session ${marker}.</system-reminder>` }] }];
        lines.forEach((line, at) => {
            if (line.agent === "tool") this.#addResult(line.payload);
            else if (line.agent === "user") this.#addUser(line.payload);
            else this.#addModel(line, at);
        });
    }
    #add(role, block) {
        const last = this.messages.at(-1);
        if (last.role === role) last.content.push(block);
        else this.messages.push({ role, content: [block] });
    }
    #addResult({ tool_name, result }) {
        const same = this.#open.findIndex(({ name }) => name === tool_name),
            [call] = this.#open.splice(Math.max(0, same), 1),
            content = textOf(result);
        this.#add("user", call ? { type: "tool_result", tool_use_id: call.id, content } : { type: "text", text: nonEmpty(content) });
    }
    // A user may interrupt a call, but the providers require a result even then.
    #closeCalls() {
        for (const { id } of this.#open.splice(0)) this.#add("user", { type: "tool_result", tool_use_id: id, content: "No result was recorded." });
    }
    #addUser({ content }) {
        this.#closeCalls();
        this.#add("user", { type: "text", text: nonEmpty(textOf(content)) });
    }
    #addModel(line, at) {
        const { payload, meta } = line,
            isTool = isCall(line),
            text = payload.thought ?? (isTool ? "" : textOf(payload.content ?? payload));
        if (this.messages.at(-1).role === "user" || !isTool || text) {
            this.#closeCalls();
            if (this.messages.at(-1).role === "user") this.calls.push({ count: this.messages.length, ts: meta.ts });
        }
        if (text.trim()) this.#add("assistant", { type: "text", text });
        if (!isTool) return;
        const { tool_name: name, arguments: given } = payload,
            id = `toolu_${this.marker.replaceAll(/[^A-Za-z0-9]/g, "")}${at}`;
        this.#open.push({ id, name });
        this.#add("assistant", { type: "tool_use", id, name, input: given !== null && typeof given === "object" ? given : { value: given } });
    }
    // A script with the recorded turns, so that output is billed as recorded.
    script() {
        const turns = this.messages
            .filter(({ role }) => role === "assistant")
            .map(({ content }) => ({
                text: content
                    .filter(({ type }) => type === "text")
                    .map(({ text }) => text)
                    .join("\n"),
                calls: content.filter(({ type }) => type === "tool_use").map(({ name, input }) => ({ name, arguments: input })),
            }));
        return { conversations: [{ marker: this.marker, turns }] };
    }
    // Returns the messages that a call sees, with marks at the last two of the user.
    seenBy({ count }) {
        const messages = this.messages.slice(0, count),
            users = [...messages.keys()].filter((at) => messages[at].role === "user").slice(-2);
        for (const at of users)
            messages[at] = { ...messages[at], content: [...messages[at].content.slice(0, -1), { ...messages[at].content.at(-1), ...kMark }] };
        return messages;
    }
}
