#!/usr/bin/env node
// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Replays recorded sessions of a coding agent as Messages requests at their recorded times, and prints what the stand-in billed.
//
//   replay.mjs --base URL [--provider URL] [--front TOKENS] [--sessions] FILE-or-DIR...
//
// --base: where the requests go. --provider: the stand-in (--clock virtual), if --base is a proxy before it. --front: tokens of system prompt and tools before each
// session (17,000 if not given). --sessions: also the figures of each session.
//
// A session is *.jsonl, one message a line: {"agent", "intent", "operation", "payload": {"content"} or {"thought", "tool_name", "arguments"} or {"tool_name",
// "result"}, "meta": {"ts": seconds}}. If *.usage.json is beside it, `billed` in it has [ts, input, written, read, output] of each call as the provider billed them, and
// the report compares both. Marks are where Claude Code sets them: the last tool, the system prompt, the last two messages of the user.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { tokensOf } from "./canonical.mjs";
import { priceOf } from "./cache.mjs";

const kMark = { cache_control: { type: "ephemeral" } };
const kTools = 16;

const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? ""));
const nonEmpty = (text) => (text.trim() ? text : "(empty)");

// English-like text of so many tokens, always the same.
function prose(tokens, seed) {
    const words = ["check", "the", "file", "before", "each", "change", "and", "report", "what", "failed", "with", "its", "path", "never", "guess", "a", "name"];
    let text = "", at = seed;
    while (tokensOf(text) < tokens) text += `${words[(at = (at * 48271 + 11) % 0x7fffffff) % words.length]}${at % 13 ? " " : ". "}`;
    return text;
}

// A fifth of the tokens are the system prompt, the rest tools, as in coding agents.
function makeFront(tokens, names) {
    const all = [...new Set([...names, ...Array.from({ length: kTools }, (_, at) => `Tool${at}`)])].slice(0, Math.max(kTools, names.length));
    const tools = all.map((name, at) => ({
        name,
        description: prose(Math.floor((tokens * 0.8) / all.length) - 30, at + 1),
        input_schema: { type: "object", properties: { path: { type: "string" } } },
    }));
    Object.assign(tools.at(-1), kMark);
    return { tools, system: [{ type: "text", text: prose(Math.floor(tokens * 0.2), 99), ...kMark }] };
}

const isCall = ({ intent, payload }) => intent === "req" && "arguments" in payload;

// The messages of the session, and the calls of the model: {turn, count: of the messages that the call sees, ts}. Calls and results of one turn are joined.
function conversation(lines, marker) {
    const messages = [{ role: "user", content: [{ type: "text", text: `<system-reminder>Session ${marker}.</system-reminder>` }] }], calls = [];
    let open = [];
    const add = (role, ...blocks) => (messages.at(-1).role === role ? messages.at(-1).content.push(...blocks) : messages.push({ role, content: blocks }));
    const answerOpen = () => open.length && add("user", ...open.splice(0).map((id) => ({ type: "tool_result", tool_use_id: id, content: "No result was recorded." })));
    lines.forEach((line, at) => {
        const { agent, payload, meta } = line;
        if (agent === "tool") {
            const id = open.shift();
            const content = textOf(payload.result);
            add("user", ...(id ? [{ type: "tool_result", tool_use_id: id, content }] : [{ type: "text", text: nonEmpty(content) }]));
            return;
        }
        const isModel = agent !== "user";
        if (!isModel) {
            answerOpen();
            add("user", { type: "text", text: nonEmpty(textOf(payload.content)) });
            return;
        }
        const text = payload.thought ?? (isCall(line) ? "" : textOf(payload.content ?? payload));
        const continues = messages.at(-1).role === "assistant" && isCall(line) && !text;
        if (!continues) {
            answerOpen();
            if (messages.at(-1).role !== "assistant") calls.push({ count: messages.length, ts: meta.ts });
        }
        if (text.trim()) add("assistant", { type: "text", text });
        if (!isCall(line)) return;
        open.push(`toolu_${marker.replaceAll(/[^A-Za-z0-9]/g, "")}${at}`);
        add("assistant", { type: "tool_use", id: open.at(-1), name: payload.tool_name, input: typeof payload.arguments === "object" ? payload.arguments : { value: payload.arguments } });
    });
    return { messages, calls };
}

