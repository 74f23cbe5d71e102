// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A warm handle does not allocate on the heap. Counted over the 2,000 frames of the corpus, for
// each operation on a frame.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "accp/parts.h"
#include "config.h"
#include "fault/injector.h"

namespace {

using namespace accp_fault;

std::string read(const char *name) {
    std::ifstream file(std::string(ACCP_SOURCE_DIR "/data/corpus/") + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines(const std::string &text) {
    std::vector<std::string> all;
    for (size_t at = 0; at < text.size();) {
        size_t end = text.find('\n', at);
        if (end == std::string::npos) end = text.size();
        all.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

class HeapCalls : public testing::Test {
protected:
    void SetUp() override {
        accp_test::Config made;
        made.allocator(allocator()).rule(ACCP_RULE_KEEP_REFS, 1);
        const accp_config *config = made.extensions(ACCP_EXT_Q1 | ACCP_EXT_T1).get();
        ASSERT_EQ(accp_frame_new(config, &frame, nullptr), ACCP_OK);
        ASSERT_EQ(accp_codec_new(config, &codec, nullptr), ACCP_OK);
        ASSERT_EQ(accp_value_new(config, &value, nullptr), ACCP_OK);
        ASSERT_EQ(accp_batch_new(config, &batch, nullptr), ACCP_OK);
        ASSERT_EQ(accp_tokenizer_new("o200k_base", 10, config, &tokenizer, nullptr), ACCP_OK);
        ASSERT_EQ(accp_counter_new(tokenizer, config, &counter, nullptr), ACCP_OK);
        frame_text = read("frames.txt");
        json_text = read("compact.ndjson");
        frames = lines(frame_text);
        jsons = lines(json_text);
        ASSERT_EQ(frames.size(), 2000u);
        ASSERT_EQ(jsons.size(), 2000u);
        for (const std::string &text : frames) {
            ASSERT_EQ(accp_codec_decode(codec, text.data(), text.size(), &out, nullptr), ACCP_OK)
                << text;
            messages.push_back(accp_test::string_of(out));
            message_text += messages.back() + "\n";
        }
    }
    void TearDown() override {
        accp_frame_free(frame);
        accp_codec_free(codec);
        accp_value_free(value);
        accp_batch_free(batch);
        accp_counter_free(counter);
        accp_tokenizer_free(tokenizer);
        EXPECT_EQ(live_bytes(), 0);
    }

    // Runs twice over all texts to warm up, then once counted. `work` returns whether the call
    // succeeded.
    template <class Work>
    void expect_none(const std::vector<std::string> &texts, Work work) {
        size_t failures = 0;
        for (int round = 0; round < 2; ++round)
            for (const std::string &text : texts) failures += !work(text);
        arm(kNever, false);
        for (const std::string &text : texts) failures += !work(text);
        EXPECT_EQ(disarm(), 0u);
        EXPECT_EQ(failures, 0u);
    }

    accp_frame *frame = nullptr;
    accp_codec *codec = nullptr;
    accp_value *value = nullptr;
    accp_batch *batch = nullptr;
    accp_tokenizer *tokenizer = nullptr;
    accp_counter *counter = nullptr;
    std::string frame_text, json_text, message_text;
    std::vector<std::string> frames, jsons, messages;
    accp_text out = {};
};

TEST_F(HeapCalls, ParseAndPrint) {
    expect_none(frames, [this](const std::string &text) {
        return accp_frame_parse(frame, text.data(), text.size(), nullptr) == ACCP_OK &&
               accp_frame_print(frame, &out, nullptr) == ACCP_OK;
    });
}

TEST_F(HeapCalls, PayloadAndMetadata) {
    expect_none(frames, [this](const std::string &text) {
        return accp_frame_parse(frame, text.data(), text.size(), nullptr) == ACCP_OK &&
               accp_frame_meta(frame, value, nullptr) == ACCP_OK &&
               accp_frame_payload(frame, value, nullptr) == ACCP_OK;
    });
}

TEST_F(HeapCalls, Refused) {
    std::vector<std::string> broken;
    for (const std::string &text : frames) broken.push_back(text + "x");
    expect_none(broken, [this](const std::string &text) {
        return accp_frame_parse(frame, text.data(), text.size(), nullptr) == ACCP_E1001;
    });
}

TEST_F(HeapCalls, Decode) {
    expect_none(frames, [this](const std::string &text) {
        return accp_codec_decode(codec, text.data(), text.size(), &out, nullptr) == ACCP_OK;
    });
}

TEST_F(HeapCalls, Encode) {
    expect_none(messages, [this](const std::string &text) {
        return accp_codec_encode(codec, text.data(), text.size(), &out, nullptr) == ACCP_OK;
    });
}

TEST_F(HeapCalls, Json) {
    expect_none(jsons, [this](const std::string &text) {
        return accp_value_parse_json(value, text.data(), text.size(), nullptr) == ACCP_OK &&
               accp_value_print_json(value, &out, nullptr) == ACCP_OK &&
               accp_value_print_hash_form(value, &out, nullptr) == ACCP_OK;
    });
}

TEST_F(HeapCalls, Batch) {
    auto call = [this](auto *function) {
        return [this, function](const std::string &text) {
            return function(batch, text.data(), text.size(), nullptr) == ACCP_OK;
        };
    };
    expect_none({frame_text}, call(accp_batch_parse));
    expect_none({message_text}, call(accp_batch_encode));
    expect_none({frame_text}, call(accp_batch_decode));
    size_t count = 0;
    const accp_record *records = accp_batch_records(batch, &count);
    ASSERT_EQ(count, 2000u);
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(records[i].status, ACCP_OK);
}

TEST_F(HeapCalls, Tokens) {
    expect_none(frames, [this](const std::string &text) {
        uint64_t tokens = 0, total = 0;
        const uint32_t *ids = nullptr;
        size_t count = 0;
        accp_counter_reset(counter);
        bool good =
            accp_counter_count(counter, text.data(), text.size(), UINT64_MAX, &tokens, nullptr) ==
                ACCP_OK &&
            accp_counter_append(counter, text.data(), text.size() / 2, nullptr) == ACCP_OK &&
            accp_counter_total(counter, &total, nullptr) == ACCP_OK &&
            accp_counter_append(counter, text.data() + text.size() / 2,
                                text.size() - text.size() / 2, nullptr) == ACCP_OK &&
            accp_counter_total(counter, &total, nullptr) == ACCP_OK && total == tokens;
        return good &&
               accp_counter_encode(counter, text.data(), text.size(), &ids, &count, nullptr) ==
                   ACCP_OK &&
               count == tokens &&
               accp_counter_decode(counter, ids, count, &out, nullptr) == ACCP_OK &&
               std::string_view(out.text, out.len) == text;
    });
}

// Checks the counter itself: a cold handle does allocate.
TEST_F(HeapCalls, ColdHandlesDoAsk) {
    const std::string large(40000, '1');
    const std::string text = "[" + large + "]";
    arm(kNever, false);
    EXPECT_EQ(accp_value_parse_json(value, text.data(), text.size(), nullptr), ACCP_OK);
    EXPECT_GT(disarm(), 0u);
}

}  // namespace
