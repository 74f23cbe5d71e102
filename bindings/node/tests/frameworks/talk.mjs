// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A scripted run of an agent that reads the logs of many nights, and checks of what its model gets.
import assert from "node:assert/strict";
import { Tokenizer } from "libaccp";

export const kNights = 40;
export const kInstructions = "You look after a build farm.";
export const kQuestion = "When did worker-1 stop in night 0? Read the logs of all nights first.";

/** The log of a night: 400 lines, about 9,000 tokens, in every tenth night, and four in the others; or `lines` lines. */
export function logOf(night, lines = night % 10 === 0 ? 400 : 4) {
    let text = "";
    for (let i = 0; i < lines; ++i)
        text += `worker-${i} stopped at ${(i * 7 + night) % 24}:${String((i * 13 + night) % 60).padStart(2, "0")}, ${(i * 31 + night * 17) % 97} jobs done, load ${(i * night) % 101}\n`;
    return text;
}

export const kAnswer = "worker-1 stopped at 7:13";

/** The ref of the log of night 0, if a text that stands for it names one. */
export function refIn(text) {
    return /^… \d+ lines, \d+ tokens: (\$cold\.m\d+)\n?$/.exec(text)?.[1];
}

/** What a model does next: `results` are the texts of the results so far. */
export function nextMove(results, tool = "accp_resolve") {
    const asked = results.find((one) => one.name === tool);
    if (asked) return { text: `It ${/worker-1 (stopped at \d+:\d+)/.exec(asked.text)?.[1] ?? "is not there"}.` };
    const nights = results.filter((one) => one.name === "read_log");
    if (nights.length < kNights) return { call: "read_log", input: { night: nights.length } };
    const ref = refIn(nights[0].text);
    return ref ? { call: tool, input: { ref, query: "worker-1 " } } : { text: `It ${/worker-1 (stopped at \d+:\d+)/.exec(nights[0].text)[1]}.` };
}

const tokenizer = new Tokenizer();

/** Tokens of requests, as JSON. */
export function tokensOf(requests) {
    return requests.reduce((sum, one) => sum + tokenizer.count(JSON.stringify(one)), 0);
}

/** Checks that requests begin with what the ones before had, but for those in which results were left out. Returns how many those are. */
export function breaksOf(requests) {
    let breaks = 0;
    for (let i = 1; i < requests.length; ++i) {
        const before = requests[i - 1].map((one) => JSON.stringify(one)),
            now = requests[i].map((one) => JSON.stringify(one));
        assert.ok(now.length >= before.length, `request ${i} has fewer messages than the one before`);
        if (!before.every((one, at) => one === now[at])) ++breaks;
    }
    return breaks;
}

/** Checks that each call has one result after it, and each result a call. Takes the ids in order: {call} or {result}. */
export function checkPairs(ids) {
    const open = new Set();
    for (const { call, result } of ids) {
        if (call !== undefined) {
            assert.ok(!open.has(call), `the call ${call} is there twice`);
            open.add(call);
        } else {
            assert.ok(open.delete(result), `the result ${result} has no call before it`);
        }
    }
    assert.equal(open.size, 0, `calls without a result: ${[...open]}`);
}
