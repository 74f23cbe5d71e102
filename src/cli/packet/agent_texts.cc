// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/packet/agent_texts.h"

#include "cli/host.h"

namespace cli {
namespace {

// In the texts, @accp is the command.
std::string with_command(std::string text, const std::string &command) {
    constexpr std::string_view kCommand = "@accp";
    for (size_t at = text.find(kCommand); at != text.npos;
         at = text.find(kCommand, at + command.size()))
        text.replace(at, kCommand.size(), command);
    return text;
}

// The tag keeps the steps out of later packets: only the task is the user's.
constexpr const char *kHandoff = R"(
<handoff-steps>
Hand the task below over to another agent.

1. Write what you know of it to items.yaml. Every part may be missing; a quote is a piece of what
   was said here.

       goal: ...
       decisions: [{choice: ..., reason: ..., made_by: user, quote: ...}]
       constraints: [{text: ..., quote: ...}]
       failed_attempts: [{approach: ..., reason_failed: ...}]
       codebase: {relevant_files: [{path: ..., summary: ...}]}

2. Make the packet of pane 1, or of another pane that the user names:

       @accp context generate "TASK" --session @agent --items items.yaml --pane 1

   Correct what it reports, and run it again.
3. Remove items.yaml. Show the packet: `@accp context preview --pane 1`
4. Give the user the line that the command printed. The other agent's task begins with it.
</handoff-steps>

$ARGUMENTS
)";

constexpr const char *kUse =
    R"(A context packet has what a worker must know before a task: goal, decisions, constraints, files,
failed attempts.

Before you give a task to another agent, make a packet for it:

- `@accp context generate "TASK" --pane 1` makes it from this conversation and prints the line with
  which the worker's task begins. `--depth deep` adds failed attempts.
- `--items FILE` takes what you know yourself (YAML: goal, decisions, constraints, failed_attempts,
  each with a quote). It replaces what would be found by rules, and is better.
- `@accp context record --pane 1 --success` (or `--fail`) when the task is over.

If your task names a packet, or has one at its beginning:

1. Read it: `@accp context read --pane 1`, or the text in the task.
2. Its decisions are made. Follow its constraints exactly.
3. At the end, report what was missing and what you did not need:
   `@accp context feedback --pane 1 --gap "..." --unused "..."`, or the lines that the task asks for.
)";

std::string handoff(const char *agent, const std::string &command) {
    std::string text = with_command(kHandoff, command);
    constexpr std::string_view kAgent = "@agent";
    return text.replace(text.find(kAgent), kAgent.size(), agent);
}

}  // namespace

std::string claude_handoff_command(const std::string &command) {
    return with_command(
               "---\ndescription: Make a context packet and hand a task over\nargument-hint: TASK\n"
               "allowed-tools: Bash(@accp context:*), Write\n---\n",
               command) +
           handoff("claude-code", command);
}

std::string opencode_handoff_command(const std::string &command) {
    return "---\ndescription: Make a context packet and hand a task over\n---\n" +
           handoff("opencode", command);
}

std::string packet_skill(const std::string &command) {
    return "---\nname: context-packets\ndescription: Use before you give a task to another agent, "
           "or when your task names a context packet\n---\n\n" +
           with_command(kUse, command);
}

std::string agents_text(const std::string &command) {
    return "## Context packets\n\n" + with_command(kUse, command);
}

std::string opencode_plugin(const std::string &program) {
    return "// Gives context packets to sub-agents, and records their feedback: accp context "
           "hook.\n"
           "import { spawnSync } from \"node:child_process\";\n\n"
           "const accp = " +
           json_string(program) + R"(;

// Returns the output; empty if the command fails, so that the task goes on without a packet.
function hook(event, directory) {
    const input = JSON.stringify({ agent: "opencode", cwd: directory, ...event });
    const ran = spawnSync(accp, ["context", "hook"], { cwd: directory, input, encoding: "utf8", timeout: 60_000 });
    return ran.status === 0 ? ran.stdout : "";
}

export const ContextPackets = async ({ directory }) => ({
    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
        if (tool !== "task") return;
        const output = hook(
            { hook_event_name: "PreToolUse", session_id: sessionID, tool_name: tool, tool_input: args },
            directory,
        );
        if (output) args.prompt = JSON.parse(output).hookSpecificOutput.updatedInput.prompt;
    },
    "tool.execute.after": async ({ tool, sessionID, args }, { output }) => {
        if (tool !== "task") return;
        const text = output.replace(/^<task[^>]*>\s*<task_result>\n|\n<\/task_result>\s*<\/task>\s*$/g, "");
        hook(
            {
                hook_event_name: "SubagentStop",
                session_id: sessionID,
                agent_type: args.subagent_type,
                agent_prompt: args.prompt,
                last_assistant_message: text,
            },
            directory,
        );
    },
});
)";
}

}  // namespace cli
