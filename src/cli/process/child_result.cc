// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <sstream>

#include "cli/process/child.h"

namespace cli {

std::string ChildResult::fault() const {
    if (error != 0) return std::strerror(error);
    if (is_timed_out) return "it took too long and was killed";
    if (status < 0) return "a signal killed it";
    return status == 0 ? "" : "exit status " + std::to_string(status);
}

std::vector<std::string> split_command(std::string_view text) {
    std::vector<std::string> command;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) command.push_back(word);
    return command;
}

}  // namespace cli
