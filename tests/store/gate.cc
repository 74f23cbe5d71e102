// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See gate.h.
#include "store/gate.h"

#include <sqlite3.h>

#include <chrono>

#include "store/sqlite_setup.h"

namespace store_tests {

namespace {

struct GateFile {
    sqlite3_file base;
    Gate *gate;  // nullptr: another file than the log
    // the real one follows in memory
    sqlite3_file *real() { return reinterpret_cast<sqlite3_file *>(this + 1); }
    const sqlite3_io_methods &methods() { return *real()->pMethods; }
};

GateFile &it(sqlite3_file *file) { return *reinterpret_cast<GateFile *>(file); }
sqlite3_vfs *real_vfs() { return sqlite3_vfs_find("unix"); }

int close_file(sqlite3_file *file) { return it(file).methods().xClose(it(file).real()); }
int read_file(sqlite3_file *file, void *to, int count, sqlite3_int64 at) {
    return it(file).methods().xRead(it(file).real(), to, count, at);
}
int write_file(sqlite3_file *file, const void *from, int count, sqlite3_int64 at) {
    if (it(file).gate && it(file).gate->is_full) return SQLITE_FULL;
    return it(file).methods().xWrite(it(file).real(), from, count, at);
}
int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    return it(file).methods().xTruncate(it(file).real(), size);
}
int sync_file(sqlite3_file *file, int flags) {
    Gate *gate = it(file).gate;
    if (gate) gate->pass();
    if (gate && gate->fails_syncs) return SQLITE_IOERR_FSYNC;
    return it(file).methods().xSync(it(file).real(), flags);
}
int size_of_file(sqlite3_file *file, sqlite3_int64 *out) {
    return it(file).methods().xFileSize(it(file).real(), out);
}
int lock_file(sqlite3_file *file, int how) {
    return it(file).methods().xLock(it(file).real(), how);
}
int unlock_file(sqlite3_file *file, int how) {
    return it(file).methods().xUnlock(it(file).real(), how);
}
int check_lock(sqlite3_file *file, int *out) {
    return it(file).methods().xCheckReservedLock(it(file).real(), out);
}
int control(sqlite3_file *file, int what, void *with) {
    return it(file).methods().xFileControl(it(file).real(), what, with);
}
int sector_size(sqlite3_file *file) { return it(file).methods().xSectorSize(it(file).real()); }
int characteristics(sqlite3_file *file) {
    return it(file).methods().xDeviceCharacteristics(it(file).real());
}
int map_shared(sqlite3_file *file, int region, int size, int extend, void volatile **out) {
    return it(file).methods().xShmMap(it(file).real(), region, size, extend, out);
}
int lock_shared(sqlite3_file *file, int at, int count, int flags) {
    return it(file).methods().xShmLock(it(file).real(), at, count, flags);
}
void barrier(sqlite3_file *file) { it(file).methods().xShmBarrier(it(file).real()); }
int unmap_shared(sqlite3_file *file, int removes) {
    return it(file).methods().xShmUnmap(it(file).real(), removes);
}

const sqlite3_io_methods kMethods = {
    2,         close_file,   read_file,       write_file,  truncate_file,
    sync_file, size_of_file, lock_file,       unlock_file, check_lock,
    control,   sector_size,  characteristics, map_shared,  lock_shared,
    barrier,   unmap_shared, nullptr,         nullptr};

int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    file->pMethods = nullptr;
    GateFile &made = it(file);
    const int code = real_vfs()->xOpen(real_vfs(), name, made.real(), flags, out);
    if (code != SQLITE_OK) return code;
    made.gate = flags & SQLITE_OPEN_WAL ? static_cast<Gate *>(vfs->pAppData) : nullptr;
    made.base.pMethods = &kMethods;
    return SQLITE_OK;
}

sqlite3_vfs the_vfs;

}  // namespace

Gate::Gate() {
    accp::store::set_up_sqlite();
    the_vfs = *real_vfs();  // functions that do not use files are those of the real VFS
    the_vfs.zName = kName;
    the_vfs.szOsFile += static_cast<int>(sizeof(GateFile));
    the_vfs.xOpen = open_file;
    the_vfs.pAppData = this;
    the_vfs.pNext = nullptr;
    sqlite3_vfs_register(&the_vfs, 0);
}

Gate::~Gate() { sqlite3_vfs_unregister(&the_vfs); }

void Gate::close() {
    std::lock_guard<std::mutex> held(lock_);
    is_closed_ = true;
}

void Gate::open() {
    std::lock_guard<std::mutex> held(lock_);
    is_closed_ = false;
    changed_.notify_all();
}

bool Gate::has_guest() {
    std::unique_lock<std::mutex> held(lock_);
    return changed_.wait_for(held, std::chrono::minutes(2), [this] { return guests_ > 0; });
}

void Gate::pass() {
    std::unique_lock<std::mutex> held(lock_);
    ++syncs;
    ++guests_;
    changed_.notify_all();
    changed_.wait(held, [this] { return !is_closed_; });
    --guests_;
}

}  // namespace store_tests
