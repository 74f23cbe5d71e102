// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_file.h: what a file must have to be a store, and how it comes by it.
#include <algorithm>

#include "store/sqlite_file.h"

namespace accp::store {

namespace {

constexpr int64_t kVersion = 2;  // of the schema of a store
constexpr const char *kVersionDamaged = "the version of the file is damaged";

// Tables that both versions have. docs/store.md explains the columns.
#define ACCP_TABLES_OF_BOTH                                                                        \
    "CREATE TABLE file (seed INTEGER NOT NULL);"                                                   \
    "CREATE TABLE session (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, id_sum INTEGER "   \
    "NOT "                                                                                         \
    "NULL, fence INTEGER NOT NULL,"                                                                \
    " version INTEGER NOT NULL, last INTEGER NOT NULL, generation INTEGER NOT NULL, floor "        \
    "INTEGER "                                                                                     \
    "NOT NULL, runs INTEGER NOT NULL,"                                                             \
    " indexed INTEGER NOT NULL, held INTEGER NOT NULL, sum INTEGER NOT NULL);"                     \
    "CREATE TABLE mid (session INTEGER NOT NULL, run INTEGER NOT NULL, first INTEGER NOT NULL, "   \
    "next INTEGER NOT NULL,"                                                                       \
    " sum INTEGER NOT NULL, words BLOB NOT NULL, PRIMARY KEY (session, run, first)) WITHOUT "      \
    "ROWID;"                                                                                       \
    "CREATE TABLE permit (session INTEGER NOT NULL, grantee BLOB NOT NULL, prefix BLOB NOT NULL, " \
    "expires INTEGER NOT NULL,"                                                                    \
    " sum INTEGER NOT NULL, PRIMARY KEY (session, grantee, prefix)) WITHOUT ROWID;"

#define ACCP_TABLES_OF_1                                                                          \
    "CREATE TABLE state (session INTEGER PRIMARY KEY, version INTEGER NOT NULL, sum INTEGER NOT " \
    "NULL, bytes BLOB NOT NULL);"                                                                 \
    "CREATE TABLE log (place INTEGER PRIMARY KEY, sum INTEGER NOT NULL, mids BLOB NOT NULL, "     \
    "bytes "                                                                                      \
    "BLOB NOT NULL);"                                                                             \
    "CREATE TABLE blob (session INTEGER NOT NULL, tier INTEGER NOT NULL, key BLOB NOT NULL, "     \
    "expires INTEGER NOT NULL,"                                                                   \
    " generation INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY "       \
    "(session, tier, key)) WITHOUT ROWID;"                                                        \
    "CREATE INDEX blob_expires ON blob (expires) WHERE expires > 0;"

// Blobs have a rowid: they come to the end of the table, where pages get full, and only their keys
// go among others.
#define ACCP_TABLES_OF_2                                                                           \
    "CREATE TABLE state (session INTEGER PRIMARY KEY, version INTEGER NOT NULL, size INTEGER NOT " \
    "NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL);"                                            \
    "CREATE TABLE log (place INTEGER PRIMARY KEY, count INTEGER NOT NULL, size INTEGER NOT NULL, " \
    "sum INTEGER NOT NULL, mids BLOB NOT NULL, bytes BLOB NOT NULL);"                              \
    "CREATE TABLE blob (session INTEGER NOT NULL, tier INTEGER NOT NULL, key BLOB NOT NULL, "      \
    "expires INTEGER NOT NULL,"                                                                    \
    " generation INTEGER NOT NULL, size INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT "   \
    "NULL, PRIMARY KEY (session, tier, key));"                                                     \
    "CREATE INDEX blob_expires ON blob (expires) WHERE expires > 0;"

// What a file of a version has, from 1.
constexpr std::string_view kTables[kVersion] = {ACCP_TABLES_OF_BOTH ACCP_TABLES_OF_1,
                                                ACCP_TABLES_OF_BOTH ACCP_TABLES_OF_2};

// Step i brings a file of version i to a later one; a new file comes to the newest at once.
constexpr const char *kSteps[kVersion] = {
    ACCP_TABLES_OF_BOTH ACCP_TABLES_OF_2
    "INSERT INTO file VALUES (random());"
    "PRAGMA user_version = 2; PRAGMA application_id = 0x61636370;",
    "DROP INDEX blob_expires;"
    "ALTER TABLE state RENAME TO old_state; ALTER TABLE log RENAME TO old_log; ALTER TABLE blob "
    "RENAME TO old_blob;" ACCP_TABLES_OF_2
    "INSERT INTO state SELECT session, version, length(bytes), sum, bytes FROM old_state;"
    "INSERT INTO log SELECT place, 1, length(bytes), sum, mids, bytes FROM old_log;"
    "INSERT INTO blob SELECT session, tier, key, expires, generation, length(bytes), sum, bytes "
    "FROM old_blob;"
    "DROP TABLE old_state; DROP TABLE old_log; DROP TABLE old_blob;"
    "PRAGMA user_version = 2;",
};

// What the library makes in a file of this version: visit(text of a statement), which sqlite_schema
// has too.
template <class Visit>
void each_made(const FileKind &kind, int64_t version, Visit visit) {
    if (!version) return;
    for (std::string_view left = kind.tables[version - 1]; !left.empty();) {
        const size_t end = left.find(';');
        visit(left.substr(0, end));
        left.remove_prefix(end + 1);
    }
}

}  // namespace

// Pages have 2 KiB, as a group of commits of many sessions writes one for each.
const FileKind kStoreKind = {
    0x61636370,  // "accp"
    kVersion,
    kTables,
    kSteps,
    "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL",
    Sql::kSchema,
    "the file is not a store",
    "the store was written by a later version of this library",
    "the store is of an earlier version: open it to write",
    "another process is writing to the store",
    "the file of the store is damaged",
    "not a store, or its header is damaged",
    "the file of the store is damaged: the same pages come again and again",
};

// A letter that changed makes other tables of the same pages, perhaps empty ones.
Status SqliteFile::read_schema(Look &out) {
    int64_t version = std::clamp<int64_t>(out.version, 0, kind_->version);
    size_t made = 0, right = 0;
    each_made(*kind_, version, [&](std::string_view) { ++made; });
    Query query(*this, kind_->schema);
    for (; query.row(); ++out.tables) {
        std::string_view sql = query.bytes_at(0);
        each_made(*kind_, version, [&](std::string_view statement) { right += statement == sql; });
    }
    out.right = right == made && out.tables == made;
    return query.status();
}

// Pages written twice, in the log and in the file, are the price of transactions: few checkpoints
// keep the second part small.
Status SqliteFile::upgrade() {
    int code = run(kind_->pragmas);
    Transaction transaction(*this);
    Status status = code == SQLITE_OK ? transaction.begin() : failure(code);
    if (status.failed()) return status;
    // again, now that nobody else can be doing the same
    int64_t version = number_of("PRAGMA user_version", code);
    if (version < 0) return fail(ACCP_ERR_CORRUPT, 0, kVersionDamaged);
    if (code == SQLITE_OK && version < kind_->version) code = run(kind_->steps[version]);
    return code == SQLITE_OK ? transaction.commit() : failure(code);
}

// What the file is, as of one moment: another process may be making it.
Status SqliteFile::look(Look &out) {
    int code = run("BEGIN");
    out.application = number_of("PRAGMA application_id", code);
    out.version = number_of("PRAGMA user_version", code);
    Status status = code == SQLITE_OK ? read_schema(out) : failure(code);
    int ended = run("COMMIT");
    return status.ok() ? failure(ended) : status;
}

// Looks before it touches: a file that is not a store stays as it is.
Status SqliteFile::bring_up(const StorePlace &place) {
    Walk walk(*this);
    Look found;
    Status status = begin(place);
    if (status.ok()) status = look(found);
    if (status.failed()) return status;
    bool is_new = found.application == 0 && found.version == 0 && found.tables == 0;
    if (!is_new && found.application != kind_->application)
        return fail(ACCP_ERR_ARG, 0, kind_->foreign);
    if (found.version < 0) return fail(ACCP_ERR_CORRUPT, 0, kVersionDamaged);
    if (found.version > kind_->version) return fail(ACCP_ERR_ARG, 0, kind_->later);
    if (!found.right) return fail(ACCP_ERR_CORRUPT, 0, kSchemaDamaged);
    const bool is_behind = found.version < kind_->version;
    if (is_behind && !place.writes)
        return fail(ACCP_ERR_ARG, 0, is_new ? "the file is empty" : kind_->earlier);
    if (is_behind) status = upgrade();
    if (status.failed()) return status;
    int code = SQLITE_OK;
    seed_ = static_cast<uint64_t>(number_of("SELECT seed FROM file", code));
    // which must not need memory when it is needed
    if (code == SQLITE_OK) statement(Sql::kRollback, code);
    if (code == SQLITE_OK && !place.writes) code = run("PRAGMA query_only = ON");
    return failure(code);
}

}  // namespace accp::store
