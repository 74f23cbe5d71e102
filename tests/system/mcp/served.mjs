// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A running accp serve: its process, and the address that it prints.
import { spawn } from "node:child_process";

export async function serve(accp, ...more) {
    const place = more.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
    const hub = spawn(accp, ["serve", ...place, ...more], { stdio: ["ignore", "inherit", "pipe"] });
    process.on("exit", () => hub.kill());
    let said = "";
    for await (const part of hub.stderr) {
        said += part;
        const found = said.match(/serving (https?:\S+?:\d+)/);
        if (found) return { address: found[1], stop: () => new Promise((done) => hub.on("exit", done) && hub.kill()) };
    }
    throw new Error(`accp serve: ${said}`);
}
