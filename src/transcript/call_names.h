// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Call ids and tool names that every provider accepts.
#pragma once

#include <string_view>

#include "base/arena.h"

namespace accp::transcript {

// Returns whether the text has 1 to 64 letters, digits, `_` and `-`.
bool is_call_name(std::string_view text);

// Appends the name of a tool. If is_call_name() is false, replaces invalid characters by `_` and
// appends digits of the name's SHA-256.
void write_call_name(std::string_view name, Buffer<char> &out);

// Gives each call of one request a unique id.
class CallIds {
public:
    CallIds(size_t max_calls, Arena &arena);

    // Returns `wanted` if it is valid, unused and has at most 40 characters, which is the limit of
    // chat completions. Otherwise returns `call_<number>`, with a suffix if necessary. The id lives
    // as long as the arena or `wanted`.
    std::string_view add(std::string_view wanted, uint64_t number);

private:
    bool insert(std::string_view id);

    Arena &arena_;
    std::string_view *slots_;  // empty: unused
    size_t mask_;
    uint64_t seed_;
};

}  // namespace accp::transcript
