// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See small_disk.h.
#include "nats/small_disk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>

namespace nats_tests {

// The first call gives the calling thread its own mount namespace, which ends with the thread and
// its processes.
std::string SmallDisk::obstacle() {
    static const bool is_private = unshare(CLONE_NEWNS) == 0 &&
                                   mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    return is_private ? "" : "nothing may be mounted here (it takes CAP_SYS_ADMIN)";
}

SmallDisk::SmallDisk(const std::string &directory, size_t megabytes) : directory_(directory) {
    std::filesystem::create_directories(directory);
    const std::string size = "size=" + std::to_string(megabytes) + "m";
    EXPECT_EQ(mount("tmpfs", directory.c_str(), "tmpfs", 0, size.c_str()), 0);
}

SmallDisk::~SmallDisk() { EXPECT_EQ(umount2(directory_.c_str(), MNT_DETACH), 0); }

void SmallDisk::fill_but(size_t kilobytes) {
    struct statvfs now = {};
    ASSERT_EQ(statvfs(directory_.c_str(), &now), 0);
    const size_t free_bytes = now.f_bavail * now.f_bsize;
    ASSERT_GT(free_bytes, kilobytes << 10);
    const int file = open((directory_ + "/filler").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    EXPECT_EQ(posix_fallocate(file, 0, static_cast<off_t>(free_bytes - (kilobytes << 10))), 0);
    close(file);
}

void SmallDisk::make_room() { EXPECT_EQ(unlink((directory_ + "/filler").c_str()), 0); }

}  // namespace nats_tests
