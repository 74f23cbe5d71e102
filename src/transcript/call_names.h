// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Ids of calls and names of tools as every provider takes them.
#pragma once

#include <string_view>

#include "base/arena.h"

namespace accp::transcript {

// Letters, digits, `_` and `-`, 1 to 64 of them.
bool is_call_name(std::string_view text);

// Appends the name of a tool: of another than is_call_name() `_` for what is not allowed, and
// digits of its SHA-256.
void write_call_name(std::string_view name, Buffer<char> &out);

// Gives each call of one request an id of its own.
class CallIds {
public:
    CallIds(size_t max_calls, Arena &arena);

    // `wanted` where that may stand, has at most 40 letters (chat completions take no more) and is
    // free, else `call_<number>`, perhaps with more at its end. The id lives as long as the arena,
    // or `wanted`.
    std::string_view add(std::string_view wanted, uint64_t number);

private:
    bool insert(std::string_view id);

    Arena &arena_;
    std::string_view *slots_;  // empty: free
    size_t mask_;
    uint64_t seed_;
};

}  // namespace accp::transcript
