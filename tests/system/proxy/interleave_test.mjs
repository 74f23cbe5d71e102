// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random conversations and branches at once through one accp proxy, with requests and responses in random pieces, responses that break off, clients that go
// away, and retries. A slow model undoes what the proxy did to each request: what remains is the client's own request. No word of a conversation appears in
// another, in either direction, and a conversation gets the same requests as when it runs alone. ACCP is the command; ACCP_SEED chooses
// other conversations, ACCP_CONVERSATIONS their number.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, test } from "node:test";
import { end, endAll, startProxy } from "./processes.mjs";
import { ChatAgent, MessagesAgent, ResponsesAgent, resultOf } from "./resolve_client.mjs";
import { Script } from "./script.mjs";
import { createProvider } from "./server.mjs";

const kSeed = Number(process.env.ACCP_SEED ?? 1);
const kConversations = Number(process.env.ACCP_CONVERSATIONS ?? 9),
    kReads = 6, // turns before the pause
    kHour_ms = 3_600_000,
    kMaxFailures = 40;
const kMarkers = /CONV-\d\d-[A-Z]/g; // each text of a conversation has its marker

// Returns a function that returns a whole number from 0 below its argument (mulberry32).
function randomOf(seed) {
    let state = seed >>> 0;
    return (below) => {
        state = (state + 0x6d2b79f5) >>> 0;
        let value = Math.imul(state ^ (state >>> 15), state | 1);
        value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
        return ((value ^ (value >>> 14)) >>> 0) % below;
    };
}

function makeTurns(marker, random, count, hasPause) {
    const read = (name) => ({ name: "Read", arguments: { file_path: `src/${marker}-${name}.ts` } }),
        seeAgain = () => ({ name: "accp_resolve", arguments: { left_out: random(4) } });
    const turns = Array.from({ length: count }, (_, number) => {
        const turn = { text: `${marker} step ${number}, größer 🙂.`, calls: [read(`${number}a`)], chunk: Array.from({ length: 4 }, () => 1 + random(random(3) ? 400 : 9)) };
        if (random(2)) turn.calls.push(read(`${number}b`));
        if (random(3) === 0) turn.thinking = `${marker} thinks about ${number}.`;
        if (random(3) === 0) turn.pings = 1 + random(4);
        if (random(4) === 0) turn.delay_ms = random(20);
        if (!hasPause || number > kReads + 1) {
            if (random(4) === 0) turn.calls = [seeAgain()];
            else if (random(4) === 0) turn.calls.unshift(seeAgain());
        }
        const kinds = ["error", "close", "reset", "stall", "status"];
        if (random(5) === 0) turn.fault = { kind: kinds[random(5)], after: 1 + random(6), status: 529, onStall: () => abort(marker) };
        return turn;
    });
    return [...turns, { text: `${marker} ends.` }];
}

// The clients that wait for a response, by marker.
const waiting = new Map();
const abort = (marker) => waiting.get(marker)?.abort();

// Sends a part of a request and goes away.
function sendPart(url, body) {
    return new Promise((resolve) => {
        const { port, pathname } = new URL(url),
            socket = connect(port, "127.0.0.1", () => {
                const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
                socket.end(head + body.slice(0, body.length / 2), () => socket.destroy());
            });
        socket.on("close", resolve).on("error", resolve);
    });
}
function inPieces(body, random) {
    const bytes = new TextEncoder().encode(body);
    let at = 0;
    return new ReadableStream({
        pull(controller) {
            const size = 1 + random(random(2) ? 60_000 : 900);
            controller.enqueue(bytes.subarray(at, at + size));
            if ((at += size) >= bytes.length) controller.close();
        },
    });
}

// An agent that remembers what it sends, and checks that what it gets is its own.
const watched = (Class) =>
    class extends Class {
        async request(url, given) {
            this.sent = JSON.parse(given.body);
            if (this.random(8) === 0) await sendPart(url, given.body);
            return fetch(url, this.random(3) ? given : { ...given, body: inPieces(given.body, this.random), duplex: "half" });
        }
        async post(path, body) {
            const text = await super.post(path, body);
            this.checkOwn(text);
            return text;
        }
        checkOwn(text) {
            for (const [marker] of text.matchAll(kMarkers)) assert.ok(this.own.includes(marker), `${this.marker} has a word of ${marker}`);
        }
    };
