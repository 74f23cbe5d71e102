// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 6 in: the message is whole, and goes to whoever asked for it. What the frame took goes back
// where it was large.
#include "codec/decode/incoming.h"

namespace accp::codec {

Status return_message(Incoming &in) {
    in.scratch.payload.clear();
    in.scratch.meta.clear();
    in.scratch.found.clear();
    in.scratch.spare.clear();
    return {};
}

}  // namespace accp::codec
