// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Groups in one session: records, a state and two texts. Their contents depend only on the group's
// number, so a test can later find out which groups are there.
#pragma once

#include <memory>

#include "store/stores.h"

namespace nats_tests {

class Groups {
public:
    // Opens the session, and counts the groups in it.
    Groups(accp::store::Store &store, const std::string &session, bool writes = true);

    accp_status status() const { return open_->status; }
    uint64_t done() const { return done_; }
    // Writes the next group durably. After ACCP_ERR_IO the next call continues with the same group.
    accp_status write_next();
    // Returns what is wrong with the newest groups (0: with all of them); "" if nothing is. Retries
    // for half a minute if the store cannot be reached.
    std::string check(uint64_t newest = 0);

private:
    accp_status commit(uint64_t group);
    std::string check_once(uint64_t newest);
    std::string check_records(uint64_t first);
    std::string check_mid(uint64_t group, bool is_there);

    std::unique_ptr<store_tests::Open> open_;
    uint64_t done_ = 0;
    bool is_committed_ = false;
};

}  // namespace nats_tests
