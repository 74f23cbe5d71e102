// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// 16 threads, each with its own handles from a shared config. They must get the same results as one
// thread, without a race. ctest runs each case in a process of its own, so that the library's first
// use is in one of the threads.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"
#include "config.h"

namespace {

constexpr int kThreads = 16;

// Runs `work(thread)` in all threads at once. Returns the sum of the errors that it counted.
int in_all_threads(const std::function<int(int)> &work) {
    std::atomic<int> waiting{kThreads}, wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            --waiting;
            while (waiting.load() > 0) std::this_thread::yield();
            wrong += work(i);
        });
    }
    for (std::thread &thread : threads) thread.join();
    return wrong;
}

struct Shared : accp_test::Config {
    Shared() {
        extensions(ACCP_EXT_Q1 | ACCP_EXT_T1).rule(ACCP_RULE_KEEP_REFS, 1).ignored("extra");
    }
};

// The handles of one thread.
struct Own {
    accp_frame *frame = nullptr;
    accp_codec *codec = nullptr;

    bool make(const accp_test::Config &config) {
        return accp_frame_new(config.get(), &frame, nullptr) == ACCP_OK &&
               accp_codec_new(config.get(), &codec, nullptr) == ACCP_OK;
    }
    void free() {
        accp_frame_free(frame);
        accp_codec_free(codec);
    }
};

const std::vector<std::string> &frames() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> lines;
        std::ifstream file(ACCP_SOURCE_DIR "/data/corpus/frames.txt");
        for (std::string line; std::getline(file, line);) lines.push_back(line);
        return lines;
    }();
    return all;
}

// Returns the results for one frame: its canonical text, its message, and the frame of that
// message.
std::string all_of(const Own &own, const std::string &text) {
    accp_text out = {};
    if (accp_frame_parse(own.frame, text.data(), text.size(), nullptr) != ACCP_OK)
        return "not parsed";
    if (accp_frame_print(own.frame, &out, nullptr) != ACCP_OK) return "not printed";
    const std::string printed = accp_test::string_of(out);
    if (accp_codec_decode(own.codec, text.data(), text.size(), &out, nullptr) != ACCP_OK)
        return "not decoded";
    const std::string json = accp_test::string_of(out);
    if (accp_codec_encode(own.codec, json.data(), json.size(), &out, nullptr) != ACCP_OK)
        return "not encoded";
    return printed + json + accp_test::string_of(out);
}

TEST(Race, FirstUseOfEverything) {
    const std::string text = "@a>req:x{k:[1,2]|l:\"a_b\"|m:{a:1,b:$w.k}}[seq:1]";
    const Shared config;
    std::vector<std::string> answers(kThreads);
    EXPECT_EQ(in_all_threads([&](int thread) {
                  Own own;
                  if (!own.make(config)) return 1;
                  answers[static_cast<size_t>(thread)] = all_of(own, text);
                  own.free();
                  return 0;
              }),
              0);
    for (const std::string &answer : answers) EXPECT_EQ(answer, answers[0]);
    EXPECT_EQ(answers[0].substr(0, text.size()), text);
}

TEST(Race, OwnHandlesFromASharedConfig) {
    const Shared config;
    ASSERT_EQ(frames().size(), 2000u);
    std::vector<std::string> expected;
    Own alone;
    ASSERT_TRUE(alone.make(config));
    for (const std::string &text : frames()) expected.push_back(all_of(alone, text));
    alone.free();
    EXPECT_EQ(in_all_threads([&](int thread) {
                  Own own;
                  if (!own.make(config)) return 1;
                  int wrong = 0;
                  for (size_t i = 0; i < expected.size(); ++i) {
                      const size_t which =
                          (i + static_cast<size_t>(thread) * 125) % expected.size();
                      wrong += all_of(own, frames()[which]) != expected[which];
                  }
                  own.free();
                  return wrong;
              }),
              0);
}

// Each caller has its own error, and never sees that of another thread.
TEST(Race, ErrorsAreTheCallersOwn) {
    const Shared config;
    EXPECT_EQ(in_all_threads([&](int thread) {
                  accp_frame *frame = nullptr;
                  if (accp_frame_new(config.get(), &frame, nullptr) != ACCP_OK) return 1;
                  const auto at = static_cast<size_t>(thread) + 11;
                  const std::string text =
                      "@a>req:x{k:" + std::string(static_cast<size_t>(thread), 'v') + " }";
                  int wrong = 0;
                  for (int i = 0; i < 5000; ++i) {
                      accp_error error = {};
                      accp_status status =
                          accp_frame_parse(frame, text.data(), text.size(), &error);
                      wrong += status != ACCP_E1001 || error.code != status || error.offset != at ||
                               !error.message;
                      wrong += std::string(accp_status_name(error.code)) != "PARSE_ERROR" ||
                               accp_status_is_retryable(error.code);
                  }
                  accp_frame_free(frame);
                  return wrong;
              }),
              0);
}

