// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What clients did with one session and what they were told, with times; and whether one order of
// it explains everything (linearizability).
//
// A session is a fence, a log of records and two values. A write names the fence that must stand
// (opening a session takes any), and leaves one, some records and some values: all of it or
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace nats_tests {

struct Operation {
    enum Kind : uint8_t { kWrite, kReadLog, kReadValue, kReadFence };
    // kUnknown, of writes alone: it was done at some time after its beginning, or never.
    enum Outcome : uint8_t { kDone, kRefused, kUnknown };
    static constexpr uint64_t kAnyFence = UINT64_MAX;
    static constexpr size_t kValues = 2;

    Kind kind = kWrite;
    Outcome outcome = kUnknown;
    int client = 0;
    int64_t begin = 0, end = 0;       // nanoseconds; the end of an unknown one means nothing
    uint64_t expects = kAnyFence;     // refused where another stands; a read: where no session is
    uint64_t sets = 0;                // the fence that a write leaves
    std::vector<uint64_t> records{};  // that a write appends; all that a read of the log saw
    std::array<uint64_t, kValues> values{};  // that a write puts, 0: stays; that a read saw
    size_t key = 0;                          // which value is read
    uint64_t seen = 0;                       // a write: records after it; a read of the fence: it
};

using History = std::vector<Operation>;

struct SessionModel {
    uint64_t fence = 0;  // 0: there is no such session
    std::vector<uint64_t> log{};
    std::array<uint64_t, Operation::kValues> values{};

    // Does what the operation does. False: here it could not have ended as it did.
    bool apply(const Operation &op);
};

enum class Verdict { kLinear, kBroken, kUndecided };

struct Judgement {
    Verdict verdict = Verdict::kLinear;
    std::vector<size_t> explained{};  // of a broken one: as many as could be put in an order
};

// Searches an order, and keeps which it has tried (Wing and Gong, Lowe).
Judgement judge(const History &history, size_t max_tried = 300000);
// The same by trying every order of every choice: of a handful of operations.
bool judge_slowly(const History &history);

// What happened beside them.
struct Mark {
    int64_t at;  // nanoseconds
    std::string what;
};

// A line for each, and what could be explained. Returns "" or the name of the file that was kept.
std::string keep_if_broken(const History &history, const std::string &name,
                           const std::vector<Mark> &marks = {});

}  // namespace nats_tests
