// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The log of a SQLite store. A row holds the records of one session that came with one group, up to
// 16 KiB of them, packed: a row for each would cost more than what it says.
//
//   bytes   = [*length] texts   the lengths where there are several records (base/pack.h)
//   texts   = one after the other, packed (base/lz.h) where that made them shorter than `size`
//
// The mids that came with a group lie with its rows.
#pragma once

#include "base/lz.h"
#include "store/sqlite_file.h"

namespace accp::store {

constexpr size_t kMaxRowRecords = 1024;
inline uint64_t place_of(uint64_t number, uint64_t seq) { return number << 40 | seq; }

class SqliteLog {
public:
    SqliteLog(Memory &memory, SqliteFile &file)
        : file_(file),
          packer_(memory),
          mids_(memory),
          texts_(memory),
          row_(memory),
          ends_(memory) {}

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
    uint64_t last() const { return first_ + ends_.size() - 1; }
    std::string_view mids() const { return found_mids_; }
    std::string_view record(uint64_t seq) const {
        const size_t i = seq - first_, at = i ? ends_[i - 1] : 0;
        return found_.substr(at, ends_[i] - at);
    }

private:
    Status write_row();
    bool split(std::string_view bytes, uint64_t count, uint64_t size);
    // Ties a row to its place. One record that is not packed: as it was in schema version 1.
    uint64_t sum(uint64_t number, uint64_t seq, uint64_t count, uint64_t size,
                 std::string_view mids, std::string_view bytes) const;

    SqliteFile &file_;
    LzPacker packer_;
    uint64_t number_ = 0, first_ = 0;
    Buffer<uint64_t> mids_;  // that are written
    Buffer<char> texts_;     // the records of the row that is written, or was read
    Buffer<char> row_;       // as it is written
    Buffer<uint32_t> ends_;  // of each record in texts_, or in found_
    std::string_view found_, found_mids_;
};

}  // namespace accp::store
