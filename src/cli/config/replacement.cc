// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/config/replacement.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cli {

Replacement::Replacement(const std::string &target)
    : target_(target), path_(target + ".accp-XXXXXX") {
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) throw fault("cannot be replaced");
}

Replacement::~Replacement() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!is_done_) unlink(path_.c_str());
}

void Replacement::resemble(const struct stat &about) const {
    const bool is_other = about.st_uid != geteuid() || about.st_gid != getegid();
    if (is_other && fchown(descriptor_, about.st_uid, about.st_gid) != 0)
        throw fault("its owner cannot be kept");
    if (fchmod(descriptor_, about.st_mode & 07777) != 0) throw fault("its rights cannot be kept");
}

void Replacement::write(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t wrote = ::write(descriptor_, text.data(), text.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) throw fault("cannot be written");
        text.remove_prefix(static_cast<size_t>(wrote));
    }
    if (fsync(descriptor_) != 0) throw fault("cannot be written");
}

void Replacement::finish() {
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) throw fault("cannot be written");
    if (rename(path_.c_str(), target_.c_str()) != 0) throw fault("cannot be replaced");
    is_done_ = true;
}

Failure Replacement::fault(const char *what) const {
    return Failure(target_ + ": " + what + ": " + std::strerror(errno) + "; nothing was changed");
}

}  // namespace cli
