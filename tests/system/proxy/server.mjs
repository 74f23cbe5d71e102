// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The HTTP server of the stand-in: reads a request, checks it against the rules, bills it and plays the script. The interfaces are in wire_*.mjs.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { AutomaticCache, Bill, Clock, MarkedCache, outputTokens } from "./cache.mjs";
import { digest } from "./canonical.mjs";
import { Issued } from "./issued.mjs";
import { Refusal } from "./rules.mjs";
import { Script } from "./script.mjs";
import { send } from "./stream.mjs";
import { chat } from "./wire_chat.mjs";
import { messages } from "./wire_messages.mjs";
import { responses } from "./wire_responses.mjs";

const kMaxBodyBytes = 32 << 20;
const kWires = { "/v1/messages": messages, "/v1/messages/count_tokens": messages, "/v1/chat/completions": chat, "/v1/responses": responses };

async function readBody(request) {
    const parts = [];
    let size = 0;
    for await (const part of request) {
        if ((size += part.length) <= kMaxBodyBytes) parts.push(part);
    }
    if (size > kMaxBodyBytes) throw new Refusal(`Request exceeds the maximum size of ${kMaxBodyBytes} bytes`, { status: 413 });
    return Buffer.concat(parts);
}

function parse(bytes) {
    try {
        return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch (error) {
        throw new Refusal(`The request body is not valid JSON: ${error.message}`);
    }
}

function answerJson(response, status, value, headers = {}) {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(value));
}

class Provider {
    constructor(options) {
        Object.assign(this, { min_tokens: 1024, window: 1_000_000, alternate: false, script: new Script(), log: () => {}, ...options });
        this.log ??= () => {};
        this.clock = new Clock(this.isVirtual);
        this.reset();
    }
    reset() {
        this.issued = new Issued();
        this.caches = { marked: new MarkedCache(this), automatic: new AutomaticCache(this) };
        this.bill = new Bill();
        this.refused = [];
        this.last = {}; // the last request of each conversation that got a response
        this.calls = 0;
    }

