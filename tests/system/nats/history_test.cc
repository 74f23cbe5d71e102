// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests the check of histories, with histories made by hand, and with random ones for which every
// order is tried.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "nats/history.h"

using namespace nats_tests;

namespace {

using Op = Operation;
using Records = std::vector<uint64_t>;

Op open_at(int64_t begin, int64_t end, uint64_t handle, uint64_t seen) {
    Op op;
    op.outcome = Op::kDone;
    op.begin = begin, op.end = end;
    op.sets = handle;
    op.seen = seen;
    return op;
}
Op append_at(int64_t begin, int64_t end, uint64_t handle, Records records, uint64_t seen,
             Op::Outcome outcome = Op::kDone) {
    Op op = open_at(begin, end, handle, seen);
    op.outcome = outcome;
    op.expects = handle;
    op.records = std::move(records);
    return op;
}
Op swap_at(int64_t begin, int64_t end, uint64_t from, uint64_t to, uint64_t record, uint64_t seen,
           Op::Outcome outcome = Op::kDone) {
    Op op = append_at(begin, end, from, {record}, seen, outcome);
    op.sets = to;
    return op;
}
Op unknown_open(int64_t begin, uint64_t handle) {
    Op op = open_at(begin, 0, handle, 0);
    op.outcome = Op::kUnknown;
    return op;
}
Op put_at(int64_t begin, int64_t end, uint64_t handle, uint64_t value) {
    Op op = append_at(begin, end, handle, {}, 0);
    op.values[0] = value;
    return op;
}
Op read_at(int64_t begin, int64_t end, Records records, Op::Outcome outcome = Op::kDone) {
    Op op;
    op.kind = Op::kReadLog;
    op.outcome = outcome;
    op.begin = begin, op.end = end;
    op.records = std::move(records);
    return op;
}
Op value_at(int64_t begin, int64_t end, uint64_t value) {
    Op op = read_at(begin, end, {});
    op.kind = Op::kReadValue;
    op.values[0] = value;
    return op;
}
constexpr auto kRefused = Op::kRefused, kUnknown = Op::kUnknown;

TEST(NatsHistory, GoodAndBadOnesAreTold) {
    const Op open = open_at(0, 10, 1, 0), first = append_at(20, 30, 1, {7}, 1);
    const struct {
        const char *what;
        bool linear;
        History history;
    } cases[] = {
        {"nothing", true, {}},
        {"one after the other", true, {open, first, read_at(40, 50, {7})}},
        {"no session yet", true, {read_at(0, 5, {}, kRefused), open_at(6, 9, 1, 0)}},
        {"a session that was there is not", false, {open, read_at(20, 30, {}, kRefused)}},
        {"an append is lost", false, {open, first, read_at(40, 50, {})}},
        {"an append is lost by the next", false, {open, first, append_at(40, 50, 1, {8}, 1)}},
        {"an append is there twice", false, {open, first, read_at(40, 50, {7, 7})}},
        {"a record out of nothing", false, {open, read_at(40, 50, {7})}},
        {"a stale read beside an append", true, {open, first, read_at(25, 35, {})}},
        {"two reads that go back",
         false,
         {open, append_at(20, 90, 1, {7}, 1), read_at(30, 40, {7}), read_at(50, 60, {})}},
        {"two writers at the same place",
         false,
         {open, swap_at(20, 50, 1, 2, 7, 1), swap_at(20, 50, 1, 3, 8, 1)}},
        {"one of two is refused",
         true,
         {open, swap_at(20, 50, 1, 2, 7, 1), swap_at(20, 50, 1, 3, 8, 0, kRefused)}},
        {"one is refused for nothing", false, {open, swap_at(20, 50, 1, 2, 7, 0, kRefused)}},
        {"the order is turned around",
         false,
         {open, first, append_at(40, 50, 1, {8}, 2), read_at(60, 70, {8, 7})}},
        {"two at once, in either order",
         true,
         {open, append_at(20, 50, 1, {7}, 2), append_at(20, 50, 1, {8}, 1),
          read_at(60, 70, {8, 7})}},
        {"half a group", false, {open, append_at(20, 30, 1, {7, 8}, 2), read_at(40, 50, {7})}},
        {"an older writer goes on",
         false,
         {open, open_at(20, 30, 2, 0), append_at(40, 50, 1, {7}, 1)}},
        {"an older writer is told",
         true,
         {open, open_at(20, 30, 2, 0), append_at(40, 50, 1, {7}, 0, kRefused)}},
        {"opened without what was acknowledged", false, {open, first, open_at(40, 50, 2, 0)}},
        {"unknown and never done",
         true,
         {open, append_at(20, 0, 1, {7}, 0, kUnknown), read_at(40, 50, {})}},
        {"unknown and done later",
         true,
         {open, append_at(20, 0, 1, {7}, 0, kUnknown), read_at(40, 50, {}), read_at(60, 70, {7})}},
        {"unknown and done before it began",
         false,
         {open, read_at(15, 18, {7}), append_at(20, 0, 1, {7}, 0, kUnknown)}},
        {"unknown and done twice",
         false,
         {open, append_at(20, 0, 1, {7}, 0, kUnknown), read_at(40, 50, {7, 7})}},
        {"unknown and done after a fence",
         false,
         {open, append_at(20, 0, 1, {7}, 0, kUnknown), open_at(40, 50, 2, 0),
          read_at(60, 70, {7})}},
        {"unknown openings that refuse",
         true,
         {open, unknown_open(15, 2), unknown_open(16, 3), append_at(40, 50, 1, {7}, 0, kRefused),
          read_at(60, 70, {})}},
        {"an unknown opening that refuses and lets on",
         false,
         {open, unknown_open(15, 2), append_at(40, 50, 1, {7}, 0, kRefused),
          append_at(60, 70, 1, {7}, 1)}},
        {"an unknown opening that makes the session",
         true,
         {unknown_open(15, 2), read_at(20, 30, {}), read_at(20, 30, {}, kRefused)}},
        {"a value that was replaced",
         false,
         {open, put_at(20, 30, 1, 5), put_at(40, 50, 1, 6), value_at(60, 70, 5)}},
        {"the newest value",
         true,
         {open, put_at(20, 30, 1, 5), put_at(40, 50, 1, 6), value_at(60, 70, 6)}},
    };
    for (const auto &one : cases) {
        EXPECT_EQ(judge(one.history).verdict == Verdict::kLinear, one.linear) << one.what;
        EXPECT_EQ(judge_slowly(one.history), one.linear) << one.what;
        History turned(one.history.rbegin(), one.history.rend());
        EXPECT_EQ(judge(turned).verdict == Verdict::kLinear, one.linear) << one.what;
    }
}

// Makes operations with few fences and records, each around the time at which the model applies it.
// Then changes some of them.
class RandomHistory {
public:
    explicit RandomHistory(uint32_t seed) : random_(seed) {}

