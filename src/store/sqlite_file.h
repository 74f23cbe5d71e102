// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the operating system says of the place of a store file: asked before SQLite touches it, and
// while it is open.
#pragma once

#include <sqlite3.h>
#include <sys/types.h>

#include "base/memory.h"
#include "base/status.h"
#include "store/backend.h"

namespace accp::store {

// Refuses what is no file: of a device SQLite would make a journal beside it. Makes a file that is
// missing, its owner's alone (0600, whatever the umask); SQLite gives its log and its shared memory
// the same mode. To be called by one thread at a time, with what opens the file then.
Status claim_file(const char *path, bool create);

// The application that a file of SQLite names in its header; 0: it is none.
int64_t application_of(const char *path);

// Removes a file of SQLite, after what stands beside it.
void remove_files(const char *path);

// Is the file's directory one that cannot be written?
bool is_in_fixed_directory(const char *path);

// The path as SQLite opens it where nothing beside it can be written, and nobody writes: appended,
// with a NUL.
void write_immutable(const char *path, Buffer<char> &out);

// Which file a path leads to: none before look().
class FileIdentity {
public:
    void look(const char *path);
    bool is_there_still(const char *path) const;
    uint64_t size() const { return size_; }

private:
    bool known_ = false;
    dev_t device_ = 0;
    ino_t number_ = 0;
    uint64_t size_ = 0;
};

// Every statement that is run more than once: SQLITE_STATEMENT(name, sql).
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

// What makes a file one of a kind, and how it is spoken of.
struct FileKind {
    int64_t application;             // in the header of the file
    int64_t version;                 // the newest of the schema
    const std::string_view *tables;  // statements: what a file of each version has, from 1
    const char *const *steps;        // from each version, from 0, to a later one
    const char *pragmas;             // of a file that is new, or brought to a later version
    Sql schema;                      // the statements that made what it has
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
    // Was the file, or its log, removed or replaced since it was opened? What is written then is
    // lost.
    bool is_moved() const;
    // Does the header of a file, which may be damaged, say that it is of this kind?
    bool is_ours(const char *path) const { return application_of(path) == kind_->application; }
    // Removes it from its directory, with what stands beside it: what is opened there next is new.
    void remove();

    // What a result code that SQLite has just given means here.
    Status failure(int code);
    // Runs one statement, text or prepared, that gives no row.
    int run(const char *sql) { return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); }
    int run(Sql which);
    // The statement, reset; NULL and a code where there is no memory for it.
    sqlite3_stmt *statement(Sql which, int &code);

    // Ties a row to its place and its content to each other.
    int64_t sum(std::initializer_list<uint64_t> numbers, std::string_view a = {},
                std::string_view b = {}) const;

    // Another one whenever another connection has written; to be asked in a transaction.
    uint32_t data_version() {
        uint32_t version = 0;
        sqlite3_file_control(db_, "main", SQLITE_FCNTL_DATA_VERSION, &version);
        return version;
    }

    // Rows that the last statement has put in, changed or taken out.
    int changed() const { return sqlite3_changes(db_); }

    sqlite3 *db() { return db_; }

    // The write-ahead log, or nullptr if it does not exist yet.
    sqlite3_file *log_file();
    // Does a write that a power failure interrupts leave the bytes beside it unchanged? If not,
    // SQLite must fill the sector with each commit that is synced.
    bool keeps_neighbours();

    int wal_pages = 0;  // in the write-ahead log, after the last commit

    // A walk over rows, of one statement or of several, may take so many steps of SQLite and bytes
    // as the file's size explains. In a damaged file, where the same pages can be reached on many
    // ways, it has an end by that.
    void begin_walk() {
        if (walks_++ == 0) spent_ = 0;
    }
    void end_walk() { --walks_; }
    bool spend(uint64_t effort) {  // false: too much
        spent_ += effort;
        return spent_ <= max_ || (measure(), spent_ <= max_);
    }

    // A little, for another process; false: for long enough. is_first: a new wait begins.
    bool wait(bool is_first);

private:
    struct Look {
        int64_t application = 0;
        int64_t version = 0;
        size_t tables = 0;   // and indices, that have a statement
        bool right = false;  // are they all that a file of this version has?
    };

    Status open_at(const StorePlace &place, const char *path, int flags);
    Status open_fixed(Memory &memory, const StorePlace &place, const char *path);
    void close();
    Status begin(const StorePlace &place);
    int64_t number_of(const char *sql, int &code);
    void measure();

    // sqlite_schema.cc
    Status bring_up(const StorePlace &place);
    Status look(Look &out);
    Status read_schema(Look &out);
    Status upgrade();

    const FileKind *kind_;
    sqlite3 *db_ = nullptr;
    sqlite3_stmt *statements_[static_cast<int>(Sql::kCount)] = {};
    uint64_t seed_ = 0;
    uint64_t spent_ = 0;
    uint64_t max_ = 0;
    int walks_ = 0;
    uint32_t busy_ms_ = 0, waited_ms_ = 0;
    bool opening_ = false;
    bool is_on_disk_ = false;  // and not in a test's memory
    FileIdentity file_, log_;
};

class Walk {
public:
    explicit Walk(SqliteFile &file) : file_(&file) { file.begin_walk(); }
    ~Walk() { file_->end_walk(); }
    Walk(const Walk &) = delete;
    Walk &operator=(const Walk &) = delete;

private:
    SqliteFile *file_;
};

// One use of a statement: bound in order, stepped, reset at the end. The first code that is none of
// SQLITE_OK, ROW and DONE stays.
class Query {
public:
    Query(SqliteFile &file, Sql which)
        : file_(&file), walk_(file), statement_(file.statement(which, code_)) {}
    ~Query() {
        if (statement_) sqlite3_reset(statement_);
    }
    Query(const Query &) = delete;
    Query &operator=(const Query &) = delete;

    Query &number(uint64_t value) {
        if (statement_) note(sqlite3_bind_int64(statement_, ++bound_, static_cast<int64_t>(value)));
        return *this;
    }
    // Borrowed until the end of the query.
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

    bool row() {  // is there another?
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
    // A view until the next row. Bytes for which there was no memory are NULL, and of a length that
    // says so: see missing().
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
    Walk walk_;
    int code_ = SQLITE_OK;
    int bound_ = 0;
    sqlite3_stmt *statement_;
};

// A transaction that is taken back unless it was committed.
class Transaction {
public:
    explicit Transaction(SqliteFile &file) : file_(&file) {}
    ~Transaction() {
        if (open_) roll_back();
    }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;

    // kBeginRead: what is read until the end is of one moment.
    Status begin(Sql how = Sql::kBegin) {
        roll_back();  // what could not be, for want of memory
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
