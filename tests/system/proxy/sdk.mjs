// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The providers' own SDKs read what the stand-in sends, whole and streamed, in awkward pieces, and play a conversation with tools to its end without a refusal.
// sdk.mjs [BASE [STAND-IN]]: against a stand-in of its own, or through a proxy at BASE before a stand-in.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { z } from "zod";
import { createProvider } from "./server.mjs";

const kText = "naïve 日本語 🙂 text that is longer than one piece of the stream";
const kThought = "Both files: größer 🙂 than one piece of thinking";
const kPaths = ["ä.txt", 'b "quoted".txt'];
const kCalls = kPaths.map((path) => ({ name: "read", arguments: { path, lines: [1, 2] } }));
const kTurns = [
    { thinking: kThought, text: kText, calls: kCalls, chunk: [1, 2, 3, 700], pings: 3 },
    { text: "end", chunk: 5 },
];
const kSchema = { type: "object", properties: { path: { type: "string" }, lines: { type: "array", items: { type: "number" } } }, required: ["path"] };

let server,
    [base, standIn] = process.argv.slice(2);
before(async () => {
    if (base) return;
    server = createProvider();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${server.address().port}`;
});
after(() => server?.close());
const control = async (path, body) =>
    (await fetch(`${standIn ?? base}/__test/${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })).json();
const script = (...turns) => control("script", { conversations: [{ marker: "ALPHA", tools: ["read"], turns }] });
beforeEach(async () => {
    await control("reset", {});
    await script(...kTurns);
});
async function checkAccepted() {
    assert.deepEqual(await control("refused"), []);
    assert.ok((await control("bill")).ALPHA.calls > 0);
}

const anthropic = () => new Anthropic({ baseURL: base, apiKey: "made-up", maxRetries: 2 });
const openai = () => new OpenAI({ baseURL: `${base}/v1`, apiKey: "made-up", maxRetries: 2 });
const kThinking = { thinking: { type: "enabled", budget_tokens: 1024 } };

