// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mids.h.
#include "session/mids.h"

#include "frame/envelope.h"

namespace accp::session {

Status Mids::next(store::StoreSession &store, std::string_view agent, char *mid, uint64_t &word) {
    for (bool seen = true; seen;) {
        if (!frame::format_mid(letter_, issuer_, permuted_(count_++ % counters_), mid))
            return fail(ACCP_ERR_ARG, 0, "an issuer is from 0 to 99");
        word = store::mid_word(agent, {mid, kMidBytes});
        Status status = store.has_mid_word(word, seen);
        if (status.failed()) return status;
    }
    return {};
}

}  // namespace accp::session
