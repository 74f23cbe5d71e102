// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Parts of A2A messages and artifacts: what they are as payloads and frames, and the other way.
#pragma once

#include <string>
#include <string_view>

#include "server/a2a/words.h"

namespace server {

// What the parts of a message are together: a frame as it is, or members of a payload.
struct A2aContent {
    std::string frame;    // empty: it is none
    std::string members;  // of a JSON object, with a comma between two
};

// The parts of a message, compact JSON. Throws A2aRefusal.
A2aContent read_parts(std::string_view parts, A2aVersion version);

// The parts of a frame: one to be read, and the frame. `payload`: that of its message, in JSON; of
// a chunk its data alone.
std::string print_parts(std::string_view payload, std::string_view frame, const A2aShape &shape);

// What somebody reads of a payload that has no more than that; empty: it has more.
std::string plain_text(std::string_view payload);

}  // namespace server
