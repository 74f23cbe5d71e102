// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/record_block.h"

#include "base/pack.h"

namespace accp::store {

size_t RecordBlock::row_length(size_t first) const {
    size_t end = first + 1;
    while (end < count() && end - first < kMaxRowRecords &&
           range(first, end - first + 1).size() <= kRowBytes)
        ++end;
    return end - first;
}

void RecordBlock::remove_front(size_t records) {
    if (records == count()) return clear();
    const size_t gone = ends_[records - 1], left = bytes() - gone;
    std::memmove(texts_.data(), texts_.data() + gone, left);
    texts_.resize_down(left);
    for (size_t i = records; i < count(); ++i)
        ends_[i - records] = ends_[i] - static_cast<uint32_t>(gone);
    ends_.resize_down(count() - records);
    view_ = texts_.view();
}

void RecordBlock::pack(size_t first, size_t records, LzPacker &packer, Buffer<char> &out) const {
    Packer lengths(out);
    for (size_t i = 0; records > 1 && i < records; ++i) lengths.number((*this)[first + i].size());
    packer.pack(range(first, records), out);
}

bool RecordBlock::unpack(std::string_view row, uint64_t records, uint64_t bytes) {
    clear();
    if (!records || records > kMaxRowRecords || bytes > UINT32_MAX) return false;
    Unpacker unpacker(row);
    uint64_t end = 0;
    for (uint64_t i = 0; records > 1 && i < records; ++i) {
        const uint64_t length = unpacker.number();
        if (length > bytes - end) return false;
        ends_.push(static_cast<uint32_t>(end += length));
    }
    if (records == 1) ends_.push(static_cast<uint32_t>(end = bytes));
    view_ = unpacker.rest();
    if (!unpacker.ok() || end != bytes) return false;
    if (view_.size() == bytes) return true;
    if (!lz_unpack(view_, bytes, texts_)) return false;
    view_ = texts_.view();
    return true;
}

}  // namespace accp::store
