// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which mids a session of a SQLite store has seen. Mids are kept with the record that they came
// with, its tail, and go to the index some hundreds at a time: random keys one by one into a tree
// would write a page for each. The index of a session is runs of sorted words, merged sixteen at a
// time; a run is rows that each hold the words of a range, and together cover all there can be, so
// that a row that is missing is noticed.
#pragma once

#include "store/mid_filter.h"
#include "store/sqlite_rows.h"

namespace accp::store {

class MidIndex {
public:
    // Borrowed.
    MidIndex(Memory &memory, SqliteFile &file, SqliteLog &log)
        : file_(file), log_(log), words_(memory), filters_(memory) {}

    // Is it in the index, whatever the tail has?
    Status has(const SessionRow &row, uint64_t word, bool &out);
    // The mids of the records that are not in the index.
    Status read_tail(OpenSession &session);
    // Writes the tail as a new run of the index. note_added() once that is committed.
    Status add_tail(OpenSession &session);
    void note_added(const SessionRow &before, const SessionRow &row, const Buffer<uint64_t> &tail) {
        filters_.extend(before, row, tail);
    }
    // All of a session, sorted.
    Status read_all(const SessionRow &row, Buffer<uint64_t> &out);

private:
    Status read_words(Query &query, uint64_t number, uint64_t run, uint64_t &first, uint64_t &next,
                      std::string_view &words);
    Status write_run(uint64_t number, uint64_t run);  // of words_, sorted
    Status find_in_run(uint64_t number, uint64_t run, uint64_t word, bool &found);
    Status append_run(uint64_t number, uint64_t run, Buffer<uint64_t> &out);
    Status merge_runs(uint64_t number, uint64_t level, uint64_t into);
    Status read_index(const SessionRow &row, Buffer<uint64_t> &out);
    Status read_tail_of(const SessionRow &row, uint64_t last, Buffer<uint64_t> &out);
    template <class Visit>
    Status each_run(const SessionRow &row, Visit visit);

    SqliteFile &file_;
    SqliteLog &log_;
    Buffer<uint64_t> words_;
    MidFilters filters_;
};

}  // namespace accp::store
