// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The loop of accp context with a real agent at the stand-in: an orchestrator talks and starts workers by accp context spawn. Each gets a packet of that
// conversation, which accp finds in the agent's own files, reads it, works, and reports what it lacked. What three workers lacked is asked for when the next
// packet is made, and is named to its worker. With opencode also the files of accp context setup. context_test.mjs AGENT; ACCP is the command.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { ask } from "../client.mjs";
import { createProvider } from "../server.mjs";
import { agents } from "./known.mjs";
import { run } from "./run.mjs";

const name = process.argv[2],
    agent = agents[name],
    modules = join(import.meta.dirname, "node_modules"),
    place = mkdtempSync(join(tmpdir(), "accp-context-")),
    home = join(place, "home"),
    folder = join(place, "work"),
    server = createProvider({ isVirtual: true });
const kTalk = "TASK-ALPHA-8",
    kWork = "TASK-BRAVO-8",
    kPlugin = "TASK-DELTA-8",
    kSub = "TASK-CHARLIE-8",
    kDemand = "It must use the model from models/user.py. lets use RS256 so that others can verify.",
    kGap = "how to run the tests",
    kRounds = 4; // three make a gap frequent
let base, env;

const call = (step) => agent.toCall(step, folder);
const control = (path, body) => ask(`${base}/__test/${path}`, body);
const accp = (...words) => run(process.env.ACCP, ["context", ...words], { cwd: folder, env });
const start = (prompt) => run(agent.program(modules), agent.start(prompt, base), { cwd: folder, env });
// Returns the last request of a conversation as text without the escapes of its strings.
const request = async (conversation) => JSON.stringify((await control("last"))[conversation] ?? "").replaceAll("\\\\n", "\n").replaceAll("\\n", "\n");
const check = (ran, code = 0) => assert.equal(ran.code, code, ran.output);

before(async () => {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${server.address().port}`;
    for (const path of [home, join(folder, "models")]) mkdirSync(path, { recursive: true });
    writeFileSync(join(folder, "models/user.py"), "class User: pass\n");
    env = {
        HOME: home,
        PATH: `${dirname(process.env.ACCP)}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        TERM: "dumb",
        LANG: "C.UTF-8",
        NO_PROXY: "*",
        ...agent.setup(home, base),
    };
    const task = `'${kWork} Add a login'`,
        worker = [agent.program(modules), ...agent.start("{task}", base)].map((word) => `'${word}'`).join(" ");
    // The conversation of the packet is this one, which no word of the commands names.
    const spawns = Array.from({ length: kRounds }, (_, round) => ({
        text: `I start worker ${round + 1}.`,
        calls: [call({ run: `accp context spawn ${task} --pane 1 --depth deep -- ${worker} && test -e login.py && accp context record --pane 1 --kind auth --success` })],
    }));
    const works = [
        { text: "I read my packet.", calls: [call({ run: "rm -f login.py; accp context read" })] },
        { text: "I write it.", calls: [call({ write: "login.py", text: "import jose\n" })] },
        { text: "I report.", calls: [call({ run: `accp context feedback --gap 'Needed: ${kGap}' --unused 'Received: not_included'` })] },
        { text: "The login is there." },
    ];
    const conversations = [
        {
            marker: kTalk,
            turns: [
                { text: "I look at the model.", calls: [call({ read: "models/user.py" })] },
                { text: "I'll use python-jose instead of PyJWT, since it is installed.", calls: [call({ run: "ls" })] },
                ...spawns,
                { text: "Done." },
            ],
        },
        { marker: kWork, turns: works },
    ];
    const subagent = call({ ask: `${kSub} Add a login` });
    if (subagent)
        conversations.push(
            { marker: kPlugin, tools: [subagent.name], turns: [{ text: "I ask a helper.", calls: [subagent] }, { text: "Done." }] },
            { marker: kSub, turns: [{ text: `The login is there.\n\nContext gaps: ${kGap}\nContext unused: none\nTask: failed` }] },
        );
    await control("script", { conversations });
    check(await start(`${kTalk} Add a login. ${kDemand}`));
});
after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(place, { recursive: true });
});

test(`workers of ${name} read their packets and report, and the next packet is made with their reports`, async () => {
    const orchestrator = await request(kTalk),
        made = orchestrator.match(new RegExp(`accp: the conversation is [^\\n]*\\(${name}\\)`, "g"));
    assert.equal(made?.length, kRounds, orchestrator.slice(-6000));
    assert.equal(new Set(made).size, 1, "each packet is of the orchestrator's conversation, and none of a worker's");
    assert.deepEqual(orchestrator.match(/earlier workers often lacked: [^;]*/g), ["earlier workers often lacked: testing approach (3 of 3 tasks)"]);
    const worker = await request(kWork);
    assert.match(worker, /Read your context packet first: \.agentwire\/context\/pane-1\.yaml/);
    assert.match(worker, /## Constraints\n(- .*\n)*- It must use the model from models\/user\.py/);
    assert.match(worker, /lets use RS256/);
    assert.match(worker, /Earlier workers often lacked what follows[^\n]*\n- testing approach \(3 of 3 tasks\)/);
    const stats = await accp("stats");
    assert.match(stats.output, /Worker success rate: 100%.*\nTop context gaps: testing approach \(100%\)/);
    assert.equal(JSON.parse((await accp("stats", "--json")).output).tasks, kRounds);
});

// pi has no sub-agents.
if (name === "opencode")
    test("with accp context setup, sub-agents of opencode get packets", async () => {
        check(await accp("setup", "opencode"));
        check(await start(`${kPlugin} Let a helper do it. ${kDemand}`));
        const sub = await request(kSub);
        assert.match(sub, /Context packet, tokens: \d+\./);
        assert.match(sub, /- It must use the model from models\/user\.py/);
        assert.match(sub, /## Your task\nTASK-CHARLIE-8 Add a login/);
        assert.match(sub, /- testing approach \(4 of 4 tasks\)/);
        const stats = JSON.parse((await accp("stats", "--json")).output);
        assert.equal(stats.tasks, 5);
        assert.equal(stats.success.count, 4);
        assert.equal(stats.gaps[0].tasks.count, 5);
        const kinds = stats.kinds.map(({ kind }) => kind).sort();
        assert.deepEqual(kinds, ["auth", "general"]);
        check(await accp("setup", "opencode", "--remove"));
        assert.ok(!existsSync(join(folder, ".opencode/plugins")));
    });

test("the stand-in refused nothing", async () => {
    assert.deepEqual(
        (await control("refused")).filter(({ message }) => !/which the request does not offer/.test(message)),
        [],
    );
});
