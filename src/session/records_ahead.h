// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Records that were read in one run, for who asks for one after the other: over a far store each
// alone is a way of its own. Records never change, so what was read is given without asking again.
#pragma once

#include <optional>

#include "store/store.h"

namespace accp::session {

class RecordsAhead {
public:
    explicit RecordsAhead(Memory &memory) : memory_(&memory) {}

    // Of the run that was read: its bytes, until the next call; else nothing.
    std::optional<std::string_view> find(uint64_t seq) {
        if (!records_ || seq < first_ || seq >= first_ + records_->size()) return {};
        newest_ = seq;
        return (*records_)[seq - first_].bytes;
    }
    // Is this the record after the one that was asked for last?
    bool is_next(uint64_t seq) const { return newest_ && seq == newest_ + 1; }
    // What was found last has been taken: nothing is held behind the end of a run.
    void taken() {
        if (records_ && newest_ + 1 == first_ + records_->size()) records_.reset();
    }
    // One was read alone.
    void note(uint64_t seq) {
        records_.reset();
        newest_ = seq;
    }
    // Reads a run from this one on.
    Status read(store::StoreSession &store, uint64_t seq) {
        constexpr uint64_t kMaxRecords = 4096;
        constexpr size_t kMaxBytes = 512 << 10;
        records_.reset();
        records_.emplace(*memory_);
        const uint64_t rest = store.row().last - seq;
        first_ = seq;
        const uint64_t last = seq + (rest < kMaxRecords ? rest : kMaxRecords);
        Status status = store.scan(seq, last, false, kMaxBytes, *records_);
        if (status.failed()) records_.reset();
        return status;
    }

private:
    Memory *memory_;
    std::optional<store::StoreRecords> records_;
    uint64_t first_ = 0, newest_ = 0;
};

}  // namespace accp::session
