// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp serve is killed between a reply to an A2A client and its next request. The known tasks must
// be there unchanged, and must continue. kill.mjs ACCP
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Role, TaskState } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { Hub, Worker, place } from "./hub.mjs";

const rounds = Number(process.env.ACCP_KILLS ?? 8);
const hub = await new Hub("--store", `sqlite:${join(place(), "hub.db")}`).start();
const dev = await new Worker("dev").connect(hub);
const client = await new ClientFactory().createFromUrl(hub.url);

const send = (text, now, more = {}) =>
    client.sendMessage({
        tenant: "", metadata: undefined,
        configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: now },
        message: {
            messageId: randomUUID(), contextId: "", taskId: "", role: Role.ROLE_USER,
            parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
            metadata: { agent: "dev" }, extensions: [], referenceTaskIds: [], ...more,
        },
    });
const get = (id) => client.getTask({ tenant: "", id });
const artifacts = (task) => JSON.stringify(task.artifacts);

const known = [];
for (let round = 0; round < rounds; ++round) {
    const done = await send("count", false);
    const asking = await send("ask", false);
    assert.equal(asking.status.state, TaskState.TASK_STATE_INPUT_REQUIRED);
    const begun = await send("wait", true);
    known.push(done);
    // everything that the agent sent is safe
    while ((await get(begun.id)).status.state !== TaskState.TASK_STATE_WORKING);
    const port = hub.port;
    await hub.stop("SIGKILL");
    await hub.start(port);
    for (const task of known) {
        const again = await get(task.id);
        assert.equal(again.status.state, task.status.state);
        assert.equal(artifacts(again), artifacts(task));
        assert.deepEqual(again.history, task.history);
    }
    assert.equal((await get(asking.id)).status.state, TaskState.TASK_STATE_INPUT_REQUIRED);
    await dev.connect(hub);
    const answered = await send("red", false, { taskId: asking.id });
    assert.equal(answered.status.state, TaskState.TASK_STATE_COMPLETED);
    known.push(answered);
    await client.cancelTask({ tenant: "", id: begun.id, metadata: undefined });
    assert.equal((await get(begun.id)).status.state, TaskState.TASK_STATE_CANCELED);
}
const page = await client.listTasks({ tenant: "", contextId: "", status: TaskState.TASK_STATE_UNSPECIFIED, pageSize: 100, pageToken: "", statusTimestampAfter: undefined });
assert.equal(page.totalSize, 3 * rounds);
assert.equal(await hub.stop(), 0);
