// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the command line with CLI11, which takes ten seconds to compile: the files arguments*.cc
// alone know it.
#include "cli/arguments/arguments.h"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "cli/arguments/shared.h"
#include "cli/host.h"

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

void add_dialect(CLI::App &command, Arguments &out) {
    command
        .add_option("--dialect", out.dialect,
                    "Which frames are taken: strict (default), compat or u8")
        ->check(CLI::IsMember({"strict", "compat", "u8"}))
        ->type_name("NAME");
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

void add_store(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "store",
        "What a store of sessions holds, whether it is whole, its sessions as JSON and back");
    command
        ->add_option(
            "ACTION", out.action,
            "status STORE, stats STORE, verify STORE, export STORE [ID...], import STORE, prune "
            "STORE, or conformance [PLACE]")
        ->required()
        ->check(CLI::IsMember(
            {"status", "stats", "verify", "export", "import", "prune", "conformance"}))
        ->type_name("");
    command
        ->add_option(
            "--keep", out.keep,
            "prune: the texts of so many of a session's newest checkpoints stay; default: all")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
    command->add_flag(
        "--vacuum", out.vacuum,
        "prune: give the space that a SQLite file does not use back to the file system");
    command->add_flag("--json", out.json, "status: as one JSON object");
    command
        ->add_option("--plugin", out.plugin,
                     "conformance: the library of the back end whose promises are checked")
        ->option_text("FILE");
    add_limit(*command, out);
    command
        ->add_option("STORE", out.files, "sqlite:PATH or nats://HOST/PREFIX; then ids of sessions")
        ->type_name("");
}

// What stands after the -- of context spawn and mcp wrap is another program's command line,
// whatever it looks like. Returns how many words stand before it.
int cut_worker(int argc, char **argv, Arguments &out) {
    const std::string action = argc < 3 ? "" : std::string(argv[1]) + " " + argv[2];
    if (action != "context spawn" && action != "mcp wrap") return argc;
    char **const end = argv + argc, **const mark = std::find(argv, end, std::string_view("--"));
    if (mark == end) return argc;
    out.worker_command.assign(mark + 1, end);
    return static_cast<int>(mark - argv);
}

void add_commands(CLI::App &app, Arguments &out) {
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
    add_mcp(app, out);
    add_serve(app, out);
    CLI::App *unfold = app.add_subcommand(
        "unfold",
        "Text with frames folded over lines to one frame a line; other text is passed over");
    add_limit(*unfold, out);
    add_files(*unfold, out);
}

bool asks_help(int argc, char **argv) { return argc > 1 && std::string_view(argv[1]) == "help"; }

void parse_words(CLI::App &app, int argc, char **argv) {
    // CLI11 would take a JSON array apart at its commas; a blank ahead of it is JSON as well.
    std::vector<std::string> words;
    const auto is_asked = [&](CLI::App *one) { return argc == 2 || one->check_name(argv[2]); };
    // as --help at the end
    const bool is_help = asks_help(argc, argv) && !app.get_subcommands(is_asked).empty();
    if (is_help) words.emplace_back("--help");
    for (int i = argc; i > (is_help ? 2 : 1); --i)
        words.push_back(argv[i - 1][0] == '[' ? std::string(" ") + argv[i - 1] : argv[i - 1]);
    app.parse(std::move(words));
}

void report(const CLI::ParseError &error, const CLI::App &app, int argc, char **argv) {
    // CLI11 misses the subcommand before it looks at the word that stands in its place.
    const bool unknown = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-';
    std::string told = "accp: ", why = describe_context(app);
    const int word = argc > 2 && asks_help(argc, argv) ? 2 : 1;
    if (why.empty() && unknown) why = std::string("no such command: ") + argv[word];
    if (why.empty()) why = error.what();
    append_printable(why, told);
    std::cerr << told << " (see --help)\n";
}

}  // namespace

std::optional<int> read_arguments(int argc, char **argv, Arguments &out) {
    argc = cut_worker(argc, argv, out);
    CLI::App app("Agent Context Compression Protocol: messages as small exact frames, and back.",
                 "accp");
    app.set_version_flag("--version", version_line(),
                         "Print the versions of command, library and ABI");
    app.require_subcommand(1);
    app.footer(kFooter);
    add_commands(app, out);
    try {
        parse_words(app, argc, argv);
    } catch (const CLI::Success &done) {
        app.exit(done);  // prints the help or the version
        return 0;
    } catch (const CLI::ParseError &error) {
        report(error, app, argc, argv);
        return 2;
    }
    const CLI::App &command = *app.get_subcommands().front();
    out.command = command.get_name();
    if (!command.get_subcommands().empty())
        out.action = command.get_subcommands().front()->get_name();
    return std::nullopt;
}

}  // namespace cli
