// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { generateText, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import { accpMiddleware, accpSteps } from "libaccp/ai-sdk";
import { z } from "zod";
import { breaksOf, checkPairs, kAnswer, kInstructions, kNights, kQuestion, logOf, nextMove, refIn, tokensOf } from "./talk.mjs";

const usage = { inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 2, text: 2, reasoning: 0 } };

function resultsOf(prompt) {
    return prompt
        .filter((one) => one.role === "tool")
        .flatMap((one) => one.content.map((part) => ({ name: part.toolName, text: String(part.output.value) })));
}

let ids = 0;
function contentOf(move) {
    return move.text !== undefined
        ? [{ type: "text", text: move.text }]
        : [{ type: "tool-call", toolCallId: `call_${++ids}`, toolName: move.call, input: JSON.stringify(move.input) }];
}

const finishOf = (content) => ({ unified: content.some((one) => one.type === "tool-call") ? "tool-calls" : "stop", raw: undefined });

function partsOf(content) {
    const parts = [
        { type: "stream-start", warnings: [] },
        { type: "response-metadata", id: `r${ids}`, modelId: "mock", timestamp: new Date(0) },
    ];
    content.forEach((one, at) => {
        const id = String(at);
        if (one.type === "text" || one.type === "reasoning")
            parts.push(
                { type: `${one.type}-start`, id },
                { type: `${one.type}-delta`, id, delta: one.text.slice(0, 3) },
                { type: `${one.type}-delta`, id, delta: one.text.slice(3) },
                { type: `${one.type}-end`, id, ...(one.providerMetadata && { providerMetadata: one.providerMetadata }) },
            );
        else if (one.type === "tool-call")
            parts.push(
                { type: "tool-input-start", id: one.toolCallId, toolName: one.toolName },
                { type: "tool-input-delta", id: one.toolCallId, delta: one.input },
                { type: "tool-input-end", id: one.toolCallId },
                one,
            );
        else parts.push(one);
    });
    return [...parts, { type: "finish", finishReason: finishOf(content), usage }];
}

/** A model that does what `move` says for a prompt. */
function modelOf(move) {
    return new MockLanguageModelV4({
        doGenerate: async ({ prompt }) => {
            const content = move(prompt);
            return { content, finishReason: finishOf(content), usage, warnings: [] };
        },
        doStream: async ({ prompt }) => ({ stream: convertArrayToReadableStream(partsOf(move(prompt))) }),
    });
}

const scripted = () => modelOf((prompt) => contentOf(nextMove(resultsOf(prompt))));
const tools = {
    read_log: tool({ description: "The log of a night", inputSchema: z.object({ night: z.number() }), execute: ({ night }) => logOf(night) }),
};
const run = { system: kInstructions, prompt: kQuestion, tools, stopWhen: stepCountIs(100) };

function checkPrompts(prompts) {
    for (const prompt of prompts)
        checkPairs(
            prompt.flatMap((one) =>
                (Array.isArray(one.content) ? one.content : []).flatMap((part) =>
                    part.type === "tool-call" ? [{ call: part.toolCallId }] : part.type === "tool-result" ? [{ result: part.toolCallId }] : [],
                ),
            ),
        );
}

test("generateText: a long run sends less, keeps its front, and gets back what was left out", async (t) => {
    const bare = scripted(),
        plain = await generateText({ ...run, model: bare });
    const inner = scripted();
    const middleware = accpMiddleware();
    t.after(() => middleware.close());
    const result = await generateText({ ...run, model: wrapLanguageModel({ model: inner, middleware }) });
    assert.equal(plain.text, `It stopped at ${kAnswer.split(" at ")[1]}.`);
    assert.equal(result.text, plain.text);
    const prompts = inner.doGenerateCalls.map((one) => one.prompt);
    assert.equal(prompts.length, kNights + 2); // one more: the call of the tool
    checkPrompts(prompts);
    const breaks = breaksOf(prompts);
    assert.ok(breaks >= 1 && breaks <= 8, `results were left out ${breaks} times`);
    // the caller sees neither the tool nor its result
    assert.deepEqual(
        result.steps.flatMap((one) => one.toolCalls.map((call) => call.toolName)),
        Array(kNights).fill("read_log"),
    );
    assert.equal(result.usage.inputTokens, 10 * (kNights + 2));
    const share = tokensOf(prompts) / tokensOf(bare.doGenerateCalls.map((one) => one.prompt));
    t.diagnostic(`input tokens: ${share.toFixed(3)} of those without the middleware, ${breaks} times results were left out`);
    assert.ok(share < 0.75, `input tokens: ${share}`);
    // tools are the same in all requests
    for (const call of inner.doGenerateCalls)
        assert.deepEqual(
            call.tools.map((one) => one.name),
            ["read_log", "accp_resolve"],
        );
});

