// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The metrics of an engine equal the results of the calls of its sessions.
#include <map>
#include <random>
#include <thread>

#include "accp/metrics.h"
#include "session/sessions.h"
#include "token/tokens.h"

using namespace accp_sessions;

namespace {

struct SessionMetrics : testing::Test, OneSession {
    SessionMetrics() {
        config.rule(ACCP_RULE_BY_SENDER, 1).rule(ACCP_RULE_DEADLINE_MS, 1000);
        renew();
    }
    uint64_t count(int32_t metric) { return accp_engine_metric(engine.get(), metric); }
    uint64_t outcomes(int32_t direction, accp_status status) {
        return accp_engine_outcome_count(engine.get(), direction, status);
    }
};

TEST_F(SessionMetrics, HaveNamesAndUnits) {
    std::map<std::string, int> names;
    int32_t i = 0;
    for (; accp_metric_name(i); ++i) {
        ++names[accp_metric_name(i)];
        EXPECT_NE(accp_metric_unit_name(i), nullptr) << i;
        EXPECT_EQ(count(i), 0u) << accp_metric_name(i);
    }
    EXPECT_EQ(i, ACCP_METRIC_CONTEXT_HISTORY_PRICE + 1);
    EXPECT_EQ(names.size(), static_cast<size_t>(i));
    EXPECT_EQ(accp_metric_unit_name(i), nullptr);
    EXPECT_EQ(accp_metric_name(-1), nullptr);
    EXPECT_EQ(accp_engine_metric(engine.get(), -1), 0u);
    EXPECT_EQ(accp_engine_metric(engine.get(), i), 0u);
    EXPECT_EQ(accp_engine_metric(nullptr, 0), 0u);
    EXPECT_EQ(accp_engine_outcome_count(nullptr, ACCP_SENT, ACCP_OK), 0u);
    EXPECT_EQ(outcomes(2, ACCP_OK), 0u);
    EXPECT_EQ(outcomes(ACCP_SENT, 77), 0u);
}

// A random run: every count is the sum of the results of the calls.
TEST_F(SessionMetrics, AreTheSumsOfWhatCallsAnswered) {
    std::mt19937 random(7);
    std::map<accp_status, uint64_t> received, sent;
    uint64_t bytes_in = 0, bytes_out = 0, frames_out = 0, messages = 0, gaps = 0, expired = 0,
             contexts = 0, tokens = 0;
    int64_t now = kNow;
    const auto drained = [&] {
        for (const Delivered &one : drain(session.get())) {
            messages += one.status == ACCP_OK;
            expired += one.status == ACCP_E3001;
            gaps += one.status == ACCP_E3003;
        }
    };
    for (int i = 1; i < 400; ++i) {
        now += random() % 400;
        const std::string n = std::to_string(100 + i);
        const std::string frame = "@b>" + std::string(random() % 9 ? "req" : "please") +
                                  ":plan{n:" + n + "}[mid:b00000000" + n +
                                  ",seq:" + std::to_string(i + (random() % 10 == 0)) + "]";
        ++received[receive(session.get(), frame, now)];
        bytes_in += frame.size();
        if (random() % 3 == 0) {
            accp_text out = {};
            const std::string json =
                random() % 5
                    ? R"({"agent":"a","intent":"req","operation":"plan","payload":{"n":1}})"
                    : "{";
            const accp_status status =
                accp_session_send(session.get(), json.data(), json.size(), now, &out, nullptr);
            ++sent[status];
            frames_out += status == ACCP_OK;
            bytes_out += status == ACCP_OK ? out.len : 0;
        }
        if (random() % 20 == 0) accp_session_expire(session.get(), now, nullptr);
        if (random() % 50 == 0) accp_session_checkpoint(session.get(), now, nullptr);
        if (random() % 10 == 0) {
            accp_text out = {};
            uint64_t had = 0;
            ASSERT_EQ(accp_session_context(session.get(), 0, &out, &had, nullptr), ACCP_OK);
            ++contexts;
            tokens += had;
        }
        drained();
    }
    EXPECT_EQ(count(ACCP_METRIC_FRAMES_RECEIVED), 399u);
    EXPECT_EQ(count(ACCP_METRIC_BYTES_RECEIVED), bytes_in);
    EXPECT_EQ(count(ACCP_METRIC_FRAMES_SENT), frames_out);
    EXPECT_EQ(count(ACCP_METRIC_BYTES_SENT), bytes_out);
    EXPECT_EQ(count(ACCP_METRIC_MESSAGES_DELIVERED), messages);
    EXPECT_EQ(count(ACCP_METRIC_GAPS), gaps);
    EXPECT_EQ(count(ACCP_METRIC_REQUESTS_EXPIRED), expired);
    EXPECT_EQ(count(ACCP_METRIC_RECORDS), accp_session_record_count(session.get()));
    EXPECT_EQ(count(ACCP_METRIC_CHECKPOINTS), accp_session_newest_checkpoint(session.get()));
    EXPECT_EQ(count(ACCP_METRIC_CONTEXTS), contexts);
    EXPECT_EQ(count(ACCP_METRIC_CONTEXT_TOKENS), tokens);
    EXPECT_GE(count(ACCP_METRIC_CONTEXT_HISTORY_TOKENS), tokens);
    EXPECT_GT(count(ACCP_METRIC_COMMITS), 0u);
    EXPECT_LE(count(ACCP_METRIC_COMMITS), count(ACCP_METRIC_RECORDS));
    for (const auto &[status, n] : received)
        EXPECT_EQ(outcomes(ACCP_RECEIVED, status), n) << accp_status_code_name(status);
    for (const auto &[status, n] : sent)
        EXPECT_EQ(outcomes(ACCP_SENT, status), n) << accp_status_code_name(status);
    for (const accp_status status : {ACCP_OK, ACCP_HELD, ACCP_E1002})
        EXPECT_GT(received[status], 0u) << accp_status_code_name(status);
    EXPECT_GT(sent[ACCP_E1001], 0u);
    EXPECT_GT(gaps * expired * tokens, 0u);
}

TEST_F(SessionMetrics, CountEachPartOfAMessage) {
    config.rule(ACCP_RULE_PARTS, 1);
    renew();
    std::string json = R"({"agent":"a","intent":"req","operation":"plan","payload":{"t":")";
    for (int i = 0; i < 900; ++i) json += "word ";
    const std::string frames = send(session.get(), json + "\"}}");
    const auto lines = static_cast<uint64_t>(std::count(frames.begin(), frames.end(), '\n'));
    ASSERT_GT(lines, 1u) << frames;
    EXPECT_EQ(count(ACCP_METRIC_FRAMES_SENT), lines + 1);
    EXPECT_EQ(count(ACCP_METRIC_BYTES_SENT), frames.size() - lines);
    EXPECT_EQ(outcomes(ACCP_SENT, ACCP_OK), 1u);
}

