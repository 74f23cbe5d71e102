// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_log.h.
#include "store/sqlite_log.h"

#include "base/pack.h"

namespace accp::store {

namespace {

// of texts in one row: what is unpacked to read one record
constexpr size_t kRowBytes = 16 << 10;

Status damaged(const char *what, uint64_t seq) { return fail(ACCP_ERR_CORRUPT, seq, what); }

}  // namespace

void SqliteLog::begin(uint64_t number) {
    number_ = number;
    mids_.clear();
    texts_.recycle(kKeptBytes);
    ends_.clear();
}

Status SqliteLog::add(uint64_t seq, std::string_view record) {
    Status status;
    if (!ends_.empty() &&
        (texts_.size() + record.size() > kRowBytes || ends_.size() == kMaxRowRecords))
        status = write_row();
    if (status.failed()) return status;
    if (ends_.empty()) first_ = seq;
    texts_.append(record);
    ends_.push(static_cast<uint32_t>(texts_.size()));
    return {};
}

Status SqliteLog::finish(bool &loose) {
    loose = ends_.empty() && !mids_.empty();
    return ends_.empty() ? Status{} : write_row();
}

Status SqliteLog::write_row() {
    row_.recycle(kKeptBytes);
    const uint64_t count = ends_.size();
    Packer lengths(row_);
    for (size_t i = 0; count > 1 && i < count; ++i)
        lengths.number(ends_[i] - (i ? ends_[i - 1] : 0));
    packer_.pack(texts_.view(), row_);
    const std::string_view mids = {reinterpret_cast<const char *>(mids_.data()),
                                   mids_.size() * sizeof(uint64_t)};
    Query query(file_, Sql::kRecordsPut);
    Status status = query.number(place_of(number_, first_))
                        .number(count)
                        .number(texts_.size())
                        .number(sum(number_, first_, count, texts_.size(), mids, row_.view()))
                        .bytes(mids)
                        .bytes(row_.view())
                        .run();
    begin(number_);
    return status;
}

uint64_t SqliteLog::sum(uint64_t number, uint64_t seq, uint64_t count, uint64_t size,
                        std::string_view mids, std::string_view bytes) const {
    return static_cast<uint64_t>(count == 1 && bytes.size() == size
                                     ? file_.sum({number, seq}, mids, bytes)
                                     : file_.sum({number, seq, count, size}, mids, bytes));
}

Status SqliteLog::read(Query &query, uint64_t number, uint64_t seq) {
    if (!query.row())
        return query.status().failed() ? query.status() : damaged("a record is missing", seq);
    if (query.number_at(0) > place_of(number, seq) || query.number_at(0) < place_of(number, 1))
        return damaged("a record is missing", seq);
    Status status = read_here(query, number);
    if (status.failed()) return status;
    return seq <= last() ? Status{} : damaged("a record is missing", seq);
}

Status SqliteLog::read_here(Query &query, uint64_t number) {
    const uint64_t seq = query.number_at(0) & kMaxRecords, count = query.number_at(1),
                   size = query.number_at(2);
    found_mids_ = query.bytes_at(4);
    const std::string_view bytes = query.bytes_at(5);
    if (query.status().failed()) return query.status();
    if (query.number_at(3) != sum(number, seq, count, size, found_mids_, bytes) ||
        !split(bytes, count, size))
        return damaged("a record is damaged", seq);
    first_ = seq;
    return {};
}

// What a row holds: into found_ and ends_.
bool SqliteLog::split(std::string_view bytes, uint64_t count, uint64_t size) {
    ends_.clear();
    texts_.recycle(kKeptBytes);
    if (!count || count > kMaxRowRecords || size > UINT32_MAX) return false;
    Unpacker unpacker(bytes);
    uint64_t end = 0;
    for (uint64_t i = 0; count > 1 && i < count; ++i) {
        const uint64_t length = unpacker.number();
        if (length > size - end) return false;
        ends_.push(static_cast<uint32_t>(end += length));
    }
    if (count == 1) ends_.push(static_cast<uint32_t>(end = size));
    found_ = unpacker.rest();
    if (!unpacker.ok() || end != size) return false;
    if (found_.size() == size) return true;
    if (!lz_unpack(found_, size, texts_)) return false;
    found_ = texts_.view();
    return true;
}

}  // namespace accp::store