test("streamText: the same run, and the same parts but for the tool", async (t) => {
    ids = 0;
    const plain = streamText({ ...run, model: scripted() }),
        expected = [];
    for await (const part of plain.fullStream) expected.push(part);
    ids = 0;
    const middleware = accpMiddleware();
    t.after(() => middleware.close());
    const inner = scripted(),
        wrapped = streamText({ ...run, model: wrapLanguageModel({ model: inner, middleware }) }),
        parts = [];
    for await (const part of wrapped.fullStream) parts.push(part);
    assert.equal(inner.doStreamCalls.length, kNights + 2);
    const names = (all) => all.map((one) => one.type);
    assert.deepEqual(names(parts), names(expected));
    const plainParts = (all) => all.filter((one) => /^(text|tool)-/.test(one.type)).map(({ id, toolCallId, providerMetadata, ...rest }) => rest);
    assert.deepEqual(plainParts(parts), plainParts(expected));
    checkPrompts(inner.doStreamCalls.map((one) => one.prompt));
});

test("parts of a stream pass unchanged while the tool is not called", async (t) => {
    const content = [
        { type: "reasoning", text: "thinking hard", providerMetadata: { anthropic: { signature: "sig" } } },
        { type: "text", text: "Hello there" },
        { type: "source", sourceType: "url", id: "s1", url: "https://example.com" },
        { type: "custom", kind: "vendor.thing", providerMetadata: { vendor: { x: 1 } } },
        { type: "tool-call", toolCallId: "p1", toolName: "web_search", input: "{}", providerExecuted: true },
        { type: "tool-result", toolCallId: "p1", toolName: "web_search", result: { hits: 1 } },
        { type: "tool-call", toolCallId: "c9", toolName: "read_log", input: '{"night":1}' },
    ];
    const parts = [
        ...partsOf(content).slice(0, -1),
        { type: "raw", rawValue: { any: 1 } },
        { type: "unknown-part", more: true },
        partsOf(content).at(-1),
    ];
    const inner = new MockLanguageModelV4({
        doStream: async () => ({ stream: convertArrayToReadableStream(parts), response: { headers: { a: "b" } } }),
    });
    const middleware = accpMiddleware();
    t.after(() => middleware.close());
    const { stream, response } = await wrapLanguageModel({ model: inner, middleware }).doStream({
        prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
        tools: [{ type: "function", name: "read_log", inputSchema: {} }],
    });
    const seen = [];
    for await (const part of stream) seen.push(part);
    assert.deepEqual(seen, parts);
    assert.deepEqual(response, { headers: { a: "b" } });
});

/** A prompt with everything, and many long results before it. */
function richPrompt() {
    const prompt = [
        { role: "system", content: kInstructions, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } },
        {
            role: "user",
            content: [
                { type: "text", text: kQuestion },
                { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1, 2, 3]) } },
            ],
            providerOptions: { x: { y: 1 } },
        },
    ];
    for (let i = 0; i < kNights; ++i) {
        prompt.push({
            role: "assistant",
            content: [
                { type: "reasoning", text: `thought ${i}`, providerOptions: { anthropic: { signature: `sig${i}` } } },
                { type: "text", text: `Night ${i}.`, providerOptions: { vendor: { mark: i } } },
                { type: "custom", kind: "vendor.thing" },
                { type: "tool-call", toolCallId: `c${i}`, toolName: "read_log", input: { night: i }, providerOptions: { vendor: { call: i } } },
                { type: "tool-call", toolCallId: `d${i}`, toolName: "look", input: {} },
                { type: "tool-call", toolCallId: `p${i}`, toolName: "web_search", input: {}, providerExecuted: true },
                { type: "tool-result", toolCallId: `p${i}`, toolName: "web_search", output: { type: "json", value: { hits: [i] } } },
            ],
        });
        prompt.push({
            role: "tool",
            content: [
                {
                    type: "tool-result",
                    toolCallId: `c${i}`,
                    toolName: "read_log",
                    output: { type: i % 2 ? "text" : "error-text", value: logOf(i), providerOptions: { vendor: { out: i } } },
                    providerOptions: { vendor: { result: i } },
                },
                {
                    type: "tool-result",
                    toolCallId: `d${i}`,
                    toolName: "look",
                    output: {
                        type: "content",
                        value: [
                            { type: "text", text: "a picture" },
                            { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
                        ],
                    },
                },
            ],
        });
    }
    return prompt;
}

