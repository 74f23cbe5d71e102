// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The reference parser with the vectors: verdict, tree and canonical form.
#include <gtest/gtest.h>

#include <fstream>

#include "reference/ref_parser.h"
#include "reference/ref_print.h"

namespace accp_ref {
namespace {

void check_taken(const Frame &frame, const Json &vector) {
    EXPECT_EQ(write_json(typed(frame)), write_json(*vector.find("ast")));
    const Canonical canon = canonical(frame);
    const Json *expected = vector.find("canon");
    ASSERT_NE(expected, nullptr);
    EXPECT_EQ(canon.text.has_value(), expected->kind == JsonKind::kString);
    if (!canon.text) return;
    EXPECT_EQ(*canon.text, expected->text);
    const Parsed again = parse_frame(*canon.text);
    ASSERT_TRUE(again.frame.has_value());
    EXPECT_EQ(canonical(*again.frame).text, canon.text);
}

TEST(RefParser, AgreesWithTheVectors) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/system/vectors/frames.jsonl");
    int taken = 0, refused = 0;
    for (std::string line; std::getline(file, line);) {
        const std::optional<Json> vector = parse_json(line);
        ASSERT_TRUE(vector.has_value()) << line;
        SCOPED_TRACE(line);
        const std::string &text = vector->find("frame")->text;
        const Parsed parsed = parse_frame(text);
        ASSERT_EQ(parsed.frame.has_value(), vector->find("ok")->kind == JsonKind::kTrue);
        ++(parsed.frame ? taken : refused);
        if (parsed.frame) check_taken(*parsed.frame, *vector);
        else EXPECT_LE(parsed.offset, text.size());
    }
    EXPECT_GT(taken, 300);
    EXPECT_GT(refused, 150);
}

// Checks the offset of a refusal: the text before it can still be completed, and with one byte more
// it cannot. The search tries a few characters in a few steps.
bool can_be_completed(const std::string &prefix, Dialect dialect, int steps) {
    if (parse_frame(prefix, dialect).frame) return true;
    if (steps == 0) return false;
    for (const char c : std::string("a:}]>@{|1\x80\xA6")) {
        const Parsed parsed = parse_frame(prefix + c, dialect);
        if (!parsed.frame && parsed.offset <= prefix.size()) continue;
        if (can_be_completed(prefix + c, dialect, steps - 1)) return true;
    }
    return false;
}

TEST(RefParser, NamesTheFirstByteThatNothingCanMend) {
    const std::string frames[] = {
        "@a>r:x{k:1|}",  "@a>r:x{k:a\\n}",       "@a>r:x{k:[a,]}",         "@a>r:x{k:$a..b}",
        "@a>r:x{k:$a.}", "@a>r:x{k:{a}}",        "@a>r:x{k:~~}",           "@a>r:x{}[]",
        "@a>r2:x{}",     "@a>r:x{k:1}[a:1|b:2]", "@a>r:x{k:\xE2\x80\x8B}", "@a>r:x{k:\xC2 }",
        "@>r:x{}",       "@a>r:x{k:@b.c}"};
    for (const std::string &text : frames) {
        for (const Dialect dialect : {Dialect::kStrict, Dialect::kCompat, Dialect::kU8}) {
            SCOPED_TRACE(text);
            const Parsed parsed = parse_frame(text, dialect);
            ASSERT_FALSE(parsed.frame.has_value());
            ASSERT_LT(parsed.offset, text.size());
            EXPECT_TRUE(can_be_completed(text.substr(0, parsed.offset), dialect, 7))
                << parsed.offset;
            EXPECT_FALSE(can_be_completed(text.substr(0, parsed.offset + 1), dialect, 3))
                << parsed.offset;
        }
    }
}

}  // namespace
}  // namespace accp_ref
