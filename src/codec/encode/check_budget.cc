// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 6 out: a frame over the hard limit of its session is refused. Splitting it and sending its values by the state need a session, which has
// to try both before it lets a message come here with a limit set.
#include "codec/encode/outgoing.h"

namespace accp {

Status check_budget(Outgoing &out) {
    if (!out.setup.most_tokens || !out.setup.counter || out.tokens.total <= out.setup.most_tokens) return {};
    return fail(ACCP_E2003, 0, "the frame has more tokens than the limit allows");
}

}  // namespace accp
