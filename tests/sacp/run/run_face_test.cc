// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/run.h: errors, the log in a store, and lack of memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "accp/accp.h"
#include "failing_allocator.h"

namespace {

accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }
std::string string_of(accp_text text) { return std::string(text.text, text.len); }

constexpr std::string_view kMessage =
    R"({"g":"G","plan":[{"parallel":[["a","T",{}],["a","U",{}],["a","V",{}]]},)"
    R"(["join","MERGE",{}],["b","W",{"x":"$step.2"}]]})";

accp_run_request request_of(std::string_view message, accp_store *store,
                            std::string_view session = {}) {
    accp_run_request made = {};
    made.size = sizeof made;
    made.message = text_of(message);
    made.flags = ACCP_RUN_LENIENT;
    made.store = store;
    made.session = text_of(session);
    return made;
}

struct Store {
    explicit Store(const char *name = "memory:") {
        EXPECT_EQ(accp_store_open(name, strlen(name), ACCP_STORE_NO_WAIT, nullptr, &store, nullptr),
                  ACCP_OK);
    }
    ~Store() { accp_store_close(store, nullptr); }
    accp_store *store = nullptr;
};

TEST(RunFace, RefusesWhatIsNoRequest) {
    Store store;
    accp_run *run = nullptr;
    accp_error error = {};
    const auto refused = [&](accp_run_request request) {
        const accp_status status = accp_run_new(&request, nullptr, &run, &error);
        EXPECT_EQ(run, nullptr);
        EXPECT_TRUE(error.message);
        return status;
    };
    accp_run_request request = request_of(kMessage, nullptr);
    request.size = 8;
    EXPECT_EQ(refused(request), ACCP_ERR_ARG);
    request = request_of(kMessage, nullptr);
    request.flags = 1024;
    EXPECT_EQ(refused(request), ACCP_ERR_ARG);
    EXPECT_EQ(refused(request_of(kMessage, store.store)), ACCP_ERR_ARG);
    EXPECT_EQ(refused(request_of(kMessage, nullptr, "s")), ACCP_ERR_ARG);
    request = request_of(kMessage, nullptr);
    request.library = text_of(R"({"verbs":[{"name":"a"}]})");
    EXPECT_EQ(refused(request), ACCP_E1004);
    request = request_of(kMessage, nullptr);
    for (const char *policy : {"[]", R"({"retries":-1})", R"({"retry":1})", R"({"max_parallel":0})",
                               R"({"tools":{"T":{"x":1}}})", "{"}) {
        request.policy = text_of(policy);
        EXPECT_EQ(refused(request), ACCP_ERR_ARG) << policy;
    }
    EXPECT_EQ(accp_run_new(nullptr, nullptr, &run, &error), ACCP_ERR_ARG);
    accp_run_free(nullptr);
    EXPECT_EQ(accp_run_state(nullptr), -1);
    EXPECT_EQ(accp_run_due(nullptr), -1);
    EXPECT_EQ(accp_run_step_count(nullptr), 0u);
}

TEST(RunFace, SaysTheVerdictOfAMessageThatIsNotValid) {
    const accp_run_request request = request_of(R"({"g":"G","plan":[["a","T"]]})", nullptr);
    accp_run *run = nullptr;
    ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK);
    EXPECT_EQ(accp_run_state(run), ACCP_RUN_REFUSED);
    accp_run_effect effect;
    ASSERT_EQ(accp_run_next(run, 0, &effect, nullptr), ACCP_OK);
    EXPECT_EQ(effect.kind, ACCP_RUN_ENDED);
    EXPECT_EQ(accp_run_complete(run, 1, nullptr, 0, "1", 1, 0, nullptr), ACCP_DROPPED);
    accp_text out;
    ASSERT_EQ(accp_run_print_final(run, &out, nullptr), ACCP_OK);
    EXPECT_EQ(string_of(out), R"({"status":"ERR","code":"MALFORMED_PLAN",)"
                              R"("details":"Missing parameters for action step 1"})");
    ASSERT_EQ(accp_run_print_trace(run, &out, nullptr), ACCP_OK);
    EXPECT_EQ(string_of(out), "[]");
    accp_run_free(run);
}

