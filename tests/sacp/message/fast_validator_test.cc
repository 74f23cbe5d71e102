// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message that FastValidator accepts is valid. Runs mutations of messages; ACCP_PLAN_MUTATIONS
// sets their number. It must also accept typical messages.
#include "sacp/message/fast_validator.h"

#include <cstdlib>
#include <random>

#include "sacp/message/messages.h"

namespace {

using namespace accp_plan;

struct Seed {
    std::string text, library;
    bool strict;
};

// Messages close to those that only one check refuses.
const Seed kSeeds[] = {
    {R"({"g":"X","plan":[["ask","T",{"c":"Oslo","city":null}]]})", "twins", true},
    {R"({"g":"X","plan":[["a","T",{"city":"Oslo","n":1},{}]],"ctx":{"test_mode":true}})", "twins",
     true},
    {R"({"g":"X","plan":[["tell","T",{"ctx.user":1}]],"ctx":{"user":null}})", "twins", true},
    {R"({"g":"X","plan":[["ask","T",{"city":"$ctx.a","x":[{"y":"$step.1"}]}]]})", "twins", true},
    {R"({"g":"X","plan":[["ask","T",{"city":"$$a","n":-0,"ctx.user":{"a":1,"b":2}}]]})", "twins",
     true},
    {R"({"g":"X","plan":[["join","T",{}],["define","T",{}]],"subtask":[]})", "twins", false},
    {R"({"g":"X","plan":[["ask","T",{"subtask":{},"city":""}]],"ext":{"":1},"result":{}})", "twins",
     true},
    {R"( { "g" : "X" , "plan" : [ [ "a" , "T" , { "c" : "x" , "n" : 10 } ] ] } )", "twins", true},
};

std::vector<Seed> read_seeds() {
    std::vector<Seed> seeds;
    for (int i = 0; i < 4; ++i) seeds.insert(seeds.end(), std::begin(kSeeds), std::end(kSeeds));
    for (const std::string &each : read_lines(vectors("validate.jsonl"))) {
        const Case line(each);
        const std::string text =
            line.find("raw") ? line.text("raw") : line.json(line.find("message"));
        if (text.size() < 1024) seeds.push_back({text, line.text("library"), line.flag("strict")});
    }
    for (const std::string &each : read_lines(vectors("alias.jsonl"))) {
        const Case line(each);
        seeds.push_back({line.text("in"), line.text("library"), true});
    }
    return seeds;
}

// Parts of messages to insert at valid and invalid places.
constexpr std::string_view kPieces[] = {"\"",
                                        "\\",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        " ",
                                        "\n",
                                        "null",
                                        "true",
                                        "false",
                                        "0",
                                        "-0",
                                        "01",
                                        "1.5",
                                        "1e3",
                                        "7",
                                        "\"\"",
                                        "\"$ctx.a\"",
                                        "\"$$x\"",
                                        "[]",
                                        "{}",
                                        "\"g\":",
                                        "\"ctx\":",
                                        "\"plan\":",
                                        "\"loc\":",
                                        "\"c\":",
                                        "\"city\":",
                                        "\"am\":",
                                        "\"a\":1,",
                                        "\"subtask\":",
                                        "\"test_mode\":",
                                        "\"join\"",
                                        "\"search\"",
                                        "\"s\"",
                                        "{\"parallel\":[",
                                        "[\"join\",\"MERGE\",{}]",
                                        "]}",
                                        "\"RANK\"",
                                        "\"H_API\"",
                                        "\"SPAWN_AGENT\"",
                                        "\"PENDING\"",
                                        "\"raw\"",
                                        "\xC3\xA9",
                                        "\xFF",
                                        "\"hotel_id\":\"h\"",
                                        "\"ctx.user\":{}",
                                        "\"method\":null"};

class Mutator {
public:
    explicit Mutator(uint64_t seed) : random_(seed) {}

    size_t below(size_t end) { return end ? random_() % end : 0; }

