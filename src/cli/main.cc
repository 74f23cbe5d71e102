// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The command accp: runs one subcommand.
#include "cli/commands.h"
#include "cli/host.h"

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
    {"context", cli::run_context},   {"sacp", cli::run_sacp},
    {"mcp", cli::run_mcp},           {"serve", cli::run_serve},
    {"unfold", cli::run_unfold},     {"proxy", cli::run_proxy},
};

int run(const cli::Arguments &arguments, cli::Streams &io) {
    for (const Command &command : kCommands) {
        if (arguments.command == command.name) return command.run(arguments, io);
    }
    throw cli::Failure("no such command: " + arguments.command);
}

}  // namespace

int main(int argc, char **argv) { return cli::run_program(argc, argv, run); }
