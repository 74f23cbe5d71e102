// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp serve with clients of A2A 0.3: the SDK of that version, and the current SDK in its mode for
// old servers. old.mjs ACCP
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Role, TaskState } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { ClientFactory as OldFactory, TaskNotCancelableError, TaskNotFoundError } from "a2a-js-old/client";
import { Hub, Worker, read } from "./hub.mjs";

const hub = await new Hub().start();
const dev = await new Worker("dev").connect(hub);

const message = (parts, more = {}) => ({
    message: { kind: "message", messageId: randomUUID(), role: "user", parts, metadata: { agent: "dev" }, ...more },
});
const text = (words) => [{ kind: "text", text: words }];
async function all(stream) {
    const events = [];
    for await (const event of stream) events.push(event);
    return events;
}
const texts = (parts) => parts.filter((part) => part.kind === "text").map((part) => part.text);
const frames = (parts) => parts.filter((part) => part.kind === "file").map((part) => Buffer.from(part.file.bytes, "base64").toString());

const old = await new OldFactory().createFromUrl(hub.url);
const sent = await old.sendMessage(message(text("hello")));
assert.equal(sent.kind, "task");
assert.equal(sent.status.state, "completed");
assert.deepEqual(texts(sent.artifacts[0].parts), ["hello"]);
assert.equal(read(frames(sent.artifacts[0].parts)[0]).cid, sent.id);

const raw = "@plan>req:build{who:dev|text:1.50}[mid:a00000000001,seq:1,ts:1794000000]";
const file = { kind: "file", file: { mimeType: "application/accp", bytes: Buffer.from(raw).toString("base64") } };
assert.equal((await old.sendMessage(message([file]))).id, "a00000000001");
assert.equal(dev.heard.at(-1), raw);

const events = await all(old.sendMessageStream(message(text("count"))));
assert.deepEqual(events.map((event) => event.kind), ["task", "status-update", ...Array(4).fill("artifact-update"), "status-update"]);
assert.deepEqual(events.slice(2, 5).flatMap((event) => texts(event.artifact.parts)), ["a", "b", "c"]);
assert.deepEqual(events.map((event) => event.final).filter((final) => final !== undefined), [false, true]);
assert.equal(events.at(-1).status.state, "completed");
assert.equal((await old.getTask({ id: events[0].id })).status.state, "completed");

const asking = await old.sendMessage(message(text("ask")));
assert.equal(asking.status.state, "input-required");
assert.equal((await old.sendMessage(message(text("red"), { taskId: asking.id }))).status.state, "completed");

const long = await old.sendMessage({ ...message(text("wait")), configuration: { blocking: false } });
const followed = old.resubscribeTask({ id: long.id });
assert.equal((await followed.next()).value.id, long.id);
assert.equal((await old.cancelTask({ id: long.id })).status.state, "canceled");
assert.equal((await all(followed)).at(-1).status.state, "canceled");
await assert.rejects(old.cancelTask({ id: sent.id }), TaskNotCancelableError);
await assert.rejects(old.getTask({ id: "none" }), TaskNotFoundError);
assert.ok((await old.getAgentCard()).skills.some((skill) => skill.id === "dev"));

// the current client with the card of 0.3
const legacyCompat = { enabled: true };
const cardResolver = new DefaultAgentCardResolver({
    legacyCompat,
    fetchImpl: (url, init) => fetch(url, { ...init, headers: { "A2A-Version": "0.3" } }),
});
const compat = await new ClientFactory({ transports: [new JsonRpcTransportFactory({ legacyCompat })], cardResolver }).createFromUrl(hub.url);
assert.equal(compat.protocolVersion, "0.3");
const done = await compat.sendMessage({
    message: {
        messageId: randomUUID(), contextId: "", taskId: "", role: Role.ROLE_USER,
        parts: [{ content: { $case: "text", value: "again" }, metadata: undefined, filename: "", mediaType: "" }],
        metadata: { agent: "dev" }, extensions: [], referenceTaskIds: [],
    },
});
assert.equal(done.status.state, TaskState.TASK_STATE_COMPLETED);
assert.equal(done.artifacts[0].parts[1].mediaType, "application/accp");
assert.equal(await hub.stop(), 0);
