// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The task of the real agents: a small project, and what the model does to it, in steps that each agent has a tool for.
//
// A step: {read: path}, {edit: path, from, to}, {write: path, text}, {run: command}, {ask: prompt} (a sub-agent, if the agent has them).
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const kMarker = "TASK-ALPHA-7";
export const kRest = "TASK-BRAVO-7"; // the same task from the interrupted turn on
export const kEnd = "TASK-DELTA-7"; // the same task from its compaction on
export const kSub = "TASK-CHARLIE-7";
const kModules = 10;

const moduleText = (number) =>
    [
        `// Module ${number}: scores of team ${number}.`,
        `export const version = "1.0.${number}";`,
        ...Array.from(
            { length: 12 + 4 * number },
            (_, at) =>
                `export function score${at}(points) {\n    return points.filter((one) => one.kind === "k${at * number}").length * ${at + number};  // größer als ${at}\n}`,
        ),
        "",
    ].join("\n");

// Prints a report of some 50 KB, always the same for the same files, in one write: agents shorten long output at a place that depends on the sizes of their
// reads.
const kTests = `#!/bin/sh
cd "$(dirname "$0")" || exit 2
report=$(mktemp)
for file in src/module*.js; do
    grep -n "export function" "$file" | while IFS=: read -r line rest; do
        echo "ok $file:$line $rest is declared, its kind is known, and its result is a number between nought and the highest possible score"
    done
    grep -q 'checked = true' "$file" && echo "ok $file is checked" || echo "not ok $file: 'checked' is missing; expected: true, found: undefined"
done >"$report"
cat "$report"
rm "$report"
`;

export function makeProject(folder) {
    const files = {
        "README.md": "# Scores\n\nCounts points of teams.\n",
        "package.json": `${JSON.stringify({ name: "scores", version: "1.0.0", type: "module" }, null, 2)}\n`,
        "docs/notes.md": Array.from({ length: 200 }, (_, at) => `- Note ${at}: team ${at % kModules} asked for rule ${at * 7}.\n`).join(""),
        "config.json": `${JSON.stringify({ teams: kModules, limit: 100 }, null, 2)}\n`,
        "test.sh": kTests,
    };
    for (let number = 1; number <= kModules; ++number) files[`src/module${number}.js`] = moduleText(number);
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(folder, dirname(path)), { recursive: true });
        writeFileSync(join(folder, path), text);
    }
    chmodSync(join(folder, "test.sh"), 0o755);
}

const pathOf = (number) => `src/module${number}.js`;

// Turns of steps: 67 calls or more.
function plan() {
    const turns = [[{ run: "ls -1 . src docs" }], [{ read: "README.md" }, { read: "config.json" }, { read: "package.json" }], [{ run: "./test.sh" }]];
    for (let number = 1; number <= kModules; ++number) {
        const path = pathOf(number),
            from = `export const version = "1.0.${number}";`;
        turns.push([{ read: path }], [{ edit: path, from, to: `export const version = "1.1.${number}";\nexport const checked = true;` }]);
        turns.push([{ run: `grep -n "größer" ${path} | head -n 40` }, { read: path }]);
        if (number % 3 === 0) turns.push([{ run: "./test.sh" }], [{ read: "docs/notes.md" }]);
        if (number === 5) turns.push([{ ask: `${kSub} Read the notes and say which teams asked.` }]);
    }
    turns.push([{ run: "./missing.sh" }], [{ write: "docs/changes.md", text: "# Changes\n\n- All modules are checked.\n" }]);
    for (let number = 1; number <= kModules; number += 2) turns.push([{ read: pathOf(number) }, { run: `wc -l ${pathOf(number + 1)}` }]);
    // Some agents edit only what they have read since they were started.
    turns.push(
        [{ read: "README.md" }],
        [{ edit: "README.md", from: "Counts points of teams.", to: "Counts points of teams; see docs/changes.md." }],
        [{ run: "./test.sh" }],
    );
    return turns;
}

const kSubPlan = [[{ read: "docs/notes.md" }], [{ run: "grep -c team docs/notes.md" }], [{ read: pathOf(3) }]];

// Where an interrupted run stops, and where an agent compacts its conversation.
export const kInterruptedTurn = 20,
    kCompactedTurn = 28;

// The model calls accp_resolve before these turns, or together with their first call.
const kResolved = { before: [24, 31, 32, 38], inside: [27, 35] };
export const kResolvedEarly = { before: [15], inside: [17] }; // before kInterruptedTurn
const seeAgain = (place) => ({ name: "accp_resolve", arguments: { left_out: place } });

// Turns with calls of accp_resolve, which the agent must not notice.
function withResolves(turns, { before, inside }) {
    return turns.flatMap((turn, number) => {
        if (inside.includes(number)) return [{ ...turn, calls: [seeAgain(1), ...turn.calls] }];
        return before.includes(number) ? [{ calls: [seeAgain(0), seeAgain(number % 3)], chunk: [1, 2, 3, 50, 700], pings: 5 }, turn] : [turn];
    });
}

// Returns a script for the stand-in. `toCall(step)`: the agent's tool and arguments; nothing if it has none. `faults`: {number of a turn: fault}. `resolves`:
// a proxy in front of the stand-in has accp_resolve, and the model calls it. `compactsAt`: the conversation of the rest ends before kCompactedTurn with a
// response that reports so many tokens; then kEnd follows.
export function makeScript(toCall, { pause_ms = 0, isInterrupted = false, faults = {}, resolves = false, compactsAt = 0 } = {}) {
    const play = (steps, number) => {
        const calls = steps.map(toCall).filter(Boolean);
        const turn = { text: `Step ${number}: ${Object.keys(steps[0])[0]} – naïve, then on.`, calls, chunk: [1, 2, 3, 50, 700], pings: 5 };
        if (number % 3 === 0) turn.thinking = `The step ${number} needs care: 日本語 as well.`;
        if (pause_ms) turn.pause_ms = pause_ms;
        if (faults[number]) turn.fault = faults[number];
        return calls.length ? turn : { ...turn, calls: [toCall({ run: "echo nothing to ask" })] };
    };
    const end = { text: "All modules are checked; the tests pass." };
    const turns = [...plan().map(play), end],
        rest = compactsAt
            ? [...turns.slice(kInterruptedTurn, kCompactedTurn), { text: "Half of the modules are checked.", report_tokens: compactsAt }]
            : turns.slice(kInterruptedTurn),
        last = turns.slice(kCompactedTurn);
    if (compactsAt) turns.splice(kInterruptedTurn + 1);
    else if (isInterrupted) turns[kInterruptedTurn] = { ...turns[kInterruptedTurn], chunk: 20, gap_ms: 20 };
    const sub = [...kSubPlan.map(play), { text: "All ten teams asked." }];
    // Only the main conversation offers sub-agents; the agents' calls for other purposes repeat it without.
    const some = [toCall({ run: "" }).name],
        all = [...some, toCall({ ask: "" })?.name ?? some[0]];
    return {
        conversations: [
            { marker: kMarker, turns: resolves ? withResolves(turns, compactsAt ? kResolvedEarly : kResolved) : turns, tools: all },
            { marker: kRest, turns: rest, tools: all },
            { marker: kEnd, turns: last, tools: all },
            { marker: kSub, turns: sub, tools: some },
        ],
    };
}

export const kPrompt = `${kMarker} Mark each module of this project as checked, and run the tests.`;
export const kRestPrompt = `${kRest} Go on with the rest.`;
export const kEndPrompt = `${kEnd} Go on with the other half.`;
