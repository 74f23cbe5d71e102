// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A file system of a few megabytes in memory, which only the test and its processes see.
#pragma once

#include <string>

namespace nats_tests {

class SmallDisk {
public:
    // Returns why one cannot be mounted here, or "".
    static std::string obstacle();

    // Mounts it at a new directory.
    SmallDisk(const std::string &directory, size_t megabytes);
    ~SmallDisk();
    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &operator=(const SmallDisk &) = delete;

    // Fills the disk with a file, except for so many kilobytes.
    void fill_but(size_t kilobytes);
    void make_room();

private:
    std::string directory_;
};

}  // namespace nats_tests
