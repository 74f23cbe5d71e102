// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A request's text without what differs between two runs: folders, times, identifiers, durations.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

const kVarying = [
    [/(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/g, "UUID"],
    [/\b(ses|prt|tool|chunk)_[0-9A-Za-z]{12,}\b/g, "$1_ID"],
    [/(run_shell_command_|pi-bash-|\.qwen\/tmp\/)[0-9a-f]{12,}/g, "$1ID"],
    [/<duration_ms>\d+/g, "<duration_ms>N"],
    [/\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?/g, "DATE"],
    [/\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \w+ \d{1,2}, \d{4}/g, "DATE"],
    [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} \d\d \d{4}/g, "DATE"],
    [/("encrypted_content": ")[^"]+/g, "$1SEALED"],
    [/Wall time: [\d.]+ seconds/g, "Wall time: N seconds"],
    [/Chunk ID: [0-9a-f]+/g, "Chunk ID: ID"],
    [/\b(PID|pid|PGID|Process Group PGID): ?\d+/g, "$1: N"],
    [/("(?:duration|elapsed|time)(?:_?ms)?": ?)[\d.]+/gi, "$1N"],
];

// `places`: [[path, name]...], the longest first.
export function normalise(body, places) {
    const { messages, input, system, instructions, tools } = body;
    let text = JSON.stringify({ messages, input, system, instructions, tools }, null, 1);
    for (const [path, name] of places) text = text.replaceAll(path, name).replaceAll(path.replaceAll(/[/.]/g, "-"), name);
    for (const [pattern, name] of kVarying) text = text.replaceAll(pattern, name);
    // The stand-in's identifiers depend on the number of its turn, and there are more turns with accp_resolve.
    const ids = new Map();
    return text.replaceAll(/\b(toolu|call|fc|ctc|rs|msg)_[0-9a-f]{24,32}\b/g, (id, kind) => {
        if (!ids.has(id)) ids.set(id, `${kind}_${ids.size}`);
        return ids.get(id);
    });
}

export const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);

// The digest of a folder: names, kinds, modes and contents.
export function treeHash(folder) {
    const lines = [];
    const walk = (path) => {
        for (const name of readdirSync(join(folder, path)).sort()) {
            const inner = join(path, name),
                state = lstatSync(join(folder, inner));
            if (state.isDirectory()) walk(inner);
            else
                lines.push(
                    `${inner} ${state.mode.toString(8)} ${hash(state.isSymbolicLink() ? readlinkSync(join(folder, inner)) : readFileSync(join(folder, inner)))}`,
                );
        }
    };
    walk("");
    return hash(lines.join("\n"));
}
