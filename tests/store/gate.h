// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A file system for SQLite that passes everything on to the real one, and lets a test stop, fail
// and count what goes to the write-ahead log. Any number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace store_tests {

class Gate {
public:
    // Registers itself with SQLite as this VFS for as long as it lives.
    Gate();
    ~Gate();
    Gate(const Gate &) = delete;
    Gate &operator=(const Gate &) = delete;
    static constexpr const char *kName = "accp-test-gate";

    // From now on who syncs the log waits at the gate, until it is opened.
    void close();
    void open();
    // Until somebody waits there; false: nobody came in twenty seconds.
    bool has_guest();

    std::atomic<int> syncs{0};             // of the log, that were begun
    std::atomic<bool> fails_syncs{false};  // after the gate
    std::atomic<bool> is_full{false};      // nothing more can be written to the log

    void pass();  // for the VFS

private:
    std::mutex lock_;
    std::condition_variable changed_;
    bool is_closed_ = false;
    int guests_ = 0;
};

}  // namespace store_tests
