// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp serve with the official SDK of A2A 1.0. sdk.mjs ACCP
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Role, TaskState } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory, createAuthenticatingFetchWithRetry } from "@a2a-js/sdk/client";
import { PushNotificationNotSupportedError, RequestMalformedError, TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { Hub, Worker, place, read } from "./hub.mjs";

const hub = await new Hub().start();
const dev = await new Worker("dev").connect(hub);
const client = await new ClientFactory().createFromUrl(hub.url);
const kExtension = client.agentCard.capabilities.extensions[0].uri;
const kText = "text/plain";
const kFrame = "application/accp";

const part = ($case, value, mediaType = "") => ({ content: { $case, value }, metadata: undefined, filename: "", mediaType });
function message(parts, more = {}) {
    if (typeof parts === "string") parts = [part("text", parts)];
    const named = { messageId: randomUUID(), contextId: "", taskId: "", role: Role.ROLE_USER, parts };
    return { tenant: "", metadata: undefined, configuration: undefined, message: { ...named, metadata: { agent: "dev" }, extensions: [], referenceTaskIds: [], ...more } };
}
const now = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true };
const begin = (text) => client.sendMessage({ ...message(text), configuration: now });
const task = (id) => ({ tenant: "", id, metadata: undefined });
const shown = (parts, type) => parts.filter((one) => one.mediaType === type).map((one) => one.content.value);
async function all(stream) {
    const events = [];
    for await (const event of stream) events.push(event.payload);
    return events;
}
const states = (events) => events.map(({ $case, value }) => ($case === "artifactUpdate" ? "artifact" : TaskState[value.status.state].slice(11)));

// send
const sent = await client.sendMessage(message("hello"));
assert.equal(sent.status.state, TaskState.TASK_STATE_COMPLETED);
assert.equal(sent.contextId, "default");
assert.equal(sent.id, read(dev.heard.at(-1)).mid);
assert.equal(read(dev.heard.at(-1)).operation, "execute");
assert.deepEqual(shown(sent.artifacts[0].parts, kText), ["hello"]);
const [frame] = shown(sent.artifacts[0].parts, kFrame);
assert.equal(read(frame).cid, sent.id);
assert.deepEqual(sent.artifacts[0].metadata[kExtension], { agent: "dev", intent: "done", operation: "execute", untrusted: true });
assert.equal(sent.history.length, 1);

