// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The options of the commands on frames, messages, registries and conformance vectors.
#include "cli/arguments/options.h"

namespace cli {
namespace {

CLI::App *add_command(CLI::App &app, const char *group, const char *name, const char *what,
                      const char *footer = "") {
    CLI::App *command = app.add_subcommand(name, what);
    command->group(group);
    command->footer(footer);
    return command;
}

void add_dialect(CLI::App &command, Arguments &out) {
    command
        .add_option("--dialect", out.dialect, "Accept this dialect: strict (default), compat or u8")
        ->check(one_of({"strict", "compat", "u8"}))
        ->option_text("NAME");
}

void add_ext(CLI::App &command, Arguments &out, const char *names) {
    add_list(command, "--ext", out.ext, std::string("Use these extensions: ") + names);
}

void add_abbrev(CLI::App &command, Arguments &out) {
    command.add_flag("--abbrev", out.abbrev,
                     "Abbreviate payload keys (source becomes src), and expand them on reading");
}

// The common options of encode and decode.
void add_codec(CLI::App &command, Arguments &out) {
    command
        .add_option("--registry", out.registry,
                    "Use the registry in this file: schemas, short keys, types and defaults")
        ->option_text("FILE");
    add_ext(command, out, "q1 (default), t1, p1, u8, w1 or none");
    add_abbrev(command, out);
}

// The rest of the options that encode and decode share.
void add_more_codec(CLI::App &command, Arguments &out) {
    command
        .add_option("--schema", out.schema,
                    "The schema of messages that name none. Without --registry, a built-in schema")
        ->option_text("CODE")
        ->group(kMoreOptions);
    add_profile(command, out);
    command
        .add_flag("--mark-defaults", out.mark_defaults,
                  "List the members that decoding added by default in a member \"defaults\"")
        ->group(kMoreOptions);
    command
        .add_flag("--any-intent", out.any_intent,
                  "Accept intents other than the twelve, which are E1002 otherwise")
        ->group(kMoreOptions);
    command
        .add_flag(
            "--keep-refs", out.keep_refs,
            "Keep refs as {\"$ref\":\"warm.key\"}; without this, decoding one fails with E2001")
        ->group(kMoreOptions);
    add_strict(command, out);
    CLI::Option *log = command.add_flag(
        "--log", out.log, "Write every message and every refusal to standard error, as text");
    log->group(kMoreOptions);
    add_list(command, "--redact", out.redact, "Keys whose values are hidden in the log")
        ->needs(log)
        ->group(kMoreOptions);
    command.add_flag("--trace", out.trace, "Write every step of the pipeline to standard error")
        ->group(kMoreOptions);
    add_limit(command, out);
}

// The numbers of --envelope.
void add_envelope(CLI::App &command, Arguments &out) {
    CLI::Option *envelope =
        command.add_flag("--envelope", out.envelope, "Add mid, seq and ts if a message lacks them");
    command
        .add_option("--first-seq", out.first_seq,
                    "The first seq (default 1), which is also the counter in the mid")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N")
        ->needs(envelope)
        ->group(kMoreOptions);
    command.add_option("--ts", out.ts, "Use this ts instead of the clock")
        ->check(whole_number(0, kMaxSeconds))
        ->option_text("SECONDS")
        ->needs(envelope)
        ->group(kMoreOptions);
    command.add_option("--letter", out.letter, "The first letter of the mid, a to f (default a)")
        ->option_text("LETTER")
        ->needs(envelope)
        ->group(kMoreOptions);
    command
        .add_option("--issuer", out.issuer,
                    "A number from 1 to 99 for each program that issues mids in the same session")
        ->check(whole_number(0, 99))
        ->option_text("N")
        ->needs(envelope)
        ->group(kMoreOptions);
    CLI::Option *max = command.add_option("--max-tokens", out.max_tokens,
                                          "Refuse a frame with more tokens, or split it");
    max->check(whole_number(0, kMaxCount))->option_text("N");
    command
        .add_flag("--split", out.split,
                  "Split a frame that exceeds --max-tokens into parts, one on each line")
        ->needs(envelope)
        ->needs(max);
}

void add_encode(CLI::App &app, Arguments &out) {
    CLI::App *command =
        add_command(app, kEveryday, "encode", "Encode messages (JSON) as frames", kFilterFooter);
    add_envelope(*command, out);
    add_codec(*command, out);
    add_ignore(*command, out);
    add_spell(*command, out);
    add_tokenizer(*command, out);
    add_more_codec(*command, out);
    add_files(*command, out);
}

void add_decode(CLI::App &app, Arguments &out) {
    CLI::App *command = add_command(
        app, kEveryday, "decode",
        "Decode frames to messages (JSON). Inverts encode with the same options", kFilterFooter);
    add_codec(*command, out);
    command->add_flag("--untrusted", out.untrusted,
                      "The frames are from outside: mark messages with a member \"untrusted\"");
    command->add_flag("--split", out.split,
                      "Join split messages: the line of each part but the last to arrive is empty");
    add_dialect(*command, out);
    add_list(*command, "--ignore", out.ignore, "Accepted for symmetry with encode; has no effect")
        ->group(kMoreOptions);
    command
        ->add_flag("--envelope", out.envelope,
                   "Accepted for symmetry with encode; has no effect, the envelope is in meta")
        ->group(kMoreOptions);
    add_more_codec(*command, out);
    add_files(*command, out);
}

void add_inspect(CLI::App &app, Arguments &out) {
    CLI::App *command =
        add_command(app, kEveryday, "inspect",
                    "Show frames as a table, with their tokens and warnings", kInputFooter);
    add_dialect(*command, out);
    add_tokenizer(*command, out);
    add_limit(*command, out);
    add_files(*command, out);
}

void add_stats(CLI::App &app, Arguments &out) {
    CLI::App *command =
        add_command(app, kEveryday, "stats",
                    "Compare the tokens of messages, frames or any JSON in each form that they "
                    "can be sent in",
                    kInputFooter);
    add_list(*command, "--baseline", out.baseline,
             "More forms to compare: pretty (JSON), toon, nl (the members nl and nl_short), or "
             "NAME=COMMAND, a program that converts JSON. Default: pretty, and toon if installed");
    command->add_flag("--json", out.json, "Print one JSON object instead of a table");
    add_ext(*command, out, "q1 (default), t1, u8, w1 or none");
    add_abbrev(*command, out);
    add_ignore(*command, out);
    add_spell(*command, out);
    add_tokenizer(*command, out);
    add_limit(*command, out);
    add_files(*command, out);
}

void add_parse_and_canon(CLI::App &app, Arguments &out) {
    const std::pair<const char *, const char *> commands[] = {
        {"parse", "Parse frames into typed JSON objects, by the grammar alone"},
        {"canon", "Rewrite frames in canonical form"}};
    for (const auto &[name, what] : commands) {
        CLI::App *command = add_command(app, kFormats, name, what, kFilterFooter);
        add_dialect(*command, out);
        add_limit(*command, out);
        add_files(*command, out);
    }
}

void add_render(CLI::App &app, Arguments &out) {
    CLI::App *command =
        add_command(app, kFormats, "render",
                    "Write messages, frames or any JSON as text for a model, or parse that text",
                    kFilterFooter);
    command->add_flag("--parse", out.parse, "Parse such text back into JSON");
    command->add_flag("--untrusted", out.untrusted,
                      "Mark every record as data from outside, and make invisible characters "
                      "visible");
    command->add_flag("--one-line", out.one_line, "Keep tables on one line");
    command->add_flag("--envelope", out.envelope,
                      "Include mid, seq, ts, cid, aid, sid and ttl of a message");
    add_abbrev(*command, out);
    add_ext(*command, out, "q1 (default), t1, u8, w1 or none");
    add_dialect(*command, out);
    add_ignore(*command, out);
    add_limit(*command, out);
    add_files(*command, out);
}

void add_tokens(CLI::App &app, Arguments &out) {
    CLI::App *command =
        add_command(app, kFormats, "tokens", "Count the tokens of a text exactly", kInputFooter);
    CLI::Option *lines = command->add_flag("--lines", out.lines,
                                           "Count each line, without its LF, instead of the whole");
    command
        ->add_flag("--jsonl", out.jsonl,
                   "Each line is a JSON string; print {\"tokens\":N} for each")
        ->excludes(lines);
    command->add_flag("--ids", out.ids, "Print the ids of the tokens of each line too");
    add_tokenizer(*command, out);
    command
        ->add_flag("--special", out.special,
                   "Count special tokens such as <|endoftext|> as such, not as text")
        ->group(kMoreOptions);
    add_limit(*command, out);
    add_files(*command, out);
}

void add_unfold(CLI::App &app, Arguments &out) {
    CLI::App *command = add_command(
        app, kFormats, "unfold",
        "Join frames that were wrapped over several lines; other text is ignored", kInputFooter);
    add_limit(*command, out);
    add_files(*command, out);
}

void add_registry(CLI::App &app, Arguments &out) {
    CLI::App *command = add_command(app, kFormats, "registry",
                                    "Show, hash, extend or compare registries, or learn one",
                                    "Exit status of diff: 3 if a change is breaking.");
    add_action_table(*command,
                     "show [FILE]\tPrint the schemas and their fields\n"
                     "hash [FILE]\tPrint the hash by which two agents compare registries\n"
                     "add FILE FILE...\tPrint the first document with the others added to it\n"
                     "diff FILE FILE\tPrint the changes, and whether they are breaking\n"
                     "learn [FILE...]\tMake a registry from messages or frames, and report what "
                     "it saves",
                     out);
    add_profile(*command, out);
    constexpr const char *kLearn = "Options of learn";
    command
        ->add_option_function<uint64_t>(
            "--train", [&out](uint64_t count) { out.train = count; },
            "Learn from the first N messages and measure on the others; by default, learn from "
            "two of every four")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N")
        ->group(kLearn);
    command
        ->add_option("--registry", out.registry, "Measure this registry too, on the same messages")
        ->option_text("FILE")
        ->group(kLearn);
    add_list(*command, "--ignore", out.ignore, "Members of a message to ignore, such as to,nl")
        ->group(kLearn);
    add_tokenizer(*command, out);
    add_limit(*command, out);
    command->add_option("FILE", out.files,
                        "Registry documents (JSON); for learn, messages or frames. - is standard "
                        "input");
}

void add_conformance(CLI::App &app, Arguments &out) {
    CLI::App *command =
        add_command(app, kFormats, "conformance",
                    "Run the conformance vectors of a level and print a verdict for each "
                    "requirement",
                    "Exit status: 0 if all pass, else 1.");
    command
        ->add_option("--level", out.level,
                     "1 (default), 2 or 3; each level includes the lower ones")
        ->check(whole_number(1, 3))
        ->option_text("N");
    command->add_option("--file", out.vectors, "Run the vectors in this file instead")
        ->option_text("FILE");
    command->add_option("--row", out.row, "Run the vectors of one requirement, such as ACCP-3.1-14")
        ->option_text("ID")
        ->excludes("--level")
        ->excludes("--file");
    command
        ->add_flag("--table", out.table,
                   "Print the page of all requirements and what shows each: docs/conformance.md")
        ->excludes("--level")
        ->excludes("--file")
        ->excludes("--row");
}

}  // namespace

void add_formats(CLI::App &app, Arguments &out) {
    add_encode(app, out);
    add_decode(app, out);
    add_inspect(app, out);
    add_stats(app, out);
    add_parse_and_canon(app, out);
    add_render(app, out);
    add_tokens(app, out);
    add_unfold(app, out);
    add_registry(app, out);
    add_conformance(app, out);
}

}  // namespace cli
