// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tool accp_resolve, before the strict stand-in: the client gets one response without its calls, and the provider gets each call and its result back
// at the same place in every later request. ACCP is the command.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask } from "./client.mjs";
import { end, endAll, startProxy } from "./processes.mjs";
import { ChatAgent, MessagesAgent, ResponsesAgent, resultOf } from "./resolve_client.mjs";
import { createProvider } from "./server.mjs";

const folder = mkdtempSync(join(tmpdir(), "accp-resolve-"));
const kHour = 3_600_000;
let server, provider;
const lines = [];
before(async () => {
    server = createProvider({ isVirtual: true, log: (line) => lines.push(line) });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    provider = { url: `http://127.0.0.1:${server.address().port}` };
});
after(() => {
    endAll();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
});

const read = (number) => ({ name: "Read", arguments: { file_path: `src/f${number}.ts` } });
const seeAgain = (place) => ({ name: "accp_resolve", arguments: { left_out: place } });
const kChunk = { chunk: [1, 2, 3, 50, 700], pings: 4 };
const kReads = 12;
// Reads files one after the other; after a pause the first ones are left out.
const kBegin = Array.from({ length: kReads }, (_, number) => ({ text: `Reading ${number}.`, calls: [read(number)], ...kChunk }));

const control = (path, body) => ask(`${provider.url}/__test/${path}`, body);
async function play(turns) {
    lines.length = 0;
    await control("reset", {});
    await control("script", { conversations: [{ marker: "ALPHA", turns: [...kBegin, ...turns] }] });
}
// The agent reads, and waits until the provider's cache has expired.
async function begin(Class, url, stream) {
    const agent = new Class({ url, stream, marker: "ALPHA" });
    for (let number = 0; number < kReads; ++number) await agent.step();
    agent.now += kHour;
    return agent;
}
const messagesOf = (body) => body.messages ?? body.input;
const sent = () => lines.filter(({ body }) => body?.model).map(({ body }) => body);
const plain = (value) => JSON.parse(JSON.stringify(value, (key, member) => (key === "cache_control" ? undefined : member)));
const isBeginOf = (shorter, longer) => assert.deepEqual(longer.slice(0, shorter.length), shorter);
async function checkAccepted() {
    assert.deepEqual(await control("refused"), []);
}

