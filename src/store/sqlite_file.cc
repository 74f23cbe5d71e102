// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/sqlite_file.h"

#include <cerrno>
#include <cstring>
#include <mutex>

#include "base/random.h"
#include "store/sqlite_setup.h"

namespace accp::store {

namespace {

constexpr int kStepsATick = 100'000;  // of SQLite's virtual machine, some milliseconds
// The limit of a scan: a base, and an amount for each byte of the file. verify() needs about 2 for
// each byte.
constexpr uint64_t kFreeEffort = 1'000'000;
constexpr uint64_t kEffortAByte = 16;

constexpr const char *kStatements[] = {
#define SQLITE_STATEMENT(name, sql) sql,
#include "store/statements.def"
#undef SQLITE_STATEMENT
};

int count_pages(void *file, sqlite3 *, const char *, int pages) {
    static_cast<SqliteFile *>(file)->wal_pages = pages;
    return SQLITE_OK;
}

int wait_again(void *file, int calls) { return static_cast<SqliteFile *>(file)->wait(calls == 0); }

int count_steps(void *file) { return !static_cast<SqliteFile *>(file)->spend(kStepsATick); }

// Returns one of the connection's open files, or nullptr.
sqlite3_file *file_of(sqlite3 *db, int which) {
    sqlite3_file *file = nullptr;
    if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK) return nullptr;
    return file && file->pMethods ? file : nullptr;
}

uint64_t size_of(sqlite3 *db, int which) {
    sqlite3_file *file = file_of(db, which);
    sqlite3_int64 size = 0;
    if (!file) return 0;
    return file->pMethods->xFileSize(file, &size) == SQLITE_OK ? static_cast<uint64_t>(size) : 0;
}

#ifdef _WIN32
bool has_no_room(sqlite3 *, int) { return false; }  // SQLite reports it as a full disk
#else
// Whether the last fault of one of the open files was an exhausted quota or a limit on file sizes.
bool has_no_room(sqlite3 *db, int which) {
    sqlite3_file *file = file_of(db, which);
    int error = 0;
    if (file) file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
    return error == EDQUOT || error == EFBIG;
}
#endif

// SQLite reports only ENOSPC as a full disk. A quota and a limit have the same effect.
bool is_full(sqlite3 *db, int code) {
    return code == SQLITE_IOERR_WRITE && (has_no_room(db, SQLITE_FCNTL_JOURNAL_POINTER) ||
                                          has_no_room(db, SQLITE_FCNTL_FILE_POINTER));
}

}  // namespace

sqlite3_file *SqliteFile::log_file() { return file_of(db_, SQLITE_FCNTL_JOURNAL_POINTER); }

bool SqliteFile::has_powersafe_overwrite() {
    sqlite3_file *file = file_of(db_, SQLITE_FCNTL_FILE_POINTER);
    return file &&
           (file->pMethods->xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE);
}

void SqliteFile::measure() {
    max_ = kFreeEffort + kEffortAByte * (size_of(db_, SQLITE_FCNTL_FILE_POINTER) +
                                         size_of(db_, SQLITE_FCNTL_JOURNAL_POINTER));
}

Status SqliteFile::failure(int code) {
    if (code == SQLITE_IOERR_NOMEM) code = SQLITE_NOMEM;
    if (code == SQLITE_IOERR_CORRUPTFS || code == SQLITE_IOERR_DATA) code = SQLITE_CORRUPT;
    switch (code & 0xFF) {
        case SQLITE_OK: return {};
        case SQLITE_NOMEM: return fail(ACCP_ERR_NOMEM, 0, "out of memory");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL: return fail(ACCP_ERR_BUSY, 0, kind_->busy);
        case SQLITE_FULL: return fail(ACCP_ERR_IO, 0, kDiskFull);
        case SQLITE_CORRUPT: return fail(ACCP_ERR_CORRUPT, 0, kind_->damaged);
        case SQLITE_NOTADB: return fail(ACCP_ERR_CORRUPT, 0, kind_->no_header);
        case SQLITE_CANTOPEN: return fail(ACCP_ERR_IO, 0, "the file cannot be opened");
        case SQLITE_READONLY:
        case SQLITE_PERM: return fail(ACCP_ERR_IO, 0, "the file may not be written");
        case SQLITE_INTERRUPT: return fail(ACCP_ERR_CORRUPT, 0, kind_->circular);
        case SQLITE_IOERR:
            if (is_full(db_, code)) return fail(ACCP_ERR_IO, 0, kDiskFull);
            return fail(ACCP_ERR_IO, 0, "reading or writing the file failed");
        case SQLITE_TOOBIG: return fail(ACCP_ERR_ARG, 0, "the value is larger than a row can hold");
        default: return fail(ACCP_ERR_CORRUPT, 0, kSchemaDamaged);
    }
}

SqliteFile::~SqliteFile() { close(); }

void SqliteFile::close() {
    for (sqlite3_stmt *&statement : statements_) {
        sqlite3_finalize(statement);
        statement = nullptr;
    }
    sqlite3_close(db_);
    db_ = nullptr;
}

