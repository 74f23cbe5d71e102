// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The command accp: reads the arguments, runs one subcommand, and turns what went wrong into an
// exit status.
#include <csignal>
#include <exception>

#include "accp/accp.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/node_view.h"

namespace {

struct Command {
    const char *name;
    int (*run)(const cli::Arguments &, cli::Streams &);
};

constexpr Command kCommands[] = {
    {"parse", cli::run_parse},       {"canon", cli::run_canon},
    {"encode", cli::run_encode},     {"decode", cli::run_decode},
    {"render", cli::run_render},     {"inspect", cli::run_inspect},
    {"tokens", cli::run_tokens},     {"stats", cli::run_stats},
    {"registry", cli::run_registry}, {"conformance", cli::run_conformance},
    {"session", cli::run_session},   {"store", cli::run_store},
    {"unfold", cli::run_unfold},
};

int run(int argc, char **argv, cli::Streams &io) {
    if (accp_abi_version() != ACCP_ABI_VERSION)
        throw cli::Failure("the library that was loaded is of another ABI version");
    cli::Arguments arguments;
    if (const std::optional<int> stop = cli::read_arguments(argc, argv, arguments)) return *stop;
    for (const Command &command : kCommands) {
        if (arguments.command == command.name) return command.run(arguments, io);
    }
    throw cli::Failure("no such command: " + arguments.command);
}

// Runs a step of the program; an exit status where it ended early.
template <typename Step>
int guarded(cli::Streams &io, Step step) {
    try {
        return step();
    } catch (const cli::ReaderGone &) {
        return io.refused == 0 ? 0 : 1;
    } catch (const std::exception &error) {
        io.err.text.append("accp: ");
        // it names what the user, or a file, said
        cli::append_printable(error.what(), io.err.text);
        io.err.text.append("\n");
        return 2;
    }
}

}  // namespace

int main(int argc, char **argv) {
    // A reader that went away is then an error of write(2), which ends the run quietly.
    std::signal(SIGPIPE, SIG_IGN);
    cli::Streams io;
    const int status = guarded(io, [&] { return run(argc, argv, io); });
    const int flushed = guarded(io, [&] {
        io.flush();
        return status;
    });
    io.err.flush();
    return flushed;
}