TEST(Race, ValuesAndBatches) {
    const Shared config;
    std::string lines;
    for (size_t i = 0; i < 200; ++i) lines += frames()[i] + "\n@broken\n";
    EXPECT_EQ(
        in_all_threads([&](int) {
            accp_value *value = nullptr;
            accp_batch *batch = nullptr;
            int wrong = accp_value_new(config.get(), &value, nullptr) != ACCP_OK;
            wrong += accp_batch_new(config.get(), &batch, nullptr) != ACCP_OK;
            for (int i = 0; i < 10 && !wrong; ++i) {
                size_t count = 0;
                accp_text out = {};
                wrong += accp_batch_parse(batch, lines.data(), lines.size(), nullptr) != ACCP_OK;
                wrong += accp_batch_decode(batch, lines.data(), lines.size(), nullptr) != ACCP_OK;
                accp_batch_records(batch, &count);
                wrong += count != 400;
                const std::string text = accp_test::string_of(accp_batch_text(batch)),
                                  json = text.substr(0, text.find('\n'));
                wrong += accp_value_parse_json(value, json.data(), json.size(), nullptr) != ACCP_OK;
                wrong += accp_value_print_hash_form(value, &out, nullptr) != ACCP_OK;
            }
            accp_value_free(value);
            accp_batch_free(batch);
            return wrong;
        }),
        0);
}

// A handle may be created in one thread, used in another and freed in a third, as with garbage
// collectors and goroutines.
TEST(Race, HandlesMayMoveBetweenThreads) {
    const Shared config;
    std::vector<Own> handles(kThreads);
    auto of = [&](int thread) -> Own & { return handles[static_cast<size_t>(thread % kThreads)]; };
    EXPECT_EQ(in_all_threads([&](int thread) { return !of(thread).make(config); }), 0);
    for (int round = 1; round < 20; ++round) {
        EXPECT_EQ(in_all_threads([&](int thread) {
                      const std::string &text = frames()[static_cast<size_t>(thread * 100 + round)];
                      return all_of(of(thread + round), text).compare(0, 4, "not ") == 0;
                  }),
                  0);
    }
    in_all_threads([&](int thread) {
        of(thread + 7).free();
        return 0;
    });
}

// All threads share one tokenizer without a lock, because it never changes. Each has its own
// counter.
TEST(Race, OneTokenizerForAllThreads) {
    accp_tokenizer *tokenizer = nullptr;
    ASSERT_EQ(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer, nullptr), ACCP_OK);
    std::vector<uint64_t> totals(kThreads);
    EXPECT_EQ(in_all_threads([&](int thread) {
                  accp_counter *counter = nullptr;
                  if (accp_counter_new(tokenizer, nullptr, &counter, nullptr) != ACCP_OK) return 1;
                  int wrong = 0;
                  for (size_t i = 0; i < 500; ++i) {
                      const std::string &text = frames()[i];
                      const uint32_t *ids = nullptr;
                      uint64_t tokens = 0;
                      size_t count = 0;
                      wrong += accp_counter_count(counter, text.data(), text.size(), UINT64_MAX,
                                                  &tokens, nullptr) != ACCP_OK;
                      wrong += accp_counter_encode(counter, text.data(), text.size(), &ids, &count,
                                                   nullptr) != ACCP_OK;
                      wrong += count != tokens;
                      totals[static_cast<size_t>(thread)] += tokens;
                  }
                  const std::string word(20000, 'a');
                  uint64_t tokens = 0;
                  wrong += accp_counter_count(counter, word.data(), word.size(), UINT64_MAX,
                                              &tokens, nullptr) != ACCP_OK ||
                           tokens != 2500;
                  accp_counter_free(counter);
                  return wrong;
              }),
              0);
    for (uint64_t total : totals) EXPECT_EQ(total, totals[0]);
    accp_tokenizer_free(tokenizer);
}

// All threads use one registry with their own references, and negotiate with it.
TEST(Race, OneRegistryForAll) {
    accp_registry *made = nullptr;
    ASSERT_EQ(accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, nullptr, &made, nullptr), ACCP_OK);
    accp_test::Config config;
    config.registry(made).extensions(ACCP_EXT_Q1);
    const std::string hash = accp_test::hash_of(made);
    const int wrong = in_all_threads([&](int) {
        int bad = 0;
        for (int round = 0; round < 200; ++round) {
            accp_registry *mine = accp_registry_share(made), *other = nullptr;
            uint32_t index = 0;
            accp_field field;
            bad += accp_registry_find(mine, "TX", 2, &index, nullptr) != ACCP_OK;
            bad += accp_registry_field(mine, index, 0, &field, nullptr) != ACCP_OK ||
                   field.wire.len != 3;
            bad += accp_registry_find_bound(mine, ACCP_INTENT_REQ, "schedule", 8, &index,
                                            nullptr) != ACCP_OK;
            if (round % 50 == 0)
                bad += accp_registry_merge(mine, made, &other, nullptr) != ACCP_OK ||
                       hash != accp_test::hash_of(other);
            accp_negotiation *side = nullptr;
            accp_text out = {};
            bad += accp_negotiation_new("a", 1, config.get(), &side, nullptr) != ACCP_OK;
            bad += accp_negotiation_next_frame(side, &out, nullptr) != ACCP_OK || out.len == 0;
            accp_registry_free(mine);
            accp_registry_free(other);
            accp_negotiation_free(side);
        }
        return bad;
    });
    EXPECT_EQ(wrong, 0);
    accp_registry_free(made);
}

}  // namespace
