// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An agent does its task in a rough run (run.mjs), directly and through accp proxy, which is killed and started again several times meanwhile: the folder and
// the agent's own requests are the same, and the stand-in refuses nothing. proxied_test.mjs AGENT; ACCP is the command.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { end, endAll, startProxy } from "../processes.mjs";
import { createProvider } from "../server.mjs";
import { runAgent } from "./run.mjs";
import { kEnd, kMarker, kRest } from "./task.mjs";

const name = process.argv[2],
    folder = mkdtempSync(join(tmpdir(), "accp-proxied-")),
    server = createProvider({ isVirtual: true });
const given = { modules: join(import.meta.dirname, "node_modules"), rough: true };
let direct;
before(async () => {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    given.base = given.provider = `http://127.0.0.1:${server.address().port}`;
    direct = await runAgent(name, given);
});
after(() => {
    endAll();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
});

function checkDone(report) {
    assert.deepEqual(report.codes, ["SIGKILL", 0, 0], report.output);
    assert.deepEqual(report.refused, []);
    for (const conversation of [kMarker, kRest, kEnd]) assert.ok(report.client[conversation], `${conversation} has an answered request`);
    assert.ok(report.calls < 50, `${report.calls} calls are left of 67: the agent has compacted its conversation`);
}
const billed = ({ bill }) => Object.values(bill).reduce((sum, { billed_input }) => sum + billed_input, 0);

test(`${name} does the task directly`, () => {
    checkDone(direct);
    assert.deepEqual(direct.client, direct.provider);
});

for (const resolve of [false, true])
    test(`${name} does the same through a proxy that is killed${resolve ? ", and the model calls accp_resolve" : ""}`, async () => {
        const keep = join(folder, String(resolve)),
            options = ["--store", `sqlite:${keep}.db`, "--calls", `${keep}.jsonl`, ...(resolve ? [] : ["--no-resolve"])];
        let proxy = await startProxy({ url: given.provider }, ...options),
            restarts = 0;
        const restart = async () => {
            await end(proxy.child, "SIGKILL");
            proxy = await startProxy({ url: given.provider }, ...options);
            ++restarts;
            return proxy.url;
        };
        const report = await runAgent(name, { ...given, base: proxy.url, restart, resolve, keep });
        checkDone(report);
        assert.equal(report.folder, direct.folder);
        assert.deepEqual(report.client, direct.client);
        assert.equal(restarts, 5);
        const sent = readdirSync(keep)
            .filter((file) => file.includes(".provider."))
            .map((file) => readFileSync(join(keep, file), "utf8"))
            .join("\n");
        assert.match(sent, /left out to save cost/);
        assert.equal(/"name": "accp_resolve",\s+"(arguments|input)"/.test(sent), resolve);
        if (!resolve) assert.ok(billed(report) < billed(direct), `${billed(report)} of ${billed(direct)}`);
        console.log(JSON.stringify({ agent: name, resolve, seconds: report.seconds, calls: report.calls, ratio: billed(report) / billed(direct) }));
        rmSync(report.place, { recursive: true });
        await end(proxy.child, "SIGTERM");
    });
