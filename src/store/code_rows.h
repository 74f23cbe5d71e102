// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rows of an index of code in a SQLite file, and the terms of its files in FTS5. What they mean
// is packet/code/disk.h's. It is a cache: a file that is one, and damaged or of another version, is
// made anew.
//
//   file    seed, files, length             one row: how many files, and of how many words in all
//   path    path, number, hash, stamp       in the order of their bytes
//   source  number, hash, length, kind, sum, said, words
//   term    terms of each number            FTS5: which numbers have a term, no text, no positions
#pragma once

#include "store/sqlite_file.h"

namespace accp::store {

constexpr const char *kIndexDamaged = "the index of code is damaged";

struct CodePathRow {
    uint64_t number = 0, text_hash = 0, stamp = 0;
};

// The views of one that was read last until the query's next step.
struct CodeSourceRow {
    uint64_t number = 0, text_hash = 0, length = 0, kind = 0;
    std::string_view said, words;
};

class CodeRows {
public:
    Status open(Memory &memory, const StorePlace &place, const char *path);
    SqliteFile &file() { return file_; }
    void remove() { file_.remove(); }
    // Brings the log into the file where it has become long; what this cannot do the next one does.
    void checkpoint();

    Status totals(uint64_t &files, uint64_t &length);
    Status set_totals(uint64_t files, uint64_t length);
    // The greatest number; 0: there is none.
    Status newest(uint64_t &out);

    // 0 as its number: there is none.
    Status find(std::string_view path, CodePathRow &out);
    Status put(std::string_view path, const CodePathRow &row);
    Status erase(std::string_view path);
    // Where the file still has this text.
    Status set_stamp(std::string_view path, uint64_t text_hash, uint64_t stamp);
    // visit(path), in order.
    template <class Visit>
    Status each_path(Visit visit) {
        Query query(file_, Sql::kCodePaths);
        while (query.row()) visit(query.bytes_at(0));
        return query.status();
    }

    // visit(row), which answers with a status.
    template <class Visit>
    Status source(uint64_t number, Visit visit) {
        Query query(file_, Sql::kCodeSourceGet);
        CodeSourceRow row;
        Status status = read_source(query.number(number), number, row);
        return status.ok() ? visit(static_cast<const CodeSourceRow &>(row)) : status;
    }
    // The terms stand with a blank between them. Those of a number that is erased are what they
    // were when it was put.
    Status put_source(const CodeSourceRow &row, std::string_view terms);
    Status erase_source(uint64_t number, std::string_view terms);

    // visit(number, term) of those that have a term from `first` on, and before `end`.
    template <class Visit>
    Status postings(std::string_view first, std::string_view end, Visit visit) {
        Query query(file_, Sql::kCodePostings);
        query.text(first).text(end);
        while (query.row()) visit(query.number_at(0), query.bytes_at(1));
        return query.status();
    }

private:
    Status read_source(Query &query, uint64_t number, CodeSourceRow &out);
    int64_t sum_of(const CodeSourceRow &row) const {
        return file_.sum({row.number, row.text_hash, row.length, row.kind}, row.said, row.words);
    }
    Status open_once(Memory &memory, const StorePlace &place, const char *path);

    static const FileKind kKind;
    SqliteFile file_{kKind};
    int max_wal_pages_ = 0;
};

}  // namespace accp::store