// Marks the last two messages of the user.
function marked(messages) {
    const users = messages.map(({ role }, at) => (role === "user" ? at : -1)).filter((at) => at >= 0).slice(-2);
    return messages.map((message, at) => (users.includes(at) ? { ...message, content: message.content.map((block, number, all) => (number === all.length - 1 ? { ...block, ...kMark } : block)) } : message));
}

async function ask(url, body, headers = {}) {
    const answer = await fetch(url, body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    return answer.json();
}

// What the model said is the script, so that output is billed as recorded.
const scriptOf = (messages, marker) => ({
    conversations: [{ marker, turns: messages.filter(({ role }) => role === "assistant").map(({ content }) => ({
        text: content.filter(({ type }) => type === "text").map(({ text }) => text).join("\n"),
        calls: content.filter(({ type }) => type === "tool_use").map(({ name, input }) => ({ name, arguments: input })),
    })) }],
});

// Each session begins with a cold cache: two hours after the end of the last, because a clock does not go back.
const kPauseSeconds = 7200;

async function replay(path, given) {
    const { base, provider, front } = given;
    const marker = basename(path, ".jsonl"), lines = readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line));
    const { messages, calls } = conversation(lines, marker), names = lines.filter(isCall).map(({ payload }) => payload.tool_name);
    const head = { model: "stand-in", max_tokens: 32000, ...makeFront(front, [...new Set(names)]), metadata: { user_id: marker } };
    await ask(`${provider}/__test/script`, scriptOf(messages, marker));
    const shift = given.now + kPauseSeconds - calls[0].ts;
    for (const { count, ts } of calls) {
        given.now = ts + shift;
        const headers = { "x-api-key": "made-up", "anthropic-version": "2023-06-01", "x-test-now-ms": String(Math.round(given.now * 1000)), "x-test-conversation": marker };
        await ask(`${base}/v1/messages`, { ...head, messages: marked(messages.slice(0, count)) }, headers);
    }
    return { session: marker, calls: calls.length, ...recorded(path) };
}

function recorded(path) {
    const usage = path.replace(/\.jsonl$/, ".usage.json");
    if (!existsSync(usage)) return {};
    const { billed } = JSON.parse(readFileSync(usage, "utf8"));
    const total = billed.reduce((sum, [, input, write_5m, read]) => sum + priceOf({ input, write_5m, read }), 0);
    return { recorded_calls: billed.length, recorded_input: total };
}

function spread(values) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1));
    return { mean, deviation, min: Math.min(...values), max: Math.max(...values) };
}

const filesOf = (path) => (statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).filter((name) => name.endsWith(".jsonl")).sort().map((name) => join(path, name)) : [path]);

function fail(message) {
    process.stderr.write(`replay.mjs: ${message}\nusage: replay.mjs --base URL [--provider URL] [--front TOKENS] [--sessions] FILE-or-DIR...\n`);
    process.exit(2);
}

async function main() {
    const text = { type: "string" };
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { base: text, provider: text, front: text, sessions: { type: "boolean" } } });
    if (!values.base) fail("--base is missing");
    const files = positionals.flatMap(filesOf);
    if (!files.length) fail("there is no session");
    const given = { base: values.base, provider: values.provider ?? values.base, front: Number(values.front ?? 17000) }, sessions = [];
    await ask(`${given.provider}/__test/reset`, {});
    given.now = 0;
    for (const path of files) sessions.push(await replay(path, given));
    const bill = await ask(`${given.provider}/__test/bill`), refused = await ask(`${given.provider}/__test/refused`);
    for (const one of sessions) Object.assign(one, bill[one.session], { ratio: one.recorded_input && bill[one.session].billed_input / one.recorded_input });
    const report = { sessions: sessions.length, calls: sessions.reduce((sum, one) => sum + one.calls, 0), refused: refused.length, billed_input: spread(sessions.map((one) => one.billed_input)) };
    const compared = sessions.filter((one) => one.ratio);
    if (compared.length) report.against_recorded = spread(compared.map((one) => one.ratio));
    process.stdout.write(`${JSON.stringify(values.sessions ? { ...report, each: sessions } : report, null, 1)}\n`);
}

await main();
