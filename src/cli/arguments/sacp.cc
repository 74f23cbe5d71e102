// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp sacp, each with a page of help of its own.
#include "cli/arguments/shared.h"

namespace cli {
namespace {

CLI::App *add_sacp_action(CLI::App &sacp, Arguments &out, const char *name, const char *what) {
    CLI::App *action = sacp.add_subcommand(name, what);
    add_limit(*action, out);
    add_files(*action, out);
    return action;
}

void add_library(CLI::App &action, Arguments &out) {
    action
        .add_option("--library", out.library,
                    "Verbs, tools and short names, as JSON; without it there are none")
        ->type_name("FILE");
}

void add_reading(CLI::App &action, Arguments &out) {
    action
        .add_flag("--lenient,!--strict", out.lenient,
                  "Take verbs and tools that the library does not have (strict, the default, "
                  "refuses them)")
        ->option_text(" ");
}

// Of the actions that ask a registry of agents.
void add_agents(CLI::App &action, Arguments &out) {
    action.add_option("--registry", out.registry, "The entries of agents, as a JSON array")
        ->type_name("FILE");
    action
        .add_option("--store", out.store,
                    "A file, made where it is missing, that has the agents; those of --registry "
                    "are put into it")
        ->type_name("FILE");
    action
        .add_option_function<double>(
            "--now", [&out](double seconds) { out.now_s = seconds; },
            "The time, in seconds; without it no lease ends")
        ->check(CLI::Range(0.0, 9e15))
        ->option_text("S");
}

void add_spelling(CLI::App &sacp, Arguments &out, const char *name, const char *what) {
    CLI::App *action = add_sacp_action(sacp, out, name, what);
    add_library(*action, out);
    action->add_flag("--pretty", out.pretty, "Over lines, for a person to read")->option_text(" ");
}

// Of the actions that write frames and read them.
void add_sacp_codec(CLI::App &action, Arguments &out) {
    action
        .add_option("--registry", out.registry,
                    "Under the registry of this file; by default one with the schemas SM and CAP")
        ->type_name("FILE");
    add_list(action, "--ext", out.ext,
             "Extensions in force: q1, t1, p1 (all three by default), u8, w1, or none");
}

void add_compose(CLI::App &sacp, Arguments &out) {
    CLI::App *action =
        add_sacp_action(sacp, out, "compose",
                        "A message a line to what goes to an agent: canonical, and out_fmt human "
                        "only for those that talk to people");
    add_library(*action, out);
    action
        ->add_option("--role", out.role,
                     "Of the receiver: interface and formatter talk to people; else it is in "
                     "between (the default)")
        ->option_text("ROLE");
    add_list(*action, "--formatter", out.formatters, "Tools that talk to people too");
    action
        ->add_option("--msg-id", out.msg_id,
                     "Messages without an id get this one, a dot and the number of their line")
        ->option_text("ID");
}

// Of the actions that run plans with programs as tools.
void add_sacp_tools(CLI::App &action, Arguments &out) {
    action
        .add_option("--tool", out.tool_commands,
                    "What sh runs as this tool, with params as JSON on its standard input, and its "
                    "answer as JSON on its standard output; may be given again")
        ->option_text("NAME=COMMAND");
    add_library(action, out);
    action.add_option("--policy", out.policy, "Tries, waits and bounds, as JSON")
        ->type_name("FILE");
    action
        .add_flag("--lenient", out.lenient, "Take verbs and tools that the library does not have")
        ->option_text(" ");
    action
        .add_option("--store", out.store,
                    "A file, made where it is missing, from which the same plan goes on")
        ->type_name("FILE");
}

void add_ask(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_sacp_action(
        sacp, out, "ask", "What a person says, a line each, to its message, or to what is missing");
    action
        ->add_option("--phrases", out.phrases, "What people say, and which message it is, as JSON")
        ->required()
        ->type_name("FILE");
    action->add_option("--library", out.library, "The verbs and tools that messages have, as JSON")
        ->required()
        ->type_name("FILE");
    action
        ->add_option("--model", out.model,
                     "What sh runs where no phrase fits: it reads {\"prompt\",\"specification\","
                     "\"refused\"} and answers with a message")
        ->option_text("COMMAND");
}

void add_format(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_sacp_action(sacp, out, "format",
                                       "Data, JSON a line, as text for people, by a template");
    action->add_option("--template", out.template_file, "Text with slots: docs/sacp.md")
        ->required()
        ->type_name("FILE");
    action->add_option("--locale", out.locale, "Whose numbers, dates and order (en-US)")
        ->option_text("TAG");
    action->add_option("--zone", out.zone, "Of times, such as Europe/Berlin (UTC)")
        ->option_text("NAME");
}

void add_sacp_run(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_sacp_action(
        sacp, out, "run", "Run the plan of a message, FILE, with programs as its tools");
    add_sacp_tools(*action, out);
    action
        ->add_option("--agent", out.agent_commands,
                     "What sh runs as this agent, which does steps whose tool is no --tool: "
                     "messages as frames on its standard input, replies on its standard output; "
                     "may be given again")
        ->option_text("NAME=COMMAND");
    action
        ->add_option("--registry", out.registry,
                     "What agents there are, as a JSON array, or sqlite:FILE: who is asked for a "
                     "verb and a tool. Without it the agent of the tool's name, or the first")
        ->type_name("FILE");
    action->add_option("--session", out.session, "The plan's name in the store (default)")
        ->option_text("NAME");
    action->add_option("--trace", out.trace_file, "Where all attempts are written")
        ->type_name("FILE");
    action
        ->add_option("--graph", out.graph,
                     "Where the plan is drawn as it ended: .svg, or else Mermaid")
        ->type_name("FILE");
}

void add_spawn(CLI::App &sacp, Arguments &out) {
    CLI::App *action =
        add_sacp_action(sacp, out, "spawn",
                        "Agents that plans lack: a message a line to who does its steps once they "
                        "are made, a request (SPAWN_AGENT) to what became of it");
    add_library(*action, out);
    add_agents(*action, out);
    add_reading(*action, out);
    action
        ->add_flag("--request", out.request,
                   "Only show the requests for the agents that a plan lacks")
        ->option_text(" ");
    action->add_flag("--allow", out.allow, "Make the agents; without it every request is refused")
        ->option_text(" ");
    action->add_option("--retries", out.retries, "Rounds of requests for one plan, at most 3 (1)")
        ->check(whole_number(1, 3))
        ->option_text("N");
}

void add_sacp_agent(CLI::App &sacp, Arguments &out) {
    CLI::App *action = sacp.add_subcommand(
        "agent", "Do what messages ask for that come as frames, a line each, and reply so");
    add_limit(*action, out);
    action->add_option("--name", out.agent, "Its name")->required()->option_text("NAME");
    add_sacp_tools(*action, out);
}

// What messages are, and how they are spelled and carried.
void add_messages(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_sacp_action(sacp, out, "validate",
                                       "A message a line to its verdict: VALID, ERR, REQ_CLARIFY");
    add_library(*action, out);
    add_reading(*action, out);
    action
        ->add_option("--reply", out.reply_rules,
                     "The lines are replies of this role to a message with this out_fmt")
        ->option_text("ROLE:OUT_FMT");
    add_spelling(sacp, out, "expand", "A message a line to its canonical form, with full names");
    add_spelling(sacp, out, "compact", "A message a line to its canonical form, with short names");
    add_spelling(sacp, out, "canon",
                 "A message a line to its canonical form, with the names it has");
    add_compose(sacp, out);
    add_sacp_action(sacp, out, "threads",
                    "Messages, a line each in any order, put together by what they reply to")
        ->add_flag("--indent", out.indent, "As an indented list, for a person")
        ->option_text(" ");
    add_sacp_action(sacp, out, "states",
                    "{\"version\":…,\"changes\":[[TASK,STATE],…]} a line to what becomes of each");
    action = add_sacp_action(sacp, out, "frame",
                             "Messages, verdicts and lookups, one a line, to frames");
    action->add_option("--agent", out.agent, "Who speaks (harness)")->option_text("NAME");
    add_sacp_codec(*action, out);
    add_sacp_codec(*add_sacp_action(sacp, out, "unframe", "Those frames back"), out);
}

// Which agents there are, and what plans ask of them.
void add_planning(CLI::App &sacp, Arguments &out) {
    CLI::App *action =
        add_sacp_action(sacp, out, "query",
                        "Of each line, a query, the agents of a registry that it finds; "
                        "without one a line is a case that brings its own");
    add_agents(*action, out);
    action->add_flag(
        "--lexical", out.lexical,
        "Between those that match and those that are alike: who has the query's words");
    action = add_sacp_action(sacp, out, "plan",
                             "A message a line to one whose plan is whole, or to what is missing");
    add_library(*action, out);
    action->add_flag("--beside", out.beside,
                     "Put steps side by side that take nothing from each other");
    action = add_sacp_action(sacp, out, "feasibility",
                             "A message a line to who can do each of its steps, or why nobody can");
    add_library(*action, out);
    add_agents(*action, out);
    add_reading(*action, out);
    add_spawn(sacp, out);
    action = add_sacp_action(sacp, out, "adapt",
                             "A message a line of one version to one of the other, or to what that "
                             "cannot say");
    add_library(*action, out);
    action->add_option("--to", out.proto_ver, "The version to come to: 0.1 or 1.0.0")
        ->required()
        ->check(CLI::IsMember({"0.1", "1.0.0"}))
        ->option_text("VERSION");
    action
        ->add_option("--agent", out.agent,
                     "To 1.0.0: the sender, of messages that do not say it (harness)")
        ->option_text("NAME");
    add_now(*action, out);
}

// Who speaks, who does what is asked, and what a model is told.
void add_doing(CLI::App &sacp, Arguments &out) {
    add_ask(sacp, out);
    add_format(sacp, out);
    add_sacp_run(sacp, out);
    add_sacp_agent(sacp, out);
    add_sacp_action(sacp, out, "trace",
                    "Plans whose tools answer as they say, a case a line, to what they come to")
        ->add_option("--library-dir", out.library_dir, "Where NAME.json of a case's library is")
        ->type_name("DIRECTORY");
    CLI::App *action = add_sacp_action(
        sacp, out, "prompt", "What a model is told that acts as an agent; FILE is its message");
    action->add_option("--agent", out.agent, "Its name")->required()->option_text("NAME");
    add_list(*action, "--verb", out.verbs, "What it may be asked for")->required();
    add_list(*action, "--tool", out.tools, "And with which tools")->required();
    add_tokenizer(*action, out);
    action = add_sacp_action(
        sacp, out, "spec", "The protocol in short, for a model, with a library's verbs and tools");
    add_library(*action, out);
    add_tokenizer(*action, out);
}

}  // namespace

void add_sacp(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "sacp", "Messages by which agents plan for each other: check, respell, carry them");
    command->require_subcommand(1);
    add_messages(*command, out);
    add_planning(*command, out);
    add_doing(*command, out);
}

}  // namespace cli
