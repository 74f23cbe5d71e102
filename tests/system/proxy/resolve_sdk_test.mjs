// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The providers' own SDKs read responses that accp proxy has joined, whole and streamed, and play a conversation to its end without a refusal. ACCP is the
// command.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { z } from "zod";
import { ask } from "./client.mjs";
import { end, endAll, startProxy } from "./processes.mjs";
import { createProvider } from "./server.mjs";

// Result 1 does not exist. The model gets an error for it, and goes on.
const kSeeAgain = { name: "accp_resolve", arguments: { number: 1 } };
const kRead = { name: "read", arguments: { path: "ä.txt" } };
const kChunk = { chunk: [1, 2, 3, 700], pings: 3 };
const kTurns = [
    { thinking: "größer 🙂", text: "I look again.", calls: [kSeeAgain], ...kChunk },
    { thinking: "Now the file", text: "Now I know 日本語.", calls: [kRead], ...kChunk },
    { text: "Both.", calls: [kSeeAgain, kRead], ...kChunk },
    { calls: [kSeeAgain], ...kChunk },
    { text: "The end.", ...kChunk },
];
const kSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

let server, proxy, provider;
before(async () => {
    server = createProvider();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    provider = { url: `http://127.0.0.1:${server.address().port}` };
    proxy = await startProxy(provider);
});
after(async () => {
    await end(proxy.child, "SIGTERM");
    endAll();
    server.close();
    server.closeAllConnections();
});
beforeEach(async () => {
    await ask(`${provider.url}/__test/reset`, {});
    await ask(`${provider.url}/__test/script`, { conversations: [{ marker: "ALPHA", tools: ["read"], turns: kTurns }] });
});
async function checkAccepted() {
    assert.deepEqual(await ask(`${provider.url}/__test/refused`), []);
    assert.equal((await ask(`${provider.url}/__test/bill`)).ALPHA.calls, 5);
}

for (const isStream of [false, true]) {
    const how = isStream ? "streamed" : "whole";

    test(`@anthropic-ai/sdk, ${how}`, async () => {
        const client = new Anthropic({ baseURL: proxy.url, apiKey: "made-up", maxRetries: 0 });
        const messages = [{ role: "user", content: "ALPHA" }],
            kinds = [];
        for (let goesOn = true; goesOn;) {
            const body = { model: "m", max_tokens: 2048, thinking: { type: "enabled", budget_tokens: 1024 }, tools: [{ name: "read", input_schema: kSchema }], messages };
            const { content, stop_reason } = await (isStream ? client.messages.stream(body).finalMessage() : client.messages.create(body));
            kinds.push(content.map(({ type, name }) => name ?? type).join(" "));
            const uses = content.filter(({ type }) => type === "tool_use");
            for (const { input } of uses) assert.deepEqual(input, kRead.arguments);
            messages.push({ role: "assistant", content });
            goesOn = stop_reason === "tool_use";
            if (goesOn) messages.push({ role: "user", content: uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "done" })) });
        }
        assert.deepEqual(kinds, ["thinking text thinking text read", "text read", "text"]);
        await checkAccepted();
    });

    test(`openai, chat completions, ${how}`, async () => {
        const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: "made-up", maxRetries: 0 });
        const messages = [{ role: "user", content: "ALPHA" }],
            words = [];
        for (let goesOn = true; goesOn;) {
            const body = { model: "m", messages, tools: [{ type: "function", function: { name: "read", parameters: kSchema } }] };
            const answer = await (isStream ? client.chat.completions.stream(body).finalChatCompletion() : client.chat.completions.create(body));
            const [{ message, finish_reason }] = answer.choices;
            words.push(message.content);
            const calls = (message.tool_calls ?? []).map(({ id, type, function: { name, arguments: text } }) => ({ id, type, function: { name, arguments: text } }));
            for (const call of calls) assert.deepEqual(JSON.parse(call.function.arguments), kRead.arguments);
            messages.push({ role: "assistant", content: message.content, ...(calls.length ? { tool_calls: calls } : {}) });
            goesOn = finish_reason === "tool_calls";
            if (goesOn) messages.push(...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "done" })));
        }
        assert.deepEqual(words, ["I look again.\n\nNow I know 日本語.", "Both.", "The end."]);
        await checkAccepted();
    });

    test(`openai, Responses, ${how}`, async () => {
        const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: "made-up", maxRetries: 0 });
        const input = [{ role: "user", content: "ALPHA" }],
            words = [];
        for (let calls = [undefined]; calls.length;) {
            const body = { model: "m", input, store: false, include: ["reasoning.encrypted_content"], tools: [{ type: "function", name: "read", parameters: kSchema, strict: false }] };
            const response = await (isStream ? client.responses.stream(body).finalResponse() : client.responses.create(body));
            words.push(response.output_text);
            const items = response.output.map(({ parsed, parsed_arguments, ...item }) => ({
                ...item,
                ...(item.content && { content: item.content.map(({ parsed: _, ...part }) => part) }),
            }));
            calls = items.filter(({ type }) => type === "function_call");
            for (const call of calls) assert.deepEqual(JSON.parse(call.arguments), kRead.arguments);
            input.push(...items, ...calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "done" })));
        }
        assert.deepEqual(words, ["I look again.Now I know 日本語.", "Both.", "The end."]);
        await checkAccepted();
    });

    const models = {
        "@ai-sdk/anthropic": () => [
            createAnthropic({ baseURL: `${proxy.url}/v1`, apiKey: "made-up" })("m"),
            { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } },
        ],
        "@ai-sdk/openai, chat completions": () => [createOpenAI({ baseURL: `${proxy.url}/v1`, apiKey: "made-up" }).chat("m"), {}],
        "@ai-sdk/openai, Responses": () => [
            createOpenAI({ baseURL: `${proxy.url}/v1`, apiKey: "made-up" }).responses("m"),
            { openai: { store: false, include: ["reasoning.encrypted_content"] } },
        ],
    };
    for (const [name, make] of Object.entries(models))
        test(`ai with ${name}, ${how}`, async () => {
            const [model, providerOptions] = make();
            const read = tool({ inputSchema: z.object({ path: z.string() }), execute: async () => "done" });
            const given = { model, providerOptions, prompt: "ALPHA", tools: { read }, stopWhen: stepCountIs(5), maxOutputTokens: 4000 };
            const result = isStream ? streamText({ ...given, onError: ({ error }) => assert.fail(String(error)) }) : await generateText(given);
            assert.equal(await result.text, "The end.");
            const steps = await result.steps;
            assert.equal(steps.length, 3);
            assert.match(steps[0].text, /^I look again\.\s*Now I know 日本語\.$/);
            await checkAccepted();
        });
}
