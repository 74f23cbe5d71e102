// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packs up to 16 KiB of records into one row. Reading one record unpacks its row.
//
//   row     = [*length] texts   the lengths only if there are several records (base/pack.h)
//   texts   = the records one after the other, packed (base/lz.h) if that is shorter
//
// The row's owner stores the count and the total size beside the row.
#pragma once

#include "base/limits.h"
#include "base/lz.h"

namespace accp::store {

constexpr size_t kRowBytes = 16 << 10;
constexpr size_t kMaxRowRecords = 1024;

class RecordBlock {
public:
    explicit RecordBlock(Memory &memory) : texts_(memory), ends_(memory) {}

    size_t count() const { return ends_.size(); }
    size_t bytes() const { return count() ? ends_[count() - 1] : 0; }
    std::string_view operator[](size_t i) const { return range(i, 1); }
    // Reports whether the block is full, or would be with a record of this size.
    bool is_full(size_t record_bytes) const {
        return count() && (bytes() + record_bytes > kRowBytes || count() == kMaxRowRecords);
    }

    // Also frees memory beyond the size of a row.
    void clear() {
        texts_.recycle(2 * kRowBytes);
        ends_.recycle(2 * kRowBytes);
        view_ = {};
    }
    // Allocates memory, so that the add() calls for these records allocate none.
    void reserve(size_t records, size_t text_bytes) {
        texts_.reserve(text_bytes);
        ends_.reserve(records);
    }
    void add(std::string_view record) {
        texts_.append(record);
        ends_.push(static_cast<uint32_t>(texts_.size()));
        view_ = texts_.view();
    }

    // Removes the first records.
    void remove_front(size_t records);

    // Returns how many records from `first` on fit into a row.
    size_t row_length(size_t first) const;
    // Appends these records to `out` as a row.
    void pack(size_t first, size_t records, LzPacker &packer, Buffer<char> &out) const;
    // Replaces the contents by those of a row, and may keep a view into it. Returns false if the
    // row does not hold this many records and bytes.
    bool unpack(std::string_view row, uint64_t records, uint64_t bytes);

    std::string_view range(size_t first, size_t records) const {
        const size_t at = first ? ends_[first - 1] : 0;
        return view_.substr(at, records ? ends_[first + records - 1] - at : 0);
    }

private:
    Buffer<char> texts_;
    Buffer<uint32_t> ends_;  // end of each record in the text
    std::string_view view_;
};

}  // namespace accp::store
