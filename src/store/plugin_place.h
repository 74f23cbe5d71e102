// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What all sessions of a store over a host's back end share: its table, and the filters of mids.
// Any number of threads may use it.
#pragma once

#include <atomic>
#include <mutex>

#include "store/mid_filter.h"
#include "store/plugin_port.h"

namespace accp::store {

class PluginPlace {
public:
    // Its Memory's allocator may be called by several threads at once.
    PluginPlace(const accp_allocator &from, const accp_store_backend &table, void *user)
        : table(table, user), memory_(from, UINT64_MAX), filters_(memory_) {}

    PluginTable table;

    // A name for a session that is opened, as SessionRow::number.
    uint64_t next_number() { return numbers_.fetch_add(1) + 1; }

    enum class Seen : uint8_t { kUnknown, kNo, kMaybe };
    // What the session's filter says of a word; kUnknown: it has none.
    Seen look(const SessionRow &row, uint64_t word) {
        std::lock_guard<std::mutex> held(lock_);
        if (!filters_.has(row)) return Seen::kUnknown;
        return filters_.may_have(row, word) ? Seen::kMaybe : Seen::kNo;
    }
    void make_filter(const SessionRow &row, const Buffer<uint64_t> &words) {
        std::lock_guard<std::mutex> held(lock_);
        filters_.make(row, words);
    }
    void extend_filter(const SessionRow &before, const SessionRow &after,
                       const Buffer<uint64_t> &words) {
        std::lock_guard<std::mutex> held(lock_);
        filters_.extend(before, after, words);
    }

private:
    std::mutex lock_;
    Memory memory_;  // guarded by lock_, as the next one
    MidFilters filters_;
    std::atomic<uint64_t> numbers_{0};
};

}  // namespace accp::store