    void mutate(std::string &text) {
        const size_t at = below(text.size() + 1), len = below(12);
        switch (below(6)) {
            case 0: text.erase(at, len); break;
            case 1: text.insert(at, kPieces[below(std::size(kPieces))]); break;
            case 2: text.replace(at, below(6), kPieces[below(std::size(kPieces))]); break;
            case 3: text.insert(at, text.substr(below(text.size() + 1), below(40))); break;
            case 4: swap_tokens(text); break;
            default:
                if (at < text.size()) text[at] = static_cast<char>(below(256));
        }
    }

private:
    // Swaps two strings; the result is often still JSON.
    void swap_tokens(std::string &text) {
        std::vector<size_t> quotes;
        for (size_t i = 0; i < text.size(); ++i)
            if (text[i] == '"') quotes.push_back(i);
        if (quotes.size() < 4) return;
        size_t a = below(quotes.size() / 2), b = below(quotes.size() / 2);
        if (a == b) return;
        if (a > b) std::swap(a, b);
        const auto cut = [&](size_t i) {
            return text.substr(quotes[2 * i], quotes[2 * i + 1] + 1 - quotes[2 * i]);
        };
        const std::string first = cut(a), second = cut(b);
        text.replace(quotes[2 * b], second.size(), first);
        text.replace(quotes[2 * a], first.size(), second);
    }

    std::mt19937_64 random_;
};

// Uses a block of the exact size, so that a sanitizer detects reads beyond it.
bool accepts(Fixture &fixture, value::JsonReader &reader, const std::string &text,
             const Seed &seed) {
    const std::vector<char> exact(text.begin(), text.end());
    return reader.make_index(exact.data(), exact.size(), message_limits(kMaxBytes)).ok() &&
           FastValidator({exact.data(), exact.size()}, reader.index(), reader.index_count(),
                         fixture.library(seed.library), seed.strict)
               .accepts();
}

TEST(FastValidator, AcceptsOnlyWhatIsValid) {
    const char *wanted = std::getenv("ACCP_PLAN_MUTATIONS");
    const int count = wanted           ? std::atoi(wanted)
                      : ACCP_EMULATED  ? 20'000
                      : ACCP_SANITIZED ? 30'000
                                       : 300'000;
    Fixture fixture;
    value::JsonReader reader(fixture.memory);
    const std::vector<Seed> seeds = read_seeds();
    Mutator mutator(20260509);
    int accepted = 0, valid = 0;
    for (int i = 0; i < count; ++i) {
        const Seed &seed = seeds[mutator.below(seeds.size())];
        std::string text = seed.text;
        for (size_t times = mutator.below(4); times; --times) mutator.mutate(text);
        const bool quick = accepts(fixture, reader, text, seed);
        fixture.validator.check(text, kMaxBytes, fixture.library(seed.library), seed.strict,
                                fixture.verdict);
        ASSERT_TRUE(!quick || fixture.verdict.valid()) << text << "\n"
                                                       << seed.library << seed.strict << "\n"
                                                       << text_of(fixture.verdict, fixture.memory);
        accepted += quick;
        valid += fixture.verdict.valid();
    }
    // a validator that accepts nothing would also pass
    EXPECT_GT(accepted, count / 30);
    EXPECT_GT(accepted, valid / 2);
}

TEST(FastValidator, KnowsUsualMessages) {
    Fixture fixture;
    value::JsonReader reader(fixture.memory);
    for (const std::string &each : read_lines(vectors("validate.jsonl"))) {
        const Case line(each);
        const std::string name = line.text("name");
        if (name != "seed-find-hotel-strict" && name != "seed-find-hotel-open" &&
            name != "seed-summarize-feedback" && name != "unknown-in-ext" &&
            name != "seed-parallel-join" && name != "parallel-lists" && name != "nest-5" &&
            name != "msg-id-128")
            continue;
        const Seed seed = {line.json(line.find("message")), line.text("library"),
                           line.flag("strict")};
        EXPECT_TRUE(accepts(fixture, reader, seed.text, seed)) << name;
    }
}

}  // namespace