test("unknown content stays; only texts of results change", async (t) => {
    const inner = modelOf(() => [{ type: "text", text: "ok" }]);
    const middleware = accpMiddleware();
    t.after(() => middleware.close());
    const model = wrapLanguageModel({ model: inner, middleware }),
        whole = richPrompt();
    for (let length = 4; length <= whole.length; length += 2)
        await model.doGenerate({ prompt: whole.slice(0, length), maxOutputTokens: 7, providerOptions: { z: { q: 1 } }, temperature: 0.5 });
    const last = inner.doGenerateCalls.at(-1);
    assert.deepEqual([last.maxOutputTokens, last.providerOptions, last.temperature], [7, { z: { q: 1 } }, 0.5]);
    let left = 0;
    assert.equal(last.prompt.length, whole.length);
    last.prompt.forEach((message, at) => {
        if (message === whole[at]) return; // the same object
        assert.equal(message.role, "tool");
        const [result, other] = message.content,
            [was, otherWas] = whole[at].content;
        assert.equal(other, otherWas);
        assert.match(result.output.value, /^… \d+ lines, \d+ tokens: \$cold\.m\d+\n?$/);
        assert.deepEqual({ ...result, output: { ...result.output, value: was.output.value } }, was);
        ++left;
    });
    assert.ok(left >= 3, `${left} results were left out`);
    checkPrompts(
        inner.doGenerateCalls.map((one) =>
            one.prompt.map((message) => ({
                ...message,
                content: message.role === "assistant" ? message.content.filter((part) => part.toolName !== "web_search") : message.content,
            })),
        ),
    );
});

test("a call of the tool beside another one: the caller gets the other one, and the model both results", async (t) => {
    let step = 0,
        ref;
    const inner = modelOf((prompt) => {
        const results = resultsOf(prompt);
        ref ??= results.map((one) => refIn(one.text)).find(Boolean);
        const nights = results.filter((one) => one.name === "read_log").length;
        if (ref && step === 0) {
            step = 1;
            return [
                { type: "text", text: "Both. " },
                { type: "tool-call", toolCallId: "ours", toolName: "accp_resolve", input: JSON.stringify({ ref }) },
                { type: "tool-call", toolCallId: "theirs", toolName: "read_log", input: '{"night":99}' },
            ];
        }
        if (step === 1) {
            step = 2;
            return [{ type: "text", text: "Done" }];
        }
        return contentOf({ call: "read_log", input: { night: nights } });
    });
    const middleware = accpMiddleware();
    t.after(() => middleware.close());
    const result = await generateText({ ...run, model: wrapLanguageModel({ model: inner, middleware }) });
    assert.deepEqual(
        result.steps.at(-2).toolCalls.map((one) => one.toolCallId),
        ["theirs"],
    );
    const prompt = inner.doGenerateCalls.at(-1).prompt;
    checkPrompts([prompt]);
    const ours = prompt.flatMap((one) => (one.role === "tool" ? one.content : [])).find((one) => one.toolCallId === "ours");
    assert.match(ours.output.value, /worker-1 stopped at/);
    const turn = prompt.findLast((one) => one.role === "assistant");
    assert.deepEqual(
        turn.content.map((one) => one.toolCallId ?? one.text),
        ["Both. ", "ours", "theirs"],
    );
    // a later turn of the user has them at the same place
    const messages = [
        { role: "user", content: kQuestion },
        ...result.steps.flatMap((one) => one.response.messages),
        { role: "user", content: "And now?" },
    ];
    await generateText({ ...run, prompt: undefined, messages, model: wrapLanguageModel({ model: inner, middleware }), stopWhen: stepCountIs(1) });
    const later = inner.doGenerateCalls.at(-1).prompt;
    assert.equal(JSON.stringify(later.slice(0, prompt.length)), JSON.stringify(prompt));
});

test("a model that calls only the tool gets an error, and then the request fails", async (t) => {
    let results = [];
    const inner = modelOf((prompt) => {
        results = resultsOf(prompt);
        return contentOf({ call: "accp_resolve", input: { ref: "$cold.m1" } });
    });
    const middleware = accpMiddleware({ maxResolveRounds: 2 });
    t.after(() => middleware.close());
    await assert.rejects(
        generateText({ ...run, model: wrapLanguageModel({ model: inner, middleware }), maxRetries: 0 }),
        /called the tool accp_resolve in 7 responses in a row/,
    );
    assert.match(results.at(-1).text, /^error: this tool was called too often/);
    assert.ok(!/^error/.test(results[1].text));
});

