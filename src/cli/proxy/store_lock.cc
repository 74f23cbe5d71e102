// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "cli/host.h"

namespace cli {
namespace {

// Another name of the same file, such as a symbolic link, has the same lock.
std::string lock_path(const std::string &path) {
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(path, error);
    return (error ? path : whole.string()) + "-proxy";
}

std::string holder_in(int file) {
    constexpr size_t kMaxHolder = 200;
    std::array<char, kMaxHolder> text;
    const ssize_t size = pread(file, text.data(), text.size(), 0);
    std::string holder(text.data(), static_cast<size_t>(size < 0 ? 0 : size));
    holder.resize(std::min(holder.find('\n'), holder.size()));
    return holder;
}

void write_holder(int file, const std::string &holder) {
    if (file < 0 || ftruncate(file, 0) != 0) return;
    (void)!pwrite(file, holder.data(), holder.size(), 0);
}

std::string own_process() { return "process " + std::to_string(getpid()); }

}  // namespace

StoreLock::StoreLock(const std::string &path) : path_(lock_path(path)) {
    constexpr mode_t kOwnerOnly = 0600;
    if (path.empty()) return;
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kOwnerOnly);
    if (file_ < 0) return;  // opening the store reports what is wrong with its directory
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) {
        write_holder(file_, own_process() + "\n");
        return;
    }
    const bool is_held = errno == EWOULDBLOCK;
    const std::string holder = is_held ? holder_in(file_) : "";
    close(file_);
    file_ = -1;
    if (is_held)
        throw Failure("--store sqlite:" + path + ": is in use by another accp proxy" +
                      (holder.empty() ? "" : " (" + holder + ")") +
                      "; send the calls to that one, end it first, or give this one another file");
}

StoreLock::~StoreLock() {
    if (file_ >= 0) close(file_);
}

void StoreLock::remove() {
    if (file_ >= 0) unlink(path_.c_str());
}

void StoreLock::note_address(const std::string &url) {
    write_holder(file_, own_process() + ", " + url + "\n");
}

}  // namespace cli