for (const isStream of [false, true]) {
    const how = isStream ? "streamed" : "whole";

    test(`@anthropic-ai/sdk, ${how}`, async () => {
        const messages = [{ role: "user", content: [{ type: "text", text: `ALPHA ${"x".repeat(8000)}`, cache_control: { type: "ephemeral" } }] }];
        const body = () => ({ model: "m", max_tokens: 2048, ...kThinking, tools: [{ name: "read", input_schema: kSchema }], messages });
        const ask = () => (isStream ? anthropic().messages.stream(body()).finalMessage() : anthropic().messages.create(body()));
        const first = await ask();
        assert.deepEqual(
            first.content.map(({ type }) => type),
            ["thinking", "text", "tool_use", "tool_use"],
        );
        assert.equal(first.content[0].thinking, kThought);
        assert.equal(first.content[1].text, kText);
        assert.deepEqual(
            first.content.slice(2).map(({ input }) => input),
            kCalls.map((call) => call.arguments),
        );
        assert.equal(first.stop_reason, "tool_use");
        assert.ok(first.usage.cache_creation_input_tokens > 2000);
        assert.equal(first.usage.cache_creation.ephemeral_5m_input_tokens, first.usage.cache_creation_input_tokens);
        messages.push(
            { role: "assistant", content: first.content },
            { role: "user", content: first.content.slice(2).map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "done" })) },
        );
        const second = await ask();
        assert.equal(second.content[0].text, "end");
        assert.equal(second.usage.cache_read_input_tokens, first.usage.cache_creation_input_tokens);
        assert.ok((await anthropic().messages.countTokens({ model: "m", messages })).input_tokens > 2000);
        await checkAccepted();
    });

    test(`openai, chat completions, ${how}`, async () => {
        const messages = [{ role: "user", content: `ALPHA ${"x".repeat(8000)}` }],
            tools = [{ type: "function", function: { name: "read", parameters: kSchema } }];
        const ask = async () => {
            if (!isStream) return openai().chat.completions.create({ model: "m", messages, tools });
            return openai()
                .chat.completions.stream({ model: "m", messages, tools, stream_options: { include_usage: true } })
                .finalChatCompletion();
        };
        const first = await ask(),
            [{ message, finish_reason }] = first.choices;
        assert.equal(message.content, kText);
        assert.deepEqual(
            message.tool_calls.map((call) => JSON.parse(call.function.arguments)),
            kCalls.map((call) => call.arguments),
        );
        assert.equal(finish_reason, "tool_calls");
        const { role, content, tool_calls } = message;
        messages.push({
            role,
            content,
            tool_calls: tool_calls.map(({ id, type, function: { name, arguments: text } }) => ({ id, type, function: { name, arguments: text } })),
        });
        messages.push(...tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "done" })));
        const second = await ask();
        assert.equal(second.choices[0].message.content, "end");
        assert.ok(second.usage.prompt_tokens_details.cached_tokens >= 1920);
        assert.equal(second.usage.total_tokens, second.usage.prompt_tokens + second.usage.completion_tokens);
        await checkAccepted();
    });

    for (const store of [false, true]) {
        test(`openai, Responses, ${how}, ${store ? "stored" : "not stored"}`, async () => {
            const tools = [{ type: "function", name: "read", parameters: kSchema, strict: false }];
            const ask = async (more) => {
                const body = { model: "m", tools, store, include: ["reasoning.encrypted_content"], ...more };
                return isStream ? openai().responses.stream(body).finalResponse() : openai().responses.create(body);
            };
            const input = [{ role: "user", content: `ALPHA ${"x".repeat(8000)}` }],
                first = await ask({ input });
            assert.deepEqual(
                first.output.map(({ type }) => type),
                ["reasoning", "message", "function_call", "function_call"],
            );
            assert.equal(first.output_text, kText);
            assert.equal(first.output[0].summary[0].text, kThought);
            const calls = first.output.slice(2);
            assert.deepEqual(
                calls.map((call) => JSON.parse(call.arguments)),
                kCalls.map((call) => call.arguments),
            );
            const outputs = calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "done" }));
            const items = first.output.map(({ parsed, parsed_arguments, ...item }) => ({
                ...item,
                ...(item.content && { content: item.content.map(({ parsed: _, ...part }) => part) }),
            }));
            const second = await ask(store ? { previous_response_id: first.id, input: outputs } : { input: [...input, ...items, ...outputs] });
            assert.equal(second.output_text, "end");
            assert.ok(second.usage.input_tokens_details.cached_tokens >= 1920);
            await checkAccepted();
        });
    }

    const models = {
        "@ai-sdk/anthropic": () => [
            createAnthropic({ baseURL: `${base}/v1`, apiKey: "made-up" })("m"),
            { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } },
        ],
        "@ai-sdk/openai, chat completions": () => [createOpenAI({ baseURL: `${base}/v1`, apiKey: "made-up" }).chat("m"), {}],
        "@ai-sdk/openai, Responses": () => [
            createOpenAI({ baseURL: `${base}/v1`, apiKey: "made-up" }).responses("m"),
            { openai: { store: false, include: ["reasoning.encrypted_content"] } },
        ],
    };
    for (const [name, make] of Object.entries(models)) {
        test(`ai with ${name}, ${how}`, async () => {
            const [model, providerOptions] = make(),
                paths = [];
            const read = tool({
                inputSchema: z.object({ path: z.string(), lines: z.array(z.number()) }),
                execute: async ({ path }) => (paths.push(path), "done"),
            });
            const given = { model, providerOptions, prompt: "ALPHA", tools: { read }, stopWhen: stepCountIs(5), maxOutputTokens: 4000 };
            const result = isStream ? streamText({ ...given, onError: ({ error }) => assert.fail(String(error)) }) : await generateText(given);
            assert.equal(await result.text, "end");
            const steps = await result.steps;
            assert.equal(steps.length, 2);
            assert.equal(steps[0].text, kText);
            if (name !== "@ai-sdk/openai, chat completions") assert.equal(steps[0].reasoningText, kThought);
            assert.deepEqual(paths.sort(), [...kPaths].sort());
            assert.ok((await result.totalUsage).inputTokens > 0);
            await checkAccepted();
        });
    }
}

const kBusy = { text: "end", fault: { kind: "status", status: 529, retry_after: 0, times: 2 } };
const kClients = {
    "@anthropic-ai/sdk": async () =>
        (
            await anthropic().messages.create({
                model: "m",
                max_tokens: 9,
                tools: [{ name: "read", input_schema: kSchema }],
                messages: [{ role: "user", content: "ALPHA" }],
            })
        ).content[0].text,
    openai: async () =>
        (await openai().responses.create({ model: "m", tools: [{ type: "function", name: "read", parameters: kSchema, strict: false }], input: "ALPHA" }))
            .output_text,
};
for (const [name, say] of Object.entries(kClients)) {
    test(`${name} tries again, and reads errors`, async () => {
        await script(kBusy);
        assert.equal(await say(), "end");
        await script({ ...kBusy, fault: { ...kBusy.fault, status: 429, times: 9 } });
        await assert.rejects(say(), (error) => error.status === 429 && /The script wants this failure/.test(error.message));
    });
}

test("@anthropic-ai/sdk reads an error in the middle of a stream, and an early end", async () => {
    for (const kind of ["error", "close"]) {
        await script({ ...kTurns[0], fault: { kind, after: 6 } });
        const body = { model: "m", max_tokens: 2048, tools: [{ name: "read", input_schema: kSchema }], messages: [{ role: "user", content: "ALPHA" }] };
        await assert.rejects(anthropic().messages.stream(body).finalMessage(), kind === "error" ? /Overloaded/ : /./);
    }
});
