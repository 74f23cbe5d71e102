// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which agents a request and what follows from it are between.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace server {

struct Chain {
    std::string by;              // who asked
    std::string whom;            // who is asked, or answered first; empty: anybody
    uint64_t answer = 0;         // the record of the newest answer
    bool lacks_request = false;  // somebody asked about it, and nobody for it
};

// The newest ones, by their cid.
class Chains {
public:
    explicit Chains(size_t max = 16384) : max_(max) {}

    // nullptr: it is none, or an old one. Until the next add().
    Chain *find(std::string_view cid) {
        const auto found = by_cid_.find(std::string(cid));
        return found != by_cid_.end() ? &found->second : nullptr;
    }
    void add(std::string_view cid, Chain chain) {
        if (!by_cid_.try_emplace(std::string(cid), std::move(chain)).second) return;
        order_.emplace_back(cid);
        if (order_.size() <= max_) return;
        by_cid_.erase(order_.front());
        order_.pop_front();
    }

private:
    size_t max_;
    std::unordered_map<std::string, Chain> by_cid_;
    std::deque<std::string> order_;
};

}  // namespace server
