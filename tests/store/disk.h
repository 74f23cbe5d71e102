// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A disk for SQLite that can lose its power, fail, and run full. What is written stays in a cache
// until it is synced; losing power keeps of the cache what a Loss says, 512 bytes at a time. One
// process; its calls are counted, so that each can be the one that goes wrong.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

namespace store_tests {

// of what was not synced; the last: some, and zeros stand for it
enum class Loss { kAll, kNone, kTail, kSome, kZeroed };
enum class Fault { kNone, kPower, kError, kFull, kShort };

struct Disk {
    struct Write {
        uint64_t at;
        std::string bytes;
        bool truncates;
    };
    struct File {
        std::string seen;    // by the process
        std::string synced;  // on the platter
        std::vector<Write> cached;
        bool entry_synced = false;  // in its directory
    };

    // Registers itself with SQLite as this VFS for as long as it lives.
    Disk();
    ~Disk();
    static constexpr const char *kName = "accp-test-disk";

    // The power goes and comes back: everything is as the platter has it.
    void lose_power(Loss loss, std::mt19937 &random);
    // From call `at` on (counted from 1, from here), once or for ever. Losing power is for ever:
    // nothing reaches the disk any more.
    void plan(Fault what, uint64_t at, bool for_ever, bool syncs_only = false);
    bool happened() const { return happened_; }
    uint64_t calls() const { return calls_; }

    // For the VFS: does this call go wrong?
    Fault next(bool is_sync = false);

    std::map<std::string, File> files;
    // Does it say that a write leaves the bytes beside it alone? Then a sync is apart from the
    // transaction. For all disks, as files are opened before a test has one.
    static inline bool keeps_neighbours = false;

private:
    Fault fault_ = Fault::kNone;
    uint64_t at_ = 0, calls_ = 0;
    bool for_ever_ = false, syncs_only_ = false, happened_ = false;
};

}  // namespace store_tests