for (const Class of [MessagesAgent, ChatAgent, ResponsesAgent])
    for (const stream of [true, false]) {
        const name = `${Class.name}, ${stream ? "streamed" : "whole"}`;

        test(`${name}: alone, twice, together with another tool, and put back`, async () => {
            await play([
                { thinking: "Was ist größer?", text: "I look again.", calls: [seeAgain(0)], ...kChunk },
                { text: "And once more.", calls: [seeAgain(1), seeAgain(2)], ...kChunk },
                { thinking: "Now a file.", text: "Now I know.", calls: [read(20)], ...kChunk },
                { calls: [seeAgain(0)], ...kChunk },
                { text: "Both.", calls: [read(21), seeAgain(3), read(22)], ...kChunk },
                { text: "One more.", calls: [read(23)] },
                { text: "The end." },
            ]);
            const calls = join(folder, "calls.jsonl"),
                proxy = await startProxy(provider, "--calls", calls),
                agent = await begin(Class, proxy.url, stream);
            await agent.run();
            await checkAccepted();
            assert.deepEqual(agent.shown.slice(kReads), ["I look again.\n\nAnd once more.\n\nNow I know.", "Both.", "One more.", "The end."]);
            const bodies = sent();
            assert.equal(bodies.length, kReads + 7);
            for (const { tools } of bodies) assert.equal(tools.length, 2);
            // Each request goes on with the one before: nothing changes after the first results were left out.
            const requests = bodies.slice(kReads).map((body) => plain(messagesOf(body)));
            for (let at = 1; at < requests.length; ++at) isBeginOf(requests[at - 1], requests[at]);
            const last = JSON.stringify(requests.at(-1));
            assert.equal(last.match(/accp_resolve"/g).length, 5);
            for (const number of [0, 1, 2, 3]) assert.ok(last.includes(JSON.stringify(resultOf(`src/f${number}.ts`))), `result ${number}`);
            // The usage of the joined response has the tokens of all outputs.
            const outputs = lines.filter(({ usage }) => usage).map(({ usage }) => usage.output),
                shown = agent.usage.map((usage) => usage.output_tokens ?? usage.completion_tokens);
            assert.equal(
                shown.reduce((sum, one) => sum + one),
                outputs.reduce((sum, one) => sum + one),
            );
            await end(proxy.child, "SIGTERM");
            const logged = readFileSync(calls, "utf8")
                .trim()
                .split("\n")
                .map((line) => JSON.parse(line));
            assert.equal(logged.length, bodies.length);
            assert.equal(logged.filter(({ resolve }) => resolve).length, 3);
            rmSync(calls);
        });

        test(`${name}: a wrong number, a wrong input, and no end`, async () => {
            const wrong = (input) => ({ text: "Hm.", calls: [{ name: "accp_resolve", arguments: input }] });
            await play([wrong({ number: 7777 }), wrong({ number: 1 }), wrong({ nr: 1 }), ...Array(7).fill(wrong({ number: "0" })), { text: "I give up." }]);
            const proxy = await startProxy(provider),
                agent = await begin(Class, proxy.url, stream);
            await agent.run();
            await checkAccepted();
            assert.ok(agent.shown.at(-1).endsWith("Hm.\n\nI give up."));
            const last = JSON.stringify(messagesOf(sent().at(-1)));
            for (const text of ["There is no result 7777.", "There is no result 1.", "accp_resolve needs", "too often in a row"]) assert.ok(last.includes(text), text);
            await play(Array(30).fill(wrong({ number: 7777 })));
            const other = await begin(Class, proxy.url, stream);
            await assert.rejects(other.run(), /not understood|no message_stop|no \[DONE\]/);
            await end(proxy.child, "SIGKILL");
        });

        test(`${name}: the further call fails`, async () => {
            for (const fault of [
                { kind: "status", status: 429, retry_after: 7 },
                { kind: "status", status: 529 },
                { kind: "reset", after: 3 },
                { kind: "close", after: 3 },
            ]) {
                if (!stream && fault.kind !== "status") continue;
                await play([
                    { text: "I look again.", calls: [seeAgain(0)], ...kChunk },
                    { text: "Now I know.", fault, chunk: 20 },
                ]);
                const proxy = await startProxy(provider),
                    agent = await begin(Class, proxy.url, stream);
                const failure = await agent.step().then(
                    () => assert.fail("it must fail"),
                    (error) => error,
                );
                if (!stream) assert.equal(failure.status, fault.status);
                if (!stream && fault.retry_after) assert.equal(failure.retryAfter, "7");
                if (stream && fault.status) assert.match(failure.message, /The script wants this failure/);
                // The client tries again, and gets the response.
                await agent.run();
                assert.equal(agent.shown.at(-1), "I look again.\n\nNow I know.");
                await checkAccepted();
                await end(proxy.child, "SIGKILL");
            }
        });

        test(`${name}: a restart, a branch, and --no-resolve`, async () => {
            const turns = [
                { text: "I look again.", calls: [seeAgain(0)], ...kChunk },
                { text: "Now a file.", calls: [read(20)], ...kChunk },
                { text: "Done.", ...kChunk },
                { text: "Done too.", ...kChunk },
            ];
            const requests = [];
            for (const restarts of [false, true]) {
                await play(turns);
                const store = ["--store", `sqlite:${join(folder, `${name}-${restarts}.db`)}`];
                let proxy = await startProxy(provider, ...store);
                const agent = await begin(Class, proxy.url, stream);
                await agent.step();
                if (restarts) {
                    await end(proxy.child, "SIGKILL");
                    proxy = await startProxy(provider, ...store);
                    agent.url = proxy.url;
                }
                await agent.run();
                agent.say("And now?");
                await agent.run();
                requests.push(sent().map((body) => plain(body)));
                // A branch that goes back before the response does not have the call.
                const branch = await Object.assign(new Class({ url: proxy.url, stream, marker: "ALPHA" }), { now: agent.now });
                branch.messages = agent.messages.slice(0, agent.messages.findIndex((message) => JSON.stringify(message).includes("I look again.")));
                branch.messages.push({ role: "assistant", content: [{ type: Class === ResponsesAgent ? "output_text" : "text", text: "Something else." }] });
                branch.say("Go on.");
                await branch.step();
                assert.ok(!JSON.stringify(messagesOf(sent().at(-1))).includes('accp_resolve"'));
                await checkAccepted();
                await end(proxy.child, "SIGKILL");
            }
            assert.ok(JSON.stringify(messagesOf(requests[0].at(-1))).includes('accp_resolve"'));
            assert.deepEqual(requests[1], requests[0]);

            await play([{ text: "The end." }]);
            const proxy = await startProxy(provider, "--no-resolve"),
                agent = await begin(Class, proxy.url, stream);
            await agent.run();
            const text = JSON.stringify(sent());
            assert.ok(!text.includes("accp_resolve"));
            assert.ok(text.includes("Run the tool again if you need it."));
            await end(proxy.child, "SIGKILL");
        });
    }

// What a client may change between the call and the next request. The provider refuses a message with thinking that lacks a part.
const kChanges = {
    "a tool more": (body) => body.tools.push({ name: "Late", description: "It is late.", input_schema: { type: "object" } }),
    "another model": (body) => (body.model = "claude-haiku-4-5"),
    "content before role": (body) => (body.messages = body.messages.map(({ role, content }) => ({ content, role }))),
};
for (const [name, change] of Object.entries(kChanges))
    test(`within a response with thinking: ${name}`, async () => {
        class Changing extends MessagesAgent {
            body() {
                const body = super.body();
                if (this.isChanged) change(body);
                return body;
            }
        }
        await play([{ thinking: "Was it?", text: "I look again.", calls: [seeAgain(0)] }, { thinking: "A file.", text: "Now I know.", calls: [read(20)] }, { text: "The end." }]);
        const proxy = await startProxy(provider),
            agent = await begin(Changing, proxy.url, true);
        await agent.step();
        agent.isChanged = true;
        await agent.run();
        await checkAccepted();
        assert.equal(agent.shown.at(-1), "The end.");
        assert.ok(JSON.stringify(sent().at(-1).messages).includes('accp_resolve"'));
        await end(proxy.child, "SIGKILL");
    });

test("a client that goes away ends the further call", async () => {
    await play([
        { text: "I look again.", calls: [seeAgain(0)] },
        { text: "Slow ".repeat(4000), gap_ms: 50 },
    ]);
    const proxy = await startProxy(provider),
        agent = await begin(MessagesAgent, proxy.url, true);
    agent.signal = AbortSignal.timeout(3000);
    await assert.rejects(agent.step());
    for (let tries = 0; lines.at(-1).isWhole !== false; ++tries) {
        assert.ok(tries < 2400, "the provider's stream was not ended");
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await end(proxy.child, "SIGKILL");
});
