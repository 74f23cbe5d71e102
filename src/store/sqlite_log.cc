// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_log.h.
#include "store/sqlite_log.h"

namespace accp::store {

void SqliteLog::begin(uint64_t number) {
    number_ = number;
    mids_.clear();
    records_.clear();
}

Status SqliteLog::add(uint64_t seq, std::string_view record) {
    Status status = records_.is_full(record.size()) ? write_row() : Status{};
    if (!records_.count()) first_ = seq;
    if (status.ok()) records_.add(record);
    return status;
}

Status SqliteLog::finish(bool &loose) {
    loose = !records_.count() && !mids_.empty();
    return records_.count() ? write_row() : Status{};
}

Status SqliteLog::write_row() {
    const uint64_t count = records_.count(), size = records_.bytes();
    row_.recycle(kKeptBytes);
    records_.pack(0, count, packer_, row_);
    const std::string_view mids = {reinterpret_cast<const char *>(mids_.data()),
                                   mids_.size() * sizeof(uint64_t)};
    Query query(file_, Sql::kRecordsPut);
    query.number(place_of(number_, first_)).number(count).number(size);
    query.number(sum(number_, first_, count, size, mids, row_.view()));
    Status status = query.bytes(mids).bytes(row_.view()).run();
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
        !records_.unpack(bytes, count, size))
        return damaged("a record is damaged", seq);
    first_ = seq;
    return {};
}

}  // namespace accp::store
