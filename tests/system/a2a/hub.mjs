// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A running `accp serve`, and an agent on one of its WebSockets.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { WebSocket } from "ws";

const accp = process.argv[2];

// A temporary directory of the test.
export function place() {
    const path = mkdtempSync(join(tmpdir(), "accp-a2a-"));
    process.on("exit", () => rmSync(path, { recursive: true, force: true }));
    return path;
}

export class Hub {
    constructor(...args) {
        this.args = args;
        process.on("exit", () => this.process?.kill("SIGKILL"));
    }

    async start(port = 0) {
        this.process = spawn(accp, ["serve", "--listen", `127.0.0.1:${port}`, ...this.args], {
            stdio: ["ignore", "ignore", "pipe"],
        });
        const [said] = await once(this.process.stderr, "data");
        this.port = Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
        if (!this.port) throw new Error(`accp serve said ${said}`);
        this.url = `http://127.0.0.1:${this.port}`;
        return this;
    }

    async stop(signal = "SIGTERM") {
        const ended = once(this.process, "exit");
        this.process.kill(signal);
        return (await ended)[0];
    }

    // Runs the command to its end and returns its output: `accp serve token …`.
    static async run(...args) {
        const child = spawn(accp, args, { stdio: ["ignore", "pipe", "inherit"] });
        let out = "";
        child.stdout.on("data", (data) => (out += data));
        await once(child, "close");
        return out;
    }
}

// Parses the fields of a frame.
export function read(frame) {
    const [, agent, intent, operation] = /^@([^>]+)>([a-z]+):([^{]+)\{/.exec(frame);
    const meta = (name) => new RegExp(`[[,]${name}:([^,\\]]+)`).exec(frame.slice(frame.lastIndexOf("[")))?.[1];
    return { agent, intent, operation, mid: meta("mid"), cid: meta("cid"), text: /text:"?([^|}"]*)/.exec(frame)?.[1] };
}

// An agent that does what each message requests: count, ask, fail, wait, or otherwise echo. `heard`
// has all frames that it received.
export class Worker {
    heard = [];
    seq = 0;
    mids = Date.now() % 1e9;

    constructor(name) {
        this.name = name;
    }

    async connect(hub, session = "", headers = {}) {
        this.socket = new WebSocket(`ws://127.0.0.1:${hub.port}/accp/v1/ws${session && `?session=${session}`}`, { headers });
        await once(this.socket, "open");
        this.socket.send(`@${this.name}>sync:registry{v:1}`);
        this.socket.on("message", (data) => this.hear(data.toString()));
        await once(this.socket, "message");
        return this;
    }

    say(what, asked) {
        const mid = `b${String(++this.mids).padStart(11, "0")}`;
        const frame = `@${this.name}>${what}[mid:${mid},seq:${++this.seq},ts:${Math.floor(Date.now() / 1000)},cid:${asked.cid ?? asked.mid}]`;
        this.socket.send(frame);
        return frame;
    }

    // Waits until the newest received frame has this intent; it may come after another one's reply.
    async waitsFor(intent) {
        for (let tries = 0; read(this.heard.at(-1)).intent !== intent && tries < 12_000; ++tries) await setTimeout(10);
        return read(this.heard.at(-1)).intent === intent;
    }

    hear(frame) {
        const asked = read(frame);
        if (asked.intent === "ping" || asked.operation === "registry" || this.heard.includes(frame)) return;  // unconfirmed frames are sent again
        this.heard.push(frame);
        if (asked.intent === "done") return this.say(`done:execute{text:${asked.text}}`, asked);
        if (asked.intent !== "req") return;
        if (asked.text === "count") {
            for (let i = 0; i < 3; ++i) this.say(`stream:infer{idx:${i}|d:${"abc"[i]}${i === 2 ? "|done:true" : ""}}`, asked);
            this.say("done:execute{n:3}", asked);
        } else if (asked.text === "ask") this.say("qry:colour{text:which}", asked);
        else if (asked.text === "fail") this.say("fail:error{code:E4002|msg:broken|retry:true|schema:ER}", asked);
        else if (asked.text === "wait") this.say("wait:execute{}", asked);
        else this.say(`done:${asked.operation}{text:${asked.text ?? "none"}}`, asked);
    }
}
