// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the command line with CLI11. The only file that includes it: it takes ten seconds to
// compile.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>

#include "accp/accp.h"
#include "cli/node_view.h"

namespace cli {
namespace {

constexpr const char *kFooter =
    "Filters read FILEs, or standard input where none is named (\"-\" names it), and write one "
    "line for each line.\n"
    "Errors go to standard error: accp: record N: E1001 at byte 17: what is wrong. Records count "
    "from 1,\n"
    "bytes from 0. A refused record leaves an empty line on standard output.\n"
    "Exit status: 0 all done; 1 some record refused; 2 bad usage, or input or output failed.\n"
    "Of session receive: 3 some dropped, 4 some held; of negotiate: 4 not agreed yet.\n"
    "The manual: man accp.";

std::string version_line() {
    return std::string("accp ") + ACCP_VERSION_STRING + " (libaccp " + accp_version() + ", ABI " +
           std::to_string(accp_abi_version()) + ")";
}

constexpr int64_t kMaxSeconds = 253'402'300'799;  // to the end of the year 9999
constexpr int64_t kMaxCount = INT64_MAX;

// Digits and nothing else: CLI11 by itself reads -1 as the largest number of an unsigned option,
// and 0x10, 1e3 and 1_000 as numbers.
CLI::Validator whole_number(int64_t min, int64_t max) {
    return CLI::Validator(
        [=](std::string &text) {
            int64_t value = 0;
            const char *end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            const bool is_right =
                read.ec == std::errc() && read.ptr == end && value >= min && value <= max;
            return is_right ? std::string()
                            : "a whole number from " + std::to_string(min) + " to " +
                                  std::to_string(max) + ", and not " + text;
        },
        "");
}

void add_files(CLI::App &command, Arguments &out) {
    command.add_option("FILE", out.files, "Read these instead of standard input")->type_name("");
}

// An option of words with commas between; it may be given again.
CLI::Option *add_list(CLI::App &command, const char *name, std::vector<std::string> &out,
                      const std::string &help, const char *shown = "LIST") {
    return command.add_option(name, out, help)->allow_extra_args(false)->option_text(shown);
}

void add_dialect(CLI::App &command, Arguments &out) {
    command
        .add_option("--dialect", out.dialect,
                    "Which frames are taken: strict (default), compat or u8")
        ->check(CLI::IsMember({"strict", "compat", "u8"}))
        ->type_name("NAME");
}

// Every limit with its default, as the library has them.
std::string limit_help() {
    std::string help = "Set a limit; may be given again. The defaults:";
    for (int32_t i = 0; accp_limit_name(i) != nullptr; ++i)
        help.append(i % 4 == 0 ? "\n" : " ")
            .append(accp_limit_name(i))
            .append("=")
            .append(std::to_string(accp_limit_default(i)));
    return help;
}

void add_limit(CLI::App &command, Arguments &out) {
    add_list(command, "--limit", out.limits, limit_help(), "NAME=N");
}

void add_profile(CLI::App &command, Arguments &out) {
    add_list(command, "--profile", out.profiles,
             "Profiles whose schemas come with a registry: chat, tool, transaction, stream, "
             "workflow, all (default), none");
}

void add_strict(CLI::App &command, Arguments &out) {
    add_list(command, "--strict", out.strict,
             "Refuse also: unknown operations (ops), what profiles warn of (profiles), "
             "fields a schema has not (schema), answers without a cid (replies)");
}

// What encode and decode share, so that one set of options serves both.
void add_codec(CLI::App &command, Arguments &out) {
    add_list(command, "--ext", out.ext,
             "Extensions in force: q1 (default), t1, p1, u8, w1, or none");
    command.add_flag("--abbrev", out.abbrev,
                     "Abbreviate payload keys (source is src), and expand them again");
    command
        .add_option("--registry", out.registry,
                    "Work under the registry of this file; abbreviations are then in force")
        ->type_name("FILE");
    add_profile(command, out);
    command
        .add_option("--schema", out.schema,
                    "The schema of messages that name none; without --registry, a built-in one")
        ->option_text("CODE");
    command.add_flag(
        "--mark-defaults", out.mark_defaults,
        "A member \"defaults\" names what a frame did not have and decoding filled in");
    command.add_flag("--any-intent", out.any_intent,
                     "Take intents that are none of the twelve too, which are E1002 otherwise");
    CLI::Option *log = command.add_flag(
        "--log", out.log,
        "Write every message, as a model would read it, and every refusal on standard error");
    add_list(command, "--redact", out.redact, "Keys whose values the log does not show")
        ->needs(log);
    add_strict(command, out);
    command.add_flag("--trace", out.trace, "Show every step of the pipeline on standard error");
    command.add_flag("--keep-refs", out.keep_refs,
                     "A ref is {\"$ref\":\"warm.key\"} instead of E2001");
    add_limit(command, out);
}

CLI::App *add_reader(CLI::App &app, Arguments &out, const char *name, const char *what) {
    CLI::App *command = app.add_subcommand(name, what);
    add_dialect(*command, out);
    add_limit(*command, out);
    add_files(*command, out);
    return command;
}

void add_tokenizer(CLI::App &command, Arguments &out) {
    command
        .add_option("--tokenizer", out.tokenizer,
                    "o200k_base (default), cl100k_base, approx, which estimates, or a file: "
                    ".tiktoken, tokenizer.json")
        ->option_text("NAME");
    command
        .add_option(
            "--pattern", out.pattern,
            "How a .tiktoken file's model cuts text: o200k_base, cl100k_base, llama3, qwen2 …")
        ->option_text("NAME");
}

void add_spell(CLI::App &command, Arguments &out) {
    command
        .add_option("--spell", out.spell,
                    "Frames in the spelling of the wire's rules (wire, the default), or of those "
                    "that are read as the same the one of the fewest tokens (cheapest)")
        ->check(CLI::IsMember({"wire", "cheapest"}))
        ->option_text("HOW");
}

void add_encode(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand("encode", "Messages as JSON to frames");
    add_codec(*command, out);
    add_list(*command, "--ignore", out.ignore, "Members of a message to pass over, such as to,nl");
    CLI::Option *envelope = command->add_flag("--envelope", out.envelope,
                                              "Fill mid, seq and ts where a message has none");
    command
        ->add_option("--first-seq", out.first_seq,
                     "The first seq, 1 if not given; the mid counts with it")
        ->check(whole_number(0, kMaxCount))
        ->type_name("N")
        ->needs(envelope);
    command->add_option("--ts", out.ts, "This ts, not the clock's")
        ->check(whole_number(0, kMaxSeconds))
        ->option_text("SECONDS")
        ->needs(envelope);
    command->add_option("--letter", out.letter, "The first letter of a mid, a to f")
        ->option_text("LETTER")
        ->needs(envelope);
    command->add_option("--issuer", out.issuer, "1 to 99 where several issue mids in one session")
        ->check(whole_number(0, 99))
        ->option_text("N")
        ->needs(envelope);
    CLI::Option *max =
        command->add_option("--max-tokens", out.max_tokens,
                            "Refuse a frame of more tokens (by --tokenizer), or split it");
    max->check(whole_number(0, kMaxCount))->type_name("N");
    command->add_flag("--split", out.split, "A frame over --max-tokens goes in parts, a line each")
        ->needs(envelope)
        ->needs(max);
    add_spell(*command, out);
    add_tokenizer(*command, out);
    add_files(*command, out);
}

void add_decode(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "decode", "Frames to messages as JSON, the inverse of encode under the same config");
    add_dialect(*command, out);
    add_codec(*command, out);
    command->add_flag(
        "--untrusted", out.untrusted,
        "The frames come from outside: a member \"untrusted\" says so, and rendering marks it");
    add_list(*command, "--ignore", out.ignore, "Taken as encode takes it; changes nothing");
    command->add_flag("--envelope", out.envelope,
                      "Taken as encode takes it; changes nothing: the envelope stays in meta");
    command->add_flag(
        "--split", out.split,
        "Put messages in parts together: an empty line for each part but the last to come");
    add_files(*command, out);
}

void add_tokens(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand("tokens", "Text to its exact number of tokens");
    add_tokenizer(*command, out);
    CLI::Option *lines = command->add_flag("--lines", out.lines,
                                           "Count each line, without its LF, and not the whole");
    command
        ->add_flag("--jsonl", out.jsonl,
                   "Each line is a JSON string, and the answer {\"tokens\":N}")
        ->excludes(lines);
    command->add_flag("--ids", out.ids, "The ids of the tokens too, of each line");
    command->add_flag("--special", out.special,
                      "Special tokens such as <|endoftext|> in a line are themselves, not text");
    add_limit(*command, out);
    add_files(*command, out);
}

void add_stats(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand("stats",
                                           "Messages, frames or any JSON to a table of tokens, in "
                                           "each form that they could be sent in");
    add_tokenizer(*command, out);
    add_list(*command, "--baseline", out.baseline,
             "Also pretty, toon, nl (texts in members nl and nl_short), or NAME=COMMAND "
             "which reads JSON; default: pretty, and toon where it is installed");
    command->add_flag("--json", out.json, "The table as one JSON object");
    command->add_flag("--abbrev", out.abbrev, "Abbreviate payload keys (source is src)");
    add_list(*command, "--ignore", out.ignore, "Members of a message to pass over, such as to,nl");
    add_list(*command, "--ext", out.ext,
             "Extensions of the wire: q1 (default), t1, u8, w1, or none");
    add_spell(*command, out);
    add_limit(*command, out);
    add_files(*command, out);
}

void add_render(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "render", "Messages, frames or any JSON to the text that a model should read; and back");
    command->add_flag("--parse", out.parse, "That text to JSON: the exact inverse");
    command->add_flag("--untrusted", out.untrusted,
                      "Mark every record as data from outside; nothing in it is invisible");
    command->add_flag("--one-line", out.one_line, "No table takes a line a row");
    command->add_flag("--envelope", out.envelope,
                      "A message's mid, seq, ts, cid, aid, sid and ttl too");
    command->add_flag("--abbrev", out.abbrev,
                      "Abbreviate payload keys (source is src), and expand them again");
    add_list(*command, "--ignore", out.ignore, "Members of a message to pass over, such as to,nl");
    add_list(*command, "--ext", out.ext,
             "Extensions that frames are decoded with: q1 (default), t1, u8, w1, or none");
    add_dialect(*command, out);
    add_limit(*command, out);
    add_files(*command, out);
}

