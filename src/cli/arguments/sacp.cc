// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp sacp. Each has a help page of its own.
#include "cli/arguments/options.h"

namespace cli {
namespace {

constexpr const char *kMessageActions = "Actions on messages";
constexpr const char *kPlanActions = "Actions on agents and plans";
constexpr const char *kRunActions = "Actions that run plans";
constexpr const char *kTextActions = "Actions for people and models";

constexpr const char *kVerdictFooter =
    "Writes one line for each line of input. The line of a refused message is its\n"
    "verdict, an ERR object, and the exit status stays 0.\n"
    "FILE can be - for standard input, which is also read if no FILE is given.\n"
    "Exit status: 0 all done, also with refused messages; 1 a frame was refused; 2\n"
    "bad usage, or input or output failed.";

CLI::App *add_action(CLI::App &sacp, Arguments &out, const char *group, const char *name,
                     const char *what, const char *footer = kVerdictFooter) {
    CLI::App *action = sacp.add_subcommand(name, what);
    action->group(group);
    action->footer(footer);
    add_limit(*action, out);
    add_files(*action, out);
    return action;
}

void add_library(CLI::App &action, Arguments &out) {
    action
        .add_option("--library", out.library,
                    "The library (JSON): verbs, tools and short names. The default is empty")
        ->option_text("FILE");
}

// For actions that check messages.
void add_lenient_or_strict(CLI::App &action, Arguments &out) {
    action
        .add_flag("--lenient,!--strict", out.lenient,
                  "Accept (--lenient) or refuse (--strict, the default) verbs and tools that the "
                  "library lacks")
        ->option_text(" ");
}

// For actions that run plans.
void add_lenient(CLI::App &action, Arguments &out) {
    action.add_flag("--lenient", out.lenient, "Accept verbs and tools that the library lacks");
}

// For actions that use a registry of agents.
void add_agent_registry(CLI::App &action, Arguments &out) {
    action.add_option("--registry", out.registry, "The entries of agents, a JSON array")
        ->option_text("FILE");
    action
        .add_option("--store", out.store,
                    "A file that keeps agents, created if it does not exist. The entries of "
                    "--registry are added to it")
        ->option_text("FILE");
    action
        .add_option_function<double>(
            "--now", [&out](double seconds) { out.now_s = seconds; },
            "The time in seconds; without it no lease expires")
        ->check(CLI::Range(0.0, 9e15))
        ->option_text("S");
}

void add_respelling(CLI::App &sacp, Arguments &out, const char *name, const char *what) {
    CLI::App *action = add_action(sacp, out, kMessageActions, name, what);
    add_library(*action, out);
    action->add_flag("--pretty", out.pretty, "Print over several lines, for people");
}

// For actions that write or read frames.
void add_frame_options(CLI::App &action, Arguments &out) {
    action
        .add_option("--registry", out.registry,
                    "Use the registry in this file; the default has the schemas SM and CAP")
        ->option_text("FILE");
    add_list(action, "--ext", out.ext,
             "Use these extensions: q1, t1, p1 (the default is all three), u8, w1 or none");
}

void add_compose(CLI::App &sacp, Arguments &out) {
    CLI::App *action =
        add_action(sacp, out, kMessageActions, "compose",
                   "Write messages as they go to an agent: in canonical form, and with out_fmt "
                   "human only for agents that talk to people");
    add_library(*action, out);
    action
        ->add_option("--role", out.role,
                     "The role of the receiver. interface and formatter talk to people; any other "
                     "role (the default) does not")
        ->option_text("ROLE");
    add_list(*action, "--formatter", out.formatters, "Tools that talk to people too");
    action
        ->add_option("--msg-id", out.msg_id,
                     "Give messages without an id this one, with a dot and the line number")
        ->option_text("ID");
}

// For actions that run plans with programs as tools.
void add_tool_programs(CLI::App &action, Arguments &out) {
    action
        .add_option("--tool", out.tool_commands,
                    "Run this tool with sh: it reads params as JSON on standard input and writes "
                    "its result as JSON. Can be given several times")
        ->option_text("NAME=COMMAND");
    add_library(action, out);
    add_lenient(action, out);
    action
        .add_option("--store", out.store,
                    "A file that keeps the state, created if it does not exist. The same plan "
                    "continues from it")
        ->option_text("FILE");
    action.add_option("--policy", out.policy, "Retries, delays and limits (JSON)")
        ->option_text("FILE")
        ->group(kMoreOptions);
}

void add_ask(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_action(
        sacp, out, kTextActions, "ask",
        "Turn requests of people, one on each line, into messages, or report what is missing");
    action
        ->add_option("--phrases", out.phrases, "Phrases of people and the message for each (JSON)")
        ->required()
        ->option_text("FILE");
    action->add_option("--library", out.library, "The verbs and tools of the messages (JSON)")
        ->required()
        ->option_text("FILE");
    action
        ->add_option("--model", out.model,
                     "Run this with sh if no phrase fits. It reads "
                     "{\"prompt\",\"specification\",\"refused\"} and writes a message")
        ->option_text("COMMAND");
}

void add_format(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_action(sacp, out, kTextActions, "format",
                                  "Write data (one JSON value on each line) as text for people");
    action->add_option("--template", out.template_file, "Text with slots: see docs/sacp.md")
        ->required()
        ->option_text("FILE");
    action
        ->add_option("--locale", out.locale,
                     "The language of numbers, dates and sorting (default en-US)")
        ->option_text("TAG");
    action->add_option("--zone", out.zone, "The time zone, such as Europe/Berlin (default UTC)")
        ->option_text("NAME");
}

void add_run(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_action(sacp, out, kRunActions, "run",
                                  "Run the plan of a message, with programs as its tools",
                                  "Exit status: 0 DONE; 1 FAILED or not valid; 2 anything else.");
    add_tool_programs(*action, out);
    action
        ->add_option("--agent", out.agent_commands,
                     "Run this agent with sh, for steps whose tool is not a --tool. It reads "
                     "messages as frames and writes replies. Can be given several times")
        ->option_text("NAME=COMMAND");
    action
        ->add_option("--registry", out.registry,
                     "Choose the agent for a verb and tool from these entries: a JSON array, or "
                     "sqlite:FILE. Without it, the agent with the tool's name, or the first one")
        ->option_text("FILE");
    action
        ->add_option("--session", out.session,
                     "The name of the plan in the store (default "
                     "\"default\")")
        ->option_text("NAME");
    action->add_option("--trace", out.trace_file, "Write all attempts to this file")
        ->option_text("FILE");
    action
        ->add_option("--graph", out.graph,
                     "Draw the finished plan in this file, as SVG if it ends in .svg, else as "
                     "Mermaid")
        ->option_text("FILE");
}

void add_spawn(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_action(
        sacp, out, kPlanActions, "spawn",
        "Create the agents that a plan lacks and report which agents can do each step. Also "
        "confirms or refuses SPAWN_AGENT requests");
    action->add_flag("--allow", out.allow, "Create agents; without this, every request is refused");
    action->add_flag("--request", out.request, "Only print the requests for missing agents");
    add_library(*action, out);
    add_agent_registry(*action, out);
    add_lenient_or_strict(*action, out);
    action
        ->add_option("--retries", out.retries,
                     "Rounds of requests for one plan, at most 3 (default 1)")
        ->check(whole_number(1, 3))
        ->option_text("N")
        ->group(kMoreOptions);
}

void add_agent_program(CLI::App &sacp, Arguments &out) {
    CLI::App *action = sacp.add_subcommand(
        "agent", "Act as an agent: do the steps in messages that arrive as frames, and reply");
    action->group(kRunActions);
    action->footer("Reads frames on standard input and writes replies, one on each line.");
    action->add_option("--name", out.agent, "The name of the agent")
        ->required()
        ->option_text("NAME");
    add_tool_programs(*action, out);
    add_limit(*action, out);
}

void add_message_actions(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_action(sacp, out, kMessageActions, "validate",
                                  "Check messages; print VALID, ERR or REQ_CLARIFY for each");
    add_library(*action, out);
    add_lenient_or_strict(*action, out);
    action
        ->add_option("--reply", out.reply_rules,
                     "The lines are replies by this role to a message with this out_fmt")
        ->option_text("ROLE:OUT_FMT");
    add_respelling(sacp, out, "expand", "Write messages in canonical form with full names");
    add_respelling(sacp, out, "compact", "Write messages in canonical form with short names");
    add_respelling(sacp, out, "canon", "Write messages in canonical form with the names they have");
    add_compose(sacp, out);
    action = add_action(sacp, out, kMessageActions, "adapt",
                        "Convert messages between versions 0.1 and 1.0.0, or report what the "
                        "other version cannot express");
    action->add_option("--to", out.proto_ver, "The version to convert to: 0.1 or 1.0.0")
        ->required()
        ->check(one_of({"0.1", "1.0.0"}))
        ->option_text("VERSION");
    add_library(*action, out);
    action
        ->add_option("--agent", out.agent,
                     "For 1.0.0: the sender of messages without one (default harness)")
        ->option_text("NAME");
    add_now(*action, out);
    add_action(sacp, out, kMessageActions, "threads",
               "Order messages by what they reply to; they can arrive in any order", kInputFooter)
        ->add_flag("--indent", out.indent, "Print an indented list, for people");
    add_action(sacp, out, kMessageActions, "states",
               "Check changes of task states: {\"version\":…,\"changes\":[[TASK,STATE],…]}");
    action = add_action(sacp, out, kMessageActions, "frame",
                        "Write messages, verdicts, queries and their results as frames");
    action->add_option("--agent", out.agent, "The sender (default harness)")->option_text("NAME");
    add_frame_options(*action, out);
    action = add_action(sacp, out, kMessageActions, "unframe", "Read SACP messages from frames");
    add_frame_options(*action, out);
}

void add_plan_actions(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_action(sacp, out, kPlanActions, "query",
                                  "Find the agents of a registry that match a query. Without a "
                                  "registry, each line is a case that brings its own");
    add_agent_registry(*action, out);
    action->add_flag("--lexical", out.lexical,
                     "Also list agents that share words with the query, after exact matches and "
                     "before similar agents");
    action = add_action(sacp, out, kPlanActions, "plan",
                        "Complete the plans of messages, or report what is missing");
    add_library(*action, out);
    action->add_flag("--beside", out.beside, "Let steps run in parallel if they are independent");
    action = add_action(sacp, out, kPlanActions, "feasibility",
                        "Report which agents can do each step of a plan, or why none can");
    add_library(*action, out);
    add_agent_registry(*action, out);
    add_lenient_or_strict(*action, out);
    add_spawn(sacp, out);
}

void add_run_actions(CLI::App &sacp, Arguments &out) {
    add_run(sacp, out);
    add_agent_program(sacp, out);
    add_action(sacp, out, kRunActions, "trace",
               "Run test cases, one JSON object on each line: a message, the results that its "
               "tools give, and the name of its library. Prints all attempts and the result of "
               "each plan",
               kInputFooter)
        ->add_option("--library-dir", out.library_dir,
                     "The folder with the libraries: a case with the library NAME uses NAME.json "
                     "(required)")
        ->option_text("DIR");
}

void add_text_actions(CLI::App &sacp, Arguments &out) {
    add_ask(sacp, out);
    add_format(sacp, out);
    CLI::App *action = add_action(sacp, out, kTextActions, "prompt",
                                  "Print the prompt for a model that acts as an agent. FILE is the "
                                  "message for it",
                                  "");
    action->add_option("--agent", out.agent, "The name of the agent")
        ->required()
        ->option_text("NAME");
    add_list(*action, "--verb", out.verbs, "The verbs that it supports")->required();
    add_list(*action, "--tool", out.tools, "The tools that it has")->required();
    add_tokenizer(*action, out);
    action = sacp.add_subcommand(  // it has no input
        "spec", "Print a short specification for a model, with a library's verbs and tools");
    action->group(kTextActions);
    action->footer("");
    add_limit(*action, out);
    add_library(*action, out);
    add_tokenizer(*action, out);
}

}  // namespace

void add_sacp(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "sacp", "Check, convert, plan and run SACP messages, by which agents give tasks to agents");
    command->group(kSacp);
    command->require_subcommand(1);
    command->footer("accp sacp ACTION --help shows the options of an action.");
    add_message_actions(*command, out);
    add_plan_actions(*command, out);
    add_run_actions(*command, out);
    add_text_actions(*command, out);
}

}  // namespace cli
