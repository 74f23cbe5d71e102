// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A script of the model's turns, for each conversation.
//
//   {"conversations": [{"marker": WORD, "tools": [NAME...], "turns": [TURN...]}...], "otherwise": TURN}
//
// The latest user message with a marker decides to which conversation a request belongs, if the request offers all of `tools`. (Agents repeat the user's
// words in calls for a title or a summary, with other tools.) The number of the next turn is the count of the model's turns after that message. So a retry
// gets the same turn again, and a restart of the stand-in changes nothing. After the last turn, and for other requests, the turn is `otherwise`.
//
// TURN, all members optional:
//   thinking, text   strings
//   calls            [{"name", "arguments": object, "freeform": string instead of arguments, for a custom tool of the Responses interface}...]
//                    {"left_out": N} as arguments: {"number": of the result that is left out at place N from the first}, for accp_resolve
//   stop             the stop reason of the provider, if not the usual one
//   chunk            bytes of each write: a number, or a list of numbers that is repeated; characters and events are cut anywhere
//   pings            a ping before every so many events
//   delay_ms         before the status line;  gap_ms: between writes
//   pause_ms         moves a virtual clock before the call is billed
//   report_tokens    input tokens that the response reports in addition and the bill does not have; agents then compact their conversation
//   fault            {"kind": "status", "status", "retry_after"} instead of a response, or {"kind": "error"|"close"|"reset"|"stall", "after": EVENTS}: breaks
//                    the stream off. A stalled one sends nothing more until the client ends it.
//                    "times": for so many attempts (1 if not given)
import { readFileSync } from "node:fs";

const kKinds = {
    thinking: "string",
    text: "string",
    calls: "array",
    stop: "string",
    pings: "number",
    delay_ms: "number",
    gap_ms: "number",
    pause_ms: "number",
    report_tokens: "number",
    fault: "object",
};
const kFaults = ["status", "error", "close", "reset", "stall"];
const kindOf = (value) => (Array.isArray(value) ? "array" : typeof value);

function fail(where, found, allowed) {
    throw new Error(`script: ${where} is ${JSON.stringify(found) ?? "missing"}; it must be ${allowed}`);
}

function checkTurn(turn, where) {
    if (kindOf(turn) !== "object" || turn === null) fail(where, turn, "an object");
    for (const [key, value] of Object.entries(turn)) {
        if (key === "chunk") {
            const sizes = [value].flat();
            if (!sizes.length || sizes.some((size) => !(Number.isInteger(size) && size > 0)))
                fail(`${where}.chunk`, value, "a whole number above 0, or a list of such");
        } else if (!(key in kKinds)) fail(`${where}.${key}`, value, `left out: a turn has ${Object.keys(kKinds).join(", ")}, chunk`);
        else if (kindOf(value) !== kKinds[key]) fail(`${where}.${key}`, value, `of type ${kKinds[key]}`);
    }
    turn.calls?.forEach((call, at) => {
        if (typeof call?.name !== "string") fail(`${where}.calls[${at}].name`, call?.name, "the name of a tool");
        if (typeof call.freeform !== "string" && kindOf(call.arguments) !== "object") fail(`${where}.calls[${at}].arguments`, call.arguments, "an object");
    });
    if (turn.fault && !kFaults.includes(turn.fault.kind)) fail(`${where}.fault.kind`, turn.fault.kind, `one of ${kFaults.join(", ")}`);
}

export class Script {
    #attempts = new Map();
    constructor(value = {}) {
        this.conversations = value.conversations ?? [];
        this.otherwise = value.otherwise ?? { text: "Done." };
        if (!Array.isArray(this.conversations)) fail("conversations", value.conversations, "a list");
        checkTurn(this.otherwise, "otherwise");
        const markers = new Set();
        this.conversations.forEach(({ marker, turns }, at) => {
            const where = `conversations[${at}]`;
            if (typeof marker !== "string" || !marker) fail(`${where}.marker`, marker, "a word");
            if (markers.has(marker)) fail(`${where}.marker`, marker, "different from the others");
            markers.add(marker);
            if (!Array.isArray(turns)) fail(`${where}.turns`, turns, "a list");
            turns.forEach((turn, number) => checkTurn(turn, `${where}.turns[${number}]`));
        });
    }
    static read(path) {
        return new Script(JSON.parse(readFileSync(path, "utf8")));
    }

    // `said`: [{role: "user"|"assistant", text}...]; `offered`: names of tools. Returns {conversation, number, turn}; the conversation of other requests
    // is "-".
    next(said, offered) {
        const mine = (text) => this.conversations.find(({ marker, tools = [] }) => text.includes(marker) && tools.every((name) => offered.includes(name)));
        const at = said.findLastIndex(({ role, text }) => role === "user" && mine(text));
        if (at < 0) return { conversation: "-", number: 0, turn: this.otherwise };
        const { marker, turns } = mine(said[at].text);
        const number = said.slice(at + 1).filter(({ role }) => role === "assistant").length;
        return { conversation: marker, number, turn: turns[number] ?? this.otherwise };
    }

    // Returns the turn's fault if this attempt at it has one.
    fault({ conversation, number, turn }) {
        if (!turn.fault) return undefined;
        const key = `${conversation} ${number}`,
            attempt = (this.#attempts.get(key) ?? 0) + 1;
        this.#attempts.set(key, attempt);
        return attempt <= (turn.fault.times ?? 1) ? turn.fault : undefined;
    }
}