    // Checks a request against the rules that all interfaces have in common.
    #read(wire, request, bytes) {
        if (!wire.keyOf(request.headers)) throw new Refusal("No credentials were given", { status: 401 });
        if (wire === messages && !request.headers["anthropic-version"]) throw new Refusal("anthropic-version: header is required");
        return parse(bytes);
    }
    #quote(wire, body) {
        return (wire === messages ? this.caches.marked : this.caches.automatic).quote(body, this.clock.now());
    }
    #checkWindow(wire, { input, read, write_5m, write_1h }) {
        const tokens = input + read + write_5m + write_1h;
        if (tokens > this.window)
            throw new Refusal(`prompt is too long: ${tokens} tokens > ${this.window} maximum`, { code: wire === messages ? null : "context_length_exceeded" });
        return tokens;
    }
    #checkOffered(wire, body, { turn }) {
        const offered = wire.offered(body),
            name = turn.calls?.find((call) => !offered.includes(call.name))?.name;
        if (name) throw new Refusal(`The script calls the tool '${name}', which the request does not offer. It offers: ${offered.join(", ")}`, { status: 500 });
    }

    async call(wire, request, response, line) {
        const bytes = await readBody(request);
        line.bytes = bytes.length;
        const given = this.#read(wire, request, bytes);
        line.body = given;
        const counts = request.url.includes("count_tokens");
        wire.check(given, this.issued, { alternate: this.alternate, counts });
        const body = wire.expand?.(given, this.issued) ?? given,
            next = this.script.next(wire.said(body), wire.offered(body));
        if (counts) return answerJson(response, 200, { input_tokens: this.#checkWindow(wire, this.#quote(wire, body).usage) });
        Object.assign(line, { conversation: request.headers["x-test-conversation"] ?? next.conversation, turn: next.number });
        this.#checkOffered(wire, body, next);
        const fault = this.script.fault(next);
        if (fault?.kind === "status") {
            line.fault = fault;
            await sleep(next.turn.delay_ms ?? 0);
            const failure = wire.error(new Refusal("The script wants this failure", { status: fault.status, type: "api_error" }));
            return answerJson(response, fault.status, failure, fault.retry_after === undefined ? {} : { "retry-after": String(fault.retry_after) });
        }
        if (this.clock.isVirtual && next.turn.pause_ms) this.clock.advance(next.turn.pause_ms);
        const quote = this.#quote(wire, body);
        this.#checkWindow(wire, quote.usage);
        return this.#play(wire, given, { next, fault, quote }, response, line);
    }

    // A script cannot name results that are left out. So {"left_out": N} is replaced by the number of the result that was left out at place N from the
    // first.
    #withNumbers({ turn, ...next }, body) {
        const numbers = [...JSON.stringify(body.messages ?? body.input).matchAll(/To see it: accp_resolve (\d+)\.]/g)].map((found) => Number(found[1]));
        const calls = turn.calls?.map((call) => (call.arguments?.left_out === undefined ? call : { ...call, arguments: { number: numbers[call.arguments.left_out] ?? -1 } }));
        return { ...next, turn: calls ? { ...turn, calls } : turn };
    }

    async #play(wire, given, { next: planned, fault, quote }, response, line) {
        const next = this.#withNumbers(planned, given);
        const key = digest(next.conversation, String(next.number), next.conversation === "-" ? String(this.calls) : "").slice(0, 24);
        const answer = wire.answer(given, next, this.issued, key),
            usage = { ...quote.usage, output: outputTokens(answer.output) };
        await sleep(next.turn.delay_ms ?? 0);
        quote.commit(this.clock.now());
        this.bill.add(line.conversation, usage);
        this.last[line.conversation] = given;
        Object.assign(line, { usage, now_ms: this.clock.now(), fault });
        const headers = { "request-id": `req_${key}`, "x-test-conversation": line.conversation, "x-test-turn": String(next.number) };
        const reported = { ...usage, input: usage.input + (next.turn.report_tokens ?? 0) };
        if (!given.stream) return answerJson(response, 200, wire.whole(answer, reported), headers);
        response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache", ...headers });
        line.isWhole = await send(response, wire, wire.events(answer, reported), next.turn, fault);
        return undefined;
    }

    // Handles requests of tests. The clock: {"now_ms": N} or {"advance_ms": N}. The script: a whole one, which replaces the last.
    async control(path, request, response) {
        const bytes = await readBody(request);
        if (path === "bill") return answerJson(response, 200, this.bill.conversations);
        if (path === "refused") return answerJson(response, 200, this.refused);
        if (path === "last") return answerJson(response, 200, this.last);
        if (path === "reset") this.reset();
        else if (path === "clock") this.#moveClock(parse(bytes));
        else if (path === "script") this.script = new Script(parse(bytes));
        else throw new Refusal(`/__test/${path} does not exist; bill, refused, last, reset, clock and script do`, { status: 404 });
        return answerJson(response, 200, { now_ms: this.clock.now() });
    }
    #moveClock({ now_ms, advance_ms }) {
        if (!this.clock.isVirtual) throw new Refusal("the clock is real; start with --clock virtual");
        if (Number.isFinite(now_ms)) this.clock.moveTo(now_ms);
        else if (advance_ms >= 0) this.clock.advance(advance_ms);
        else throw new Refusal("the clock takes now_ms, a number, or advance_ms, a number from 0");
    }

    async handle(request, response) {
        const path = request.url.split("?")[0],
            wire = kWires[path] ?? chat,
            line = { number: ++this.calls, method: request.method, path: request.url };
        const isTest = path.startsWith("/__test/");
        try {
            const now = request.headers["x-test-now-ms"];
            if (now !== undefined && this.clock.isVirtual) {
                if (!/^\d+$/.test(now)) throw new Refusal(`x-test-now-ms is '${now}'; it must be a whole number of milliseconds`);
                this.clock.moveTo(Number(now));
            }
            if (isTest) return await this.control(path.slice("/__test/".length), request, response);
            if (request.method === "GET" && path === "/v1/models") return answerJson(response, 200, { object: "list", data: [] });
            if (request.method !== "POST" || !(path in kWires)) throw new Refusal(`Unknown request URL: ${request.method} ${path}`, { status: 404 });
            await this.call(wire, request, response, line);
        } catch (error) {
            this.#refuse(error, wire, response, line, isTest);
        }
        if (!isTest) this.log({ ...line, status: response.statusCode });
        return undefined;
    }
    #refuse(error, wire, response, line, isTest) {
        const refusal =
            error instanceof Refusal
                ? error
                : new Refusal(
                      error instanceof RangeError ? "The request is nested too deeply" : `${error.message}`,
                      error instanceof RangeError ? {} : { status: 500 },
                  );
        if (!(error instanceof Refusal)) line.stack = error.stack;
        line.refusal = refusal.message;
        if (!isTest) this.refused.push({ number: line.number, method: line.method, path: line.path, status: refusal.status, message: refusal.message });
        if (response.headersSent) response.destroy();
        else answerJson(response, refusal.status, wire.error(refusal));
    }
}

// Returns an http.Server with `provider`. Options: script, isVirtual, min_tokens, window, alternate, log.
export function createProvider(options = {}) {
    const provider = new Provider(options),
        server = createServer((request, response) => void provider.handle(request, response));
    server.provider = provider;
    server.keepAliveTimeout = 0; // no client uses a connection that is just being closed
    return server;
}