// Runs until `answers` results were passed, or to the end. Counts the calls of each tool.
bool drive(accp_run *run, uint32_t answers, std::map<std::string, int> &calls) {
    for (uint32_t told = 0;;) {
        accp_run_effect effect;
        EXPECT_EQ(accp_run_next(run, 10, &effect, nullptr), ACCP_OK);
        if (effect.kind == ACCP_RUN_ENDED) return true;
        if (effect.kind == ACCP_RUN_NOTHING && accp_run_due(run) >= 0) {
            EXPECT_EQ(accp_run_tick(run, accp_run_due(run), nullptr), ACCP_OK);
            continue;
        }
        EXPECT_EQ(effect.kind, ACCP_RUN_CALL);
        if (effect.kind != ACCP_RUN_CALL || told++ == answers) return false;
        ++calls[string_of(effect.tool)];
        EXPECT_EQ(accp_run_complete(run, effect.call, nullptr, 0, "{\"n\":1}", 7, 10, nullptr),
                  ACCP_OK);
    }
}

TEST(RunFace, RunsNoMessageOfVersion100) {
    const accp_run_request request = request_of(
        R"({"proto_ver":"1.0.0","msg_id":"m","ts":"2026-05-09T00:00:00Z","sender":"A","g":"X",)"
        R"("plan":[{"id":"1","verb":"a","tool":"A","params":{}}],"state":"PENDING"})",
        nullptr);
    accp_run *run = nullptr;
    accp_text out;
    ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK);
    EXPECT_EQ(accp_run_state(run), ACCP_RUN_REFUSED);
    ASSERT_EQ(accp_run_print_final(run, &out, nullptr), ACCP_OK);
    EXPECT_NE(string_of(out).find("UNSUPPORTED_VERSION"), std::string::npos);
    accp_run_free(run);
}

TEST(RunFace, RepliesWithAMessage) {
    const accp_run_request request = request_of(
        R"({"msg_id":"m1","g":"G","out_fmt":"raw","plan":[["a","T",{"k":1.50}]]})", nullptr);
    accp_run *run = nullptr;
    accp_text out;
    std::map<std::string, int> calls;
    ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK);
    EXPECT_EQ(accp_run_print_reply(run, "r", 1, &out, nullptr), ACCP_ERR_ARG) << "it goes on";
    EXPECT_TRUE(drive(run, 5, calls));
    EXPECT_EQ(accp_run_print_reply(run, "a b", 3, &out, nullptr), ACCP_ERR_ARG);
    ASSERT_EQ(accp_run_print_reply(run, "r", 1, &out, nullptr), ACCP_OK);
    EXPECT_EQ(string_of(out),
              R"({"g":"G","plan":[["a","T",{"k":1.50}]],"state":"DONE","msg_id":"r",)"
              R"("reply_to":"m1","result":{"output":{"n":1},"step_results":{"1":{"n":1}}}})");
    accp_run_free(run);
}

accp_status print_request(accp_run *run, uint64_t call, std::string_view agent,
                          std::string_view role, accp_text *out, accp_error *error) {
    return accp_run_print_request(run, call, agent.data(), agent.size(), role.data(), role.size(),
                                  out, error);
}

accp_status receive(accp_run *run, std::string_view sender, std::string_view text,
                    accp_error *error) {
    return accp_run_receive(run, sender.data(), sender.size(), text.data(), text.size(), 1, error);
}

TEST(RunFace, HandsACallToAnAgent) {
    const accp_run_request request = request_of(R"({"g":"G","plan":[["a","T",{}]]})", nullptr);
    accp_run *run = nullptr;
    accp_text out = {"untouched", 9};
    accp_error error = {};
    accp_run_effect effect;
    ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK);
    ASSERT_EQ(accp_run_next(run, 0, &effect, nullptr), ACCP_OK);
    const std::string long_name(257, 'a');
    EXPECT_EQ(print_request(run, effect.call, "", "", &out, &error), ACCP_ERR_ARG);
    EXPECT_EQ(print_request(run, effect.call, long_name, "", &out, &error), ACCP_ERR_ARG);
    EXPECT_EQ(print_request(run, effect.call, "A", long_name, &out, &error), ACCP_ERR_ARG);
    EXPECT_EQ(print_request(run, effect.call + 1, "A", "", &out, &error), ACCP_DROPPED);
    EXPECT_EQ(print_request(nullptr, effect.call, "A", "", &out, &error), ACCP_ERR_ARG);
    EXPECT_EQ(print_request(run, effect.call, "A", "", nullptr, &error), ACCP_ERR_ARG);
    EXPECT_EQ(accp_run_print_request(run, effect.call, nullptr, 1, nullptr, 0, &out, &error),
              ACCP_ERR_ARG);
    EXPECT_EQ(string_of(out), "untouched");
    const std::string id = string_of(effect.key) + ".0.0";
    ASSERT_EQ(print_request(run, effect.call, "A", "", &out, &error), ACCP_OK);
    EXPECT_EQ(string_of(out), R"({"g":"G","plan":[["a","T",{}]],"msg_id":")" + id + "\"}");
    const std::string reply = R"({"g":"G","plan":[["a","T",{}]],"state":"DONE","reply_to":")" + id +
                              R"(","result":{"output":5}})";
    EXPECT_EQ(receive(run, "A", "{}", &error), ACCP_E1001);
    EXPECT_TRUE(error.message);
    EXPECT_EQ(receive(run, "A", R"({"reply_to":"m1"})", &error), ACCP_DROPPED);
    EXPECT_EQ(receive(run, "B", reply, &error), ACCP_ERR_ARG);
    EXPECT_EQ(accp_run_receive(run, nullptr, 1, "", 0, 1, &error), ACCP_ERR_ARG);
    EXPECT_EQ(accp_run_state(run), ACCP_RUN_GOING_ON);
    EXPECT_EQ(receive(run, "A", reply, &error), ACCP_OK);
    EXPECT_EQ(receive(run, "A", reply, &error), ACCP_DROPPED);
    EXPECT_EQ(accp_run_state(run), ACCP_RUN_DONE);
    accp_run_free(run);
}

