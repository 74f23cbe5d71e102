// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rows of an index of code in a SQLite file, with the terms of its files in FTS5.
// packet/code/disk.h explains their meaning. The index is a cache: a file that is damaged or of
// another version is made again.
//
//   file    seed, files, length             one row: the number of files, and of words in all files
//   path    path, number, hash, stamp       in the order of their bytes
//   source  number, hash, length, kind, sum, said, words
//   term    terms of each number            FTS5: which numbers have a term; no text, no positions
#pragma once

#include "store/sqlite_file.h"

namespace accp::store {

constexpr const char *kIndexDamaged = "the index of code is damaged";

struct CodePathRow {
    uint64_t number = 0, text_hash = 0, stamp = 0;
};

// The views are valid until the next step of the query.
struct CodeSourceRow {
    uint64_t number = 0, text_hash = 0, length = 0, kind = 0;
    std::string_view said, words;
};

class CodeRows {
public:
    Status open(Memory &memory, const StorePlace &place, const char *path);
    SqliteFile &file() { return file_; }
    void remove() { file_.remove(); }
    // Moves the write-ahead log into the file if it is long. If that fails, a later call does it.
    void checkpoint();

    Status totals(uint64_t &files, uint64_t &length);
    Status set_totals(uint64_t files, uint64_t length);
    // Returns the greatest number of a source; 0 if there is none.
    Status newest(uint64_t &out);

    // out.number is 0 if the path is not in the index.
    Status find(std::string_view path, CodePathRow &out);
    Status put(std::string_view path, const CodePathRow &row);
    Status erase(std::string_view path);
    // Sets the stamp if the file still has this text.
    Status set_stamp(std::string_view path, uint64_t text_hash, uint64_t stamp);
    // Calls visit(path) for all paths, in order.
    template <class Visit>
    Status each_path(Visit visit) {
        Query query(file_, Sql::kCodePaths);
        while (query.row()) visit(query.bytes_at(0));
        return query.status();
    }

    // Calls visit(row) and returns its status.
    template <class Visit>
    Status source(uint64_t number, Visit visit) {
        Query query(file_, Sql::kCodeSourceGet);
        CodeSourceRow row;
        Status status = read_source(query.number(number), number, row);
        return status.ok() ? visit(static_cast<const CodeSourceRow &>(row)) : status;
    }
    // The terms are separated by blanks. erase_source() needs the same terms as put_source() had
    // for this number.
    Status put_source(const CodeSourceRow &row, std::string_view terms);
    Status erase_source(uint64_t number, std::string_view terms);

    // Calls visit(number, term) for all terms from `first` on and before `end`.
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
