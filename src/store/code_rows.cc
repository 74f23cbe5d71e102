// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/code_rows.h"

#include "store/sqlite_setup.h"

namespace accp::store {

namespace {

// Raise it when the index of an unchanged file would change: its summary, symbols or words, their
// hash (a test checks that), or the terms.
constexpr int64_t kCodeVersion = 1;

// FTS5 stores no text, positions or lengths, because queries need only which numbers have a term.
#define ACCP_CODE_TABLES                                                                           \
    "CREATE TABLE file (seed INTEGER NOT NULL, files INTEGER NOT NULL, length INTEGER NOT NULL);"  \
    "CREATE TABLE path (path BLOB PRIMARY KEY, number INTEGER NOT NULL, hash INTEGER NOT NULL, "   \
    "stamp INTEGER NOT NULL) WITHOUT ROWID;"                                                       \
    "CREATE TABLE source (number INTEGER PRIMARY KEY, hash INTEGER NOT NULL, length INTEGER NOT "  \
    "NULL, kind INTEGER NOT NULL, sum INTEGER NOT NULL, said BLOB NOT NULL, words BLOB NOT NULL);" \
    "CREATE VIRTUAL TABLE term USING fts5(terms, content='', columnsize=0, detail=none, "          \
    "tokenize='ascii');"

constexpr std::string_view kCodeTables[kCodeVersion] = {ACCP_CODE_TABLES};

// `hashsize`: bytes of terms that FTS5 collects before it writes them. A large value leaves fewer
// segments to merge.
constexpr const char *kCodeSteps[kCodeVersion] = {
    ACCP_CODE_TABLES
    "INSERT INTO file VALUES (random(), 0, 0);"
    "INSERT INTO term (term, rank) VALUES ('hashsize', 8000000);"
    "PRAGMA user_version = 1; PRAGMA application_id = 0x61636363;",
};

}  // namespace

const FileKind CodeRows::kKind = {
    0x61636363,  // "accc"
    kCodeVersion,
    kCodeTables,
    kCodeSteps,
    "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL",
    Sql::kCodeSchema,
    "the file is not an index of code",
    "the index of code was written by a later version of this library",
    "the index of code is of an earlier version",
    "another process is writing to the index of code",
    kIndexDamaged,
    "not an index of code, or its header is damaged",
    "the index of code is damaged: its pages form a loop",
};

Status CodeRows::open_once(Memory &memory, const StorePlace &place, const char *path) {
    Status status = file_.open(memory, place, path);
    if (status.failed()) return status;
    return file_.failure(file_.run(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.posting USING fts5vocab(main, term, instance)"));
}

Status CodeRows::open(Memory &memory, const StorePlace &place, const char *path) {
    if (set_up_sqlite() == SQLITE_OK && !sqlite3_compileoption_used("ENABLE_FTS5"))
        return fail(ACCP_ERR_ARG, 0,
                    "an index on disk needs SQLite with FTS5, which this build does not have");
    max_wal_pages_ = setup_of(place).wal_pages;
    Status status = open_once(memory, place, path);
    const bool is_of_no_use = status.code == ACCP_ERR_CORRUPT || status.code == ACCP_ERR_ARG;
    if (!is_of_no_use || !file_.has_our_application_id(path)) return status;
    remove();
    return open_once(memory, place, path);
}

void CodeRows::checkpoint() {
    if (file_.wal_pages >= max_wal_pages_)
        sqlite3_wal_checkpoint_v2(file_.db(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

Status CodeRows::totals(uint64_t &files, uint64_t &length) {
    Query query(file_, Sql::kCodeTotals);
    if (!query.row()) return query.status().failed() ? query.status() : damaged(kIndexDamaged);
    files = query.number_at(0);
    length = query.number_at(1);
    return {};
}

Status CodeRows::set_totals(uint64_t files, uint64_t length) {
    Query query(file_, Sql::kCodeTotalsSet);
    return query.number(files).number(length).run();
}

Status CodeRows::newest(uint64_t &out) {
    Query query(file_, Sql::kCodeNewest);
    out = query.row() ? query.number_at(0) : 0;
    return query.status();
}

Status CodeRows::find(std::string_view path, CodePathRow &out) {
    Query query(file_, Sql::kCodePathGet);
    out = {};
    if (query.bytes(path).row()) out = {query.number_at(0), query.number_at(1), query.number_at(2)};
    return query.status();
}

Status CodeRows::put(std::string_view path, const CodePathRow &row) {
    Query query(file_, Sql::kCodePathPut);
    return query.number(row.number).number(row.text_hash).number(row.stamp).bytes(path).run();
}

Status CodeRows::erase(std::string_view path) {
    Query query(file_, Sql::kCodePathErase);
    return query.bytes(path).run();
}

Status CodeRows::set_stamp(std::string_view path, uint64_t text_hash, uint64_t stamp) {
    Query query(file_, Sql::kCodeStampSet);
    return query.number(stamp).number(text_hash).bytes(path).run();
}

Status CodeRows::read_source(Query &query, uint64_t number, CodeSourceRow &out) {
    if (!query.row()) return query.status().failed() ? query.status() : damaged(kIndexDamaged);
    out = {number,
           query.number_at(0),
           query.number_at(1),
           query.number_at(2),
           query.bytes_at(4),
           query.bytes_at(5)};
    if (query.status().failed()) return query.status();
    const bool is_right = query.number_at(3) == static_cast<uint64_t>(sum_of(out));
    return is_right ? Status{} : damaged(kIndexDamaged);
}

Status CodeRows::put_source(const CodeSourceRow &row, std::string_view terms) {
    {
        Query query(file_, Sql::kCodeSourcePut);
        query.number(row.number).number(row.text_hash).number(row.length).number(row.kind);
        query.number(static_cast<uint64_t>(sum_of(row))).bytes(row.said).bytes(row.words);
        Status status = query.run();
        if (status.failed()) return status;
    }
    Query query(file_, Sql::kCodeTermsPut);
    return query.number(row.number).text(terms).run();
}

Status CodeRows::erase_source(uint64_t number, std::string_view terms) {
    {
        Query query(file_, Sql::kCodeSourceErase);
        Status status = query.number(number).run();
        if (status.failed()) return status;
    }
    Query query(file_, Sql::kCodeTermsErase);
    return query.number(number).text(terms).run();
}

}  // namespace accp::store
