// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sends the events of a response as the script prescribes: in awkward pieces, slowly, with pings, broken off.
import { setTimeout as sleep } from "node:timers/promises";

export const sse = (data, type) => `${type ? `event: ${type}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

const kPieceCharacters = 24;

// Cuts a text into deltas, between characters.
export function pieces(text) {
    const all = Array.from(text),
        found = [];
    for (let at = 0; at < all.length; at += kPieceCharacters) found.push(all.slice(at, at + kPieceCharacters).join(""));
    return found;
}

// Cuts bytes anywhere. `sizes`: a number, or a list of numbers that is repeated.
export function* chunks(bytes, sizes) {
    const list = [sizes].flat();
    for (let at = 0, number = 0; at < bytes.length; ++number) {
        const size = list[number % list.length];
        yield bytes.subarray(at, at + size);
        at += size;
    }
}

function withPings(events, every, ping) {
    return events.flatMap((event, at) => (every && at % every === every - 1 && at < events.length - 1 ? [event, ping] : [event]));
}

function write(response, bytes) {
    return response.write(bytes) || response.destroyed ? undefined : new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
}

// Returns whether the client got everything. `fault`: a break of the stream.
export async function send(response, wire, events, turn, fault) {
    const all = withPings(fault ? events.slice(0, fault.after ?? 1) : events, turn.pings, wire.ping);
    if (fault?.kind === "error") all.push(wire.broken);
    const bytes = Buffer.from(all.join(""));
    for (const chunk of turn.chunk ? chunks(bytes, turn.chunk) : turn.gap_ms ? all.map((event) => Buffer.from(event)) : [bytes]) {
        if (response.destroyed) return false;
        await write(response, chunk);
        if (turn.gap_ms) await sleep(turn.gap_ms);
        else if (turn.chunk) await new Promise(setImmediate); // one packet for each chunk
    }
    if (fault?.kind === "stall") {
        fault.onStall?.(); // of a script that was set in this process
        await (response.destroyed || new Promise((resolve) => response.once("close", resolve)));
    } else if (fault?.kind === "close")
        response.socket?.end(); // the last chunk of the body is missing
    else if (fault?.kind === "reset") response.socket?.resetAndDestroy();
    else response.end();
    return !fault && !response.destroyed;
}