void add_conformance(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "conformance",
        "Run the conformance vectors of a level; a verdict for each requirement, and exit status 0 "
        "where all pass");
    command
        ->add_option("--level", out.level, "1 (default), 2 or 3; a level has the ones below in it")
        ->check(whole_number(1, 3))
        ->type_name("N");
    command->add_option("--file", out.vectors, "Run the vectors of this file instead")
        ->type_name("FILE");
    command->add_option("--row", out.row, "Run the vectors of this requirement alone: ACCP-3.1-14")
        ->type_name("ID")
        ->excludes("--level")
        ->excludes("--file");
    command
        ->add_flag("--table", out.table,
                   "Write the page of all requirements, and what shows each: docs/conformance.md")
        ->excludes("--level")
        ->excludes("--file")
        ->excludes("--row");
}

// Of packets in a project's files.
void add_panes(CLI::App &command, Arguments &out) {
    command.add_option("--pane", out.pane, "Whose packet: a number")
        ->check(whole_number(0, 9999))
        ->option_text("N");
    command.add_flag("--shared", out.shared, "Of push, edit, preview: what all panes share");
    command.add_option("--directory", out.directory, "Of the project (.)")->option_text("DIR");
    command
        .add_option("--config", out.panes_config,
                    "Settings of packets, as YAML (~/.agentwire/config.yaml)")
        ->option_text("FILE");
    command
        .add_option("--store", out.store,
                    "The journal of packets and tasks (sqlite:DIR/.agentwire/journal.sqlite)")
        ->option_text("STORE");
    command
        .add_option("--revision", out.revision,
                    "Of push, edit: only where the packet there has this checksum")
        ->option_text("SUM");
}

