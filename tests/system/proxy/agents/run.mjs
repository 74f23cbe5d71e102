// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs one agent on the project of task.mjs, and reports what came of it.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ask } from "../client.mjs";
import { agents } from "./known.mjs";
import { Relay } from "./relay.mjs";
import { kEnd, kEndPrompt, kInterruptedTurn, kMarker, kPrompt, kResolvedEarly, kRest, kRestPrompt, makeProject, makeScript } from "./task.mjs";
import { hash, normalise, treeHash } from "./transcript.mjs";

const kMaxSeconds = 900;

// Runs a command to its end, with `env` as its whole environment. `onStart(kill)`: called at once. Returns {code, signal, seconds, output}.
export function run(command, args, { cwd, env, onStart = () => {} }) {
    return new Promise((resolve) => {
        const began = Date.now(),
            child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true }),
            output = [];
        const kill = () => {
            try {
                process.kill(-child.pid, "SIGKILL");
            } catch {
                // it has ended
            }
        };
        const timer = setTimeout(kill, kMaxSeconds * 1000);
        onStart(kill);
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => output.push(bytes));
        child.on("error", (error) => resolve({ code: `not started: ${error.message}` }));
        child.on("close", (code, signal) => {
            clearTimeout(timer);
            kill();
            resolve({ code, signal, seconds: (Date.now() - began) / 1000, output: Buffer.concat(output).toString().slice(-2000) });
        });
    });
}

// Faults that the agent retries: a failed request, and streams that break off. After a broken stream qwen joins two answers to one message, which a script
// cannot follow: it counts messages.
function faultsOf(name) {
    const isOpenai = name === "codex" || name === "qwen",
        status = { kind: "status", status: isOpenai ? 503 : 529, retry_after: 1 };
    return name === "qwen" ? { 6: status } : { 6: status, 14: { kind: "error", after: 4 }, 24: { kind: "close", after: 3 } };
}

function transcripts(last, places, keep) {
    const hashes = {};
    for (const [conversation, body] of Object.entries(last)) {
        if (conversation === "-") continue;
        const text = normalise(body, places);
        hashes[conversation] = hash(text);
        if (keep) {
            mkdirSync(dirname(keep), { recursive: true });
            writeFileSync(`${keep}.${conversation}.json`, text);
        }
    }
    return hashes;
}

// What happens between a client and the proxy in a rough run, always at the same places: a request is ended in the middle of its response, and again together
// with the agent; the clock of the proxy and of the stand-in moves on, three times beyond the life of the provider's cache; and `restart()` is awaited before some
// requests; it returns the URL of the new proxy.
const kStart_ms = 1_700_000_000_000,
    kCall_ms = 10_000,
    kPause_ms = 1_200_000;
const kCut = { conversation: kMarker, turn: 9 },
    kPauses = [
        { conversation: kMarker, turn: 12 },
        { conversation: kRest, turn: 1 },
        { conversation: kEnd, turn: 9 },
    ];
const kRestarts = [6, 14, 24, 36, 50]; // numbers of requests
class RoughRelay extends Relay {
    constructor({ base, restart, resolve }, agent, kill) {
        const killed = { conversation: kMarker, turn: kInterruptedTurn + (resolve ? kResolvedEarly.before.length : 0) };
        let now = kStart_ms,
            number = 0;
        const done = new Set(),
            isFirst = (one, { conversation, turn }) => one.conversation === conversation && one.turn === turn && !done.has(one) && done.add(one);
        super(base, {
            before: async () => {
                if (restart && kRestarts.includes(++number)) this.base = new URL(await restart());
                return { "x-test-now-ms": String((now += kCall_ms)) };
            },
            hold(answer) {
                if (kPauses.some((one) => isFirst(one, answer))) now += kPause_ms;
                // The agent must have read what it got.
                if (isFirst(killed, answer)) return { bytes: 900, act: () => setTimeout(kill, 2000) };
                if (agent.goesOn && isFirst(kCut, answer)) return { bytes: 900, act: (cut) => setTimeout(cut, 1000) };
                return undefined;
            },
        });
    }
}

// Starts the agent, and, if it is to be interrupted, kills it in the middle of an answer and starts it again. Returns {runs, last: requests by conversation,
// base}.
async function play(agent, { home, folder }, given) {
    let kill,
        pieces = 0;
    const onBytes = ({ conversation, turn }) => {
        if (given.interrupt && conversation === kMarker && turn === kInterruptedTurn && ++pieces === 20) kill();
    };
    const relay = given.rough ? new RoughRelay(given, agent, () => kill()) : new Relay(given.base, { onBytes });
    const base = await relay.listen();
    const env = {
        HOME: home,
        PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        TERM: "dumb",
        LANG: "C.UTF-8",
        NO_PROXY: "*",
        ...agent.setup(home, base),
        ...(given.rough ? agent.setupSmall?.(home) : {}),
    };
    const begin = (args) => run(agent.program(given.modules), args, { cwd: folder, env, onStart: (one) => (kill = one) });
    const runs = [await begin(agent.start(kPrompt, base))];
    if (given.interrupt || given.rough) runs.push(await begin(agent.resume(kRestPrompt, base)));
    if (given.rough) runs.push(await begin(agent.resume(kEndPrompt, base)));
    relay.close();
    return { runs, last: relay.last, base };
}

// `given`: {base, provider, modules, interrupt, faults, pause_ms, keep, rough, restart}, the options of agents.mjs; `restart()` starts the proxy again.
export async function runAgent(name, given) {
    const agent = agents[name],
        place = mkdtempSync(join(tmpdir(), "accp-agent-")),
        home = join(place, "home"),
        folder = join(place, "work");
    for (const path of [home, folder]) mkdirSync(path);
    makeProject(folder);
    const control = (path, body) => ask(`${given.provider}/__test/${path}`, body);
    await control("reset", {});
    const options = { resolves: given.resolve, isInterrupted: given.interrupt, compactsAt: given.rough ? agent.many : 0, pause_ms: given.pause_ms, faults: given.faults ? faultsOf(name) : {} };
    await control(
        "script",
        makeScript((step) => agent.toCall(step, folder), options),
    );
    const { runs, last, base } = await play(agent, { home, folder }, given);
    const places = [
            [folder, "FOLDER"],
            [home, "HOME"],
            [place, "PLACE"],
            [base, "BASE"],
        ],
        keep = given.keep && join(given.keep, name);
    const report = {
        agent: name,
        codes: runs.map(({ code, signal }) => code ?? signal),
        seconds: runs.map(({ seconds }) => seconds),
        folder: treeHash(folder),
        client: transcripts(last, places, keep && `${keep}.client`),
        provider: transcripts(await control("last"), places, keep && `${keep}.provider`),
        calls: callsIn(last[given.rough ? kEnd : given.interrupt ? kRest : kMarker]),
        refused: await control("refused"),
        bill: await control("bill"),
    };
    report.output = runs.find(({ code, signal }) => code && !signal)?.output;
    if (given.keep) report.place = place;
    else rmSync(place, { recursive: true, force: true });
    return report;
}

// Counts the tool calls in a request.
function callsIn(body) {
    const items =
        body?.input ?? (body?.messages ?? []).flatMap((message) => [...(message.tool_calls ?? []), ...(Array.isArray(message.content) ? message.content : [])]);
    return items.filter(({ type }) => ["tool_use", "function", "function_call", "custom_tool_call"].includes(type)).length;
}