void SqliteFile::remove() {
    if (is_on_disk_ && !was_replaced()) remove_files(sqlite3_db_filename(db_, "main"));
}

int SqliteFile::run(Sql which) {
    ScanLimit limit(*this);
    int code = SQLITE_OK;
    sqlite3_stmt *it = statement(which, code);
    if (!it) return code;
    code = sqlite3_step(it);
    int reset = sqlite3_reset(it);
    return code == SQLITE_DONE ? reset : code;
}

sqlite3_stmt *SqliteFile::statement(Sql which, int &code) {
    sqlite3_stmt *&it = statements_[static_cast<int>(which)];
    if (!it)
        code = sqlite3_prepare_v3(db_, kStatements[static_cast<int>(which)], -1,
                                  SQLITE_PREPARE_PERSISTENT, &it, nullptr);
    return it;
}

int64_t SqliteFile::sum(std::initializer_list<uint64_t> numbers, std::string_view a,
                        std::string_view b) const {
    uint64_t sum = seeded_hash(reinterpret_cast<const char *>(numbers.begin()),
                               numbers.size() * sizeof(uint64_t), seed_);
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
        run("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF; "
            "PRAGMA cache_size = -16000;"
            "PRAGMA journal_size_limit = 67108864");
    if (code == SQLITE_OK)
        code = run(place.durability == Durability::kFull ? "PRAGMA synchronous = FULL"
                                                         : "PRAGMA synchronous = NORMAL");
    return failure(code);
}

Status SqliteFile::open(Memory &memory, const StorePlace &place, const char *path) {
    close();
    int code = set_up_sqlite();
    if (code != SQLITE_OK) return failure(code);
    is_on_disk_ = !setup_of(place).vfs;
    int flags = SQLITE_OPEN_READWRITE;
    if (place.create && place.writes) flags |= SQLITE_OPEN_CREATE;
    Status status = open_at(place, path, flags);
    if (status.code == ACCP_ERR_IO && is_on_disk_ && is_in_readonly_directory(path))
        return open_immutable(memory, place, path);
    if (status.failed() || !is_on_disk_) return status;
    file_.record(path);
    if (place.writes) log_.record(sqlite3_filename_wal(sqlite3_db_filename(db_, "main")));
    return status;
}

// Opens a store in a read-only directory. Usually a store needs a log and shared memory beside its
// file. A reader needs neither if the log is empty and nobody writes.
Status SqliteFile::open_immutable(Memory &memory, const StorePlace &place, const char *path) {
    if (place.writes)
        return fail(ACCP_ERR_IO, 0,
                    "the directory is read-only, and a store creates files beside its file");
    Buffer<char> text(memory);
    text.append(path, std::strlen(path));
    text.append("-wal", sizeof "-wal");
    FileIdentity log;
    log.record(text.data());
    if (log.size())
        return fail(
            ACCP_ERR_IO, 0,
            "the directory is read-only, and the newest commits are in the -wal file: open the "
            "store once in a writable directory");
    close();
    text.clear();
    write_immutable_uri(path, text);
    return open_at(place, text.data(), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

bool SqliteFile::was_replaced() const {
    if (!is_on_disk_) return false;
    const char *name = sqlite3_db_filename(db_, "main");
    return !file_.still_matches(name) || !log_.still_matches(sqlite3_filename_wal(name));
}

Status SqliteFile::open_at(const StorePlace &place, const char *path, int flags) {
    static std::mutex one_at_a_time;  // closing a file drops all locks of this process on it
    int code = SQLITE_OK;
    {
        std::lock_guard<std::mutex> held(one_at_a_time);
        Status status = is_on_disk_ && !(flags & SQLITE_OPEN_URI)
                            ? check_or_create_file(path, flags & SQLITE_OPEN_CREATE)
                            : Status{};
        if (status.failed()) return status;
        code = sqlite3_open_v2(
            path, &db_,
            flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE,
            setup_of(place).vfs);
    }
    if (code != SQLITE_OK) return failure(code);
    busy_ms_ = place.busy_ms;
    sqlite3_busy_handler(db_, wait_again, this);
    sqlite3_wal_hook(db_, count_pages, this);
    sqlite3_progress_handler(db_, kStepsATick, count_steps, this);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    // Two processes that create the file at the same time may block each other, and SQLite does not
    // wait if it detects that. The later one tries again.
    Status status;
    opening_ = true;
    do status = prepare_schema(place);
    while (status.code == ACCP_ERR_BUSY && wait(false));
    opening_ = false;
    return status;
}

// Opening a file has one time limit for all its waits.
bool SqliteFile::wait(bool is_first) {
    if (is_first && !opening_) waited_ms_ = 0;
    if (waited_ms_ >= busy_ms_) return false;
    waited_ms_ += static_cast<uint32_t>(sqlite3_sleep(waited_ms_ < 20 ? 1 : 10));
    return true;
}

}  // namespace accp::store
