// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The schema of a store file: checks and upgrades.
#include <algorithm>

#include "store/sqlite_file.h"

namespace accp::store {

namespace {

constexpr int64_t kVersion = 2;  // of the schema of a store
constexpr const char *kVersionDamaged = "the version of the file is damaged";

// The tables of both versions. docs/store.md explains the columns.
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

// The blob table has a rowid, so contents are appended at its end and fill pages; only keys are
// inserted among others.
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

// The tables of each version, from 1.
constexpr std::string_view kTables[kVersion] = {ACCP_TABLES_OF_BOTH ACCP_TABLES_OF_1,
                                                ACCP_TABLES_OF_BOTH ACCP_TABLES_OF_2};

// Step i upgrades a file of version i. A new file gets the newest version at once.
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

// Calls visit(statement) for each statement that creates the schema of this version; sqlite_schema
// has the same texts.
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

// Pages have 2 KiB, because a group of commits writes a page for each session.
const FileKind kStoreKind = {
    0x61636370,  // "accp"
    kVersion,
    kTables,
    kSteps,
    "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL",
    Sql::kSchema,
    "the file is not a store",
    "the store was written by a later version of this library",
    "the store has an earlier version: open it to write, which upgrades it",
    "another process is writing to the store",
    "the file of the store is damaged",
    "not a store, or its header is damaged",
    "the file of the store is damaged: its pages form a loop",
};

// Compares whole statements: one changed letter would make other tables of the same pages, perhaps
// empty ones.
Status SqliteFile::read_schema(Inspection &out) {
    int64_t version = std::clamp<int64_t>(out.version, 0, kind_->version);
    size_t made = 0, matching = 0;
    each_made(*kind_, version, [&](std::string_view) { ++made; });
    Query query(*this, kind_->schema);
    for (; query.row(); ++out.tables) {
        std::string_view sql = query.bytes_at(0);
        each_made(*kind_, version,
                  [&](std::string_view statement) { matching += statement == sql; });
    }
    out.schema_matches = matching == made && out.tables == made;
    return query.status();
}

Status SqliteFile::upgrade() {
    int code = run(kind_->pragmas);
    Transaction transaction(*this);
    Status status = code == SQLITE_OK ? transaction.begin() : failure(code);
    if (status.failed()) return status;
    // read it again, now that no other process can upgrade
    int64_t version = number_of("PRAGMA user_version", code);
    if (version < 0) return fail(ACCP_ERR_CORRUPT, 0, kVersionDamaged);
    if (code == SQLITE_OK && version < kind_->version) code = run(kind_->steps[version]);
    return code == SQLITE_OK ? transaction.commit() : failure(code);
}

// Reads in one transaction, because another process may be creating the file.
Status SqliteFile::inspect(Inspection &out) {
    int code = run("BEGIN");
    out.application = number_of("PRAGMA application_id", code);
    out.version = number_of("PRAGMA user_version", code);
    Status status = code == SQLITE_OK ? read_schema(out) : failure(code);
    int ended = run("COMMIT");
    return status.ok() ? failure(ended) : status;
}

// Checks before it writes: a file that is not a store stays unchanged.
Status SqliteFile::prepare_schema(const StorePlace &place) {
    ScanLimit limit(*this);
    Inspection found;
    Status status = begin(place);
    if (status.ok()) status = inspect(found);
    if (status.failed()) return status;
    bool is_new = found.application == 0 && found.version == 0 && found.tables == 0;
    if (!is_new && found.application != kind_->application)
        return fail(ACCP_ERR_ARG, 0, kind_->foreign);
    if (found.version < 0) return fail(ACCP_ERR_CORRUPT, 0, kVersionDamaged);
    if (found.version > kind_->version) return fail(ACCP_ERR_ARG, 0, kind_->later);
    if (!found.schema_matches) return fail(ACCP_ERR_CORRUPT, 0, kSchemaDamaged);
    const bool is_behind = found.version < kind_->version;
    if (is_behind && !place.writes)
        return fail(ACCP_ERR_ARG, 0, is_new ? "the file is empty" : kind_->earlier);
    if (is_behind) status = upgrade();
    if (status.failed()) return status;
    int code = SQLITE_OK;
    seed_ = static_cast<uint64_t>(number_of("SELECT seed FROM file", code));
    // prepared now, because a rollback must not allocate
    if (code == SQLITE_OK) statement(Sql::kRollback, code);
    if (code == SQLITE_OK && !place.writes) code = run("PRAGMA query_only = ON");
    return failure(code);
}

}  // namespace accp::store
