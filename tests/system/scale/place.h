// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The contents of a simulated store: for each session a row, a log of records and a map, as
// accp/store_backend.h requires. It has neither time nor failures; cluster.h adds them.
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

// The contents of a write, copied because its messages outlive the call.
struct Parcel {
    struct Change {
        std::string key, note, value;
        bool is_put;
    };
    explicit Parcel(const accp_store_write &write);
    size_t bytes() const;  // size on the network

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
    uint64_t head_before = 0;     // the head that a lagging replica has
    std::string row, row_before;
    std::vector<std::string> records;
    std::vector<std::shared_ptr<const Entry>> entries;  // sorted by key

    std::shared_ptr<const Entry> find(std::string_view key) const;  // NULL: not found
    size_t bytes() const;
};

class Place {
public:
    // Returns ACCP_OK and the number of the write, or ACCP_ERR_BUSY. `checks`: whether it checks
    // that the write comes after the right one, as it must.
    accp_status write(const Parcel &write, uint64_t &number, bool checks = true);
    Kept *find(std::string_view session);
    bool erase(std::string_view session);
    // A copy of a session to restore later. Everything that was appended since is then lost.
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
    // Returns the first session after a number; NULL: none.
    const std::string *next_after(uint64_t number, uint64_t &made) const;

    // For a store that returns stale heads: keeps the state before the last write.
    void remember() { remembers_ = true; }
    size_t size() const { return sessions_.size(); }
    size_t bytes() const;  // content only, without what a node stores in addition

private:
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    std::unordered_map<std::string, Kept, Hash, std::equal_to<>> sessions_;
    std::vector<std::pair<uint64_t, std::string>> order_;  // in the order of their creation
    uint64_t writes_ = 0;
    bool remembers_ = false;
};

inline std::string_view view_of(const accp_text &text) {
    return {text.len ? text.text : "", text.len};
}
inline accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace scale
