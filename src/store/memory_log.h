// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The log of a session in memory: rows of packed records, and the newest as they are.
#pragma once

#include "store/record_texts.h"

namespace accp::store {

// What packing and unpacking work with: one for all sessions of a store.
struct MemoryScratch {
    explicit MemoryScratch(Memory &memory) : packer(memory), packed(memory), row(memory) {}

    LzPacker packer;
    Buffer<char> packed;
    RecordTexts row;  // that is read
};

class MemoryLog {
public:
    explicit MemoryLog(Memory &memory) : memory_(&memory), rows_(memory), newest_(memory) {}
    ~MemoryLog() { drop_rows(0); }
    MemoryLog(const MemoryLog &) = delete;
    MemoryLog &operator=(const MemoryLog &) = delete;

    size_t size() const { return packed_ + newest_.count(); }
    uint64_t bytes() const { return packed_bytes_ + newest_.bytes(); }

    // Memory for so many more records: add() then takes none. Packs what is a row.
    void reserve(size_t records, size_t bytes, MemoryScratch &scratch);
    void add(std::string_view record) { newest_.add(record); }

    // visit(seq, record), which answers whether to go on, for records first … last, or the other
    // way round.
    template <class Visit>
    void each(uint64_t first, uint64_t last, bool newest_first, MemoryScratch &scratch,
              Visit visit) const {
        const Part *part = nullptr;
        for (uint64_t i = 0, count = last - first + 1; i < count; ++i) {
            const uint64_t seq = newest_first ? last - i : first + i;
            if (seq > packed_) {
                if (!visit(seq, newest_[seq - packed_ - 1])) return;
                continue;
            }
            if (!part || seq < part->first || seq >= part->first + part->count)
                part = &open_row(seq, scratch);
            if (!visit(seq, scratch.row[seq - part->first])) return;
        }
    }

private:
    struct Part {
        uint64_t first;  // sequence of its first record
        uint32_t count, bytes, len;
        char *row;
    };

    const Part &open_row(uint64_t seq, MemoryScratch &scratch) const;
    void pack_newest(MemoryScratch &scratch);
    void drop_rows(size_t from) {
        for (size_t i = from; i < rows_.size(); ++i) memory_->release(rows_[i].row, rows_[i].len);
        rows_.resize_down(from);
    }

    Memory *memory_;
    Buffer<Part> rows_;
    RecordTexts newest_;
    uint64_t packed_ = 0;  // records in rows_
    uint64_t packed_bytes_ = 0;
};

}  // namespace accp::store
