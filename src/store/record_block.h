// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Records that are kept together, up to 16 KiB of them: their texts one after the other, and
// packed. That is what is unpacked to read one.
//
//   row     = [*length] texts   the lengths where there are several records (base/pack.h)
//   texts   = one after the other, packed (base/lz.h) where that made them shorter
//
// How many there are, and how many bytes they have, is kept beside the row.
#pragma once

#include "base/limits.h"
#include "base/lz.h"

namespace accp::store {

constexpr size_t kRowBytes = 16 << 10;
constexpr size_t kMaxRowRecords = 1024;

class RecordTexts {
public:
    explicit RecordTexts(Memory &memory) : texts_(memory), ends_(memory) {}

    size_t count() const { return ends_.size(); }
    size_t bytes() const { return count() ? ends_[count() - 1] : 0; }
    std::string_view operator[](size_t i) const { return range(i, 1); }
    // Does it have its bytes with this one, or before it?
    bool is_full(size_t record_bytes) const {
        return count() && (bytes() + record_bytes > kRowBytes || count() == kMaxRowRecords);
    }

    // Gives back what is larger than a row needs.
    void clear() {
        texts_.recycle(2 * kRowBytes);
        ends_.recycle(2 * kRowBytes);
        found_ = {};
    }
    // Memory for so many more records, which have so many bytes: add() then takes none.
    void reserve(size_t records, size_t text_bytes) {
        texts_.reserve(text_bytes);
        ends_.reserve(records);
    }
    void add(std::string_view record) {
        texts_.append(record);
        ends_.push(static_cast<uint32_t>(texts_.size()));
        found_ = texts_.view();
    }

    // These records go; the others come to their place.
    void remove_front(size_t records);

    // How many records from this one on make a row.
    size_t row_at(size_t first) const;
    // Appends them as a row.
    void pack(size_t first, size_t records, LzPacker &packer, Buffer<char> &out) const;
    // Becomes what a row holds, of which it may be a view. False: it is no row of so many records
    // and bytes.
    bool unpack(std::string_view row, uint64_t records, uint64_t bytes);

    std::string_view range(size_t first, size_t records) const {
        const size_t at = first ? ends_[first - 1] : 0;
        return found_.substr(at, records ? ends_[first + records - 1] - at : 0);
    }

private:
    Buffer<char> texts_;
    Buffer<uint32_t> ends_;  // of each record
    std::string_view found_;
};

}  // namespace accp::store
