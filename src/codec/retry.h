// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A frame that is sent again (specification 3.7, 10.3).
#pragma once

#include "accp/types.h"
#include "base/memory.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::codec {

// Appends the frame of `count` nodes and `len` bytes with a fresh envelope: see accp_codec_retry().
// Returns ERR_ARG if the envelope is not fresh.
Status write_retry(value::TreeView frame, uint32_t count, size_t len, const accp_envelope &fresh,
                   uint64_t key_bytes, Memory &memory, Buffer<char> &out);

}  // namespace accp::codec