// The process ends after each result. A recorded result is not requested again. A result is
// recorded with the next call of accp_run_next(), as here.
TEST(RunFace, GoesOnFromTheLogOfItsSession) {
    for (uint32_t step = 1; step < 6; ++step) {
        Store store;
        std::map<std::string, int> calls;
        for (int tries = 0;; ++tries) {
            ASSERT_LT(tries, 10);
            const accp_run_request request = request_of(kMessage, store.store, "s");
            accp_run *run = nullptr;
            ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK);
            const bool ended = drive(run, step, calls);
            accp_text out;
            if (ended) {
                ASSERT_EQ(accp_run_print_final(run, &out, nullptr), ACCP_OK);
                EXPECT_NE(string_of(out).find(R"("2":[{"n":1},{"n":1},{"n":1}])"),
                          std::string::npos);
            }
            accp_run_free(run);
            if (ended) break;
        }
        for (const char *tool : {"T", "U", "V", "W"}) EXPECT_EQ(calls[tool], 1) << tool;
    }
}

TEST(RunFace, RefusesTheLogOfAnotherRun) {
    Store store;
    std::map<std::string, int> calls;
    accp_run_request request = request_of(kMessage, store.store, "s");
    accp_run *run = nullptr;
    ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK);
    EXPECT_FALSE(drive(run, 2, calls));
    accp_run_free(run);
    run = nullptr;
    accp_error error = {};
    request.policy = text_of(R"({"retries":2})");
    EXPECT_EQ(accp_run_new(&request, nullptr, &run, &error), ACCP_ERR_CORRUPT);
    EXPECT_EQ(error.record, 1u);
    request = request_of(R"({"g":"G","plan":[["a","T",{}]]})", store.store, "s");
    EXPECT_EQ(accp_run_new(&request, nullptr, &run, &error), ACCP_ERR_CORRUPT);
    EXPECT_EQ(run, nullptr);
}

// A second run of a session fences the first.
TEST(RunFace, OneRunASession) {
    Store store;
    const accp_run_request request = request_of(kMessage, store.store, "s");
    accp_run *first = nullptr, *second = nullptr;
    accp_run_effect effect;
    ASSERT_EQ(accp_run_new(&request, nullptr, &first, nullptr), ACCP_OK);
    ASSERT_EQ(accp_run_next(first, 0, &effect, nullptr), ACCP_OK);
    ASSERT_EQ(accp_run_new(&request, nullptr, &second, nullptr), ACCP_OK);
    ASSERT_EQ(accp_run_complete(first, effect.call, nullptr, 0, "1", 1, 0, nullptr), ACCP_OK);
    EXPECT_EQ(accp_run_next(first, 0, &effect, nullptr), ACCP_ERR_CLOSED);
    ASSERT_EQ(accp_run_next(second, 0, &effect, nullptr), ACCP_OK);
    EXPECT_EQ(effect.kind, ACCP_RUN_CALL);
    accp_run_free(first);
    accp_run_free(second);
}

const std::string kReason(2000, 'x');

std::string trace_of(accp_run *run) {
    accp_text out = {};
    EXPECT_EQ(accp_run_print_trace(run, &out, nullptr), ACCP_OK);
    return string_of(out);
}

