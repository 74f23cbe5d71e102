// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a simulated store keeps: for each session a row, a log of records and a map, as
// accp/store_backend.h requires. It has no time and no failures: cluster.h adds these.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "accp/store_backend.h"

namespace scale {

// What a write says, copied: its messages outlive the call.
struct Parcel {
    struct Change {
        std::string key, note, value;
        bool is_put;
    };
    explicit Parcel(const accp_store_write &write);
    size_t bytes() const;  // that go over the network

    std::string session, row;
    uint64_t after, first;
    std::vector<std::string> records;
    std::vector<Change> changes;
};

struct Kept {
    struct Entry {
        Entry(std::string named, std::string noted, std::string kept)
            : key(std::move(named)), note(std::move(noted)), value(std::move(kept)) {}
        std::string key, note, value;
    };
    uint64_t made = 0, head = 0;  // numbers of its first and its last write
    uint64_t head_before = 0;     // what a replica that lags has
    std::string row, row_before;
    std::vector<std::string> records;
    std::vector<std::shared_ptr<const Entry>> entries;  // by their keys

    std::shared_ptr<const Entry> find(std::string_view key) const;  // NULL: it is not there
    size_t bytes() const;
};

class Place {
public:
    // ACCP_OK and the write's number, or ACCP_ERR_BUSY. `checks`: whether it looks what the write
    // comes after, as it must.
    accp_status write(const Parcel &write, uint64_t &number, bool checks = true);
    Kept *find(std::string_view session);
    bool erase(std::string_view session);
    // A session as it is, to be put back: what was appended since is gone then.
    struct Before {
        std::string session;
        bool is_there = false;
        uint64_t head = 0;
        std::string row;
        size_t records = 0;
        std::vector<std::shared_ptr<const Kept::Entry>> entries;
    };
    Before before(const std::string &session);
    void put_back(Before &&before);
    // The first session after a number; NULL: none.
    const std::string *next_after(uint64_t number, uint64_t &made) const;

    // For a store that answers what is no longer so: what was before the last write stays.
    void remember() { remembers_ = true; }
    size_t size() const { return sessions_.size(); }
    size_t bytes() const;  // of content, without what a node needs beside it

private:
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    std::unordered_map<std::string, Kept, Hash, std::equal_to<>> sessions_;
    std::vector<std::pair<uint64_t, std::string>> order_;  // as they were made
    uint64_t writes_ = 0;
    bool remembers_ = false;
};

inline std::string_view view_of(const accp_text &text) {
    return {text.len ? text.text : "", text.len};
}
inline accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace scale
