// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message of a recording as a replay measures it, and as a chat without sessions would send it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

struct ReplayMessage {
    std::string head;                // @agent intent:operation
    std::string tool;                // payload.tool_name, else who speaks
    std::string plain;               // the head, and below it the payload: see ReplayReader
    std::vector<std::string> texts;  // all strings of the payload, in its order
    bool is_call = false;            // a request with arguments: a model was called for it
    bool is_result = false;          // a tool's answer
    bool is_task = false;            // a person's, or one with the operation plan or task
    bool is_notice = false;          // with the operation notify: what a host says at first
    bool ends_task = false;          // done (of no tool), esc or comp: makes a checkpoint

    // The texts, each on lines of its own.
    std::string text() const;
};

// The plain form: texts as they are, all else as compact JSON; behind its key where the payload has
// more than one member. Numbers stay as they were written.
class ReplayReader {
public:
    explicit ReplayReader(const Arguments &arguments);
    // `json`: a message as one object.
    accp_status read(std::string_view json, ReplayMessage &out, accp_error &err);

private:
    Handle<accp_config> config_;
    Handle<accp_value> value_;
};

}  // namespace cli
