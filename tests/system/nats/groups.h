// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Groups in one session: records, a state and two texts, each the function of the group's number,
// so that what is found afterwards says how many groups it stands for.
#pragma once

#include <memory>

#include "store/stores.h"

namespace nats_tests {

class Groups {
public:
    // Opens the session, and finds how many there are.
    Groups(accp::store::Store &store, const std::string &session, bool writes = true);

    accp_status status() const { return open_->status; }
    uint64_t done() const { return done_; }
    // The next one, durable. Called again after ACCP_ERR_IO it goes on with the same.
    accp_status write_next();
    // What is wrong with the last so many groups (0: with all): "" where nothing is. Waits half a
    // minute where nobody can be asked.
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
