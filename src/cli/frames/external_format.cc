// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See external_format.h.
#include "cli/frames/external_format.h"

#include <unistd.h>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "cli/process/child.h"
#include "cli/host.h"

namespace cli {
namespace {

[[noreturn]] void fail(const ExternalFormat &format, const std::string &what) {
    throw Failure("--baseline " + format.name + ": " + what);
}

}  // namespace

ExternalFormat external_format(std::string_view text) {
    const size_t equals = text.find('=');
    if (text == "toon") return {"TOON", {"toon"}};
    if (equals == 0 || equals == std::string_view::npos)
        throw Failure("no such baseline: " + std::string(text) +
                      " (json, pretty, toon, nl, or NAME=COMMAND)");
    ExternalFormat format = {std::string(text.substr(0, equals)), {}};
    format.command = split_command(text.substr(equals + 1));
    if (format.command.empty()) fail(format, "no command behind =");
    return format;
}

bool is_there(const ExternalFormat &format) {
    const char *path = std::getenv("PATH");
    std::istringstream directories(path != nullptr ? path : "");
    for (std::string directory; std::getline(directories, directory, ':');)
        if (access((directory + "/" + format.command[0]).c_str(), X_OK) == 0) return true;
    return false;
}

std::string convert(const ExternalFormat &format, std::string_view json) {
    ChildRan ran = run_child_on(format.command, json);
    if (ran.error != 0) fail(format, format.command[0] + ": " + std::strerror(ran.error));
    if (ran.status != 0) fail(format, format.command[0] + " failed on a message");
    std::string out = std::move(ran.out);
    if (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

}  // namespace cli
