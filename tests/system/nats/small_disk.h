// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A file system of a few megabytes in memory, that the test mounts where only it and what it starts
// can see it.
#pragma once

#include <string>

namespace nats_tests {

class SmallDisk {
public:
    // Is it allowed to mount one here? What is in the way, or "".
    static std::string obstacle();

    // Mounted at a directory, which is made.
    SmallDisk(const std::string &directory, size_t megabytes);
    ~SmallDisk();
    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &operator=(const SmallDisk &) = delete;

    // A file takes all but so much of what is free.
    void fill_but(size_t kilobytes);
    void make_room();

private:
    std::string directory_;
};

}  // namespace nats_tests
