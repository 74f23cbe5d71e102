// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A file system for SQLite that forwards all calls to the real one. A test can stop, fail and count
// those for the write-ahead log. Any number of threads may use it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace store_tests {

class Gate {
public:
    // Registered with SQLite as this VFS during its lifetime.
    Gate();
    ~Gate();
    Gate(const Gate &) = delete;
    Gate &operator=(const Gate &) = delete;
    static constexpr const char *kName = "accp-test-gate";

    // close() makes each thread that syncs the log wait at the gate, until open().
    void close();
    void open();
    // Waits until a thread is at the gate. Returns false after twenty seconds.
    bool has_guest();

    std::atomic<int> syncs{0};             // begun for the log
    std::atomic<bool> fails_syncs{false};  // after the gate
    std::atomic<bool> is_full{false};      // the log cannot grow any more

    void pass();  // for the VFS

private:
    std::mutex lock_;
    std::condition_variable changed_;
    bool is_closed_ = false;
    int guests_ = 0;
};

}  // namespace store_tests
