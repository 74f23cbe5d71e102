// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A store file: opens it, brings it to the current schema, and runs prepared statements. SQLite is
// linked in from its archive as our own hidden copy. Its memory comes from the private allocator
// (not from a handle's, and not counted in memory_bytes). Other copies of SQLite in the process are
// not affected.
#pragma once

#include <sqlite3.h>
#include <sys/types.h>

#include "base/memory.h"
#include "base/status.h"
#include "store/backend.h"

namespace accp::store {

inline constexpr const char *kNoFile = "there is no such file",
                            *kNoDirectory = "the file's directory does not exist",
                            *kNoEntry = "no permission to enter the file's directory";

// Refuses a path that is not a regular file, because SQLite would create a journal beside a device.
// Creates a missing file with mode 0600, whatever the umask; SQLite gives its log and its shared
// memory the same mode. Call it and open the file in one thread at a time.
Status check_or_create_file(const char *path, bool create);

// Returns the application id in the header of a SQLite file; 0 if it is not one.
int64_t read_application_id(const char *path);

// Removes a SQLite file after the files beside it.
void remove_files(const char *path);

// Reports whether the directory of the file is read-only for this process.
bool is_in_readonly_directory(const char *path);

// Appends the URI, with a NUL, by which SQLite opens a file that nobody writes without making files
// beside it.
void write_immutable_uri(const char *path, Buffer<char> &out);

// Remembers which file a path names. Before record(), every file matches.
class FileIdentity {
public:
    void record(const char *path);
    bool still_matches(const char *path) const;
    uint64_t size() const { return size_; }

private:
    bool known_ = false;
    dev_t device_ = 0;
    ino_t number_ = 0;
    uint64_t size_ = 0;
};

// All statements that are run more than once: SQLITE_STATEMENT(name, sql).
enum class Sql : int {
#define SQLITE_STATEMENT(name, sql) name,
#include "store/statements.def"
#undef SQLITE_STATEMENT
    kCount
};

constexpr const char *kSchemaDamaged = "the schema of the file is damaged";

inline Status damaged(const char *what, uint64_t seq = 0) {
    return fail(ACCP_ERR_CORRUPT, seq, what);
}

// The schema of a kind of file, and its error messages.
struct FileKind {
    int64_t application;             // application id in the file's header
    int64_t version;                 // the newest version of the schema
    const std::string_view *tables;  // the statements that create each version, from 1
    const char *const *steps;        // upgrades from each version, from 0
    const char *pragmas;             // run before an upgrade
    Sql schema;                      // reads the schema of the file
    const char *foreign, *later, *earlier, *busy, *damaged, *no_header, *circular;
};
extern const FileKind kStoreKind;

class SqliteFile {
public:
    explicit SqliteFile(const FileKind &kind = kStoreKind) : kind_(&kind) {}
    ~SqliteFile();
    SqliteFile(const SqliteFile &) = delete;
    SqliteFile &operator=(const SqliteFile &) = delete;

    Status open(Memory &memory, const StorePlace &place, const char *path);
    // Reports whether the file or its log was removed or replaced since it was opened. Later writes
    // would be lost.
    bool was_replaced() const;
    // Reports whether the header of a file, which may be damaged, has the application id of this
    // kind.
    bool has_our_application_id(const char *path) const {
        return read_application_id(path) == kind_->application;
    }
    // Removes the file and the files beside it, so the next open creates a new one.
    void remove();

    // Converts a result code that SQLite has just returned.
    Status failure(int code);
    // Runs one statement, as text or prepared, that returns no row.
    int run(const char *sql) { return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); }
    int run(Sql which);
    // Returns the statement, reset. If memory runs out, returns NULL and sets `code`.
    sqlite3_stmt *statement(Sql which, int &code);

    // A checksum over the key and the contents of a row.
    int64_t sum(std::initializer_list<uint64_t> numbers, std::string_view a = {},
                std::string_view b = {}) const;

    // Changes whenever another connection has written. Call it in a transaction.
    uint32_t data_version() {
        uint32_t version = 0;
        sqlite3_file_control(db_, "main", SQLITE_FCNTL_DATA_VERSION, &version);
        return version;
    }

    // The number of rows that the last statement inserted, changed or deleted.
    int changed() const { return sqlite3_changes(db_); }

    sqlite3 *db() { return db_; }

    // The write-ahead log, or nullptr if it does not exist yet.
    sqlite3_file *log_file();
    // Reports whether a write that a power failure interrupts leaves the bytes beside it unchanged.
    // If not, SQLite must fill the sector with each commit that is synced.
    bool has_powersafe_overwrite();

    int wal_pages = 0;  // in the write-ahead log, after the last commit

    // A scan over rows, by one statement or several, may take a number of SQLite steps and bytes in
    // proportion to the file size. The limit ends a scan of a damaged file that reaches the same
    // pages again and again.
    void begin_scan() {
        if (scans_++ == 0) spent_ = 0;
    }
    void end_scan() { --scans_; }
    bool spend(uint64_t effort) {  // false: the limit is exceeded
        spent_ += effort;
        return spent_ <= max_ || (measure(), spent_ <= max_);
    }

