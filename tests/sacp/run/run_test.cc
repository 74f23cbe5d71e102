// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Single checks of Run: limits for hostile plans and tools, replies of agents, delays between
// tries, and lack of memory.
#include <gtest/gtest.h>

#include "failing.h"
#include "sacp/run/host.h"

using namespace accp;
using accp_test::Host;
using accp_test::kId;
using sacp::Effect;
using sacp::Outcome;
using sacp::Reception;

namespace {

std::string repeated(std::string_view what, size_t count) {
    std::string made = "[";
    for (size_t i = 0; i < count; ++i) (made += i ? "," : "") += what;
    return made + "]";
}

TEST(Hostile, AMillionSteps) {
    const size_t count = ACCP_SANITIZED ? 10'000 : 1'000'000;
    Host steps(repeated(R"(["do","T",{}])", count));
    ASSERT_TRUE(steps.read);
    steps.answer_all("1");
    EXPECT_TRUE(steps.run.ended());
    EXPECT_TRUE(steps.run.succeeded());
}

TEST(Hostile, AMillionBranches) {
    const size_t count = ACCP_SANITIZED ? 10'000 : 1'000'000;
    Host branches("[{\"parallel\":" + repeated(R"(["do","T",{}])", count) + "}]");
    ASSERT_TRUE(branches.read);
    branches.answer_all("1");
    EXPECT_TRUE(branches.run.succeeded());
}

TEST(Hostile, AnOutputThatIsTooLongOrNoJsonIsAFailure) {
    for (std::string_view output : {"[1,2,3,4,5,6,7,8,9]", "[1", "", "{\"a\":1,\"a\":2}"}) {
        Host host(R"([["do","T",{}]])", R"({"retries":0,"max_output_bytes":16})");
        host.answer_all(output);
        EXPECT_TRUE(host.run.ended());
        EXPECT_FALSE(host.run.succeeded()) << output;
        EXPECT_NE(host.final().find("Tool T failed for action step 1"), std::string::npos);
    }
}

// Each join doubles the size of the one before.
TEST(Hostile, APlanThatCopiesItselfEndsAtALimit) {
    std::string plan = R"([{"parallel":[["do","T",{}]]},["join","MERGE",{}])";
    for (int i = 2; i < 40; i += 2) {
        const std::string last = "\"$step." + std::to_string(i) + "\"";
        plan += ",{\"parallel\":[[\"do\",\"T\",{}]]},[\"join\",\"MERGE\",{\"branches\":[" + last +
                "," + last + "]}]";
    }
    Host host(plan + "]", R"({"max_params_bytes":4000})");
    ASSERT_TRUE(host.read) << host.verdict.details();
    host.answer_all("\"0123456789\"");
    EXPECT_TRUE(host.run.ended());
    EXPECT_NE(host.final().find("LIMIT"), std::string::npos) << host.final();
}

// Each step puts an array around the output before.
TEST(Hostile, APlanThatNestsItselfEndsAtALimit) {
    std::string plan = R"([["do","T",{}])";
    for (int i = 1; i < 300; ++i)
        plan += ",[\"do\",\"T\",{\"x\":[\"$step." + std::to_string(i) + "\"]}]";
    Host host(plan + "]", R"({"retries":0})");
    ASSERT_TRUE(host.read);
    host.run.start(kId, 0);
    for (Effect effect; (effect = host.next(0)).kind == Effect::kCall;) {
        const std::string params(effect.text);
        host.run.complete(effect.call, {}, params, 0);
    }
    EXPECT_TRUE(host.run.ended());
    EXPECT_NE(host.final().find("LIMIT"), std::string::npos);
}

TEST(Hostile, AToolThatNeverAnswersTimesOut) {
    Host host(R"([["do","T",{}]])",
              R"({"timeout_ms":1000,"tools":{"T":{"timeout_ms":50,"retries":2}}})");
    host.run.start(kId, 0);
    uint64_t now = 0;
    uint32_t calls = 0;
    for (;;) {
        const Effect effect = host.next(now);
        if (effect.kind == Effect::kEnded) break;
        if (effect.kind == Effect::kCall) {
            ++calls;
            EXPECT_EQ(effect.due, now + 50);
            continue;
        }
        now = host.run.due();
        host.run.tick(now);
    }
    EXPECT_EQ(calls, 3u);
    EXPECT_NE(host.final().find("Tool T timed out for action step 1"), std::string::npos);
}

TEST(Waits, GrowAndVaryAndAreTheSameForTheSameId) {
    std::vector<uint64_t> waits[2];
    for (auto &own : waits) {
        Host host(R"([["do","T",{}]])",
                  R"({"retries":6,"backoff_ms":100,"max_backoff_ms":1000,"jitter_percent":10})");
        host.run.start(kId, 0);
        for (uint64_t now = 0;;) {
            const Effect effect = host.next(now);
            if (effect.kind == Effect::kEnded) break;
            if (effect.kind == Effect::kCall) {
                host.run.fail(effect.call, {}, Outcome::kToolFailed, "no", now);
                continue;
            }
            own.push_back(host.run.due() - now);
            host.run.tick(now = host.run.due());
        }
    }
    ASSERT_EQ(waits[0].size(), 6u);
    EXPECT_EQ(waits[0], waits[1]);
    const uint64_t wanted[] = {100, 200, 400, 800, 1000, 1000};
    for (size_t i = 0; i < 6; ++i) {
        EXPECT_GE(waits[0][i], wanted[i]);
        EXPECT_LE(waits[0][i], wanted[i] * 11 / 10);
    }
}

// Replies of agents with a role, and whether each is an output.
TEST(Replies, KeepTheOutputDiscipline) {
    struct Case {
        const char *role, *reply, *output;  // empty: a failure
    } cases[] = {
        {"predictor", R"({"g":"G","plan":[["a","B",{}]],"state":"DONE","result":{"output":[1]}})",
         "[1]"},
        {"predictor", R"({"g":"G","plan":[["a","B",{}]],"state":"DONE","result":{"n":2}})",
         R"({"n":2})"},
        {"predictor", R"({"g":"G","plan":[["a","B",{}]],"state":"FAILED"})", ""},
        {"predictor", R"({"status":"ERR","code":"LIMIT","details":"d"})", ""},
        {"predictor", R"({"status":"REQ_CLARIFY","need":["x"]})", ""},
        {"predictor", "Sure! Here it is.", ""},
        {"predictor", R"({"g":1})", ""},
        {"formatter", "Sure! Here it is.", R"("Sure! Here it is.")"},
    };
    for (const Case &one : cases) {
        Host host(R"([["do","T",{}]])", R"({"retries":0})");
        host.run.start(kId, 0);
        const Effect call = host.next(0);
        constexpr std::string_view kWorking =
            R"({"g":"G","plan":[["a","B",{}]],"state":"IN_PROGRESS"})";
        EXPECT_EQ(host.run.reply(call.call, "T", one.role, kWorking, 0), Reception::kAccepted);
        EXPECT_EQ(host.run.calls(), 1u);
        EXPECT_EQ(host.run.reply(call.call, "X", one.role, one.reply, 0), Reception::kWrongSender);
        EXPECT_EQ(host.run.reply(call.call, "T", one.role, one.reply, 0), Reception::kAccepted);
        EXPECT_TRUE(host.run.ended());
        EXPECT_EQ(host.run.succeeded(), *one.output != 0) << one.reply;
        if (*one.output) {
            EXPECT_NE(host.final().find("\"output\":" + std::string(one.output)), std::string::npos)
                << host.final();
        }
    }
}

TEST(Replay, RefusesALogOfAnotherRun) {
    Host host(R"([["do","T",{}]])"), other(R"([["do","U",{}]])"), third(R"([["do","T",{}]])");
    host.run.start(kId, 5);
    const Effect record = host.run.next(5);
    ASSERT_EQ(record.kind, Effect::kRecord);
    EXPECT_EQ(other.run.replay(record.text), Reception::kRefused);
    EXPECT_EQ(third.run.replay(record.text), Reception::kAccepted);
    EXPECT_EQ(third.run.replay(record.text), Reception::kRefused);
    EXPECT_EQ(third.next(5).kind, Effect::kCall);
}

TEST(Replay, TakesARecordWhoseReasonWasNoText) {
    Host host(R"([["do","T",{}]])", R"({"retries":0})"),
        again(R"([["do","T",{}]])", R"({"retries":0})");
    host.run.start(kId, 0);
    for (Effect effect; (effect = host.run.next(0)).kind != Effect::kEnded;) {
        if (effect.kind == Effect::kRecord) {
            EXPECT_EQ(again.run.replay(effect.text), Reception::kAccepted) << effect.text;
        } else {
            host.run.fail(effect.call, {}, Outcome::kToolFailed, "bad \x9e\x90", 0);
        }
    }
    EXPECT_EQ(again.final(), host.final());
}

// Each allocation fails once: no memory is lost, and then the same plan ends normally.
TEST(OutOfMemory, AtEveryAllocation) {
    const std::string plan =
        R"([{"parallel":[["do","T",{"x":"$ctx.k"}],[["do","U",{}],["do","V",{"y":"$step.1.2.1"}]]]},)"
        R"(["join","MERGE",{}],["go","W",{"subtask":{"g":"S","ctx":{"r":"$step.2"},"plan":[)"
        R"(["do","T",{"z":"$ctx.r"}]]}}]],"ctx":{"k":1},"subtask":{"g":"S","plan":[["do","T",{}]]})";
    std::string wanted;
    for (int64_t at = -1;; ++at) {
        accp_test::Failing failing;
        bool ended = false;
        const bool failed = accp_test::fails(failing, at, [&] {
            Host host(plan, R"({"retries":1})", failing.allocator());
            ASSERT_TRUE(host.read) << host.verdict.details();
            host.run.start(kId, 0);
            uint64_t now = 0;
            for (uint32_t count = 0;;) {
                const Effect effect = host.next(now);
                if (effect.kind == Effect::kEnded) break;
                if (effect.kind == Effect::kNone) host.run.tick(now = host.run.due());
                else if (++count % 3) host.run.complete(effect.call, {}, "[1,{\"a\":2}]", now);
                else host.run.fail(effect.call, {}, Outcome::kToolFailed, "no", now);
            }
            Buffer<char> trace(host.memory);
            host.run.write_trace(trace);
            const std::string made = host.final() + accp_unit::text_of(trace);
            ended = true;
            if (wanted.empty()) wanted = made;
            EXPECT_EQ(made, wanted);
        });
        EXPECT_EQ(failing.live, 0) << at;
        EXPECT_NE(failed, ended);
        if (!failed && at >= 0) {
            EXPECT_GT(at, 20);
            break;
        }
    }
}

}  // namespace
