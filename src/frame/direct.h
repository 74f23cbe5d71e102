// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The short way from a JSON message to its frame: no value in between. It takes messages as
// programs write them (compact, the members in their order, nothing that must be sorted, looked up
// or refused) and gives up on every other, whatever the reason; the general way (message.cc) then
// starts again. So nothing is decided here: for what it takes, its text equals the general way's,
// and a fuzz target holds it to that.
#pragma once

#include "base/memory.h"
#include "base/settings.h"

namespace accp::frame {

// of JSON: room for the worst spelling is taken up front
constexpr size_t kMaxDirectBytes = 64 << 10;

// json: the message, with a Buffer's slack after it. index: where simdjson's first stage found its
// structure, two zeros after the last entry. Appends the frame and returns true, or leaves `out` as
// it was.
bool encode_direct(const Settings &settings, const char *json, size_t len, const uint32_t *index,
                   size_t index_count, Buffer<char> &out);

}  // namespace accp::frame
