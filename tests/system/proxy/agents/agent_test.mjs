// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An agent does its task at the stand-in: undisturbed, with faults that it must retry, and killed in the middle of an answer and continued. agent_test.mjs
// AGENT
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createProvider } from "../server.mjs";
import { runAgent } from "./run.mjs";
import { kMarker } from "./task.mjs";

const name = process.argv[2],
    server = createProvider({ isVirtual: true });
const given = { modules: join(import.meta.dirname, "node_modules"), pause_ms: 1000 };
let plain;
before(async () => {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    given.base = given.provider = `http://127.0.0.1:${server.address().port}`;
    plain = await runAgent(name, given);
});
after(() => {
    server.close();
    server.closeAllConnections();
});

function checkDone(report, codes) {
    assert.deepEqual(report.codes, codes, report.output);
    assert.deepEqual(report.refused, []);
    assert.ok(report.calls >= 60, `${report.calls} calls`);
}

test(`${name} does the task`, () => {
    checkDone(plain, [0]);
    assert.deepEqual(plain.client, plain.provider);
    const { read, input, write_5m } = plain.bill[kMarker];
    assert.ok(read > 9 * (input + write_5m), "most is read from the cache");
});

test(`${name} does the same after faults`, async () => {
    const report = await runAgent(name, { ...given, faults: true });
    checkDone(report, [0]);
    assert.equal(report.folder, plain.folder);
    assert.deepEqual(report.client, plain.client);
});

test(`${name} continues after it was killed`, async () => {
    const report = await runAgent(name, { ...given, interrupt: true });
    checkDone(report, ["SIGKILL", 0]);
    assert.equal(report.folder, plain.folder);
});
