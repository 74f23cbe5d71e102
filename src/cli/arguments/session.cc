// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The options of accp session.
#include "cli/arguments/shared.h"

namespace cli {
namespace {

// What is done.
void add_actions(CLI::App &command, Arguments &out) {
    command
        .add_option("ACTION", out.action,
                    "append, receive, send, negotiate [FILE]; context; tool; answer JSON; budget; "
                    "checkpoint; state [JSON]; log; resolve REF; put REF JSON; erase REF;\n"
                    "grant SESSION PREFIX; revoke SESSION PREFIX; expire; retry RECORD; abandon "
                    "CID; packet REF; end; list; replay [FILE]; dead")
        ->required()
        ->check(
            CLI::IsMember({"append",  "receive", "send",       "negotiate", "context", "tool",
                           "answer",  "budget",  "checkpoint", "state",     "log",     "resolve",
                           "put",     "erase",   "grant",      "revoke",    "expire",  "retry",
                           "abandon", "packet",  "end",        "list",      "replay",  "dead"}))
        ->type_name("");
}

// Which session, and how large its contexts are.
void add_place(CLI::App &command, Arguments &out) {
    command
        .add_option(
            "--store", out.store,
            "Where it is kept: sqlite:PATH, or memory: (default), which ends with the command")
        ->option_text("NAME");
    command.add_option("--session", out.session, "The session's id (default)")->option_text("ID");
    command
        .add_option("--budget", out.budget,
                    "The most tokens that a context may have; 0 (default): as many as are worth it")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
}

// Who speaks, and when.
void add_origin(CLI::App &command, Arguments &out) {
    command.add_option("--agent", out.agent, "Who tells the state (harness)")->option_text("NAME");
    command
        .add_option(
            "--from", out.from,
            "Of receive: the agents that the frames may come from; others are E5001 (any "
            "but our own). Of append and replay: what the input is: openai, anthropic, "
            "claude-code, swe-agent, specstory, aider, speakers, or auto: what it looks like")
        ->option_text("LIST");
    command.add_flag("--untrusted", out.untrusted,
                     "Of receive: the frames come from outside; messages and contexts say so");
    add_list(command, "--untrusted-agents", out.untrusted_agents,
             "Agents whose messages come from outside, however they come");
    add_now(command, out);
}

// What sessions go by.
void add_rules(CLI::App &command, Arguments &out) {
    add_list(command, "--rule", out.rules,
             "Set a rule of sessions, such as window=0; may be given again", "NAME=N");
    command
        .add_option("--rules", out.rule_set,
                    "What contexts go by where no --rule says: default, by price, or specification")
        ->check(CLI::IsMember({"default", "specification"}))
        ->option_text("NAME");
}

// What a replay shows.
void add_replay(CLI::App &command, Arguments &out) {
    CLI::Option *report = command.add_flag(
        "--report", out.report,
        "Of replay: price, tokens and recall of contexts, and of what others send, as a table");
    command.add_flag("--json", out.json, "The report as one JSON object")->needs(report);
    CLI::Option *plot = command.add_option(
        "--plot", out.plot, "Of replay: write price, tokens and recall of each call as an SVG");
    plot->type_name("FILE");
    command
        .add_flag("--contexts", out.contexts,
                  "Of replay: for each step one JSON line with the context as it stood before it")
        ->excludes(report)
        ->excludes(plot);
    command
        .add_option("--to", out.to,
                    "Of replay: what the session was after this record, as a line of JSON")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
    CLI::Option *compare = command.add_option(
        "--compare", out.compare,
        "Of replay: another replay, with this in place of ours, and the first difference; names "
        "are store, session, export, rule, rules, strict, tokenizer, pattern, registry, profile, "
        "ext; may be given again");
    compare->allow_extra_args(false)->option_text("NAME=VALUE");
    command
        .add_option("--chain", out.chain,
                    "Of replay: the records of one chain, each with what became of it")
        ->excludes(compare)
        ->option_text("CID");
}

// Of sessions and their packets.
void add_handoff(CLI::App &command, Arguments &out) {
    command.add_flag("--packet", out.packet,
                     "Of checkpoint: then print a context packet of the session; ARG is its task");
    command
        .add_option("--carry", out.carry,
                    "Of send: messages carry the packet of this file; it is kept in the session")
        ->type_name("FILE");
    command.add_flag("--reset", out.reset,
                     "Of checkpoint: end the session, and begin a new one with a packet of it; its "
                     "id is printed");
    command
        .add_option("--project", out.project,
                    "Of append, send and receive: record in this project what becomes of the "
                    "packets that messages carry to workers")
        ->option_text("DIR");
    command.add_flag("--reply", out.reply,
                     "Of packet: the frame that answers who asked for it, or for layers of it");
    command
        .add_option("--depth", out.depth,
                    "Of a packet: minimal, standard (default) or deep; --budget is its tokens then")
        ->check(CLI::IsMember({"minimal", "standard", "deep", "simple", "complex"}))
        ->option_text("NAME");
}

// Dead letters to hand out again, and the form of contexts.
void add_form(CLI::App &command, Arguments &out) {
    command
        .add_option("--requeue", out.requeue,
                    "Of dead: hand this letter out again, or all: to receive what came in, to send "
                    "what went out")
        ->option_text("MID");
    CLI::Option *as = command.add_option(
        "--as", out.as, "Of context and tool: as openai or anthropic has it; of tool mcp too");
    as->check(CLI::IsMember({"openai", "anthropic", "mcp"}))->option_text("NAME");
    command.add_flag("--blocks", out.blocks, "Of context: its blocks, each as a line of JSON")
        ->excludes(as);
}

// How frames are read and written.
void add_frames(CLI::App &command, Arguments &out) {
    command.add_option("--registry", out.registry, "Work under the registry of this file")
        ->type_name("FILE");
    add_profile(command, out);
    add_strict(command, out);
    add_list(command, "--ignore", out.ignore, "Members of a message to pass over, such as to,nl");
    add_list(command, "--ext", out.ext,
             "Extensions of frames: q1 (default), t1, p1, u8, w1, or none");
    add_spell(command, out);
    add_tokenizer(command, out);
    add_limit(command, out);
}

}  // namespace

void add_session(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "session", "Keep a session: messages in, what a model should be given out; and replay one");
    add_actions(*command, out);
    add_place(*command, out);
    add_origin(*command, out);
    add_rules(*command, out);
    add_replay(*command, out);
    add_form(*command, out);
    add_handoff(*command, out);
    command->add_flag("--no-name-lists", out.no_name_lists,
                      "Of replay: no names of what contexts leave out");
    add_frames(*command, out);
    command
        ->add_option("ARG", out.files,
                     "Files to read instead of standard input, or what the action takes")
        ->type_name("");
}

}  // namespace cli
