// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The log of a SQLite store. A row holds the records of one session that came with one group, up to
// 16 KiB of them (record_texts.h): a row for each would cost more than what it says. The mids that
// came with a group lie with its rows.
#pragma once

#include "store/record_texts.h"
#include "store/sqlite_file.h"

namespace accp::store {

inline uint64_t place_of(uint64_t number, uint64_t seq) { return number << 40 | seq; }

class SqliteLog {
public:
    SqliteLog(Memory &memory, SqliteFile &file)
        : file_(file), packer_(memory), mids_(memory), records_(memory), row_(memory) {}

    // Writing, of one session at a time. add() after add(), with the next record each time;
    // finish() writes what is left. A write that failed is forgotten by begin().
    void begin(uint64_t number);
    Status add(uint64_t seq, std::string_view record);
    void note_mid(uint64_t word) { mids_.push(word); }
    // `loose`: mids were noted, and there is no record that they could lie with.
    Status finish(bool &loose);

    // Reading: the next row of the query, which must hold this record. Then it is the one that the
    // others tell of, until the next call or the end of the query.
    Status read(Query &query, uint64_t number, uint64_t seq);
    // The same of the row that the query is at, whatever it holds.
    Status read_here(Query &query, uint64_t number);
    uint64_t first() const { return first_; }
    uint64_t last() const { return first_ + records_.count() - 1; }
    std::string_view mids() const { return found_mids_; }
    std::string_view record(uint64_t seq) const { return records_[seq - first_]; }

private:
    Status write_row();
    // Ties a row to its place. One record that is not packed: as it was in schema version 1.
    uint64_t sum(uint64_t number, uint64_t seq, uint64_t count, uint64_t size,
                 std::string_view mids, std::string_view bytes) const;

    SqliteFile &file_;
    LzPacker packer_;
    uint64_t number_ = 0, first_ = 0;
    Buffer<uint64_t> mids_;  // that are written
    RecordTexts records_;    // of the row that is written, or was read
    Buffer<char> row_;       // as it is written
    std::string_view found_mids_;
};

}  // namespace accp::store
