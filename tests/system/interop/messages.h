// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random messages that the specification alone can spell, and the sums by which the test compares
// what one end sent with what the other received.
#pragma once

#include <set>

#include "reference/bare_peer.h"

namespace accp_interop {

// only_bare: also texts that the library reads but does not send without q1 (docs/interop.md).
accp_ref::Json random_bare_message(const std::string &agent, bool only_bare,
                                   accp_ref::Random &random);
accp_ref::Json random_delta(accp_ref::Random &random);

// Over the messages that must arrive: those without a ttl in chains that were not cancelled.
struct Sums {
    size_t count = 0;
    int64_t amount = 0;  // sum of the members `amount`
    uint64_t order = 0;  // hash of their texts, in order
    std::vector<std::string> texts;
};
Sums sums_of(const std::vector<accp_ref::Talk> &talk, const std::set<std::string> &cancelled);

}  // namespace accp_interop