// The trace has reasons of failures if they were requested, also after the run resumes from its
// log. A reason is short and UTF-8 for any input.
TEST(RunFace, TellsWhyAttemptsFailed) {
    const std::string fault = "a \"b\"\n", cut = std::string(511, 'x') + "é and more",
                      bad = "x\xff";
    const std::pair<std::string, std::string> cases[] = {
        {fault, R"(,"reason":"a \"b\"\n"})"},
        {cut, ",\"reason\":\"" + std::string(511, 'x') + "\"}"},
        {bad, R"(,"reason":"x"})"},
        {"\xff", "\"TOOL_FAILED\"}"},
        {"", "\"TOOL_FAILED\"}"}};
    for (const auto &[reason, told] : cases) {
        Store store;
        accp_run_request request =
            request_of(R"({"g":"G","plan":[["a","T",{}]]})", store.store, "s");
        request.policy = text_of(R"({"retries":0})");
        for (const uint32_t flag :
             {uint32_t{ACCP_RUN_REASONS}, uint32_t{0}, uint32_t{ACCP_RUN_REASONS}}) {
            request.flags = ACCP_RUN_LENIENT | flag;
            accp_run *run = nullptr;
            ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK);
            accp_run_effect effect;
            ASSERT_EQ(accp_run_next(run, 0, &effect, nullptr), ACCP_OK);
            if (effect.kind == ACCP_RUN_CALL) {
                ASSERT_EQ(accp_run_fail(run, effect.call, nullptr, 0, ACCP_RUN_TOOL_FAILED,
                                        reason.data(), reason.size(), 0, nullptr),
                          ACCP_OK);
                ASSERT_EQ(accp_run_next(run, 0, &effect, nullptr), ACCP_OK);
            }
            EXPECT_EQ(trace_of(run),
                      R"([{"step":"1","verb":"a","tool":"T","params":{},"outcome":)" +
                          (flag ? told.starts_with(',') ? "\"TOOL_FAILED\"" + told : told
                                : "\"TOOL_FAILED\"}") +
                          "]");
            accp_run_free(run);
        }
    }
}

// Each allocation fails once: there is an error code, and no memory is lost. Another run resumes
// from the log and repeats no recorded call.
TEST(RunFace, OutOfMemoryAtEveryAllocation) {
    for (int64_t at = 0;; ++at) {
        accp_test::Failing failing;
        Store store;
        accp_config *config = nullptr;
        ASSERT_EQ(accp_config_new(&config, nullptr), ACCP_OK);
        const accp_allocator allocator = failing.allocator();
        ASSERT_EQ(accp_config_set_allocator(config, &allocator, nullptr), ACCP_OK);
        accp_run_request request = request_of(kMessage, store.store, "s");
        request.flags |= ACCP_RUN_REASONS;
        failing.left = at;
        bool failed = false;
        accp_run *run = nullptr;
        accp_status status = accp_run_new(&request, config, &run, nullptr);
        accp_run_effect effect = {};
        bool tried = false;
        while (status == ACCP_OK && effect.kind != ACCP_RUN_ENDED) {
            const int64_t now = std::max<int64_t>(0, accp_run_due(run));
            status = accp_run_next(run, now, &effect, nullptr);
            if (status == ACCP_OK && effect.kind == ACCP_RUN_NOTHING)
                status = accp_run_tick(run, now, nullptr);
            if (status != ACCP_OK || effect.kind != ACCP_RUN_CALL) continue;
            if (tried) status = accp_run_complete(run, effect.call, nullptr, 0, "1", 1, 0, nullptr);
            else
                status = accp_run_fail(run, effect.call, nullptr, 0, ACCP_RUN_TOOL_FAILED,
                                       kReason.data(), kReason.size(), 0, nullptr);
            tried = true;
        }
        failed = status != ACCP_OK;
        EXPECT_EQ(status, failed ? ACCP_ERR_NOMEM : ACCP_OK) << at;
        failing.left = -1;
        accp_run_free(run);
        EXPECT_EQ(failing.live, 0) << at;
        run = nullptr;
        ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK) << at;
        std::map<std::string, int> calls;
        EXPECT_TRUE(drive(run, 100, calls));
        EXPECT_EQ(accp_run_state(run), ACCP_RUN_DONE);
        accp_run_free(run);
        accp_config_free(config);
        if (!failed) {
            EXPECT_GT(at, 30);
            EXPECT_TRUE(calls.empty());
            break;
        }
    }
}

}  // namespace
