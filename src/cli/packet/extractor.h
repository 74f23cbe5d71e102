// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context generate --extract: a command that finds items in a conversation, as the hook
// extract of a config. It reads JSON and writes JSON, as accp_extract_function has both.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

// It outlives the packets that are made with the config. Without --extract it does nothing.
class CommandExtractor {
public:
    // Throws Failure where --extract names no command.
    explicit CommandExtractor(const Arguments &arguments);
    void set(accp_config *config);
    // Throws Failure where the command was run and did not end well.
    void check() const;

private:
    static accp_status run(const char *asked, size_t asked_len, accp_text *out, void *user);

    std::vector<std::string> command_;
    int64_t max_ms_;
    std::string answer_, fault_;
};

}  // namespace cli
