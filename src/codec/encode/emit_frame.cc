// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 7 out: the frame stands where it was composed, and nothing takes it back any more.
#include "codec/encode/outgoing.h"

namespace accp::codec {

Status emit_frame(Outgoing &out) {
    return out.out.size() > out.start ? Status{} : fail(ACCP_E9999, 0, "a defect of this library");
}

}  // namespace accp::codec
