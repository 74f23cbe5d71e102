// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See disk.h.
#include "store/disk.h"

#include <sqlite3.h>

#include <cstring>
#include <new>

#include "store/sqlite_setup.h"

namespace store_tests {

namespace {

constexpr size_t kSector = 512;

struct Handle {
    sqlite3_file base;
    Disk *disk;
    std::string *name;
    bool names_directory;  // syncing the file also syncs the directory, as SQLite does for its logs
    std::map<int, std::string> *shared;
};

Handle &handle(sqlite3_file *file) { return *reinterpret_cast<Handle *>(file); }
Disk::File &file_of(sqlite3_file *file) { return handle(file).disk->files[*handle(file).name]; }

int code_of(Fault fault, int error) {
    return fault == Fault::kNone ? SQLITE_OK : fault == Fault::kFull ? SQLITE_FULL : error;
}

void put_on(std::string &to, const Disk::Write &write) {
    if (write.truncates) {
        to.resize(write.at);
        return;
    }
    if (to.size() < write.at + write.bytes.size()) to.resize(write.at + write.bytes.size());
    to.replace(write.at, write.bytes.size(), write.bytes);
}

void record(sqlite3_file *file, Disk::Write write) {
    Disk::File &it = file_of(file);
    put_on(it.seen, write);
    it.cached.push_back(std::move(write));
}

int close_file(sqlite3_file *file) {
    delete handle(file).name;
    delete handle(file).shared;
    return SQLITE_OK;
}

int read_file(sqlite3_file *file, void *to, int count, sqlite3_int64 at) {
    Fault fault = handle(file).disk->next();
    if (fault == Fault::kError || fault == Fault::kPower) return SQLITE_IOERR_READ;
    const std::string &seen = file_of(file).seen;
    size_t there = static_cast<size_t>(at) < seen.size()
                       ? std::min(seen.size() - static_cast<size_t>(at), static_cast<size_t>(count))
                       : 0;
    if (there) std::memcpy(to, seen.data() + at, there);
    std::memset(static_cast<char *>(to) + there, 0, static_cast<size_t>(count) - there);
    return there == static_cast<size_t>(count) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file *file, const void *from, int count, sqlite3_int64 at) {
    Fault fault = handle(file).disk->next();
    size_t whole = fault == Fault::kNone    ? static_cast<size_t>(count)
                   : fault == Fault::kShort ? static_cast<size_t>(count) / 2
                                            : 0;
    if (whole)
        record(file, {static_cast<uint64_t>(at),
                      std::string(static_cast<const char *>(from), whole), false});
    return code_of(fault, SQLITE_IOERR_WRITE);
}

int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    Fault fault = handle(file).disk->next();
    if (fault == Fault::kNone) record(file, {static_cast<uint64_t>(size), "", true});
    return code_of(fault, SQLITE_IOERR_TRUNCATE);
}

int sync_file(sqlite3_file *file, int) {
    Fault fault = handle(file).disk->next(true);
    if (fault != Fault::kNone) return code_of(fault, SQLITE_IOERR_FSYNC);
    Disk::File &it = file_of(file);
    it.synced = it.seen;
    it.cached.clear();
    if (handle(file).names_directory)
        for (auto &[name, other] : handle(file).disk->files) other.entry_synced = true;
    return SQLITE_OK;
}

int size_of_file(sqlite3_file *file, sqlite3_int64 *out) {
    Fault fault = handle(file).disk->next();
    if (fault == Fault::kError || fault == Fault::kPower) return SQLITE_IOERR_FSTAT;
    *out = static_cast<sqlite3_int64>(file_of(file).seen.size());
    return SQLITE_OK;
}

int lock_file(sqlite3_file *, int) { return SQLITE_OK; }
int check_lock(sqlite3_file *, int *out) {
    *out = 0;
    return SQLITE_OK;
}
int control(sqlite3_file *, int, void *) { return SQLITE_NOTFOUND; }
int sector_size(sqlite3_file *) { return kSector; }
int characteristics(sqlite3_file *) {
    return Disk::keeps_neighbours ? SQLITE_IOCAP_POWERSAFE_OVERWRITE : 0;
}

int map_shared(sqlite3_file *file, int region, int size, int, void volatile **out) {
    std::string &it = (*handle(file).shared)[region];
    if (it.empty()) it.resize(static_cast<size_t>(size));
    *out = it.data();
    return SQLITE_OK;
}
int lock_shared(sqlite3_file *, int, int, int) { return SQLITE_OK; }
void barrier(sqlite3_file *) {}
int unmap_shared(sqlite3_file *file, int) {
    handle(file).shared->clear();
    return SQLITE_OK;
}

const sqlite3_io_methods kMethods = {
    2,           close_file, read_file,    write_file, truncate_file, sync_file,       size_of_file,
    lock_file,   lock_file,  check_lock,   control,    sector_size,   characteristics, map_shared,
    lock_shared, barrier,    unmap_shared, nullptr,    nullptr};

Disk &disk_of(sqlite3_vfs *vfs) { return *static_cast<Disk *>(vfs->pAppData); }

int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    file->pMethods = nullptr;
    Disk &disk = disk_of(vfs);
    Fault fault = disk.next();
    if (fault != Fault::kNone && fault != Fault::kShort) return SQLITE_CANTOPEN;
    std::string path = name ? name : "temporary " + std::to_string(disk.calls());
    if (!(flags & SQLITE_OPEN_CREATE) && !disk.files.count(path)) return SQLITE_CANTOPEN;
    disk.files[path];
    bool log = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
    new (file)
        Handle{{&kMethods}, &disk, new std::string(path), log, new std::map<int, std::string>()};
    if (out) *out = flags;
    return SQLITE_OK;
}

