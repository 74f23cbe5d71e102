// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One client of a load (load.h).
#pragma once

#include <map>
#include <random>

#include "nats/load.h"

namespace nats_tests {

class LoadClient {
public:
    LoadClient(Load &load, OpenStore open, size_t number);
    ~LoadClient();
    LoadClient(const LoadClient &) = delete;
    LoadClient &operator=(const LoadClient &) = delete;

    void run();
    // Reads a session's log and values. Returns false if the store cannot be reached.
    bool read_whole(size_t session);

private:
    struct Held {
        uint64_t token;
        std::unique_ptr<store_tests::Open> open;
    };

    void step();
    bool has_store();
    void drop_store();
    Operation begin(Operation::Kind kind) const;
    void end(size_t session, Operation &op, Operation::Outcome outcome);
    void open_session(size_t session);
    void append(size_t session, Held &held);
    bool read_log(size_t session);
    bool read_value(size_t session, size_t key, Held *held);
    uint64_t read_text(std::string_view text);
    uint64_t next_id() { return uint64_t{number_ + 1} << 32 | ++last_id_; }

    Load &load_;
    OpenStore open_;
    size_t number_;
    std::mt19937 random_;
    uint64_t last_id_ = 0;
    std::shared_ptr<accp::store::Store> store_;
    std::map<size_t, Held> held_;  // by session
};

}  // namespace nats_tests
