// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the command line with CLI11. The only file that includes it: it takes ten seconds to compile.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "accp/accp.h"

namespace cli {
namespace {

constexpr const char *kFooter =
    "Filters read FILEs, or standard input where none is named (\"-\" names it), and write one line for each line.\n"
    "Errors go to standard error: accp: record N: E1001 at byte 17: what is wrong. Records count from 1,\n"
    "bytes from 0. A refused record leaves an empty line on standard output.\n"
    "Exit status: 0 all done; 1 some record refused; 2 bad usage, or input or output failed.\n"
    "The manual: man accp.";

std::string version_line() {
    return std::string("accp ") + ACCP_VERSION_STRING + " (libaccp " + accp_version() + ", ABI " + std::to_string(accp_abi_version()) + ")";
}

void add_files(CLI::App &command, Arguments &out) {
    command.add_option("FILE", out.files, "Read these instead of standard input")->type_name("");
}

void add_dialect(CLI::App &command, Arguments &out) {
    command.add_option("--dialect", out.dialect, "Which frames are taken: strict (default), compat or u8")
        ->check(CLI::IsMember({"strict", "compat", "u8"}))
        ->type_name("NAME");
}

void add_limit(CLI::App &command, Arguments &out) {
    command.add_option("--limit", out.limits, "Set a limit, such as frame_bytes=1000; may be given again")
        ->allow_extra_args(false)
        ->option_text("NAME=N");
}

// What encode and decode share, so that one set of options serves both.
void add_codec(CLI::App &command, Arguments &out) {
    command.add_option("--ext", out.ext, "Extensions in force: q1 (default), t1, u8, or none")
        ->allow_extra_args(false)
        ->option_text("LIST");
    command.add_flag("--abbrev", out.abbrev, "Abbreviate payload keys (source is src), and expand them again");
    command.add_flag("--trace", out.trace, "Show every step of the pipeline on standard error");
    command.add_flag("--keep-refs", out.keep_refs, "A ref is {\"$ref\":\"warm.key\"} instead of E2001");
    add_limit(command, out);
}

void add_reader(CLI::App &app, Arguments &out, const char *name, const char *what) {
    CLI::App *command = app.add_subcommand(name, what);
    add_dialect(*command, out);
    add_limit(*command, out);
    add_files(*command, out);
}

void add_encode(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand("encode", "Messages as JSON to frames");
    add_codec(*command, out);
    command->add_option("--ignore", out.ignore, "Members of a message to pass over, such as to,nl")
        ->allow_extra_args(false)
        ->option_text("LIST");
    CLI::Option *envelope = command->add_flag("--envelope", out.envelope, "Fill mid, seq and ts where a message has none");
    command->add_option("--first-seq", out.first_seq, "The first seq, 1 if not given; the mid counts with it")
        ->type_name("N")
        ->needs(envelope);
    command->add_option("--ts", out.ts, "This ts, not the clock's")->option_text("SECONDS")->needs(envelope);
    command->add_option("--letter", out.letter, "The first letter of a mid, a to f")->option_text("LETTER")->needs(envelope);
    command->add_option("--issuer", out.issuer, "1 to 99 where several issue mids in one session")->option_text("N")->needs(envelope);
    add_files(*command, out);
}

void add_decode(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand("decode", "Frames to messages as JSON, the inverse of encode under the same options");
    add_dialect(*command, out);
    add_codec(*command, out);
    command->add_option("--ignore", out.ignore, "Taken as encode takes it; changes nothing")->allow_extra_args(false)->option_text("LIST");
    command->add_flag("--envelope", out.envelope, "Taken as encode takes it; changes nothing: the envelope stays in meta");
    add_files(*command, out);
}

void add_conformance(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand("conformance", "Run the conformance vectors of a level; a verdict for each requirement");
    command->add_option("--level", out.level, "1 (default), 2 or 3; a level has the ones below in it")
        ->check(CLI::Range(1, 3))
        ->type_name("N");
    command->add_option("--file", out.vectors, "Run the vectors of this file instead")->type_name("FILE");
}

void add_registry(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand("registry", "Show a registry, hash it, add to it, or tell two apart");
    command->add_option("ACTION", out.action, "show [FILE], hash [FILE], add FILE FILE..., or diff FILE FILE")
        ->required()
        ->check(CLI::IsMember({"show", "hash", "add", "diff"}))
        ->type_name("");
    command
        ->add_option("--profile", out.profiles,
                     "Profiles whose schemas come with it: chat, tool, transaction, stream, workflow, all (default), none")
        ->allow_extra_args(false)
        ->option_text("LIST");
    add_limit(*command, out);
    command->add_option("FILE", out.files, "A registry's document, as JSON")->type_name("");
}

}  // namespace

std::optional<int> read_arguments(int argc, char **argv, Arguments &out) {
    CLI::App app("Agent Context Compression Protocol: messages as small exact frames, and back.", "accp");
    app.set_version_flag("--version", version_line(), "Print the versions of command, library and ABI");
    app.require_subcommand(1);
    app.footer(kFooter);
    add_reader(app, out, "parse", "Frames to typed JSON objects: the bare grammar");
    add_reader(app, out, "canon", "Frames to canonical frames");
    add_encode(app, out);
    add_decode(app, out);
    add_reader(app, out, "inspect", "Frames to a readable table, with warnings");
    add_conformance(app, out);
    add_registry(app, out);
    CLI::App *unfold = app.add_subcommand("unfold", "Text with frames folded over lines to one frame a line; other text is passed over");
    add_limit(*unfold, out);
    add_files(*unfold, out);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &done) {
        app.exit(done);  // prints the help or the version
        return 0;
    } catch (const CLI::ParseError &error) {
        std::cerr << "accp: " << error.what() << " (see --help)\n";
        return 2;
    }
    out.command = app.get_subcommands().front()->get_name();
    return std::nullopt;
}

}  // namespace cli
