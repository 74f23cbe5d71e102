// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What SQLite uses of the system: memory from our allocator, and the file of a store.
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/memory.h"
#include "store/sqlite_file.h"
#include "store/sqlite_setup.h"

namespace accp::store {

namespace {

constexpr size_t kHeader = 16;  // each block begins with its size, which release() needs

void *take(int size) {
    accp_allocator from = private_allocator();
    char *block = static_cast<char *>(from.alloc(static_cast<size_t>(size) + kHeader, from.user));
    if (!block) return nullptr;
    std::memcpy(block, &size, sizeof size);
    return block + kHeader;
}

int size_of(void *memory) {
    int size = 0;
    if (memory) std::memcpy(&size, static_cast<char *>(memory) - kHeader, sizeof size);
    return size;
}

void give(void *memory) {
    accp_allocator to = private_allocator();
    if (memory)
        to.release(static_cast<char *>(memory) - kHeader,
                   static_cast<size_t>(size_of(memory)) + kHeader, to.user);
}

void *retake(void *memory, int size) {
    int old = size_of(memory);
    void *taken = take(size);
    if (!taken || !memory) return taken;
    std::memcpy(taken, memory, static_cast<size_t>(old < size ? old : size));
    give(memory);
    return taken;
}

int round_up(int size) { return (size + 7) & ~7; }
int begin(void *) { return SQLITE_OK; }
void end(void *) {}

int set_up() {
    static sqlite3_mem_methods methods = {take,     give,  retake, size_of,
                                          round_up, begin, end,    nullptr};
    int code = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_URI, 0);
    // SQLite's statistics would take a global lock
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return code;
}

}  // namespace

Status check_or_create_file(const char *path, bool create) {
    constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
    struct stat found = {};
    if (stat(path, &found) == 0)
        return S_ISREG(found.st_mode)
                   ? Status{}
                   : fail(ACCP_ERR_ARG, 0, "not a file, but a directory or a device");
    if (errno != ENOENT || !create) return {};  // SQLite reports the error
    int made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
    // a dangling link
    if (made < 0 && errno == EEXIST) made = open(path, O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
    if (made >= 0) close(made);
    return {};
}

int64_t read_application_id(const char *path) {
    unsigned char header[72] = {};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return 0;
    const bool good = read(file, header, sizeof header) == sizeof header &&
                      std::memcmp(header, "SQLite format 3", 16) == 0;
    close(file);
    int64_t application = 0;
    for (size_t i = 68; good && i < sizeof header; ++i) application = application << 8 | header[i];
    return application;
}

// Removes the log first: the file without its log is an older state, but a log without its file is
// useless.
void remove_files(const char *path) {
    char beside[4096];
    const size_t len = std::strlen(path);
    for (const char *end : {"-wal", "-shm"}) {
        if (len + std::strlen(end) >= sizeof beside) return;
        std::memcpy(beside, path, len);
        std::memcpy(beside + len, end, std::strlen(end) + 1);
        unlink(beside);
    }
    unlink(path);
}

bool is_in_readonly_directory(const char *path) {
    char directory[4096] = ".";
    const char *end = std::strrchr(path, '/');
    const size_t len = end == path ? 1 : end ? static_cast<size_t>(end - path) : 0;
    if (len >= sizeof directory) return false;
    if (len) {
        std::memcpy(directory, path, len);
        directory[len] = 0;
    }
    return access(directory, W_OK) != 0 && (errno == EACCES || errno == EROFS);
}

void write_immutable_uri(const char *path, Buffer<char> &out) {
    auto put = [&](const char *text) { out.append(text, std::strlen(text)); };
    put(path[0] == '/' ? "file://" : "file:");
    for (; *path; ++path) {
        const unsigned char c = static_cast<unsigned char>(*path);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || std::strchr("/._-", c);
        const char escape[] = {'%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15], 0};
        const char itself[] = {*path, 0};
        put(plain ? itself : escape);
    }
    put("?immutable=1");
    out.push('\0');
}

void FileIdentity::record(const char *path) {
    struct stat found = {};
    known_ = stat(path, &found) == 0;
    device_ = found.st_dev;
    number_ = found.st_ino;
    size_ = static_cast<uint64_t>(found.st_size);
}

bool FileIdentity::still_matches(const char *path) const {
    struct stat found = {};
    return !known_ ||
           (stat(path, &found) == 0 && found.st_dev == device_ && found.st_ino == number_);
}

int set_up_sqlite() {
    static const int code = set_up();  // once, by the first thread
    return code == SQLITE_OK ? sqlite3_initialize() : code;
}

}  // namespace accp::store
