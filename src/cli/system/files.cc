// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/system/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cli {
namespace {

int64_t ns_of(const timespec &time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

}  // namespace

std::filesystem::path program_path() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::filesystem::path program_beside(std::string_view name) {
    return program_path().parent_path() / name;
}

bool make_private_directory(const std::string &path) { return mkdir(path.c_str(), 0700) == 0; }

bool create_file(const std::string &path, std::string_view text) {
    const int file =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return false;
    const bool is_written = ::write(file, text.data(), text.size()) == std::ssize(text);
    ::close(file);
    return is_written;
}

// O_NONBLOCK: opening a FIFO must not wait for its other end.
int open_regular_file(const std::string &path, uint64_t &size_out) {
    const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status = {};
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        size_out = static_cast<uint64_t>(status.st_size);
        return file;
    }
    if (file >= 0) ::close(file);
    return -1;
}

bool read_file_facts(const std::string &path, FileFacts &out) {
    struct stat status = {};
    if (lstat(path.c_str(), &status) != 0) return false;
    out = {ns_of(status.st_mtim), ns_of(status.st_ctim), int64_t{status.st_size},
           static_cast<int64_t>(status.st_ino)};
    return true;
}

}  // namespace cli
