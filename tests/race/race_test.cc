// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// 16 threads, each with its own handles, from options that all share: the same answers as one
// thread gets, and no race. ctest runs each case in a process of its own, so that the first one to
// use the library is a thread among others.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "accp/accp.h"

namespace {

constexpr int kThreads = 16;

// Runs `work(thread)` in all threads at once; it answers how many things went wrong.
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

struct Options {
    Options() {
        accp_options_new(&made, nullptr);
        accp_options_set_extensions(made, ACCP_EXT_Q1 | ACCP_EXT_T1, nullptr);
        accp_options_set_keep_refs(made, 1, nullptr);
        accp_options_ignore(made, "extra", 5, nullptr);
    }
    ~Options() { accp_options_free(made); }
    accp_options *made = nullptr;
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

// What becomes of one frame: its canonical text, its message, and the frame of that message.
std::string all_of(accp_frame *frame, const std::string &text) {
    const char *out = nullptr;
    size_t len = 0;
    if (accp_frame_parse(frame, text.data(), text.size(), nullptr) != ACCP_OK) return "not parsed";
    if (accp_frame_print(frame, &out, &len, nullptr) != ACCP_OK) return "not printed";
    std::string result(out, len);
    if (accp_frame_decode(frame, text.data(), text.size(), &out, &len, nullptr) != ACCP_OK)
        return "not decoded";
    const std::string json(out, len);
    if (accp_frame_encode(frame, json.data(), json.size(), &out, &len, nullptr) != ACCP_OK)
        return "not encoded";
    return result + json + std::string(out, len);
}

TEST(Race, FirstUseOfEverything) {
    const std::string text = "@a>req:x{k:[1,2]|l:\"a_b\"|m:{a:1,b:$w.k}}[seq:1]";
    const Options options;
    std::vector<std::string> answers(kThreads);
    EXPECT_EQ(in_all_threads([&](int thread) {
                  accp_frame *frame = nullptr;
                  if (accp_frame_new(options.made, &frame, nullptr) != ACCP_OK) return 1;
                  answers[static_cast<size_t>(thread)] = all_of(frame, text);
                  accp_frame_free(frame);
                  return 0;
              }),
              0);
    for (const std::string &answer : answers) EXPECT_EQ(answer, answers[0]);
    EXPECT_EQ(answers[0].substr(0, text.size()), text);
}

TEST(Race, OwnHandlesFromSharedOptions) {
    const Options options;
    ASSERT_EQ(frames().size(), 2000u);
    std::vector<std::string> expected;
    accp_frame *frame = nullptr;
    ASSERT_EQ(accp_frame_new(options.made, &frame, nullptr), ACCP_OK);
    for (const std::string &text : frames()) expected.push_back(all_of(frame, text));
    accp_frame_free(frame);
    EXPECT_EQ(in_all_threads([&](int thread) {
                  accp_frame *own = nullptr;
                  if (accp_frame_new(options.made, &own, nullptr) != ACCP_OK) return 1;
                  int wrong = 0;
                  for (size_t i = 0; i < expected.size(); ++i) {
                      const size_t which =
                          (i + static_cast<size_t>(thread) * 125) % expected.size();
                      wrong += all_of(own, frames()[which]) != expected[which];
                  }
                  accp_frame_free(own);
                  return wrong;
              }),
              0);
}

// An error belongs to its caller: no thread ever sees another's.
TEST(Race, ErrorsAreTheCallersOwn) {
    const Options options;
    EXPECT_EQ(in_all_threads([&](int thread) {
                  accp_frame *frame = nullptr;
                  if (accp_frame_new(options.made, &frame, nullptr) != ACCP_OK) return 1;
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
                               accp_status_retryable(error.code);
                  }
                  accp_frame_free(frame);
                  return wrong;
              }),
              0);
}

TEST(Race, ValuesAndBatches) {
    const Options options;
    std::string lines;
    for (size_t i = 0; i < 200; ++i) lines += frames()[i] + "\n@broken\n";
    EXPECT_EQ(
        in_all_threads([&](int) {
            accp_value *value = nullptr;
            accp_batch *batch = nullptr;
            int wrong = accp_value_new(options.made, &value, nullptr) != ACCP_OK;
            wrong += accp_batch_new(options.made, &batch, nullptr) != ACCP_OK;
            for (int i = 0; i < 10 && !wrong; ++i) {
                size_t count = 0, len = 0;
                const char *out = nullptr;
                wrong += accp_batch_parse(batch, lines.data(), lines.size(), nullptr) != ACCP_OK;
                wrong += accp_batch_decode(batch, lines.data(), lines.size(), nullptr) != ACCP_OK;
                accp_batch_records(batch, &count);
                wrong += count != 400;
                const char *text = accp_batch_text(batch, &len);
                const std::string json(text,
                                       static_cast<const char *>(std::memchr(text, '\n', len)));
                wrong += accp_json_parse(value, json.data(), json.size(), nullptr) != ACCP_OK;
                wrong += accp_value_hash_form(value, &out, &len, nullptr) != ACCP_OK;
            }
            accp_value_free(value);
            accp_batch_free(batch);
            return wrong;
        }),
        0);
}

// A handle may be made in one thread, used in another and freed in a third, as garbage collectors
// and goroutines do.
TEST(Race, HandlesMayMoveBetweenThreads) {
    const Options options;
    std::vector<accp_frame *> handles(kThreads, nullptr);
    auto of = [&](int thread) -> accp_frame *& {
        return handles[static_cast<size_t>(thread % kThreads)];
    };
    EXPECT_EQ(in_all_threads([&](int thread) {
                  return accp_frame_new(options.made, &of(thread), nullptr) != ACCP_OK;
              }),
              0);
    for (int round = 1; round < 20; ++round) {
        EXPECT_EQ(in_all_threads([&](int thread) {
                      const std::string &text = frames()[static_cast<size_t>(thread * 100 + round)];
                      return all_of(of(thread + round), text).compare(0, 4, "not ") == 0;
                  }),
                  0);
    }
    in_all_threads([&](int thread) {
        accp_frame_free(of(thread + 7));
        return 0;
    });
}

// One tokenizer for all, and no lock: it never changes. A counter a thread.
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
                      wrong += accp_counter_count(counter, text.data(), text.size(), &tokens,
                                                  nullptr) != ACCP_OK;
                      wrong += accp_counter_encode(counter, text.data(), text.size(), &ids, &count,
                                                   nullptr) != ACCP_OK;
                      wrong += count != tokens;
                      totals[static_cast<size_t>(thread)] += tokens;
                  }
                  const std::string word(20000, 'a');
                  uint64_t tokens = 0;
                  wrong += accp_counter_count(counter, word.data(), word.size(), &tokens,
                                              nullptr) != ACCP_OK ||
                           tokens != 2500;
                  accp_counter_free(counter);
                  return wrong;
              }),
              0);
    for (uint64_t total : totals) EXPECT_EQ(total, totals[0]);
    accp_tokenizer_free(tokenizer);
}

