// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See tool_process.h.
#include "cli/sacp/tool_process.h"

namespace cli {

ToolProcess::ToolProcess(const std::string &command, std::string input,
                         const std::vector<std::pair<std::string, std::string>> &environment,
                         size_t max_output)
    : process_(command, environment), input_(std::move(input)), max_output_(max_output) {}

bool ToolProcess::go_on() {
    written_ += process_.write(std::string_view(input_).substr(written_));
    if (written_ == input_.size()) process_.close_input();
    process_.read(output_, max_output_);
    if (output_.size() > max_output_) process_.kill();
    return !process_.writes() && process_.reap();
}

}  // namespace cli