// a frame, byte for byte; data
const raw = "@plan>req:build{who:dev|text:1.50}[mid:a00000000001,seq:1,ts:1794000000]";
const built = await client.sendMessage(message([part("text", raw, kFrame)]));
assert.equal(dev.heard.at(-1), raw);
assert.equal(built.id, "a00000000001");
const bytes = raw.replace("a00000000001,seq:1", "a00000000002,seq:2");
await client.sendMessage(message([part("raw", Buffer.from(bytes), kFrame)]));
assert.equal(dev.heard.at(-1), bytes);
await client.sendMessage(message([part("data", { n: 2, list: ["x"] })], { metadata: { [kExtension]: { agent: "dev", operation: "review" } } }));
assert.match(dev.heard.at(-1), /^@a2a>req:review\{who:dev\|n:2\|list:\[x\]\}\[/);

// stream
const events = await all(client.sendMessageStream(message("count")));
assert.deepEqual(states(events), ["SUBMITTED", "WORKING", "artifact", "artifact", "artifact", "artifact", "COMPLETED"]);
const chunks = events.filter((event) => event.$case === "artifactUpdate").map((event) => event.value);
assert.deepEqual(chunks.slice(0, 3).flatMap((chunk) => shown(chunk.artifact.parts, kText)), ["a", "b", "c"]);
assert.deepEqual(chunks.slice(0, 3).map((chunk) => shown(chunk.artifact.parts, kFrame).length), [1, 1, 1]);
assert.deepEqual(chunks.slice(0, 3).map((chunk) => [chunk.append, chunk.lastChunk]), [[false, false], [true, false], [true, true]]);
assert.equal(new Set(chunks.slice(0, 3).map((chunk) => chunk.artifact.artifactId)).size, 1);
assert.deepEqual(chunks[3].artifact.parts[0].content.value, { n: 3 });

// get
const got = await client.getTask({ tenant: "", id: events[0].value.id });
assert.equal(got.status.state, TaskState.TASK_STATE_COMPLETED);
assert.deepEqual(shown(got.artifacts[0].parts, kText), ["a", "b", "c"]);

// a question, and the client's reply to it
const asking = await client.sendMessage(message("ask"));
assert.equal(asking.status.state, TaskState.TASK_STATE_INPUT_REQUIRED);
assert.deepEqual(shown(asking.status.message.parts, kText), ["which"]);
const answered = await client.sendMessage(message("red", { taskId: asking.id }));
assert.equal(answered.status.state, TaskState.TASK_STATE_COMPLETED);
assert.deepEqual(answered.history.map((one) => one.role), [Role.ROLE_USER, Role.ROLE_AGENT, Role.ROLE_USER]);
assert.match(dev.heard.at(-1), /^@a2a>done:colour\{text:red\}/);

// a failure
const failed = await client.sendMessage(message("fail"));
assert.equal(failed.status.state, TaskState.TASK_STATE_FAILED);
assert.deepEqual(shown(failed.status.message.parts, kText), ["E4002: broken"]);

// resubscribe, cancel
const long = await begin("wait");
const followed = client.resubscribeTask(task(long.id));
const first = (await followed.next()).value.payload;
assert.equal(first.$case, "task");
assert.equal(first.value.id, long.id);
const canceled = await client.cancelTask(task(long.id));
assert.equal(canceled.status.state, TaskState.TASK_STATE_CANCELED);
assert.equal(states(await all(followed)).at(-1), "CANCELED");
assert.ok(await dev.waitsFor("cancel"));
assert.equal((await client.cancelTask(task(long.id))).status.state, TaskState.TASK_STATE_CANCELED);
await assert.rejects(client.cancelTask(task(sent.id)), TaskNotCancelableError);
await assert.rejects(all(client.resubscribeTask(task(sent.id))), UnsupportedOperationError);
await assert.rejects(client.sendMessage(message("more", { taskId: sent.id })), UnsupportedOperationError);

// list
const page = await client.listTasks({ tenant: "", contextId: "default", status: TaskState.TASK_STATE_COMPLETED, pageSize: 2, pageToken: "", statusTimestampAfter: undefined });
assert.equal(page.tasks.length, 2);
assert.equal(page.totalSize, 6);
assert.equal(page.tasks[0].id, answered.id);
assert.deepEqual(page.tasks[0].artifacts, []);
const rest = await client.listTasks({ tenant: "", contextId: "", status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: page.nextPageToken, includeArtifacts: true, statusTimestampAfter: undefined });
assert.ok(rest.tasks.every((one) => ![page.tasks[0].id, page.tasks[1].id].includes(one.id)));

// refused requests
await assert.rejects(client.getTask({ tenant: "", id: "none" }), TaskNotFoundError);
await assert.rejects(client.sendMessage(message([])), RequestMalformedError);
await assert.rejects(client.transport.createTaskPushNotificationConfig({ tenant: "", id: "", taskId: sent.id, url: "http://localhost/", token: "", authentication: undefined }), PushNotificationNotSupportedError);

// the card for clients with a token, which here every client gets
const card = await client.getAgentCard();
assert.ok(card.skills.some((skill) => skill.id === "dev"));
assert.equal(await hub.stop(), 0);

// with tokens
const tokens = join(place(), "tokens");
writeFileSync(tokens, "");
const token = (await Hub.run("serve", "token", "--agents", "plan", "--sessions", "team-*", "--tokens", tokens)).trim();
const worker = (await Hub.run("serve", "token", "--agents", "dev", "--sessions", "*", "--tokens", tokens)).trim();
const closed = await new Hub("--tokens", tokens).start();
const dev2 = await new Worker("dev").connect(closed, "team-1", { Authorization: `Bearer ${worker}` });
const login = {
    headers: async () => ({ Authorization: `Bearer ${token}` }),
    shouldRetryWithHeaders: async () => undefined,
};
const open = await new ClientFactory().createFromUrl(closed.url);
assert.equal(open.agentCard.securityRequirements.length, 1);
await assert.rejects(open.sendMessage(message("hello")), /401/);
const fetchImpl = createAuthenticatingFetchWithRetry(fetch, login);
const known = await new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] }).createFromUrl(closed.url);
const done = await known.sendMessage(message("hello"));
assert.equal(done.contextId, "team-1");
assert.equal(read(dev2.heard.at(-1)).agent, "plan");
await assert.rejects(known.sendMessage(message("hello", { contextId: "other" })), RequestMalformedError);
assert.equal(await closed.stop(), 0);