// Of what came of a task.
void add_task(CLI::App &command, Arguments &out) {
    add_list(command, "--gap", out.gaps,
             "Of feedback, record: what was missing; may be given again", "TEXT");
    add_list(command, "--unused", out.unused, "The same: what was there and not needed", "TEXT");
    command.add_option("--kind", out.kind, "Of record, advise: the sort of task, such as auth")
        ->option_text("NAME");
    command.add_flag("--success", out.success, "Of record: the task is done");
    command.add_flag("--fail", out.fail, "Of record: it has failed");
    command.add_option("--frame", out.frame, "Of record: the worker's done or fail says it")
        ->option_text("FRAME");
    command.add_option("--cid", out.cid, "Of record: the chain that --frame has to be of")
        ->option_text("CID");
    command.add_option("--tokens", out.task_tokens, "Of record: of its packet (as that says)")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
    command.add_option("--whole", out.whole, "Of record: tokens that the packet was made from")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
    command
        .add_option("--explored", out.explored,
                    "Of record: files that the worker looked up, and were known before")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
    command.add_flag("--compare", out.compared,
                     "Of stats: the earlier half of the tasks beside the later");
    command.add_flag("--orchestrator", out.orchestrator, "Of roles: what to tell an orchestrator");
    command.add_flag("--worker", out.worker, "Of roles: what to tell a worker");
}

