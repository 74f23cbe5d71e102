// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tokens of a checkpoint's text by its parts are those of the whole text, for every pattern of
// a tokenizer; and what the parts say of a text that loses or gains an item is never too little.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "context/parts.h"
#include "token/pretoken.h"

namespace {

using namespace accp;

// The vocabulary of o200k_base under another pattern: what is at stake is where pieces part.
struct Counting {
    explicit Counting(std::string_view pattern) {
        const bool estimates = pattern.substr(0, 1) == "~";
        token::open_embedded("o200k_base", tokenizer);
        tokenizer.pattern = token::find_pattern(pattern.substr(estimates));
        tokenizer.numbers_are_tokens = false;
        // which tells more pieces from fewer, whatever is in them
        if (estimates) tokenizer.kind = token::TokenizerKind::kEstimate;
        counter.open(tokenizer, 1 << 12);
    }
    uint64_t count(const context::Warm &warm, std::vector<uint32_t> items) {
        Buffer<char> text(memory);
        context::write_items(warm, items.data(), static_cast<uint32_t>(items.size()), text);
        uint64_t tokens = 0;
        EXPECT_TRUE(counter.count({text.data(), text.size()}, UINT64_MAX, tokens).ok());
        return tokens;
    }

    Memory memory{private_allocator(), UINT64_MAX};
    token::Tokenizer tokenizer;
    token::TokenCounter counter{memory};
};

struct Random {
    std::mt19937 engine{7};

    uint32_t below(uint32_t n) { return engine() % n; }
    std::string text(bool plain) {
        static const char *const kWords[] = {
            "src/main.cc", "/etc",     "a_b",       "Zeta9", "};",   "\"}",   "...", "naïve",
            "日本",        "12345",    "it's",      "=====", "x",    "//",    "-",   "'s",
            "42%",         "\xC2\xA0", "e\xCC\x81", "🎉",     "\xFF", "{a:1}", "]",   "!!"};
        std::string made;
        for (uint32_t i = 0, count = 1 + below(4); i < count; ++i) {
            made += kWords[below(sizeof kWords / sizeof *kWords)];
            if (!plain && !below(3)) made += below(4) ? " " : "\t";
        }
        if (!plain && !below(4)) made = std::string(1 + below(4), below(3) ? ' ' : '\t') + made;
        return made;
    }
    context::Item item(context::Warm &warm, std::string &body) {
        static const char *const kEntities[] = {"task:a", "worker.run",           "/path",
                                                "é",      "dataset:crm_accounts", "x;"};
        context::Item made;
        made.kind = static_cast<context::Kind>(below(3));
        made.tokens = 1;
        made.checkpoint = context::slot_of(1);
        made.message = 1 + below(3);
        made.order =
            static_cast<uint16_t>(made.kind == context::Kind::kFact ? 0 : warm.items.size());
        body = text(made.kind != context::Kind::kLine);
        if (made.kind == context::Kind::kName) body += "name";
        if (made.kind != context::Kind::kFact) return made;
        std::string entity = kEntities[below(6)], attribute = below(4) ? "stat" : text(true);
        made.kin = context::fact_lengths(1, entity.size(), attribute.size());
        body = "a" + entity + attribute + body;
        return made;
    }
};

class Parts : public testing::TestWithParam<const char *> {};

TEST_P(Parts, AddUpToTheText) {
    Counting counting(GetParam());
    ASSERT_TRUE(counting.tokenizer.pattern);
    Random random;
    uint32_t told = 0;
    for (int round = 0; round < 4000; ++round) {
        context::Warm warm(counting.memory);
        Buffer<char> scratch(counting.memory);
        for (uint32_t i = 0, count = 1 + random.below(12); i < count; ++i) {
            std::string body;
            context::Item item = random.item(warm, body);
            warm.add(item, body);
        }
        context::PartCounter parts(warm, counting.counter, scratch);
        std::vector<uint32_t> items;
        uint64_t before = 0;
        for (uint32_t i = 0; i < warm.items.size(); ++i) {
            const uint64_t max = before + parts.max(warm.items[i]);
            items.push_back(i);
            uint64_t tokens = 0;
            const uint64_t whole = counting.count(warm, items);
            if (!parts.count(items.data(), static_cast<uint32_t>(items.size()), tokens)) break;
            ++told;
            ASSERT_EQ(tokens, whole) << round;
            ASSERT_LE(whole, max) << round;
            before = whole;
        }
        while (items.size() > 1) {  // an item that goes never leaves more
            uint64_t all = 0, left = 0;
            const bool known = parts.count(items.data(), static_cast<uint32_t>(items.size()), all);
            items.erase(items.begin() + random.below(static_cast<uint32_t>(items.size())));
            const bool still = parts.count(items.data(), static_cast<uint32_t>(items.size()), left);
            ASSERT_TRUE(!known || !still || left <= all) << round;
        }
    }
    EXPECT_GT(told, 4000u);  // and not by refusing to say
}

INSTANTIATE_TEST_SUITE_P(Patterns, Parts,
                         testing::Values("o200k_base", "cl100k_base", "qwen2", "gpt2", "deepseek3",
                                         "tekken", "~o200k_base", "~gpt2", "~deepseek3"));

}  // namespace