// Over all sessions, from any thread.
TEST_F(SessionMetrics, NothingIsLostBetweenThreads) {
    constexpr int kThreads = 4, kMessages = 200;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            const std::string id = "s" + std::to_string(t);
            accp_session *own = nullptr;
            ASSERT_EQ(accp_session_open(engine.get(), id.data(), id.size(), 0, &own, nullptr),
                      ACCP_OK);
            for (int i = 0; i < kMessages; ++i)
                append(own, R"({"agent":"a","intent":"req","operation":"plan","payload":{}})");
            accp_session_close(own);
        });
    uint64_t before = 0;
    for (int i = 0; i < 100; ++i) {
        const uint64_t now = count(ACCP_METRIC_RECORDS);
        EXPECT_GE(now, before);
        before = now;
    }
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(count(ACCP_METRIC_RECORDS), uint64_t{kThreads} * kMessages);
}

// A provider's cache has the prefix that a context shares with the previous one, by lines: to the
// token while nothing closes, and otherwise to the changed unit.
TEST_F(SessionMetrics, PriceWhatACacheDoesNotHave) {
    constexpr uint64_t kWritten = 1250;  // rule price_write
    accp_tokens::Counting counter("o200k_base");
    set_rule(ACCP_RULE_WHOLE_MAX, 0);
    std::string before;
    uint64_t wanted = 0, history = 0, last_history = 0, wanted_history = 0, folds = 0;
    for (int i = 0; i < 400; ++i) {
        const std::string n = std::to_string(i);
        std::string text;
        for (int line = 0; line < 60; ++line)
            text += "line " + std::to_string(line * i) + " of file " + n + R"(\n)";
        const std::string payload =
            i % 2 ? R"("done","operation":"tool","payload":{"result":")" + text + R"("}})"
                  : R"("req","operation":"tool","payload":{"arguments":{"file":"src/f)" + n +
                        R"(.cc"}}})";
        ASSERT_EQ(append(session.get(), R"({"agent":"a","intent":)" + payload), ACCP_OK);
        const uint64_t price = count(ACCP_METRIC_CONTEXT_PRICE);
        const std::string now = context(session.get());
        size_t same = 0;
        while (same < std::min(now.size(), before.size()) && now[same] == before[same]) ++same;
        same = same ? now.rfind('\n', same - 1) + 1 : 0;
        const uint64_t all = counter.count(now), cached = counter.count(now.substr(0, same));
        const uint64_t exact = 100 * cached + kWritten * (all - cached);
        const uint64_t charged = count(ACCP_METRIC_CONTEXT_PRICE) - price;
        folds += same < before.size();
        EXPECT_TRUE(same == before.size() ? charged == exact : charged >= exact) << i;
        EXPECT_LE(charged, kWritten * all) << i;
        wanted += exact;
        before = now;
        history = count(ACCP_METRIC_CONTEXT_HISTORY_TOKENS) - history;
        wanted_history += 100 * last_history + kWritten * (history - last_history);
        last_history = history;
        history = count(ACCP_METRIC_CONTEXT_HISTORY_TOKENS);
    }
    EXPECT_GT(folds, 2u);
    EXPECT_LE(count(ACCP_METRIC_CONTEXT_PRICE), wanted * 11 / 10);
    EXPECT_EQ(count(ACCP_METRIC_CONTEXT_HISTORY_PRICE), wanted_history);
    EXPECT_LT(count(ACCP_METRIC_CONTEXT_PRICE), wanted_history);
}

}  // namespace