    History make() {
        SessionModel model;
        History out(1 + below(6));
        int64_t moment = 0;
        for (Op &op : out) {
            moment += 1 + static_cast<int64_t>(below(10));
            op = choose(model);
            op.begin = moment - static_cast<int64_t>(below(20));
            op.end = moment + static_cast<int64_t>(below(20));
        }
        for (uint64_t i = below(4); i; --i) change(out[below(out.size())]);
        std::shuffle(out.begin(), out.end(), random_);
        return out;
    }

private:
    uint64_t below(uint64_t end) { return random_() % end; }

    Op choose(SessionModel &model) {
        Op op;
        op.kind = static_cast<Op::Kind>(below(6) < 3 ? 0 : below(4));
        if (below(2)) op.expects = below(3);
        op.outcome = Op::kDone;
        if (op.kind == Op::kWrite) {
            op.sets = 1 + below(2);
            for (uint64_t i = below(3); i; --i) op.records.push_back(1 + below(2));
            op.values[below(2)] = below(3);
        } else {
            op.key = below(2);
            op.records = model.log;
            op.values = model.values;
        }
        if (op.kind == Op::kReadFence) op.seen = model.fence;
        else op.seen = model.log.size() + op.records.size();
        SessionModel after = model;
        if (op.kind == Op::kWrite && !below(4)) {
            op.outcome = Op::kUnknown;
            if (below(2) && after.apply(op)) model = after;
        } else if (after.apply(op)) {
            model = after;
        } else {
            op.outcome = Op::kRefused;
        }
        return op;
    }

    void change(Op &op) {
        switch (below(5)) {
            case 0: op.seen += 1; break;
            case 1: op.records.push_back(1); break;
            case 2: op.values[op.key] = 1 + below(2); break;
            case 3: op.expects = below(3); break;
            default: op.outcome = op.outcome == Op::kDone ? Op::kRefused : Op::kDone;
        }
    }

    std::mt19937 random_;
};

TEST(NatsHistory, TheFastOneAndTheSlowOneAgree) {
    constexpr uint32_t kHistories = 20000;
    uint32_t linear = 0;
    for (uint32_t seed = 1; seed <= kHistories; ++seed) {
        const History history = RandomHistory(seed).make();
        const bool slow = judge_slowly(history);
        linear += slow;
        ASSERT_EQ(judge(history).verdict == Verdict::kLinear, slow) << "seed " << seed;
    }
    EXPECT_GT(linear, kHistories / 4);
    EXPECT_LT(linear, kHistories * 3 / 4);
}

TEST(NatsHistory, ASearchThatIsTooLongIsNoVerdict) {
    History history = {open_at(0, 1, 1, 0)};
    for (uint64_t i = 1; i <= 12; ++i) history.push_back(append_at(2, 90, 1, {i}, i));
    for (uint64_t i = 1; i < 12; ++i) history[i].seen = 12;  // none of them can be the first
    EXPECT_EQ(judge(history).verdict, Verdict::kBroken);
    history.clear();
    for (uint64_t i = 1; i <= 6; ++i) {
        history.push_back(append_at(0, 90, i, {i}, 0, kUnknown));
        history.back().expects = Op::kAnyFence;
    }
    history.push_back(read_at(95, 99, {11}));
    EXPECT_EQ(judge(history, 100).verdict, Verdict::kUndecided);
    EXPECT_EQ(judge(history).verdict, Verdict::kBroken);
    const std::string kept = keep_if_broken(history, "undecided");
    EXPECT_NE(kept, "");
    EXPECT_EQ(std::remove(kept.c_str()), 0);
    EXPECT_EQ(keep_if_broken({open_at(0, 1, 1, 0)}, "linear"), "");
}

}  // namespace