// Of the actions that ask, compare and shorten packets.
void add_context_query(CLI::App &command, Arguments &out) {
    command
        .add_option("--of", out.of,
                    "Of query: the packet with this checksum, and what it refers to")
        ->option_text("SUM");
    command.add_flag("--relevance", out.relevance,
                     "Of compress: leave out what is not about the task");
    command.add_option("--task", out.task, "Of --relevance: another task than the packet's own")
        ->option_text("TEXT");
    command
        .add_option("--threshold", out.threshold,
                    "Of --relevance: what an item has to score, 0 to 1 (0.07)")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text("X");
    command.add_flag("--patterns", out.patterns,
                     "Of compress: one pattern for files of a folder that say the same");
    command.add_flag("--merge", out.merge, "Of compress: one decision for those about one thing");
    command.add_flag("--age", out.age,
                     "Of compress: older decisions and failures in a line, ancient in a word");
    command
        .add_option("--recent", out.recent, "Of --age: so many of each kind stay as they are (5)")
        ->option_text("N");
    command.add_option("--older", out.older, "Of --age: so many before them keep a line (10)")
        ->option_text("N");
    command.add_option("--note", out.note, "Of revise: what is new in this version")
        ->option_text("TEXT");
}

void add_context(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "context", "Context packets: what is one, and what a worker reads of it");
    command
        ->add_option(
            "ACTION", out.action,
            "generate TASK (of a conversation, code, or both), validate [FILE...], seal [FILE] "
            "(writes it "
            "with its checksum), preview [FILE] (what a model reads), query QUESTION [FILE...], "
            "compress [FILE], revise OLD NEW, log [FILE...] or diff OLD NEW. In a project's files: "
            "generate and preview with --pane; read; edit [FILE]; push [FILE] (puts it there, and "
            "prints the frame that says so); refresh (of a conversation, the same task); clear; "
            "feedback; record (a task that is over); stats; advise (a depth); roles")
        ->required()
        ->check(CLI::IsMember({"generate", "validate", "seal", "preview", "query", "compress",
                               "revise", "log", "diff", "read", "edit", "push", "refresh", "clear",
                               "feedback", "record", "stats", "advise", "roles"}))
        ->type_name("");
    command->add_flag("--json", out.json, "Answer in JSON: of validate, one object a file");
    command->add_flag("--no-verify", out.no_verify, "Take a checksum that is not right");
    command
        ->add_option("--conversation", out.conversation,
                     "Of generate and refresh: a file with messages (standard input)")
        ->option_text("FILE");
    command
        ->add_option("--code", out.code,
                     "A directory with code, as git has its files. Of generate: also of these; "
                     "without --conversation, of these alone. Of validate: warn of files that "
                     "are others now")
        ->option_text("DIR");
    command
        ->add_option("--from", out.from,
                     "Of generate: what that is: openai, anthropic, claude-code, swe-agent, "
                     "specstory, aider, speakers, messages of ours, or auto (what it looks like)")
        ->option_text("NAME");
    command
        ->add_option("--depth", out.depth,
                     "Of generate: minimal (goal and constraints), standard (and decisions and "
                     "files) or deep (and failures)")
        ->check(CLI::IsMember({"minimal", "standard", "deep", "simple", "complex"}))
        ->option_text("NAME");
    command->add_option("--budget", out.budget, "Of generate: tokens (100, 400, 800 by depth)")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
    command->add_option("--agent", out.agent, "Of generate: who makes it (accp)")
        ->option_text("NAME");
    command
        ->add_option("--now", out.now_ms, "This time, not the clock's, in milliseconds since 1970")
        ->check(whole_number(0, kMaxSeconds * 1000 + 999))
        ->option_text("MS");
    add_panes(*command, out);
    add_task(*command, out);
    add_context_query(*command, out);
    add_tokenizer(*command, out);
    add_limit(*command, out);
    command->add_option("FILE", out.files, "A packet, as YAML or JSON; - or none: standard input")
        ->type_name("");
}

