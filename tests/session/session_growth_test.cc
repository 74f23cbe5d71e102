// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A context suits a provider's cache: between folds it only grows, in tokens of every vocabulary
// and as messages. Every store gives the same bytes, also after reopening.
#include <algorithm>

#include "context/hostile_messages.h"
#include "session/sessions.h"

namespace {

using namespace accp_sessions;

struct Counter {
    explicit Counter(const char *name) {
        EXPECT_EQ(accp_tokenizer_new(name, strlen(name), nullptr, &tokenizer, nullptr), ACCP_OK);
        EXPECT_EQ(accp_counter_new(tokenizer, nullptr, &counter, nullptr), ACCP_OK);
    }
    ~Counter() {
        accp_counter_free(counter);
        accp_tokenizer_free(tokenizer);
    }
    std::vector<uint32_t> ids(const std::string &text) const {
        const uint32_t *found = nullptr;
        size_t count = 0;
        EXPECT_EQ(accp_counter_encode(counter, text.data(), text.size(), &found, &count, nullptr),
                  ACCP_OK);
        return {found, found + count};
    }
    accp_tokenizer *tokenizer = nullptr;
    accp_counter *counter = nullptr;
};

std::string next(accp_context::HostileMessages &random) {
    accp_context::Said said;
    return random.next(said, false);
}

class SessionGrowth : public testing::TestWithParam<uint32_t> {};

TEST_P(SessionGrowth, InTokensOfEveryVocabulary) {
    const Counter counter(accp_tokenizer_builtin_name(GetParam()));
    if (!accp_tokenizer_size(counter.tokenizer)) return;  // it only estimates, so there are no ids
    int grown = 0;
    for (uint64_t seed = 0; seed < 4; ++seed) {
        accp_test::Config config;
        auto engine = open_engine(config.tokenizer(counter.tokenizer));
        auto session = open_session(engine.get());
        accp_context::HostileMessages random(seed);
        std::vector<uint32_t> last;
        uint32_t checkpoint = 0;
        for (int i = 0; i < 40; ++i) {
            ASSERT_EQ(append(session.get(), next(random)), ACCP_OK);
            const std::vector<uint32_t> ids = counter.ids(context(session.get()));
            const uint32_t newest = accp_session_newest_checkpoint(session.get());
            if (newest == checkpoint) {
                ASSERT_LE(last.size(), ids.size());
                ASSERT_TRUE(std::equal(last.begin(), last.end(), ids.begin()))
                    << "seed " << seed << ", message " << i;
                ++grown;
            }
            checkpoint = newest;
            last = ids;
        }
    }
    EXPECT_GT(grown, 20) << "most messages fold nothing";
}

INSTANTIATE_TEST_SUITE_P(Vocabularies, SessionGrowth, testing::Range(0u, [] {
                             uint32_t count = 0;
                             while (accp_tokenizer_builtin_name(count)) ++count;
                             return count;
                         }()));

std::string messages(accp_session *session, int32_t of) {
    return text_of([&](accp_text *out, accp_error *err) {
        return accp_session_context_messages(session, of, 0, out, nullptr, err);
    });
}

std::string lines(int of) {
    std::string text;
    for (int i = 0; i < 120; ++i)
        text += "row " + std::to_string(i) + " of table " + std::to_string(of) + R"( is here\n)";
    return text;
}

// A call and its result are appended together, as a host does.
std::string turn(int i) {
    const std::string id = "\"call_" + std::to_string(i) + "\"";
    return R"([{"role":"assistant","content":"Step )" + std::to_string(i) +
           R"(","tool_calls":[{"id":)" + id +
           R"(,"type":"function","function":{"name":"run","arguments":"{\"n\":)" +
           std::to_string(i) + R"(}"}}]},{"role":"tool","tool_call_id":)" + id + R"(,"content":")" +
           lines(i) + R"("}])";
}

TEST(SessionGrowth, AsMessages) {
    auto engine = open_engine();
    auto session = open_session(engine.get());
    std::string last = "[";
    int grown = 0, changed = 0;
    for (int i = 0; i < 120; ++i) {
        const std::string said = turn(i);
        uint64_t count = 0;
        ASSERT_EQ(accp_session_append_messages(session.get(), said.data(), said.size(),
                                               ACCP_INTERFACE_OPENAI, kNow, &count, nullptr),
                  ACCP_OK);
        ASSERT_EQ(count, uint64_t{2});
        std::string now = messages(session.get(), ACCP_INTERFACE_OPENAI);
        ASSERT_EQ(now.back(), ']');
        now.pop_back();
        (now.rfind(last, 0) == 0 ? grown : changed) += 1;
        last = now;
    }
    EXPECT_GT(grown, 30);
    EXPECT_GT(changed, 1) << "pages were evicted";
    auto count = [&](std::string_view text) {
        size_t found = 0;
        for (size_t at = 0; (at = last.find(text, at)) != last.npos; ++at) ++found;
        return found;
    };
    EXPECT_GT(count(" tokens: $cold.m"), 20u);
    EXPECT_EQ(count(R"("tool_calls":)"), 120u) << "calls stay";
    EXPECT_EQ(count(R"({"role":"tool","tool_call_id":)"), 120u) << "each with its result";
    EXPECT_EQ(count(R"("content":"\u2026 )") + count("\"content\":\"\xE2\x80\xA6 "),
              count(" tokens: $cold.m"))
        << "an evicted result is the line alone";
}

// The same in memory, in a file, and with reopening before each message.
TEST(SessionGrowth, EveryStoreMakesTheSameBytes) {
    const std::string path = testing::TempDir() + "accp_growth.db";
    for (const char *end : {"", "-wal", "-shm"}) std::remove((path + end).c_str());
    accp_test::Config config;
    config.rule(ACCP_RULE_SEED, 7);
    auto file = open_store("sqlite:" + path);
    auto in_memory = open_engine(config), in_file = open_engine(config.store(file.get()));
    auto one = open_session(in_memory.get()), two = open_session(in_file.get());
    accp_context::HostileMessages random(3);
    for (int i = 0; i < 150; ++i) {
        const std::string json = next(random);
        ASSERT_EQ(append(one.get(), json), ACCP_OK);
        ASSERT_EQ(append(two.get(), json), ACCP_OK);
        two.reset();
        two = open_session(in_file.get());
        ASSERT_EQ(context(two.get()), context(one.get())) << i;
        if (i % 10) continue;
        ASSERT_EQ(messages(two.get(), ACCP_INTERFACE_ANTHROPIC),
                  messages(one.get(), ACCP_INTERFACE_ANTHROPIC));
    }
}

}  // namespace
