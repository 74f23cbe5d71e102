// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The debug mode (specification 9.1): messages as people read them, without the values that nobody
// is to read.
#pragma once

#include "accp/hooks.h"
#include "base/settings.h"
#include "render/renderer.h"
#include "value/json_reader.h"

namespace accp::codec {

constexpr std::string_view kRedacted = "[redacted]";

// Appends the tree with kRedacted for the value of every key among `names`, each with a NUL after
// it.
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
          out_(memory) {}

    // One message in JSON, which was encoded or decoded.
    void write(int32_t direction, std::string_view json, std::string_view redacted);
    // One that was refused. Nothing of it is shown: no text of an error has a value in it.
    void write(int32_t direction, const Status &refused);

    accp_log_function hook = nullptr;
    void *user = nullptr;

private:
    const Settings &settings_;
    render::Renderer renderer_;
    value::JsonReader reader_;
    Arena arena_;
    value::Value message_, shown_;
    Buffer<char> out_;
};

}  // namespace accp::codec
