#!/usr/bin/env node
// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Replays recorded sessions of a coding agent as Messages requests at their recorded times, and prints what the stand-in billed.
//
//   replay.mjs --base URL [--provider URL] [--front TOKENS] [--sessions] [--unmarked] FILE-or-DIR...
//
// --base: the URL of the stand-in (--clock virtual), or of a proxy in front of it. --provider: the URL of the stand-in, if --base is a proxy. --front: tokens
// of system prompt and tools before each session (17,000 if not given). --sessions: also the figures of each session. --unmarked: without cache marks.
//
// A session is *.jsonl, one message a line: {"agent", "intent", "operation", "payload": {"content"} or {"thought", "tool_name", "arguments"} or {"tool_name",
// "result"}, "meta": {"ts": seconds}}. If *.usage.json is beside it, `billed` in it has [ts, input, written, read, output] of each call as the provider
// billed them, and the report compares both. Cache marks are set as by Claude Code: on the last tool, the system prompt, the last two messages of the user.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { priceOf } from "./cache.mjs";
import { ask } from "./client.mjs";
import { Session, isCall, makeFront } from "./session.mjs";

// Each session begins with a cold cache: two hours after the end of the one before, because a clock does not go back.
const kPauseSeconds = 7200;

async function replay(path, given) {
    const { base, provider, front, unmarked } = given,
        marker = basename(path, ".jsonl"),
        lines = readFileSync(path, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
    const session = new Session(lines, marker),
        names = [...new Set(lines.filter(isCall).map(({ payload }) => payload.tool_name))];
    const head = { model: "stand-in", max_tokens: 32000, ...makeFront(front, names), metadata: { user_id: marker } };
    await ask(`${provider}/__test/script`, session.script());
    const shift = given.now + kPauseSeconds - session.calls[0].ts;
    for (const call of session.calls) {
        given.now = call.ts + shift;
        const headers = {
            "x-api-key": "made-up",
            "anthropic-version": "2023-06-01",
            "x-test-now-ms": String(Math.round(given.now * 1000)),
            "x-test-conversation": marker,
        };
        const body = { ...head, messages: session.seenBy(call) };
        await ask(`${base}/v1/messages`, unmarked ? withoutMarks(body) : body, headers);
    }
    return { session: marker, calls: session.calls.length, ...recorded(path) };
}

const withoutMarks = (body) => JSON.parse(JSON.stringify(body, (key, value) => (key === "cache_control" ? undefined : value)));

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

const filesOf = (path) =>
    statSync(path).isDirectory()
        ? readdirSync(path, { recursive: true })
              .filter((name) => name.endsWith(".jsonl"))
              .sort()
              .map((name) => join(path, name))
        : [path];

function fail(message) {
    process.stderr.write(`replay.mjs: ${message}\nusage: replay.mjs --base URL [--provider URL] [--front TOKENS] [--sessions] [--unmarked] FILE-or-DIR...\n`);
    process.exit(2);
}

function options() {
    const text = { type: "string" };
    try {
        return parseArgs({ allowPositionals: true, options: { base: text, provider: text, front: text, sessions: { type: "boolean" }, unmarked: { type: "boolean" } } });
    } catch (error) {
        return fail(error.message);
    }
}

async function main() {
    const { values, positionals } = options();
    if (!values.base) fail("--base is missing");
    if (!/^\d+$/.test(values.front ?? "0")) fail(`--front is '${values.front}'; it must be a whole number of tokens`);
    const missing = positionals.find((path) => !existsSync(path));
    if (missing) fail(`${missing} does not exist`);
    const files = positionals.flatMap(filesOf);
    if (!files.length) fail("there is no session");
    const given = { base: values.base, provider: values.provider ?? values.base, front: Number(values.front ?? 17000), unmarked: values.unmarked },
        sessions = [];
    await ask(`${given.provider}/__test/reset`, {});
    given.now = 0;
    for (const path of files) sessions.push(await replay(path, given));
    const bill = await ask(`${given.provider}/__test/bill`),
        refused = await ask(`${given.provider}/__test/refused`);
    for (const one of sessions) Object.assign(one, bill[one.session], { ratio: one.recorded_input && bill[one.session].billed_input / one.recorded_input });
    const report = {
        sessions: sessions.length,
        calls: sessions.reduce((sum, one) => sum + one.calls, 0),
        refused: refused.length,
        billed_input: spread(sessions.map((one) => one.billed_input)),
    };
    const compared = sessions.filter((one) => one.ratio);
    if (compared.length) report.against_recorded = spread(compared.map((one) => one.ratio));
    process.stdout.write(`${JSON.stringify(values.sessions ? { ...report, each: sessions } : report, null, 1)}\n`);
}

await main();
