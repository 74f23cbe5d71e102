// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A checkpoint as a ref to it reads, and what refs call things.
#pragma once

#include "context/context.h"

namespace accp::session {

// Appends a checkpoint as JSON:
// {"id":3,"first":9,"last":17,"summary":"…","facts":[["entity","relationship","value"],…],"text":"…"}.
// Its texts lie in a Buffer, as the writer of JSON reads whole vectors.
void write_checkpoint(const context::CheckpointView &checkpoint, Buffer<char> &out);

// "ckpt_3", and "$cold.m17", into `to`.
constexpr size_t kRefBytes = 32;
std::string_view checkpoint_key(uint32_t id, char *to);
std::string_view message_ref(uint64_t place, char *to);

}  // namespace accp::session
