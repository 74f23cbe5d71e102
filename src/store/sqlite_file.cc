// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sqlite_file.h.
#include "store/sqlite_file.h"

#include <algorithm>
#include <cstring>

#include "base/random.h"
#include "store/sqlite_setup.h"

namespace accp {

namespace {

constexpr int64_t kApplication = 0x61636370;  // "accp", in the header of the file
constexpr int64_t kVersion = 1;               // of the schema
constexpr int kStepsATick = 100'000;          // of SQLite's virtual machine, some milliseconds
constexpr uint64_t kFreeEffort = 1'000'000;   // of a walk, and what it may take more for each byte of the file: verifying takes about three
constexpr uint64_t kEffortAByte = 16;
constexpr const char *kVersionDamaged = "the version of the store is damaged";
constexpr const char *kSchemaDamaged = "the schema of the file is damaged";

constexpr const char *kStatements[] = {
#define SQLITE_STATEMENT(name, sql) sql,
#include "store/statements.def"
#undef SQLITE_STATEMENT
};

// Step i brings a file of version i to i + 1; a new file takes all of them. docs/store.md explains the columns.
constexpr const char *kSteps[kVersion] = {
    "CREATE TABLE file (seed INTEGER NOT NULL);"
    "INSERT INTO file VALUES (random());"
    "CREATE TABLE session (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, id_sum INTEGER NOT NULL, fence INTEGER NOT NULL,"
    " version INTEGER NOT NULL, last INTEGER NOT NULL, generation INTEGER NOT NULL, floor INTEGER NOT NULL, runs INTEGER NOT NULL,"
    " indexed INTEGER NOT NULL, held INTEGER NOT NULL, sum INTEGER NOT NULL);"
    "CREATE TABLE state (session INTEGER PRIMARY KEY, version INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE log (place INTEGER PRIMARY KEY, sum INTEGER NOT NULL, mids BLOB NOT NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE blob (session INTEGER NOT NULL, tier INTEGER NOT NULL, key BLOB NOT NULL, expires INTEGER NOT NULL,"
    " generation INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (session, tier, key)) WITHOUT ROWID;"
    "CREATE INDEX blob_expires ON blob (expires) WHERE expires > 0;"
    "CREATE TABLE mid (session INTEGER NOT NULL, run INTEGER NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL,"
    " sum INTEGER NOT NULL, words BLOB NOT NULL, PRIMARY KEY (session, run, first)) WITHOUT ROWID;"
    "CREATE TABLE permit (session INTEGER NOT NULL, grantee BLOB NOT NULL, prefix BLOB NOT NULL, expires INTEGER NOT NULL,"
    " sum INTEGER NOT NULL, PRIMARY KEY (session, grantee, prefix)) WITHOUT ROWID;"
    "PRAGMA user_version = 1; PRAGMA application_id = 0x61636370;",
};

int count_pages(void *file, sqlite3 *, const char *, int pages) {
    static_cast<SqliteFile *>(file)->wal_pages = pages;
    return SQLITE_OK;
}

int wait_again(void *file, int calls) { return static_cast<SqliteFile *>(file)->wait(calls == 0); }

int count_steps(void *file) { return !static_cast<SqliteFile *>(file)->spend(kStepsATick); }

// What the library makes in a file of this version: visit(text of a statement), which sqlite_schema has too.
template <class Visit>
void each_made(int64_t version, Visit visit) {
    for (int64_t i = 0; i < version; ++i)
        for (std::string_view left = kSteps[i]; !left.empty();) {
            size_t end = left.find(';');
            if (left.starts_with("CREATE ")) visit(left.substr(0, end));
            left.remove_prefix(end + 1);
            left.remove_prefix(std::min(left.find_first_not_of(' '), left.size()));
        }
}

uint64_t size_of(sqlite3 *db, int which) {
    sqlite3_file *file = nullptr;
    sqlite3_int64 size = 0;
    if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    return file->pMethods->xFileSize(file, &size) == SQLITE_OK ? static_cast<uint64_t>(size) : 0;
}

}  // namespace

void SqliteFile::measure() {
    most_ = kFreeEffort + kEffortAByte * (size_of(db_, SQLITE_FCNTL_FILE_POINTER) + size_of(db_, SQLITE_FCNTL_JOURNAL_POINTER));
}

Status SqliteFile::failure(int code) {
    if (code == SQLITE_IOERR_NOMEM) code = SQLITE_NOMEM;
    if (code == SQLITE_IOERR_CORRUPTFS || code == SQLITE_IOERR_DATA) code = SQLITE_CORRUPT;
    switch (code & 0xFF) {
        case SQLITE_OK: return {};
        case SQLITE_NOMEM: return fail(ACCP_ERR_NOMEM, 0, "out of memory");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL: return fail(ACCP_ERR_BUSY, 0, "another process is writing to the store");
        case SQLITE_FULL: return fail(ACCP_ERR_IO, 0, kDiskFull);
        case SQLITE_CORRUPT: return fail(ACCP_ERR_CORRUPT, 0, "the file of the store is damaged");
        case SQLITE_NOTADB: return fail(ACCP_ERR_CORRUPT, 0, "not a store, or its header is damaged");
        case SQLITE_CANTOPEN: return fail(ACCP_ERR_IO, 0, "the file cannot be opened");
        case SQLITE_READONLY:
        case SQLITE_PERM: return fail(ACCP_ERR_IO, 0, "the file may not be written");
        case SQLITE_INTERRUPT: return fail(ACCP_ERR_CORRUPT, 0, "the file of the store is damaged: the same pages come again and again");
        case SQLITE_IOERR: return fail(ACCP_ERR_IO, 0, "reading or writing the file failed");
        case SQLITE_TOOBIG: return fail(ACCP_ERR_ARG, 0, "more than a row can hold");
        default: return fail(ACCP_ERR_CORRUPT, 0, kSchemaDamaged);
    }
}

SqliteFile::~SqliteFile() {
    for (sqlite3_stmt *statement : statements_) sqlite3_finalize(statement);
    sqlite3_close(db_);
}

int SqliteFile::run(Sql which) {
    Walk walk(*this);
    int code = SQLITE_OK;
    sqlite3_stmt *it = statement(which, code);
    if (!it) return code;
    code = sqlite3_step(it);
    int reset = sqlite3_reset(it);
    return code == SQLITE_DONE ? reset : code;
}

sqlite3_stmt *SqliteFile::statement(Sql which, int &code) {
    sqlite3_stmt *&it = statements_[static_cast<int>(which)];
    if (!it) code = sqlite3_prepare_v3(db_, kStatements[static_cast<int>(which)], -1, SQLITE_PREPARE_PERSISTENT, &it, nullptr);
    return it;
}

int64_t SqliteFile::sum(std::initializer_list<uint64_t> numbers, std::string_view a, std::string_view b) const {
    uint64_t sum = seeded_hash(reinterpret_cast<const char *>(numbers.begin()), numbers.size() * sizeof(uint64_t), seed_);
    sum = seeded_hash(a.data(), a.size(), sum);
    return static_cast<int64_t>(seeded_hash(b.data(), b.size(), sum));
}

int64_t SqliteFile::number_of(const char *sql, int &code) {
    if (code != SQLITE_OK) return 0;
    sqlite3_stmt *it = nullptr;
    code = sqlite3_prepare_v2(db_, sql, -1, &it, nullptr);
    if (code == SQLITE_OK) code = sqlite3_step(it);
    int64_t number = code == SQLITE_ROW ? sqlite3_column_int64(it, 0) : 0;
    if (code == SQLITE_ROW || code == SQLITE_DONE) code = SQLITE_OK;
    sqlite3_finalize(it);
    return number;
}

Status SqliteFile::begin(const StorePlace &place) {
    int code =
        run("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF; PRAGMA cache_size = -16000;"
            "PRAGMA journal_size_limit = 67108864");
    if (code == SQLITE_OK) code = run(place.durability == Durability::kFull ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    return failure(code);
}

Status SqliteFile::open(const StorePlace &place, const char *path) {
    int code = set_up_sqlite();
    if (code != SQLITE_OK) return failure(code);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
    if (place.create && place.writes) flags |= SQLITE_OPEN_CREATE;
    code = sqlite3_open_v2(path, &db_, flags, place.vfs);
    if (code != SQLITE_OK) return failure(code);
    busy_ms_ = place.busy_ms;
    sqlite3_busy_handler(db_, wait_again, this);
    sqlite3_wal_hook(db_, count_pages, this);
    sqlite3_progress_handler(db_, kStepsATick, count_steps, this);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    // Two that make a file at once may stop each other, and SQLite does not wait where it sees that: who is behind looks again.
    Status status;
    opening_ = true;
    do status = bring_up(place);
    while (status.code == ACCP_ERR_BUSY && wait(false));
    opening_ = false;
    return status;
}

// For another process. Opening has one time for all that it waits for.
bool SqliteFile::wait(bool is_first) {
    if (is_first && !opening_) waited_ms_ = 0;
    if (waited_ms_ >= busy_ms_) return false;
    waited_ms_ += static_cast<uint32_t>(sqlite3_sleep(waited_ms_ < 20 ? 1 : 10));
    return true;
}

// A letter that changed makes other tables of the same pages, perhaps empty ones.
Status SqliteFile::read_schema(Look &out) {
    int64_t version = std::clamp<int64_t>(out.version, 0, kVersion);
    size_t made = 0, right = 0;
    each_made(version, [&](std::string_view) { ++made; });
    Query query(*this, Sql::kSchema);
    for (; query.row(); ++out.tables) {
        std::string_view sql = query.bytes_at(0);
        each_made(version, [&](std::string_view statement) { right += statement == sql; });
    }
    out.right = right == made && out.tables == made;
    return query.status();
}

// Pages written twice, in the log and in the file, are the price of transactions: few checkpoints keep the second part small. And pages are small, as a
// group of commits of many sessions writes one for each.
Status SqliteFile::upgrade() {
    int code = run("PRAGMA page_size = 2048; PRAGMA journal_mode = WAL");
    Transaction transaction(*this);
    Status status = code == SQLITE_OK ? transaction.begin() : failure(code);
    if (status.failed()) return status;
    int64_t version = number_of("PRAGMA user_version", code);  // again, now that nobody else can be doing the same
    if (version < 0) return fail(ACCP_ERR_CORRUPT, 0, kVersionDamaged);
    for (; code == SQLITE_OK && version < kVersion; ++version) code = run(kSteps[version]);
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
    if (!is_new && found.application != kApplication) return fail(ACCP_ERR_ARG, 0, "the file is not a store");
    if (found.version < 0) return fail(ACCP_ERR_CORRUPT, 0, kVersionDamaged);
    if (found.version > kVersion) return fail(ACCP_ERR_ARG, 0, "the store was written by a later version of this library");
    if (!found.right) return fail(ACCP_ERR_CORRUPT, 0, kSchemaDamaged);
    if (found.version < kVersion && !place.writes)
        return fail(ACCP_ERR_ARG, 0, is_new ? "the file is empty" : "the store is of an earlier version: open it to write");

    if (found.version < kVersion) status = upgrade();
    if (status.failed()) return status;
    int code = SQLITE_OK;
    seed_ = static_cast<uint64_t>(number_of("SELECT seed FROM file", code));
    if (code == SQLITE_OK) statement(Sql::kRollback, code);  // which must not need memory when it is needed
    if (code == SQLITE_OK && !place.writes) code = run("PRAGMA query_only = ON");
    return failure(code);
}

}  // namespace accp
