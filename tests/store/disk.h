// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A disk for SQLite that can lose power, fail, and run full. Written data stays in a cache until it
// is synced. A power failure keeps the part of the cache that Loss defines, in sectors of 512
// bytes. For one process. Calls are counted, so that each one can be made to fail.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

namespace store_tests {

// The part of the unsynced data that is lost. kZeroed: some sectors, which are read as zeros.
enum class Loss { kAll, kNone, kTail, kSome, kZeroed };
enum class Fault { kNone, kPower, kError, kFull, kShort };

struct Disk {
    struct Write {
        uint64_t at;
        std::string bytes;
        bool truncates;
    };
    struct File {
        std::string seen;    // as the process sees it
        std::string synced;  // on the device
        std::vector<Write> cached;
        bool entry_synced = false;  // in its directory, which is synced
    };

    // Registered with SQLite as this VFS during its lifetime.
    Disk();
    ~Disk();
    static constexpr const char *kName = "accp-test-disk";

    // Loses power and restarts: each file has what was on the device.
    void lose_power(Loss loss, std::mt19937 &random);
    // Makes call number `at`, counted from 1 after this one, fail; with `for_ever` all later ones
    // too. After a power failure nothing reaches the disk.
    void plan(Fault what, uint64_t at, bool for_ever, bool syncs_only = false);
    bool happened() const { return happened_; }
    uint64_t calls() const { return calls_; }

    // For the VFS: returns the fault of this call.
    Fault next(bool is_sync = false);

    std::map<std::string, File> files;
    // Whether the disk guarantees that a write does not change neighbouring bytes. Then the sync is
    // separate from the transaction. Applies to all disks, because a test opens files before it has
    // one.
    static inline bool keeps_neighbours = false;

private:
    Fault fault_ = Fault::kNone;
    uint64_t at_ = 0, calls_ = 0;
    bool for_ever_ = false, syncs_only_ = false, happened_ = false;
};

}  // namespace store_tests
