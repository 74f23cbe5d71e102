// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A long message cut to what matters: its head and its end, faults, the lines around what was asked
// for, and the names of what was left out.
#pragma once

#include "context/occurrences.h"
#include "token/count.h"

namespace accp::context {

struct Cut {
    std::string_view text;   // a message as write_message() made it
    std::string_view asked;  // the request that it answers, or nothing: its words say what matters
    std::string_view ref;    // of the whole
    uint32_t max;            // tokens
    uint32_t now;            // the number of the message
};

// Appends the cut message, its newline at the end; nothing where its header and the ref have no
// room. `tokens`: how many that are.
Status cut_message(const Cut &cut, const Warm &warm, token::TokenCounter &counter, Arena &arena,
                   Buffer<char> &out, uint64_t &tokens);

}  // namespace accp::context
