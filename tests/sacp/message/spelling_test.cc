// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random messages of a library's words with mixed names; ACCP_PLAN_MESSAGES sets their number.
// expand(compact(expand(m))) = expand(m), each spelling is idempotent, and no spelling changes the
// verdict.
#include <cstdlib>
#include <random>

#include "sacp/message/messages.h"

namespace {

using namespace accp_plan;

constexpr const char *kVerbs[] = {"search", "s",     "rank",   "r",   "present", "p",  "fetch", "f",
                                  "book",   "check", "filter", "fly", "format",  "ss", "notify"};
constexpr const char *kTools[] = {"H_API", "RANK",      "PRES",     "H_CACHE", "HISTO_API",
                                  "MAIL",  "BUD_MATCH", "BOOK_API", "T",       "AGENT"};
constexpr const char *kKeys[] = {"city",      "c",   "price_max", "p_max",  "limit",     "lim",
                                 "criteria",  "o",   "order",     "n",      "count",     "d",
                                 "dates",     "bdg", "budget",    "loc",    "location",  "am",
                                 "amenities", "in",  "check_in",  "out",    "check_out", "mx",
                                 "a",         "k",   "src",       "source", "x",         "y"};

class MessageMaker {
public:
    explicit MessageMaker(uint64_t seed) : random_(seed) {}

    std::string message(int depth) {
        std::string text = R"({"g":"X")";
        if (below(4)) text += ",\"ctx\":" + object(2, depth < 1 ? "$ctx." : "");
        text += ",\"plan\":[" + steps(depth, 1) + "]";
        if (!below(3)) text += R"(,"out_fmt":"raw")";
        if (depth && !below(4)) text += ",\"subtask\":[" + message(depth - 1) + "]";
        return text + "}";
    }

private:
    size_t below(size_t end) { return random_() % end; }
    template <size_t kCount>
    std::string any(const char *const (&words)[kCount]) {
        return words[below(kCount)];
    }
    std::string value(int depth, const std::string &references) {
        switch (below(depth ? 7 : 5)) {
            case 0: return std::to_string(below(100));
            case 1: return "null";
            case 2: return "\"" + any(kKeys) + "\"";
            case 3: return references.empty() ? "1.50" : "\"" + references + any(kKeys) + ".a\"";
            case 4: return references.empty() ? "true" : "\"" + references + any(kKeys) + "\"";
            case 5: return object(depth - 1, references);
            default:
                return "[" + value(depth - 1, references) + "," + value(depth - 1, references) +
                       "]";
        }
    }
    std::string object(int depth, const std::string &references) {
        std::vector<std::string> seen;
        std::string text = "{";
        for (size_t left = below(6); left; --left) {
            const std::string key = any(kKeys);
            if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
            text += (seen.empty() ? "\"" : ",\"") + key + "\":" + value(depth, references);
            seen.push_back(key);
        }
        return text + "}";
    }
    std::string step(int depth) {
        const std::string head = "[\"" + any(kVerbs) + "\",\"" + any(kTools) + "\",";
        if (depth && !below(5))
            return head + "{\"" + any(kKeys) + "\":1,\"subtask\":" + message(depth - 1) + "}]";
        return head + object(2, "$ctx.") + "]";
    }
    std::string steps(int depth, int parallels) {
        std::string text = step(depth);
        for (size_t left = below(3); left; --left) {
            text += ",";
            if (parallels && !below(3))
                text += "{\"parallel\":[" + step(depth) + ",[" + steps(depth, parallels - 1) +
                        "]]},[\"join\",\"MERGE\",{}]";
            else text += step(depth);
        }
        return text;
    }

    std::mt19937_64 random_;
};

TEST(Spell, ThereAndBack) {
    const char *wanted = std::getenv("ACCP_PLAN_MESSAGES");
    const int count = wanted           ? std::atoi(wanted)
                      : ACCP_EMULATED  ? 1'000
                      : ACCP_SANITIZED ? 3'000
                                       : 20'000;
    Fixture fixture;
    const Library &library = fixture.library("travel");
    Buffer<char> out(fixture.memory);
    const auto spell = [&](const std::string &text, Spelling spelling) {
        out.clear();
        EXPECT_TRUE(
            fixture.validator.spell(text, kMaxBytes, library, spelling, out, fixture.verdict))
            << text << text_of(fixture.verdict, fixture.memory);
        return std::string(out.view());
    };
    const auto judge = [&](const std::string &text) {
        fixture.validator.check(text, kMaxBytes, library, true, fixture.verdict);
        return summary_of(fixture.verdict);
    };
    MessageMaker maker(44);
    int renamed = 0, valid = 0;
    for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
        const std::string text = maker.message(2), full = spell(text, Spelling::kFull),
                          brief = spell(full, Spelling::kBrief),
                          canon = spell(text, Spelling::kAsIs);
        ASSERT_EQ(spell(brief, Spelling::kFull), full) << text << "\n" << brief;
        ASSERT_EQ(spell(full, Spelling::kFull), full) << text;
        ASSERT_EQ(spell(brief, Spelling::kBrief), brief) << text;
        ASSERT_EQ(spell(canon, Spelling::kAsIs), canon) << text;
        ASSERT_EQ(spell(canon, Spelling::kFull), full) << text;
        const std::string said = judge(text);
        ASSERT_EQ(judge(full), said) << text << "\n" << full;
        ASSERT_EQ(judge(brief), said) << text << "\n" << brief;
        renamed += full != canon;
        valid += said == "VALID";
    }
    EXPECT_GT(renamed, count / 2);
    EXPECT_GT(valid, 0);
}

}  // namespace