int delete_file(sqlite3_vfs *vfs, const char *name, int) {
    Fault fault = disk_of(vfs).next();
    if (fault != Fault::kNone) return code_of(fault, SQLITE_IOERR_DELETE);
    return disk_of(vfs).files.erase(name) ? SQLITE_OK : SQLITE_IOERR_DELETE_NOENT;
}

int access_file(sqlite3_vfs *vfs, const char *name, int, int *out) {
    Fault fault = disk_of(vfs).next();
    if (fault == Fault::kError || fault == Fault::kPower) return SQLITE_IOERR_ACCESS;
    *out = disk_of(vfs).files.count(name) != 0;
    return SQLITE_OK;
}

int full_path(sqlite3_vfs *, const char *name, int size, char *out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
}
int randomness(sqlite3_vfs *, int count, char *out) {
    std::memset(out, 7, static_cast<size_t>(count));
    return count;
}
int sleep(sqlite3_vfs *, int microseconds) { return microseconds; }
int now(sqlite3_vfs *, double *out) {
    *out = 2460000.5;
    return SQLITE_OK;
}
int last_error(sqlite3_vfs *, int, char *) { return 0; }

sqlite3_vfs the_vfs = {1,         sizeof(Handle), 512,         nullptr,   Disk::kName, nullptr,
                       open_file, delete_file,    access_file, full_path, nullptr,     nullptr,
                       nullptr,   nullptr,        randomness,  sleep,     now,         last_error,
                       nullptr,   nullptr,        nullptr,     nullptr};

}  // namespace

Disk::Disk() {
    accp::store::set_up_sqlite();
    the_vfs.pAppData = this;
    sqlite3_vfs_register(&the_vfs, 0);
}

Disk::~Disk() { sqlite3_vfs_unregister(&the_vfs); }

void Disk::plan(Fault what, uint64_t at, bool for_ever, bool syncs_only) {
    fault_ = what;
    at_ = at;
    for_ever_ = for_ever || what == Fault::kPower;
    syncs_only_ = syncs_only;
    calls_ = 0;
    happened_ = false;
}

Fault Disk::next(bool is_sync) {
    if (!is_sync && syncs_only_) return Fault::kNone;
    ++calls_;
    if (fault_ == Fault::kNone || (for_ever_ ? calls_ < at_ : calls_ != at_)) return Fault::kNone;
    happened_ = true;
    return fault_;
}

// Applies a write in part: some sectors, with zeros in place of the others, or without them.
static void lose(std::string &to, const Disk::Write &write, Loss loss, std::mt19937 &random) {
    if (write.truncates) {
        if (random() % 2) put_on(to, write);
        return;
    }
    for (size_t at = 0; at < write.bytes.size();) {
        size_t end = std::min(write.bytes.size(), at + kSector - (write.at + at) % kSector);
        bool kept = random() % 2;
        if (kept || loss == Loss::kZeroed) {
            std::string part =
                kept ? write.bytes.substr(at, end - at) : std::string(end - at, '\0');
            // zeros only in the part that extends the file
            if (kept || to.size() < write.at + end) put_on(to, {write.at + at, part, false});
        }
        at = end;
    }
}

void Disk::lose_power(Loss loss, std::mt19937 &random) {
    plan(Fault::kNone, 0, false);
    for (auto it = files.begin(); it != files.end();) {
        File &file = it->second;
        size_t kept = loss == Loss::kNone                           ? file.cached.size()
                      : loss == Loss::kTail && !file.cached.empty() ? random() % file.cached.size()
                                                                    : 0;
        for (size_t i = 0; i < kept; ++i) put_on(file.synced, file.cached[i]);
        if (loss == Loss::kSome || loss == Loss::kZeroed)
            for (const Write &write : file.cached) lose(file.synced, write, loss, random);
        file.seen = file.synced;
        file.cached.clear();
        bool gone = !file.entry_synced && loss != Loss::kNone && random() % 2;
        it = gone ? files.erase(it) : std::next(it);
    }
}

}  // namespace store_tests
