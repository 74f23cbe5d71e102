// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Forwards requests unchanged to a base URL and keeps what the client sent: the client's own view of its conversations, with a proxy behind or without.
import { createServer, request as connect } from "node:http";

// `onBytes({conversation, turn})`: called for each piece of an answer.
export class Relay {
    last = {}; // conversation: the last request of it that was answered
    constructor(base, onBytes = () => {}) {
        this.base = new URL(base);
        this.onBytes = onBytes;
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
            { method, headers, url: path } = request;
        const upstream = connect(
            { host: this.base.hostname, port: this.base.port, path, method, agent: false, headers: { ...headers, host: this.base.host } },
            (answer) => {
                const conversation = answer.headers["x-test-conversation"],
                    turn = Number(answer.headers["x-test-turn"]);
                if (conversation) this.last[conversation] = JSON.parse(body);
                response.writeHead(answer.statusCode, answer.rawHeaders);
                answer.on("data", (bytes) => {
                    response.write(bytes);
                    this.onBytes({ conversation, turn });
                });
                answer.on("end", () => response.end()).on("error", () => response.destroy());
            },
        );
        upstream.on("error", () => response.destroy());
        response.on("close", () => response.writableFinished || upstream.destroy());
        upstream.end(body);
    }
}
