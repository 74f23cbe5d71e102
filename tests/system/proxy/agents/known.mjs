// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The agents: how each is started in an empty home with a made-up key, and which tools it offers for the steps of task.mjs.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const kModel = "stand-in";

function put(path, value) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
}

// Chooses the tool by the kind of the step, which is its first key. `whole`: makes a path absolute.
const by = (tools) => (step, folder) => {
    const kind = Object.keys(step)[0];
    return tools[kind]?.(step, (path) => join(folder, path));
};

const patch = (path, lines) => `apply_patch <<'EOF'\n*** Begin Patch\n*** ${path}\n${lines.join("\n")}\n*** End Patch\nEOF`;
const signed = (sign, text) =>
    text
        .trimEnd()
        .split("\n")
        .map((line) => sign + line);
const codexRun = (cmd) => ({ name: "exec_command", arguments: { cmd, yield_time_ms: 20000 } });

// `goesOn`: it sends a request again whose response broke off, as it was. `many`: it compacts a conversation that has so many tokens more
// than this task needs; `setupSmall(home)` sets that.
// `program(modules)`: the command; `start`, `resume`: its arguments; `setup(home, base)`: files of its home, returns variables.
export const agents = {
    pi: {
        program: (modules) => join(modules, ".bin/pi"),
        setup(home, base) {
            const model = {
                id: kModel,
                name: kModel,
                reasoning: true,
                input: ["text"],
                contextWindow: 1_000_000,
                maxTokens: 8000,
                cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
            };
            put(join(home, ".pi/agent/models.json"), {
                providers: { standin: { baseUrl: base, apiKey: "made-up", api: "anthropic-messages", models: [model] } },
            });
            return { PI_OFFLINE: "1" };
        },
        goesOn: true,
        many: 700_000,
        setupSmall: (home) => put(join(home, ".pi/agent/settings.json"), { compaction: { enabled: true, reserveTokens: 500_000, keepRecentTokens: 4000 } }),
        start: (prompt) => ["--provider", "standin", "--model", kModel, "-p", prompt],
        resume: (prompt) => ["--provider", "standin", "--model", kModel, "--continue", "-p", prompt],
        toCall: by({
            read: ({ read }) => ({ name: "read", arguments: { path: read } }),
            edit: ({ edit, from, to }) => ({ name: "edit", arguments: { path: edit, edits: [{ oldText: from, newText: to }] } }),
            write: ({ write, text }) => ({ name: "write", arguments: { path: write, content: text } }),
            run: ({ run }) => ({ name: "bash", arguments: { command: run } }),
        }),
    },
    opencode: {
        goesOn: true,
        many: 600_000,
        // The package opencode-ai only chooses among such programs; this one runs on every x86-64 machine.
        program: (modules) => join(modules, "opencode-linux-x64-baseline/bin/opencode"),
        setup(home, base) {
            const options = { baseURL: `${base}/v1`, apiKey: "made-up" };
            put(join(home, ".config/opencode/opencode.json"), {
                autoupdate: false,
                share: "disabled",
                permission: "allow",
                provider: { anthropic: { options, models: { "claude-sonnet-4-5": { limit: { context: 450_000, output: 32_000 } } } } },
            });
            return { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" };
        },
        start: (prompt) => ["run", "-m", "anthropic/claude-sonnet-4-5", prompt],
        resume: (prompt) => ["run", "--continue", "-m", "anthropic/claude-sonnet-4-5", prompt],
        toCall: by({
            read: ({ read }, whole) => ({ name: "read", arguments: { filePath: whole(read) } }),
            edit: ({ edit, from, to }, whole) => ({ name: "edit", arguments: { filePath: whole(edit), oldString: from, newString: to } }),
            write: ({ write, text }, whole) => ({ name: "write", arguments: { filePath: whole(write), content: text } }),
            run: ({ run }) => ({ name: "bash", arguments: { command: run } }),
            ask: ({ ask }) => ({ name: "task", arguments: { description: "Read the notes", prompt: ask, subagent_type: "general" } }),
        }),
    },
    codex: {
        goesOn: true,
        many: 700_000,
        program: (modules) => join(modules, ".bin/codex"),
        setup: () => ({ MADE_UP_KEY: "made-up" }),
        start: (prompt, base) => ["exec", ...codexOptions(base), prompt],
        resume: (prompt, base) => ["exec", "resume", "--last", ...codexOptions(base), prompt],
        toCall: by({
            read: ({ read }) => codexRun(`cat ${read}`),
            edit: ({ edit, from, to }) => codexRun(patch(`Update File: ${edit}`, ["@@", ...signed("-", from), ...signed("+", to)])),
            write: ({ write, text }) => codexRun(patch(`Add File: ${write}`, signed("+", text))),
            run: ({ run }) => codexRun(run),
        }),
    },
    qwen: {
        many: 860_000,
        setupSmall: (home) => put(join(home, ".qwen/settings.json"), { model: { generationConfig: { contextWindowSize: 1_000_000 } } }),
        program: (modules) => join(modules, ".bin/qwen"),
        setup: (home, base) => ({ OPENAI_API_KEY: "made-up", OPENAI_BASE_URL: `${base}/v1`, OPENAI_MODEL: kModel, QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" }),
        start: (prompt) => ["--yolo", "-p", prompt],
        resume: (prompt) => ["--yolo", "--continue", "-p", prompt],
        toCall: by({
            read: ({ read }, whole) => ({ name: "read_file", arguments: { file_path: whole(read) } }),
            edit: ({ edit, from, to }, whole) => ({ name: "edit", arguments: { file_path: whole(edit), old_string: from, new_string: to } }),
            write: ({ write, text }, whole) => ({ name: "write_file", arguments: { file_path: whole(write), content: text } }),
            // It loses the output of a command that ends at once.
            run: ({ run }) => ({ name: "run_shell_command", arguments: { command: `${run}; code=$?; sleep 0.3; exit $code`, is_background: false } }),
            ask: ({ ask }) => ({
                name: "agent",
                arguments: { description: "Read the notes", prompt: ask, subagent_type: "general-purpose", run_in_background: false },
            }),
        }),
    },
};

function codexOptions(base) {
    const provider = `{name="standin",base_url="${base}/v1",env_key="MADE_UP_KEY",wire_api="responses"}`;
    return [
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "-c",
        "model_provider=standin",
        "-c",
        `model_providers.standin=${provider}`,
        "-c",
        "model_context_window=1000000",
        "-c",
        "model_auto_compact_token_limit=600000",
        "-m",
        kModel,
    ];
}
