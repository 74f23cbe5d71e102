// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The operations of clients on one session and their results, with times, and a check whether one
// order of them explains all results (linearizability).
//
// A session has a fence, a log of records and two values. A write names the fence that it requires
// (opening a session requires none). It sets a fence, some records and some values, all of them or
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace nats_tests {

struct Operation {
    enum Kind : uint8_t { kWrite, kReadLog, kReadValue, kReadFence };
    // kUnknown, for writes only: it was done at some time after its beginning, or never.
    enum Outcome : uint8_t { kDone, kRefused, kUnknown };
    static constexpr uint64_t kAnyFence = UINT64_MAX;
    static constexpr size_t kValues = 2;

    Kind kind = kWrite;
    Outcome outcome = kUnknown;
    int client = 0;
    int64_t begin = 0, end = 0;              // nanoseconds; the end of an unknown one is ignored
    uint64_t expects = kAnyFence;            // refused for another fence; a read: without a session
    uint64_t sets = 0;                       // the new fence
    std::vector<uint64_t> records{};         // appended by a write; seen by a read of the log
    std::array<uint64_t, kValues> values{};  // set by a write, 0: unchanged; seen by a read
    size_t key = 0;                          // which value is read
    uint64_t seen = 0;                       // a write: records after it; a read: the fence
};

using History = std::vector<Operation>;

struct SessionModel {
    uint64_t fence = 0;  // 0: the session does not exist
    std::vector<uint64_t> log{};
    std::array<uint64_t, Operation::kValues> values{};

    // Applies the operation. Returns false if it could not have had its result in this state.
    bool apply(const Operation &op);
};

enum class Verdict { kLinear, kBroken, kUndecided };

struct Judgement {
    Verdict verdict = Verdict::kLinear;
    std::vector<size_t> explained{};  // of a broken history: its longest valid part
};

// Searches for a valid order, and remembers the states that it has tried (Wing and Gong, Lowe).
Judgement judge(const History &history, size_t max_tried = 300000);
// The same by trying every order and every choice; for a few operations only.
bool judge_slowly(const History &history);

// An event beside the operations.
struct Mark {
    int64_t at;  // nanoseconds
    std::string what;
};

// Writes the history and its longest valid part to a file if it is broken. Returns the name of the
// file, or "".
std::string keep_if_broken(const History &history, const std::string &name,
                           const std::vector<Mark> &marks = {});

}  // namespace nats_tests
