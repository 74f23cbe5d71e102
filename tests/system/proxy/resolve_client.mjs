// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two small agents, one for each interface, that read responses strictly: whole, and as events.
import assert from "node:assert/strict";

// Returns the result of a read: about 900 tokens, different for each read.
export const resultOf = (path) => Array.from({ length: 80 }, (_, line) => `line ${line} of ${path}: value_${line} = ${path.length * 131 + line * 17}`).join("\n");

const eventsIn = (text) =>
    text
        .split("\n\n")
        .filter(Boolean)
        .map((event) => event.match(/^data: (.*)$/m)?.[1])
        .filter((data) => data !== undefined);

class BrokenStream extends Error {}

// Returns the message of a stream of the Messages interface. Every rule of its order is checked.
function messageOf(text) {
    let message,
        isDelta = false,
        isStopped = false;
    const open = new Map();
    for (const data of eventsIn(text)) {
        const event = JSON.parse(data);
        if (event.type === "ping") continue;
        if (event.type === "error") throw new BrokenStream(event.error.message);
        assert.ok(!isStopped, "nothing follows message_stop");
        if (event.type === "message_start") {
            assert.equal(message, undefined, "one message_start");
            message = event.message;
        } else if (event.type === "content_block_start") {
            assert.equal(event.index, message.content.length, "indices go on");
            message.content.push(event.content_block);
            open.set(event.index, "");
        } else if (event.type === "content_block_delta") {
            const block = message.content[event.index];
            assert.ok(open.has(event.index), "a delta is of an open block");
            const { type, text: words, thinking, signature, partial_json: json } = event.delta;
            if (type === "text_delta") block.text += words;
            else if (type === "thinking_delta") block.thinking += thinking;
            else if (type === "signature_delta") block.signature = signature;
            else open.set(event.index, open.get(event.index) + json);
        } else if (event.type === "content_block_stop") {
            const json = open.get(event.index);
            if (json) message.content[event.index].input = JSON.parse(json);
            open.delete(event.index);
        } else if (event.type === "message_delta") {
            assert.equal(open.size, 0);
            assert.ok(!isDelta, "one message_delta");
            isDelta = true;
            Object.assign(message, event.delta);
            Object.assign(message.usage, event.usage);
        } else if (event.type === "message_stop") isStopped = true;
        else assert.fail(event.type);
    }
    if (!isStopped) throw new BrokenStream("no message_stop");
    return message;
}

// The same for chat completions.
function completionOf(text) {
    const message = { role: "assistant", content: "" };
    const all = { choices: [{ message }] };
    let isDone = false;
    for (const data of eventsIn(text)) {
        assert.ok(!isDone, "nothing follows [DONE]");
        if (data === "[DONE]") {
            isDone = true;
            continue;
        }
        const event = JSON.parse(data);
        if (event.error) throw new BrokenStream(event.error.message);
        all.id ??= event.id;
        assert.equal(event.id, all.id, "one id");
        if (event.usage) all.usage = event.usage;
        const [choice] = event.choices;
        if (!choice) continue;
        assert.equal(all.choices[0].finish_reason, undefined, "nothing follows finish_reason");
        message.content += choice.delta.content ?? "";
        for (const { index, id, function: given } of choice.delta.tool_calls ?? []) {
            message.tool_calls ??= [];
            if (id) {
                assert.equal(index, message.tool_calls.length, "indices go on");
                message.tool_calls.push({ id, type: "function", function: { name: given.name, arguments: "" } });
            }
            message.tool_calls[index].function.arguments += given.arguments;
        }
        if (choice.finish_reason) all.choices[0].finish_reason = choice.finish_reason;
    }
    if (!isDone) throw new BrokenStream("no [DONE]");
    return all;
}

// The same for the Responses interface.
function responseOf(text) {
    let response,
        sequence = -1;
    const items = [];
    for (const data of eventsIn(text)) {
        const event = JSON.parse(data);
        if (event.type === "error") throw new BrokenStream(event.message);
        assert.equal(event.sequence_number, ++sequence, "sequence numbers go on");
        assert.equal(response, undefined, "nothing follows response.completed");
        if (event.type === "response.created") assert.equal(sequence, 0, "one response.created");
        else if (event.type === "response.output_item.added") {
            assert.equal(event.output_index, items.length, "indices go on");
            items.push(undefined);
        } else if (event.output_index !== undefined) {
            assert.equal(items[event.output_index], undefined, "an event is of an open item");
            if (event.type === "response.output_item.done") items[event.output_index] = event.item;
        } else if (event.type === "response.completed") response = event.response;
    }
    if (!response) throw new BrokenStream("no response.completed");
    assert.deepEqual(response.output, items);
    return response;
}

const kSchema = { type: "object", properties: { file_path: { type: "string" } } };

