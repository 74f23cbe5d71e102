// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The right of one proxy to use a store: a lock of the system on a file beside it, named as the
// store with "-proxy" at its end. The system releases the lock when the process ends, also after
// kill -9. The file stays, and has the holder as text.
#pragma once

#include <string>

namespace cli {

class StoreLock {
public:
    // `path`: of the store's file. Throws Failure, with the holder, if another process has the
    // lock. On a file system without locks, the store is used without one.
    explicit StoreLock(const std::string &path);
    ~StoreLock();
    StoreLock(const StoreLock &) = delete;
    StoreLock &operator=(const StoreLock &) = delete;

    // Removes the file, because the store cannot be used.
    void remove();
    // Writes the address of this proxy into the file, for the error that others get.
    void note_address(const std::string &url);

private:
    std::string path_;  // of the file that is locked
    int file_ = -1;     // -1: no lock
};

}  // namespace cli