test("a tool of the caller with the same name is refused, and forced tools leave no room for ours", async (t) => {
    const inner = modelOf(() => [{ type: "text", text: "ok" }]);
    const middleware = accpMiddleware();
    t.after(() => middleware.close());
    const model = wrapLanguageModel({ model: inner, middleware }),
        prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
    await assert.rejects(
        model.doGenerate({ prompt, tools: [{ type: "function", name: "accp_resolve", inputSchema: {} }] }),
        /set the option toolName/,
    );
    await model.doGenerate({ prompt, tools: [{ type: "function", name: "a", inputSchema: {} }], toolChoice: { type: "required" } });
    assert.equal(inner.doGenerateCalls.at(-1).tools.length, 1);
    assert.throws(() => accpMiddleware({ budgetTokens: -1 }), /budgetTokens is -1/);
    assert.throws(() => accpMiddleware({ resolve: "sometimes" }), /must be one of/);
});

test("prepareStep: the same savings, the tool is run by the AI SDK, and the caller's messages stay whole", async (t) => {
    const accp = accpSteps();
    t.after(() => accp.close());
    const inner = scripted();
    const result = await generateText({ ...run, model: inner, tools: { ...tools, ...accp.tools }, prepareStep: accp.prepareStep });
    assert.equal(result.text, `It stopped at ${kAnswer.split(" at ")[1]}.`);
    const prompts = inner.doGenerateCalls.map((one) => one.prompt);
    checkPrompts(prompts);
    assert.ok(breaksOf(prompts) <= 8);
    assert.equal(resultsOf(result.steps.flatMap((one) => one.response.messages))[0].text, logOf(0));
    const bare = scripted();
    await generateText({ ...run, model: bare });
    assert.ok(tokensOf(prompts) < 0.75 * tokensOf(bare.doGenerateCalls.map((one) => one.prompt)));
});

for (const shared of ["a message", "an array"])
    test(`prepareStep: runs at once that share ${shared} are kept apart`, async (t) => {
        const accp = accpSteps();
        t.after(() => accp.close());
        const message = { role: "user", content: kQuestion },
            array = [message];
        // The logs of each run have its own mark, and each run asks for its first log again.
        const once = async (mark) => {
            const marked = (night) => logOf(night).replaceAll("jobs done", `jobs done by ${mark}`);
            const inner = scripted();
            // the runs take turns
            const own = { read_log: tool({ ...tools.read_log, execute: async ({ night }) => (await setTimeout(2), marked(night)) }) };
            const messages = shared === "an array" ? array : [message];
            const result = await generateText({ system: kInstructions, messages, stopWhen: stepCountIs(100), model: inner, tools: { ...own, ...accp.tools }, prepareStep: accp.prepareStep });
            const prompts = inner.doGenerateCalls.map((one) => one.prompt);
            checkPrompts(prompts);
            const fetched = resultsOf(prompts.at(-1)).filter((one) => one.name === "accp_resolve");
            assert.equal(fetched.length, 1);
            assert.match(fetched[0].text, new RegExp(`done by ${mark}`));
            assert.equal(resultsOf(prompts.at(-1)).filter((one) => one.name === "read_log").length, kNights);
            for (const { text } of prompts.flatMap(resultsOf)) assert.ok(!/done by/.test(text) || text.includes(`done by ${mark}`));
            return result.text;
        };
        await Promise.all(["a", "b", "c"].map(once));
    });

test("conversations beyond the limit are closed, and go on when they come again", async (t) => {
    const middleware = accpMiddleware({ maxConversations: 2 }),
        inner = modelOf(() => [{ type: "text", text: "ok" }]);
    t.after(() => middleware.close());
    const model = wrapLanguageModel({ model: inner, middleware });
    const prompts = Array.from({ length: 5 }, (_, talk) => [{ role: "user", content: [{ type: "text", text: `talk ${talk}` }] }]);
    for (let round = 0; round < 3; ++round) {
        await Promise.all(prompts.map((prompt) => model.doGenerate({ prompt })));
        for (const prompt of prompts)
            prompt.push(
                { role: "assistant", content: [{ type: "text", text: "ok" }] },
                { role: "user", content: [{ type: "text", text: `round ${round}` }] },
            );
    }
    assert.equal(inner.doGenerateCalls.length, 15);
    const last = inner.doGenerateCalls.slice(-5).map((one) => one.prompt.length);
    assert.deepEqual(last, [5, 5, 5, 5, 5]);
    // an edited message begins a session of its own
    const edited = [
        { role: "user", content: [{ type: "text", text: "talk 0" }] },
        { role: "assistant", content: [{ type: "text", text: "no" }] },
        { role: "user", content: [{ type: "text", text: "again" }] },
    ];
    await model.doGenerate({ prompt: edited });
    assert.deepEqual(inner.doGenerateCalls.at(-1).prompt, edited);
    await model.doGenerate({ prompt: prompts[0] });
    assert.deepEqual(inner.doGenerateCalls.at(-1).prompt, prompts[0]);
});