class Agent {
    constructor({ url, stream, marker, now = 1e12 }) {
        Object.assign(this, { url, stream, marker, now, shown: [], usage: [] });
    }
    request(url, given) {
        return fetch(url, given);
    }
    async post(path, body) {
        this.now += 10_000;
        const headers = { "content-type": "application/json", "x-test-now-ms": String(this.now), ...this.headers };
        const answer = await this.request(`${this.url}${path}`, { method: "POST", headers, body: JSON.stringify(body), signal: this.signal });
        let text = "";
        const decoder = new TextDecoder();
        try {
            for await (const bytes of answer.body) text += decoder.decode(bytes, { stream: true });
        } catch (error) {
            if (!this.stream || this.signal?.aborted) throw error; // if a stream breaks off, the bytes so far are read
        }
        if (!answer.ok) throw Object.assign(new Error(text), { status: answer.status, retryAfter: answer.headers.get("retry-after") });
        return text;
    }
    // Calls the model once and runs the tools that it calls. Returns whether it goes on.
    async step() {
        const { words, calls, usage } = await this.call();
        for (const { name } of calls) assert.equal(name, "Read", "the client sees its own tools only");
        this.shown.push(words);
        this.usage.push(usage);
        this.addResults(calls);
        return calls.length > 0;
    }
    async run() {
        while (await this.step());
    }
}

export class MessagesAgent extends Agent {
    headers = { "x-api-key": "made-up", "anthropic-version": "2023-06-01" };
    thinking = { type: "enabled", budget_tokens: 1024 };
    constructor(given) {
        super(given);
        this.messages = [{ role: "user", content: [{ type: "text", text: `${this.marker} Read all files.` }] }];
    }
    body() {
        const messages = structuredClone(this.messages);
        messages.at(-1).content.at(-1).cache_control = { type: "ephemeral" };
        const tools = [{ name: "Read", description: "Reads a file.", input_schema: kSchema }];
        const system = [{ type: "text", text: "You are a coding agent. ".repeat(600), cache_control: { type: "ephemeral" } }];
        return { model: "claude-sonnet-4-5", max_tokens: 5000, thinking: this.thinking, system, tools, messages, stream: this.stream };
    }
    async call() {
        const text = await this.post("/v1/messages", this.body()),
            message = this.stream ? messageOf(text) : JSON.parse(text),
            uses = message.content.filter(({ type }) => type === "tool_use");
        assert.equal(message.stop_reason, uses.length ? "tool_use" : "end_turn");
        this.messages.push({ role: "assistant", content: message.content });
        const words = message.content.filter(({ type }) => type === "text").map((block) => block.text);
        const calls = uses.map(({ id, name, input }) => ({ id, name, path: input.file_path }));
        return { words: words.join("\n\n"), calls, usage: message.usage };
    }
    addResults(calls) {
        const content = calls.map(({ id, path }) => ({ type: "tool_result", tool_use_id: id, content: resultOf(path) }));
        if (content.length) this.messages.push({ role: "user", content });
    }
    say(text) {
        this.messages.push({ role: "user", content: [{ type: "text", text }] });
    }
}

export class ChatAgent extends Agent {
    headers = { authorization: "Bearer made-up" };
    constructor(given) {
        super(given);
        this.messages = [
            { role: "system", content: "You are a coding agent. ".repeat(600) },
            { role: "user", content: `${this.marker} Read all files.` },
        ];
    }
    body() {
        const tools = [{ type: "function", function: { name: "Read", description: "Reads a file.", parameters: kSchema } }];
        const more = this.stream ? { stream_options: { include_usage: true } } : {};
        return { model: "gpt-5.1", tools, messages: this.messages, stream: this.stream, ...more };
    }
    async call() {
        const text = await this.post("/v1/chat/completions", this.body()),
            all = this.stream ? completionOf(text) : JSON.parse(text),
            [{ message, finish_reason }] = all.choices,
            uses = message.tool_calls ?? [];
        assert.equal(finish_reason, uses.length ? "tool_calls" : "stop");
        this.messages.push({ role: "assistant", content: message.content, ...(uses.length ? { tool_calls: uses } : {}) });
        const calls = uses.map(({ id, function: given }) => ({ id, name: given.name, path: JSON.parse(given.arguments).file_path }));
        return { words: message.content ?? "", calls, usage: all.usage };
    }
    addResults(calls) {
        for (const { id, path } of calls) this.messages.push({ role: "tool", tool_call_id: id, content: resultOf(path) });
    }
    say(text) {
        this.messages.push({ role: "user", content: text });
    }
}

export class ResponsesAgent extends Agent {
    headers = { authorization: "Bearer made-up" };
    messages = [];
    constructor(given) {
        super(given);
        this.say(`${this.marker} Read all files.`);
    }
    body() {
        const tools = [{ type: "function", name: "Read", description: "Reads a file.", parameters: kSchema, strict: false }];
        const more = { store: false, include: ["reasoning.encrypted_content"], instructions: "You are a coding agent. ".repeat(600) };
        return { model: "gpt-5.1", tools, input: this.messages, stream: this.stream, ...more };
    }
    async call() {
        const text = await this.post("/v1/responses", this.body()),
            response = this.stream ? responseOf(text) : JSON.parse(text),
            uses = response.output.filter(({ type }) => type === "function_call");
        this.messages.push(...response.output);
        const words = response.output.filter(({ type }) => type === "message").map(({ content }) => content[0].text);
        const calls = uses.map(({ call_id: id, name, arguments: given }) => ({ id, name, path: JSON.parse(given).file_path }));
        return { words: words.join("\n\n"), calls, usage: response.usage };
    }
    addResults(calls) {
        for (const { id, path } of calls) this.messages.push({ type: "function_call_output", call_id: id, output: resultOf(path) });
    }
    say(text) {
        this.messages.push({ type: "message", role: "user", content: [{ type: "input_text", text }] });
    }
}
