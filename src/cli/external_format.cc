// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See external_format.h. The input goes by way of a temporary file: a pipe both ways could fill up
// on either side.
#include "cli/external_format.h"

#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

#include "cli/child.h"
#include "cli/failure.h"

namespace cli {
namespace {

[[noreturn]] void fail(const ExternalFormat &format, const std::string &what) {
    throw Failure("--baseline " + format.name + ": " + what);
}

struct CloseFile {
    void operator()(FILE *file) const { fclose(file); }
};

}  // namespace

ExternalFormat external_format(std::string_view text) {
    const size_t equals = text.find('=');
    if (text == "toon") return {"TOON", {"toon"}};
    if (equals == 0 || equals == std::string_view::npos)
        throw Failure("no such baseline: " + std::string(text) +
                      " (json, pretty, toon, nl, or NAME=COMMAND)");
    ExternalFormat format = {std::string(text.substr(0, equals)), {}};
    std::istringstream words{std::string(text.substr(equals + 1))};
    for (std::string word; words >> word;) format.command.push_back(word);
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
    const std::unique_ptr<FILE, CloseFile> input(tmpfile());
    if (!input || fwrite(json.data(), 1, json.size(), input.get()) != json.size() ||
        fflush(input.get()) != 0)
        fail(format, std::strerror(errno));
    lseek(fileno(input.get()), 0, SEEK_SET);
    ChildRan ran = run_child(format.command, fileno(input.get()), false);
    if (ran.error != 0) fail(format, format.command[0] + ": " + std::strerror(ran.error));
    if (ran.status != 0) fail(format, format.command[0] + " failed on a message");
    std::string out = std::move(ran.out);
    if (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

}  // namespace cli
