// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <exception>

#include "accp/accp.h"
#include "cli/host.h"

namespace cli {
namespace {

// Runs a step of the program. Returns its exit status, or that of the exception that ended it.
template <typename Step>
int guarded(Streams &io, Step step) {
    try {
        return step();
    } catch (const ReaderGone &) {
        return io.refused == 0 ? 0 : 1;
    } catch (const std::exception &error) {
        io.err.text.append("accp: ");
        // the text can quote input, so escape what would control a terminal
        append_printable(error.what(), io.err.text);
        io.err.text.append("\n");
        return 2;
    }
}

}  // namespace

int run_program(int argc, char **argv, int (*run)(const Arguments &, Streams &)) {
    prepare_descriptors();
    Streams io;
    const int status = guarded(io, [&] {
        if (accp_abi_version() != ACCP_ABI_VERSION)
            throw Failure(
                "libaccp has another ABI version than this command; install both from one build");
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