void add_registry(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "registry", "Show a registry, hash it, add to it, tell two apart, or learn one");
    command
        ->add_option(
            "ACTION", out.action,
            "show [FILE], hash [FILE], add FILE FILE..., diff FILE FILE, or learn [FILE...], of "
            "messages or frames")
        ->required()
        ->check(CLI::IsMember({"show", "hash", "add", "diff", "learn"}))
        ->type_name("");
    add_profile(*command, out);
    add_tokenizer(*command, out);
    command
        ->add_option_function<uint64_t>(
            "--train", [&out](uint64_t count) { out.train = count; },
            "Of learn: learn from the first N messages and measure on the others, not every other")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
    command
        ->add_option("--registry", out.registry,
                     "Of learn: measure this document too, on the same messages")
        ->type_name("FILE");
    add_list(*command, "--ignore", out.ignore, "Of learn: members of a message to pass over");
    add_limit(*command, out);
    command->add_option("FILE", out.files, "A registry's document, as JSON; of learn, messages")
        ->type_name("");
}

// An action of sacp, with a page of help of its own.
CLI::App *add_sacp_action(CLI::App &sacp, Arguments &out, const char *name, const char *what) {
    CLI::App *action = sacp.add_subcommand(name, what);
    action->callback([&out, name] { out.action = name; });
    add_limit(*action, out);
    add_files(*action, out);
    return action;
}

void add_sacp_run(CLI::App &sacp, Arguments &out) {
    CLI::App *action = add_sacp_action(
        sacp, out, "run", "Run the plan of a message, FILE, with programs as its tools");
    action
        ->add_option(
            "--tool", out.tool_commands,
            "What sh runs as this tool, with params as JSON on its standard input, and its "
            "answer as JSON on its standard output; may be given again")
        ->option_text("NAME=COMMAND");
    action->add_option("--library", out.library, "Verbs, tools and short names, as JSON")
        ->type_name("FILE");
    action->add_option("--policy", out.policy, "Tries, waits and bounds, as JSON")
        ->type_name("FILE");
    action
        ->add_flag("--lenient", out.lenient, "Take verbs and tools that the library does not have")
        ->option_text(" ");
    action
        ->add_option("--store", out.store,
                     "A file, made where it is missing, from which the same plan goes on")
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

void add_sacp(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand("sacp", "Messages by which agents plan for each other");
    command->require_subcommand(1);
    add_sacp_run(*command, out);
    add_sacp_action(*command, out, "trace",
                    "Plans whose tools answer as they say, a case a line, to what they come to")
        ->add_option("--library-dir", out.library_dir, "Where NAME.json of a case's library is")
        ->type_name("DIRECTORY");
}

// Who speaks, and when.
void add_origin(CLI::App &command, Arguments &out) {
    command.add_option("--agent", out.agent, "Who tells the state (harness)")->option_text("NAME");
    command
        .add_option("--from", out.from,
                    "Of receive: the agents that the frames may come from; others are E5001 (any "
                    "but our own). Of append: what the input is: openai, anthropic, claude-code, "
                    "swe-agent, specstory, aider, speakers, or auto: what it looks like")
        ->option_text("LIST");
    command.add_flag("--untrusted", out.untrusted,
                     "Of receive: the frames come from outside; messages and contexts say so");
    add_list(command, "--untrusted-agents", out.untrusted_agents,
             "Agents whose messages come from outside, however they come");
    command
        .add_option("--now", out.now_ms, "This time, not the clock's, in milliseconds since 1970")
        ->check(whole_number(0, kMaxSeconds * 1000 + 999))
        ->option_text("MS");
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

void add_session(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "session", "Keep a session: messages in, what a model should be given out; and replay one");
    command
        ->add_option("ACTION", out.action,
                     "append, receive, send, negotiate [FILE]; context; tool; answer JSON; budget; "
                     "checkpoint; state [JSON]; log; resolve REF; put REF JSON; erase REF;\n"
                     "grant SESSION PREFIX; revoke SESSION PREFIX; expire; retry RECORD; abandon "
                     "CID; end; list; replay [FILE]; dead")
        ->required()
        ->check(
            CLI::IsMember({"append",  "receive", "send",       "negotiate", "context", "tool",
                           "answer",  "budget",  "checkpoint", "state",     "log",     "resolve",
                           "put",     "erase",   "grant",      "revoke",    "expire",  "retry",
                           "abandon", "end",     "list",       "replay",    "dead"}))
        ->type_name("");
    command
        ->add_option(
            "--store", out.store,
            "Where it is kept: sqlite:PATH, or memory: (default), which ends with the command")
        ->option_text("NAME");
    command->add_option("--session", out.session, "The session's id (default)")->option_text("ID");
    command
        ->add_option(
            "--budget", out.budget,
            "The most tokens that a context may have; 0 (default): as many as are worth it")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
    add_origin(*command, out);
    add_list(*command, "--rule", out.rules,
             "Set a rule of sessions, such as window=0; may be given again", "NAME=N");
    command
        ->add_option(
            "--rules", out.rule_set,
            "What contexts go by where no --rule says: default, by price, or specification")
        ->check(CLI::IsMember({"default", "specification"}))
        ->option_text("NAME");
    add_replay(*command, out);
    command
        ->add_option(
            "--requeue", out.requeue,
            "Of dead: hand this letter out again, or all: to receive what came in, to send "
            "what went out")
        ->option_text("MID");
    CLI::Option *as = command->add_option(
        "--as", out.as, "Of context and tool: as openai or anthropic has it; of tool mcp too");
    as->check(CLI::IsMember({"openai", "anthropic", "mcp"}))->option_text("NAME");
    command->add_flag("--blocks", out.blocks, "Of context: its blocks, each as a line of JSON")
        ->excludes(as);
    command->add_flag("--no-name-lists", out.no_name_lists,
                      "Of replay: no names of what contexts leave out");
    command->add_option("--registry", out.registry, "Work under the registry of this file")
        ->type_name("FILE");
    add_profile(*command, out);
    add_strict(*command, out);
    add_list(*command, "--ignore", out.ignore, "Members of a message to pass over, such as to,nl");
    add_list(*command, "--ext", out.ext,
             "Extensions of frames: q1 (default), t1, p1, u8, w1, or none");
    add_spell(*command, out);
    add_tokenizer(*command, out);
    add_limit(*command, out);
    command
        ->add_option("ARG", out.files,
                     "Files to read instead of standard input, or what the action takes")
        ->type_name("");
}

void add_store(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "store",
        "What a store of sessions holds, whether it is whole, its sessions as JSON and back");
    command
        ->add_option(
            "ACTION", out.action,
            "stats STORE, verify STORE, export STORE [ID...], import STORE, or prune STORE")
        ->required()
        ->check(CLI::IsMember({"stats", "verify", "export", "import", "prune"}))
        ->type_name("");
    command
        ->add_option(
            "--keep", out.keep,
            "prune: the texts of so many of a session's newest checkpoints stay; default: all")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
    add_limit(*command, out);
    command->add_option("STORE", out.files, "sqlite:PATH; then ids of sessions")->type_name("");
}

}  // namespace

