#!/usr/bin/env node
// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A small agent for script/proxy-recording: reads the files that the model names, at ANTHROPIC_BASE_URL, and prints a line for each call.
//
//   reader.mjs TASK
import { readFileSync } from "node:fs";
import { ask } from "./client.mjs";
import { makeFront } from "./session.mjs";

const kFront = 12000; // tokens of system prompt and tools
const kTokensOfMark = 4000;
const kMark = { cache_control: { type: "ephemeral" } };

const marked = (message) => ({ ...message, content: [...message.content.slice(0, -1), { ...message.content.at(-1), ...kMark }] });

// Marks the last two messages of the user, as coding agents do.
function withMarks(messages) {
    const users = [...messages.keys()].filter((at) => messages[at].role === "user").slice(-2);
    return messages.map((message, at) => (users.includes(at) ? marked(message) : message));
}

const printLine = (number, words, tokens) => process.stdout.write(`${String(number).padStart(4)} ${words.padEnd(39)} ${tokens}\n`);

function printCall(number, words, { input_tokens, cache_creation_input_tokens, cache_read_input_tokens }) {
    const tokens = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
    printLine(number, words, `${tokens.toLocaleString("en").padStart(7)} ${"█".repeat(tokens / kTokensOfMark)}`);
}

const messages = [{ role: "user", content: [{ type: "text", text: process.argv[2] }] }];
const head = { model: "claude-sonnet-5", max_tokens: 8000, ...makeFront(kFront, ["Read"]) };
const headers = { "x-api-key": "made-up", "anthropic-version": "2023-06-01" };
printLine("call", "the model's reply", " tokens of the prompt, counted by the provider");
for (let number = 1, stop = "tool_use"; stop === "tool_use"; number++) {
    const reply = await ask(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, { ...head, messages: withMarks(messages) }, headers);
    const calls = reply.content.filter(({ type }) => type === "tool_use");
    const results = calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: readFileSync(input.path, "utf8") }));
    printCall(number, calls.map(({ name, input }) => `${name} ${input.path}`).join(", ") || reply.content[0].text, reply.usage);
    messages.push({ role: "assistant", content: reply.content }, { role: "user", content: results });
    stop = reply.stop_reason;
}
