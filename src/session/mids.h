// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The mids of a session's own frames: numbers in an order that nobody can foresee, as hexadecimal
// digits (include/accp/frame.h, accp_mid_format).
#pragma once

#include "base/limits.h"
#include "base/random.h"
#include "store/store.h"

namespace accp::session {

class Mids {
public:
    // issuer: 0, or who of several that send in one session.
    Mids(const PermutationKey &key, uint32_t issuer)
        : counters_(issuer ? kIssuerCounters : kMidCounters),
          permuted_(counters_, key),
          letter_(static_cast<uint32_t>(key.low % 6)),
          issuer_(issuer) {}

    // One that the store has not noted: an earlier handle had another key, and others may send in
    // the same session. Writes kMidBytes to `mid`; `word` is what the store is to note.
    Status next(store::StoreSession &store, std::string_view agent, char *mid, uint64_t &word);

private:
    uint64_t counters_;
    Permutation permuted_;
    uint32_t letter_, issuer_;
    uint64_t count_ = 0;
};

}  // namespace accp::session
