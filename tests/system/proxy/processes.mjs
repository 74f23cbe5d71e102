// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Programs that tests start: the stand-in and accp proxy. ACCP is the command.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const running = new Set();

export function endAll() {
    for (const child of running) child.kill("SIGKILL");
}

// Starts a program and returns it with the first match of `pattern` in its lines on `stream`.
async function start(command, words, stream, pattern) {
    const child = spawn(command, words);
    running.add(child);
    child.lines = [];
    const found = new Promise((resolve, reject) => {
        createInterface({ input: child[stream] }).on("line", (line) => {
            child.lines.push(line);
            const match = line.match(pattern);
            if (match) resolve(match[1]);
        });
        child.on("exit", () => reject(new Error(`${command} ended: ${child.lines.join("\n")}`)));
    });
    return [child, await found];
}
export async function end(child, signal) {
    running.delete(child);
    if (child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill(signal);
    await ended;
}
export async function startProvider(log) {
    const [child, port] = await start("node", ["provider.mjs", "--clock", "virtual", "--log", log], "stdout", /"port": ?(\d+)/);
    return { child, url: `http://127.0.0.1:${port}` };
}
export async function startProxy(provider, ...options) {
    const upstreams = ["anthropic", "openai"].flatMap((name) => ["--upstream", `${name}=${provider.url}`]);
    const words = ["proxy", "--port", "0", "--clock-header", "x-test-now-ms", ...upstreams];
    const [child, url] = await start(process.env.ACCP, [...words, ...options], "stderr", /proxy at (http:[^,]+)/);
    return { child, url };
}
