// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp conformance: starts accp-conformance, which is in the folder of this program.
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/commands.h"
#include "cli/host.h"

namespace cli {

int run_conformance(const Arguments &arguments, Streams &io) {
    io.flush();
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
    const std::string path = own.parent_path() / "accp-conformance",
                      level = std::to_string(arguments.level);
    const char *const program = path.c_str();
    if (arguments.table) execl(program, program, "--table", nullptr);
    else if (!arguments.row.empty())
        execl(program, program, "--row", arguments.row.c_str(), nullptr);
    else if (!arguments.vectors.empty())
        execl(program, program, "--file", arguments.vectors.c_str(), nullptr);
    else execl(program, program, "--level", level.c_str(), nullptr);
    throw Failure(path + ": " + std::strerror(errno) + "; install it beside accp");
}

}  // namespace cli