const kClasses = [MessagesAgent, ChatAgent, ResponsesAgent].map(watched);

// Returns a request as a list of texts, results, and calls, without what the proxy may add: {kind, text} or {kind: "result", id, text}. `exchanges`: the
// results of accp_resolve, with their numbers.
function flat({ messages, input }) {
    const parts = [],
        exchanges = [],
        numbers = new Map(); // by the ids of calls of accp_resolve
    const words = (role, text) => {
        const plain = text.replaceAll(/\s/g, ""),
            last = parts.at(-1);
        if (last?.kind === role) last.text += plain;
        else if (plain) parts.push({ kind: role, text: plain });
    };
    const call = (id, name, given, text) => {
        if (name === "accp_resolve") numbers.set(id, given.number);
        else parts.push({ kind: "call", id, path: given.file_path, text: `${name} ${text}` });
    };
    const result = (id, text) => {
        if (numbers.has(id)) exchanges.push({ number: numbers.get(id), text });
        else parts.push({ kind: "result", id, text });
    };
    for (const item of messages ?? input) {
        if (item.type === "reasoning") parts.push({ kind: "reasoning", text: item.encrypted_content });
        else if (item.type === "function_call") call(item.call_id, item.name, JSON.parse(item.arguments), item.arguments);
        else if (item.type === "function_call_output") result(item.call_id, item.output);
        else if (item.role === "tool") result(item.tool_call_id, item.content);
        else if (typeof item.content === "string" || item.content === null) words(item.role, item.content ?? "");
        else
            for (const block of item.content) {
                if (block.type === "tool_use") call(block.id, block.name, block.input, JSON.stringify(block.input));
                else if (block.type === "tool_result") result(block.tool_use_id, typeof block.content === "string" ? block.content : block.content[0].text);
                else words(item.role, block.text ?? `${block.thinking}${block.signature}`);
            }
        for (const { id, function: given } of item.tool_calls ?? []) call(id, given.name, JSON.parse(given.arguments), given.arguments);
    }
    return { parts, exchanges };
}

const kStub = /^\[Read (\S+): 80 lines, [\d,]+ tokens, left out to save cost\. (?:To see it: accp_resolve (\d+)\.|Run the tool again if you need it\.)\]$/;
const counts = { stubs: 0, exchanges: 0, requests: 0 };

// Checks what the provider got against what the client sent.
function checkSent(body, agent) {
    agent.checkOwn(JSON.stringify(body));
    const own = flat(agent.sent).parts,
        { parts, exchanges } = flat(body),
        paths = new Map(own.filter(({ kind }) => kind === "call").map(({ id, path }) => [id, path])),
        left = new Map(); // results that are left out, by number
    ++counts.requests;
    own.forEach((part, at) => {
        const got = parts[at] ?? assert.fail(`${agent.marker}: part ${at} is missing: ${part.text}`);
        const stub = part.kind === "result" && got.text !== part.text && got.text.match(kStub);
        if (stub) {
            assert.equal(stub[1], paths.get(part.id), "a line names the path of its own call");
            if (stub[2]) left.set(Number(stub[2]), part.text);
            ++counts.stubs;
        } else if (at === own.length - 1 && part.kind === "assistant") assert.ok(got.text.startsWith(part.text));
        else assert.deepEqual(got, part, `${agent.marker}: part ${at}`);
    });
    // A further call has the model's words so far, and nothing else.
    for (const { kind } of parts.slice(own.length)) assert.ok(["assistant", "reasoning"].includes(kind), `${agent.marker}: a ${kind} that the client did not send`);
    const results = new Set(own.filter(({ kind }) => kind === "result").map(({ text }) => text));
    for (const { number, text } of exchanges) {
        ++counts.exchanges;
        if (number === -1 || kStub.test(text)) continue;
        if (left.has(number)) assert.equal(text, left.get(number), `${agent.marker}: result ${number}`);
        else assert.ok(results.has(text), `${agent.marker}: result ${number} is one of its own: ${text.slice(0, 200)}`);
    }
    const system = (one) => JSON.stringify([one.system, one.instructions], (key, value) => (key === "cache_control" ? undefined : value));
    assert.equal(system(body), system(agent.sent));
    assert.deepEqual(
        body.tools.slice(0, agent.sent.tools.length).map((tool) => ({ ...tool, cache_control: undefined })),
        agent.sent.tools.map((tool) => ({ ...tool, cache_control: undefined })),
    );
}

