// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Forwards requests unchanged to a base URL and keeps what the client sent: the client's own view of its conversations, with a proxy behind or without. It can
// also disturb both sides at places that depend only on the conversation: stop a response, and run something before a request.
import { createServer, request as connect } from "node:http";

// `onBytes({conversation, turn})`: called for each piece of an answer. `before()`: awaited before each request; returns headers to add. `hold({conversation,
// turn})`: called for each answer; returns nothing, or {bytes, act}: the client gets so many bytes, then act(cut) is called. cut() ends both connections.
export class Relay {
    last = {}; // conversation: the last request of it that was answered
    constructor(base, { onBytes = () => {}, before = async () => ({}), hold = () => undefined } = {}) {
        this.base = new URL(base);
        Object.assign(this, { onBytes, before, hold });
        this.server = createServer((request, response) => void this.#forward(request, response));
    }
    async listen() {
        await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        return `http://127.0.0.1:${this.server.address().port}`;
    }
    close() {
        this.server.close();
        this.server.closeAllConnections();
    }
    async #forward(request, response) {
        const parts = [];
        for await (const part of request) parts.push(part);
        const body = Buffer.concat(parts),
            { method, url: path } = request,
            headers = { ...request.headers, ...(await this.before()) };
        const upstream = connect(
            { host: this.base.hostname, port: this.base.port, path, method, agent: false, headers: { ...headers, host: this.base.host } },
            (answer) => {
                const conversation = answer.headers["x-test-conversation"],
                    turn = Number(answer.headers["x-test-turn"]);
                if (conversation) this.last[conversation] = JSON.parse(body);
                response.writeHead(answer.statusCode, answer.rawHeaders);
                const held = this.hold({ conversation, turn });
                let left = held?.bytes ?? Infinity;
                answer.on("data", (bytes) => {
                    if (left <= 0) return;
                    response.write(bytes.subarray(0, left));
                    this.onBytes({ conversation, turn });
                    if ((left -= bytes.length) <= 0) held.act(() => (upstream.destroy(), response.destroy()));
                });
                answer.on("end", () => left > 0 && response.end()).on("error", () => response.destroy());
            },
        );
        upstream.on("error", () => response.destroy());
        response.on("close", () => response.writableFinished || upstream.destroy());
        upstream.end(body);
    }
}
