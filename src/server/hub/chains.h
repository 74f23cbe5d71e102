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
    static constexpr size_t kMax = 16'384;
    static constexpr size_t kMaxCidBytes = 4 << 20;  // of all, as a cid may be as long as a frame

    // nullptr: it is none, or an old one. Until the next add().
    Chain *find(std::string_view cid) {
        const auto found = by_cid_.find(std::string(cid));
        return found != by_cid_.end() ? &found->second : nullptr;
    }
    void add(std::string_view cid, Chain chain) {
        if (!by_cid_.try_emplace(std::string(cid), std::move(chain)).second) return;
        order_.emplace_back(cid);
        for (bytes_ += cid.size(); order_.size() > kMax || bytes_ > kMaxCidBytes;) {
            bytes_ -= order_.front().size();
            by_cid_.erase(order_.front());
            order_.pop_front();
        }
    }

private:
    std::unordered_map<std::string, Chain> by_cid_;
    std::deque<std::string> order_;
    size_t bytes_ = 0;  // of the cids
};

}  // namespace server
