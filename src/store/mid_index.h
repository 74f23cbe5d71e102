// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The index of the mids that a session of a SQLite store has seen. New mids are first stored with
// their records (the tail of the session) and enter the index some hundreds at a time, because
// inserting random keys one by one would write a page for each. The index of a session is a set of
// runs of sorted words, merged sixteen at a time. The rows of a run each hold a range of words and
// together cover all possible words, so a missing row is detected.
#pragma once

#include "store/mid_filter.h"
#include "store/sqlite_rows.h"

namespace accp::store {

class MidIndex {
public:
    // The arguments must outlive the index.
    MidIndex(Memory &memory, SqliteFile &file, SqliteLog &log)
        : file_(file), log_(log), words_(memory), filters_(memory) {}

    // Reports whether the index has the word. Does not look at the tail.
    Status has(const SessionRow &row, uint64_t word, bool &out);
    // Reads the mids of the records that are not in the index into the session's tail.
    Status read_tail(OpenSession &session);
    // Writes the tail as a new run. Call note_added() after the commit.
    Status add_tail(OpenSession &session);
    void note_added(const SessionRow &before, const SessionRow &row, const Buffer<uint64_t> &tail) {
        filters_.extend(before, row, tail);
    }
    // Reads all mids of a session, sorted.
    Status read_all(const SessionRow &row, Buffer<uint64_t> &out);

private:
    Status read_words(Query &query, uint64_t number, uint64_t run, uint64_t &first, uint64_t &next,
                      std::string_view &words);
    Status write_run(uint64_t number, uint64_t run);  // from words_, which are sorted
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