// Plays a conversation to its end. `onStep(number)`: called after each step.
async function converse(agent, onStep = () => {}) {
    for (let number = 0, failures = 0, goesOn = true; goesOn;) {
        const controller = new AbortController();
        agent.signal = controller.signal;
        waiting.set(agent.marker, controller);
        try {
            goesOn = await agent.step();
        } catch (error) {
            if (error instanceof assert.AssertionError || ++failures > kMaxFailures) throw error;
            continue;
        }
        if (++number === kReads && agent.hasPause) agent.now += kHour_ms;
        onStep(number);
    }
}

function makeAgent(number, url) {
    const random = randomOf(kSeed * 1000 + number),
        marker = `CONV-${String(number).padStart(2, "0")}-A`,
        Class = kClasses[number % 3];
    const agent = new Class({ url, stream: random(5) > 0, marker });
    Object.assign(agent, { own: [marker], hasPause: true, random });
    return agent;
}
// A branch knows the words of its conversation so far, and goes on with its own.
function makeBranch(agent, letter) {
    const marker = agent.marker.replace(/.$/, letter),
        branch = new agent.constructor({ ...agent, marker });
    Object.assign(branch, { messages: structuredClone(agent.messages), own: [agent.marker, marker], random: randomOf(kSeed * 7000 + Number(agent.marker.slice(5, 7))) });
    branch.say(`${marker} Go on with this.`);
    return branch;
}

const server = createProvider({ isVirtual: true });
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const provider = { url: `http://127.0.0.1:${server.address().port}` };
after(() => {
    endAll();
    server.close();
    server.closeAllConnections();
});

const hasBranches = (number) => number % 3 !== 1;
function makeScript() {
    const conversations = [];
    for (let number = 0; number < kConversations; ++number) {
        const random = randomOf(kSeed * 31 + number);
        for (const letter of hasBranches(number) ? ["A", "B", "C"] : ["A"]) {
            const marker = `CONV-${String(number).padStart(2, "0")}-${letter}`;
            conversations.push({ marker, turns: makeTurns(marker, random, letter === "A" ? kReads + 7 : 4, letter === "A") });
        }
    }
    return new Script({ conversations });
}

// Runs all conversations through a new proxy, at once or one after the other. Returns what the provider got, by marker.
async function runAll(numbers, atOnce) {
    const { child, url } = await startProxy(provider),
        agents = new Map(),
        got = {};
    let wrong;
    server.provider.reset();
    server.provider.script = makeScript();
    server.provider.log = ({ conversation, body }) => {
        if (!agents.has(conversation)) return;
        (got[conversation] ??= []).push(body);
        try {
            checkSent(body, agents.get(conversation));
        } catch (error) {
            wrong ??= error;
        }
    };
    const play = async (number) => {
        const agent = makeAgent(number, url),
            branches = [];
        agents.set(agent.marker, agent);
        await converse(agent, (step) => {
            if (!hasBranches(number) || (step !== kReads + 2 && step !== kReads + 4)) return;
            const branch = makeBranch(agent, step === kReads + 2 ? "B" : "C");
            agents.set(branch.marker, branch);
            branches.push(converse(branch));
        });
        await Promise.all(branches);
    };
    if (atOnce) await Promise.all(numbers.map(play));
    else for (const number of numbers) await play(number);
    await end(child, "SIGTERM");
    if (wrong) throw wrong;
    assert.deepEqual(server.provider.refused.filter(({ message }) => !/does not offer/.test(message)), []);
    return got;
}

test(`conversations at once do not mix, and get what they get alone (seed ${kSeed})`, async () => {
    const all = Array.from({ length: kConversations }, (_, number) => number),
        got = await runAll(all, true);
    assert.equal(Object.keys(got).length, all.length + 2 * all.filter(hasBranches).length);
    const single = all.filter((number) => !hasBranches(number)).slice(0, 3),
        alone = await runAll(single, false);
    for (const [marker, bodies] of Object.entries(alone)) assert.deepEqual(got[marker], bodies, marker);
    console.log(JSON.stringify(counts));
    assert.ok(counts.stubs > 50 * kConversations && counts.exchanges > 4 * kConversations, JSON.stringify(counts));
});
