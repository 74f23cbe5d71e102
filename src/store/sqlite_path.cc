// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The file of a store, on systems with POSIX. sqlite_path_windows.cc is the same for Windows.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "store/sqlite_file.h"

namespace accp::store {

Status check_or_create_file(const char *path, bool create) {
    constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
    struct stat found = {};
    if (stat(path, &found) == 0)
        return S_ISREG(found.st_mode)
                   ? Status{}
                   : fail(ACCP_ERR_ARG, 0, "not a file, but a directory or a device");
    if (errno == EACCES) return fail(ACCP_ERR_IO, 0, kNoEntry);
    if (errno != ENOENT) return {};  // SQLite reports the error
    if (!create) return fail(ACCP_ERR_IO, 0, kNoFile);
    int made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
    // a dangling link
    if (made < 0 && errno == EEXIST) made = open(path, O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
    if (made < 0 && errno == ENOENT) return fail(ACCP_ERR_IO, 0, kNoDirectory);
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
    return access(directory, X_OK) == 0 && access(directory, W_OK) != 0 &&
           (errno == EACCES || errno == EROFS);
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

}  // namespace accp::store
