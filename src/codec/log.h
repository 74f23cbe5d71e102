// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The debug log (specification 9.1): messages in readable form, without secret values.
#pragma once

#include "accp/hooks.h"
#include "base/settings.h"
#include "render/renderer.h"
#include "value/json_reader.h"

namespace accp::codec {

constexpr std::string_view kRedacted = "[redacted]";

// Copies the tree, and replaces the value of every key in `names` by kRedacted. Each name has a NUL
// after it.
void copy_redacted(value::TreeView from, std::string_view names, Arena &arena, value::Value &to);

class CodecLog {
public:
    CodecLog(Memory &memory, const Settings &settings)
        : settings_(settings),
          renderer_(memory, settings),
          reader_(memory),
          arena_(memory),
          message_(memory),
          shown_(memory),
          out_(memory),
          scratch_(memory) {}

    // Logs a JSON message that was encoded or decoded.
    void write(int32_t direction, std::string_view json, std::string_view redacted);
    // Logs a refusal. It shows nothing of the message: error texts contain no values.
    void write(int32_t direction, const Status &refused);

    accp_log_function hook = nullptr;
    void *user = nullptr;

private:
    const Settings &settings_;
    render::Renderer renderer_;
    value::JsonReader reader_;
    Arena arena_;
    value::Value message_, shown_;
    Buffer<char> out_, scratch_;
};

}  // namespace accp::codec
