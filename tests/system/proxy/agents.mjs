#!/usr/bin/env node
// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs real agents, unchanged, on a small project against the stand-in, directly or through a proxy, and prints one JSON object for each run.
//
//   agents.mjs --base URL [--provider URL] [--modules DIR] [--interrupt] [--faults] [--resolve] [--rough] [--pause-virtual MS] [--keep DIR] [AGENT...]
//
// --base: the URL of the stand-in, or of a proxy in front of it. --provider: the URL of the stand-in, if --base is a proxy. --modules: node_modules of
// agents/package.json. --interrupt: the agent is killed in the middle of a response, and continues its session. --faults: some responses fail at the first
// attempt. --resolve: the model calls accp_resolve, which a proxy must offer. --pause-virtual: the stand-in's virtual clock moves on by this much before
// each response. --rough: a request is ended, the agent is killed in the middle of a response, pauses, and it compacts the conversation. --keep: writes the transcripts to a directory.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agents } from "./agents/known.mjs";
import { runAgent } from "./agents/run.mjs";

function fail(message) {
    process.stderr.write(`agents.mjs: ${message}\n`);
    process.exit(2);
}

function options() {
    const text = { type: "string" },
        flag = { type: "boolean" };
    try {
        return parseArgs({
            allowPositionals: true,
            options: { base: text, provider: text, modules: text, keep: text, "pause-virtual": text, interrupt: flag, faults: flag, resolve: flag, rough: flag },
        });
    } catch (error) {
        return fail(error.message);
    }
}

const { values, positionals } = options(),
    unknown = positionals.find((name) => !(name in agents)),
    pause = values["pause-virtual"] ?? "0";
if (unknown) fail(`'${unknown}' is no agent; these are: ${Object.keys(agents).join(", ")}`);
if (!values.base) fail("--base is missing: the URL to which the agents send their requests");
if (!/^\d+$/.test(pause)) fail(`--pause-virtual is '${pause}'; it must be a whole number of milliseconds`);
const given = {
    ...values,
    provider: values.provider ?? values.base,
    modules: values.modules ?? join(import.meta.dirname, "agents/node_modules"),
    pause_ms: Number(pause),
};
if (!existsSync(given.modules)) fail(`${given.modules} does not exist; install agents/package.json and name it by --modules`);
for (const name of positionals.length ? positionals : Object.keys(agents)) process.stdout.write(`${JSON.stringify(await runAgent(name, given))}\n`);
