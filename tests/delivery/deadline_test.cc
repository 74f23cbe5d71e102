// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests and their deadlines: ACCP-3.6-10, ACCP-4.1-04 (wait extends).
#include <algorithm>
#include <map>

#include "delivery/receiver.h"
#include "unit.h"

namespace {

using namespace accp_streams;

class Deadline : public testing::Test {
protected:
    Deadline() {
        accp_deadline *made = nullptr;
        EXPECT_EQ(accp_deadline_new(nullptr, &made, nullptr), ACCP_OK);
        table.reset(made);
    }
    accp_status start(std::string_view cid, int64_t when) {
        return accp_deadline_start(table.get(), cid.data(), cid.size(), when, nullptr);
    }
    accp_status extend(std::string_view cid, int64_t when) {
        return accp_deadline_extend(table.get(), cid.data(), cid.size(), when, nullptr);
    }
    accp_status answer(std::string_view cid) {
        return accp_deadline_remove(table.get(), cid.data(), cid.size(), nullptr);
    }
    std::string expired(int64_t now) {
        accp_text cid = {"?", 1};
        EXPECT_EQ(accp_deadline_expire(table.get(), now, &cid, nullptr), ACCP_OK);
        return string_of(cid);
    }

    Handle<accp_deadline> table;
};

TEST_F(Deadline, E3001OnceItHasPassed) {
    EXPECT_EQ(accp_deadline_next(table.get()), INT64_MAX);
    EXPECT_EQ(start("late", 30), ACCP_OK);
    EXPECT_EQ(start("soon", 10), ACCP_OK);
    EXPECT_EQ(start("answered", 20), ACCP_OK);
    EXPECT_EQ(accp_deadline_next(table.get()), 10);
    EXPECT_EQ(expired(10), "") << "at its deadline it still waits";
    EXPECT_EQ(answer("answered"), ACCP_OK);
    EXPECT_EQ(answer("answered"), ACCP_E3001);
    EXPECT_EQ(expired(31), "soon");
    EXPECT_EQ(expired(31), "late");
    EXPECT_EQ(expired(31), "");
    EXPECT_EQ(answer("late"), ACCP_E3001) << "the answer came too late";
    EXPECT_EQ(accp_status_is_retryable(ACCP_E3001), 1);
}

// An expired request is sent again and waits again. Its cid is a view into the table.
TEST_F(Deadline, WhatExpiredIsStartedByTheNameThatItWasGivenUnder) {
    const std::string names[] = {"c", "a chain whose name is longer than a word of the machine"};
    for (const std::string &name : names) {
        EXPECT_EQ(start(name, 10), ACCP_OK);
        accp_text cid = {};
        ASSERT_EQ(accp_deadline_expire(table.get(), 11, &cid, nullptr), ACCP_OK);
        ASSERT_EQ(string_of(cid), name);
        EXPECT_EQ(accp_deadline_start(table.get(), cid.text, cid.len, 20, nullptr), ACCP_OK);
        EXPECT_EQ(extend(name, 20), ACCP_OK);
        EXPECT_EQ(expired(21), name);
    }
}

TEST_F(Deadline, WaitExtends) {
    start("c", 10);
    EXPECT_EQ(extend("c", 50), ACCP_OK);
    EXPECT_EQ(expired(49), "");
    EXPECT_EQ(start("c", 60), ACCP_OK) << "once more is the same request";
    EXPECT_EQ(expired(51), "");
    EXPECT_EQ(expired(61), "c");
    EXPECT_EQ(extend("c", 90), ACCP_E3001);
    EXPECT_EQ(start("", 1), ACCP_E1004);
    EXPECT_EQ(extend("", 1), ACCP_E3001);
}

TEST_F(Deadline, IsBounded) {
    for (int i = 0; i < 4096; ++i) ASSERT_EQ(start("c" + std::to_string(i), i), ACCP_OK);
    EXPECT_EQ(start("more", 1), ACCP_E2003);
    EXPECT_EQ(start("c17", 9999), ACCP_OK);
    EXPECT_EQ(expired(1), "c0");
    EXPECT_EQ(start("more", 5000), ACCP_OK);
}

TEST_F(Deadline, AsAMapThatIsSearched) {
    accp_unit::Random random(3);
    std::map<std::string, int64_t> model;
    for (int64_t now = 0; now < 20'000; ++now) {
        const std::string cid = "c" + std::to_string(random.below(40));
        const auto when = now + static_cast<int64_t>(random.below(100));
        switch (random.below(4)) {
            case 0:
                ASSERT_EQ(start(cid, when), ACCP_OK);
                model[cid] = when;
                break;
            case 1:
                ASSERT_EQ(extend(cid, when) == ACCP_OK, model.count(cid) != 0);
                if (model.count(cid)) model[cid] = when;
                break;
            case 2: ASSERT_EQ(answer(cid) == ACCP_OK, model.erase(cid) != 0); break;
            default:
                for (std::string gone = expired(now); !gone.empty(); gone = expired(now)) {
                    ASSERT_TRUE(model.count(gone) && model[gone] < now);
                    model.erase(gone);
                }
                for (const auto &[left, deadline] : model) ASSERT_GE(deadline, now) << left;
        }
    }
}

}  // namespace
