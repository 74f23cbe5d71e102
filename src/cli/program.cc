// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See program.h.
#include "cli/program.h"

#include <csignal>
#include <exception>

#include "accp/accp.h"
#include "cli/host.h"

namespace cli {
namespace {

// Runs a step of the program; an exit status where it ended early.
template <typename Step>
int guarded(Streams &io, Step step) {
    try {
        return step();
    } catch (const ReaderGone &) {
        return io.refused == 0 ? 0 : 1;
    } catch (const std::exception &error) {
        io.err.text.append("accp: ");
        // it names what the user, or a file, said
        append_printable(error.what(), io.err.text);
        io.err.text.append("\n");
        return 2;
    }
}

}  // namespace

int run_program(int argc, char **argv, int (*run)(const Arguments &, Streams &)) {
    // A reader that went away is then an error of write(2), which ends the run quietly.
    std::signal(SIGPIPE, SIG_IGN);
    Streams io;
    const int status = guarded(io, [&] {
        if (accp_abi_version() != ACCP_ABI_VERSION)
            throw Failure("the library that was loaded is of another ABI version");
        Arguments arguments;
        if (const std::optional<int> stop = read_arguments(argc, argv, arguments)) return *stop;
        return run(arguments, io);
    });
    const int flushed = guarded(io, [&] {
        io.flush();
        return status;
    });
    io.err.flush();
    return flushed;
}

}  // namespace cli
