#!/usr/bin/env node
// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A strict stand-in for a provider of models, on loopback: README.md. Prints {"port": N} when it listens.
import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createProvider } from "./server.mjs";
import { Script } from "./script.mjs";

const kUsage = `usage: provider.mjs [--port N] [--script FILE] [--log FILE] [--clock real|virtual] [--min-tokens N] [--window TOKENS] [--alternate]\n`;

function fail(message) {
    process.stderr.write(`provider.mjs: ${message}\n${kUsage}`);
    process.exit(2);
}

function options() {
    const text = { type: "string" };
    try {
        return parseArgs({
            options: {
                port: text,
                script: text,
                log: text,
                clock: text,
                "min-tokens": text,
                window: text,
                alternate: { type: "boolean" },
                help: { type: "boolean" },
            },
        }).values;
    } catch (error) {
        return fail(error.message);
    }
}

const given = options();
if (given.help) {
    process.stdout.write(kUsage);
    process.exit(0);
}
for (const name of ["port", "min-tokens", "window"])
    if (given[name] !== undefined && !/^\d+$/.test(given[name])) fail(`--${name} is '${given[name]}'; it must be a whole number`);
if (!["real", "virtual"].includes(given.clock ?? "real")) fail(`--clock is '${given.clock}'; it must be real or virtual`);
let script;
try {
    script = given.script ? Script.read(given.script) : new Script();
} catch (error) {
    fail(`${given.script}: ${error.message}`);
}
if (given.log) writeFileSync(given.log, "");
const provider = createProvider({
    script,
    isVirtual: given.clock === "virtual",
    min_tokens: Number(given["min-tokens"] ?? 1024),
    window: Number(given.window ?? 1_000_000),
    alternate: given.alternate === true,
    log: given.log && ((line) => appendFileSync(given.log, `${JSON.stringify(line)}\n`)),
});
provider.listen(Number(given.port ?? 0), "127.0.0.1", () => process.stdout.write(`${JSON.stringify({ port: provider.address().port })}\n`));