std::optional<int> read_arguments(int argc, char **argv, Arguments &out) {
    CLI::App app("Agent Context Compression Protocol: messages as small exact frames, and back.",
                 "accp");
    app.set_version_flag("--version", version_line(),
                         "Print the versions of command, library and ABI");
    app.require_subcommand(1);
    app.footer(kFooter);
    add_reader(app, out, "parse", "Frames to typed JSON objects: the bare grammar");
    add_reader(app, out, "canon", "Frames to canonical frames");
    add_encode(app, out);
    add_decode(app, out);
    add_render(app, out);
    CLI::App *inspect =
        add_reader(app, out, "inspect", "Frames to a readable table, with warnings");
    add_tokenizer(*inspect, out);
    add_conformance(app, out);
    add_tokens(app, out);
    add_stats(app, out);
    add_registry(app, out);
    add_session(app, out);
    add_store(app, out);
    add_context(app, out);
    add_sacp(app, out);
    CLI::App *unfold = app.add_subcommand(
        "unfold",
        "Text with frames folded over lines to one frame a line; other text is passed over");
    add_limit(*unfold, out);
    add_files(*unfold, out);
    try {
        // CLI11 would take a JSON array apart at its commas; a blank ahead of it is JSON as well.
        std::vector<std::string> words;
        for (int i = argc; i > 1; --i)
            words.push_back(argv[i - 1][0] == '[' ? std::string(" ") + argv[i - 1] : argv[i - 1]);
        app.parse(std::move(words));
    } catch (const CLI::Success &done) {
        app.exit(done);  // prints the help or the version
        return 0;
    } catch (const CLI::ParseError &error) {
        // CLI11 misses the subcommand before it looks at the word that stands in its place.
        const bool unknown = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-';
        std::string told = "accp: ";
        append_printable(unknown ? std::string("no such command: ") + argv[1] : error.what(), told);
        std::cerr << told << " (see --help)\n";
        return 2;
    }
    out.command = app.get_subcommands().front()->get_name();
    return std::nullopt;
}

}  // namespace cli