// One registry, asked, shared and given up by all; and negotiations of all with all over it.
TEST(Race, OneRegistryForAll) {
    accp_registry *made = nullptr;
    ASSERT_EQ(accp_registry_new(nullptr, ACCP_PROFILE_ALL, nullptr, 0, &made, nullptr), ACCP_OK);
    const std::string hash = accp_registry_hash(made);
    const int wrong = in_all_threads([&](int) {
        int bad = 0;
        for (int round = 0; round < 200; ++round) {
            accp_registry *mine = accp_registry_share(made), *other = nullptr;
            uint32_t index = 0;
            accp_field field;
            bad += accp_registry_find(mine, "TX", 2, &index, nullptr) != ACCP_OK;
            bad += accp_registry_field(mine, index, 0, &field, nullptr) != ACCP_OK ||
                   field.wire.len != 3;
            bad += accp_registry_bound(mine, ACCP_INTENT_REQ, "schedule", 8, &index, nullptr) !=
                   ACCP_OK;
            if (round % 50 == 0)
                bad += accp_registry_merge(mine, made, &other, nullptr) != ACCP_OK ||
                       hash != accp_registry_hash(other);
            accp_negotiation *side = nullptr;
            const char *out = nullptr;
            size_t len = 0;
            bad +=
                accp_negotiation_new(nullptr, mine, "a", 1, ACCP_EXT_Q1, &side, nullptr) != ACCP_OK;
            bad += accp_negotiation_next(side, &out, &len, nullptr) != ACCP_OK || len == 0;
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
