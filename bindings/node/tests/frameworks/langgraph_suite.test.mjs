// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs langgraph/suite.spec.mjs, LangGraph's own suite, which needs vitest.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(createRequire(import.meta.url).resolve("@langchain/langgraph-checkpoint-validation"));
const vitest = join(dirname(require.resolve("vitest/package.json")), "vitest.mjs");

test("LangGraph's suite for checkpointers, whole, in memory and in SQLite", async (t) => {
    const output = await new Promise((resolve) => {
        execFile(
            process.execPath,
            [vitest, "run", "--globals", "--root", join(here, "langgraph"), "--reporter=json"],
            { maxBuffer: 1 << 28 },
            (_error, stdout, stderr) => resolve(stdout || stderr),
        );
    });
    const report = JSON.parse(output.slice(output.indexOf("{")));
    const failed = report.testResults
        .flatMap((one) => [
            one.message,
            ...one.assertionResults.filter((each) => each.status !== "passed").map((each) => `${each.status}: ${each.fullName}`),
        ])
        .filter(Boolean);
    assert.deepEqual(failed, []);
    assert.ok(report.numPassedTests >= 1452, `${report.numPassedTests} tests passed`);
    t.diagnostic(`${report.numPassedTests} tests of LangGraph passed`);
});