    // Waits a little for another process. Returns false if it has waited long enough. is_first: a
    // new wait begins.
    bool wait(bool is_first);

private:
    struct Inspection {
        int64_t application = 0;
        int64_t version = 0;
        size_t tables = 0;            // tables and indices
        bool schema_matches = false;  // they are exactly those of the version
    };

    Status open_at(const StorePlace &place, const char *path, int flags);
    Status open_immutable(Memory &memory, const StorePlace &place, const char *path);
    void close();
    Status begin(const StorePlace &place);
    int64_t number_of(const char *sql, int &code);
    void measure();

    // sqlite_schema.cc
    Status prepare_schema(const StorePlace &place);
    Status inspect(Inspection &out);
    Status read_schema(Inspection &out);
    Status upgrade();

    const FileKind *kind_;
    sqlite3 *db_ = nullptr;
    sqlite3_stmt *statements_[static_cast<int>(Sql::kCount)] = {};
    uint64_t seed_ = 0;
    uint64_t spent_ = 0;
    uint64_t max_ = 0;
    int scans_ = 0;
    uint32_t busy_ms_ = 0, waited_ms_ = 0;
    bool opening_ = false;
    bool is_on_disk_ = false;  // false: in a test's memory
    FileIdentity file_, log_;
};

class ScanLimit {
public:
    explicit ScanLimit(SqliteFile &file) : file_(&file) { file.begin_scan(); }
    ~ScanLimit() { file_->end_scan(); }
    ScanLimit(const ScanLimit &) = delete;
    ScanLimit &operator=(const ScanLimit &) = delete;

private:
    SqliteFile *file_;
};

// One execution of a statement: binds arguments in order, steps, and resets at the end. Keeps the
// first code other than SQLITE_OK, ROW and DONE.
class Query {
public:
    Query(SqliteFile &file, Sql which)
        : file_(&file), limit_(file), statement_(file.statement(which, code_)) {}
    ~Query() {
        if (statement_) sqlite3_reset(statement_);
    }
    Query(const Query &) = delete;
    Query &operator=(const Query &) = delete;

    Query &number(uint64_t value) {
        if (statement_) note(sqlite3_bind_int64(statement_, ++bound_, static_cast<int64_t>(value)));
        return *this;
    }
    // The value must live until the end of the query.
    Query &bytes(std::string_view value) {
        const char *data = value.empty() ? "" : value.data();
        if (statement_)
            note(sqlite3_bind_blob64(statement_, ++bound_, data, value.size(), SQLITE_STATIC));
        return *this;
    }
    Query &text(std::string_view value) {
        if (statement_)
            note(sqlite3_bind_text64(statement_, ++bound_, value.data(), value.size(),
                                     SQLITE_STATIC, SQLITE_UTF8));
        return *this;
    }

    bool row() {  // steps to the next row; false: no more
        if (!statement_ || code_ != SQLITE_OK) return false;
        int code = sqlite3_step(statement_);
        if (code == SQLITE_ROW) return true;
        if (code != SQLITE_DONE) code_ = code;
        return false;
    }
    Status run() {
        row();
        return status();
    }
    Status status() const { return code_ == SQLITE_OK ? Status{} : file_->failure(code_); }

    bool is_at_row() const { return statement_ && sqlite3_data_count(statement_) > 0; }
    uint64_t number_at(int column) {
        return static_cast<uint64_t>(sqlite3_column_int64(statement_, column));
    }
    // Returns a view that is valid until the next row. If memory runs out, status() fails.
    std::string_view bytes_at(int column) {
        const void *data = sqlite3_column_blob(statement_, column);
        int len = sqlite3_column_bytes(statement_, column);
        if (!data && sqlite3_errcode(sqlite3_db_handle(statement_)) == SQLITE_NOMEM)
            code_ = SQLITE_NOMEM;
        if (!file_->spend(static_cast<uint64_t>(len))) note(SQLITE_INTERRUPT);
        return {static_cast<const char *>(data), data ? static_cast<size_t>(len) : 0};
    }

private:
    void note(int code) {
        if (code_ == SQLITE_OK) code_ = code;
    }

    SqliteFile *file_;
    ScanLimit limit_;
    int code_ = SQLITE_OK;
    int bound_ = 0;
    sqlite3_stmt *statement_;
};

// A transaction that is rolled back unless it is committed.
class Transaction {
public:
    explicit Transaction(SqliteFile &file) : file_(&file) {}
    ~Transaction() {
        if (open_) roll_back();
    }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;

    // With kBeginRead, all reads see one snapshot.
    Status begin(Sql how = Sql::kBegin) {
        roll_back();  // in case an earlier rollback ran out of memory
        int code = file_->run(how);
        open_ = code == SQLITE_OK;
        return file_->failure(code);
    }
    Status commit() {
        int code = file_->run(Sql::kCommit);
        open_ = code != SQLITE_OK;
        return file_->failure(code);
    }

private:
    void roll_back() {
        if (!sqlite3_get_autocommit(file_->db())) file_->run(Sql::kRollback);
    }

    SqliteFile *file_;
    bool open_ = false;
};

}  // namespace accp::store
