// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts that need no quotes, and how texts are written.
#include <gtest/gtest.h>

#include "render/text.h"
#include "unit.h"

namespace {

using namespace accp;

TEST(RenderText, WhatStandsBare) {
    for (const char *text :
         {"a", "007", "TRUE", ".5", "-x", "a\"b", "a\\b", "x\ny", "nullable", "é", "a$b"})
        EXPECT_TRUE(render::is_bare_text(text, 0)) << text;
    for (const char *text : {"", " a", "a ", "a:", "\"a", "[a", "{a", "(a", "$a", "true", "null",
                             "12", "-1.5e9", "-", "- a", "-,", "null x", "null;"})
        EXPECT_FALSE(render::is_bare_text(text, 0)) << text;
    EXPECT_TRUE(render::is_bare_text("a b", render::kStopComma));
    EXPECT_FALSE(render::is_bare_text("a b", render::kStopSpace));
    EXPECT_FALSE(render::is_bare_text("a,b", render::kStopComma));
    EXPECT_FALSE(render::is_bare_text("a|b", render::kStopPipe));
    for (const char *text : {"a]", "a}b", "a;b"})
        EXPECT_FALSE(render::is_bare_text(text, render::kStopClose)) << text;
}

TEST(RenderText, WhichKeysStandBare) {
    for (const char *key : {"a", "key", "$ref", "-", "12", "a.b", "a@b", "..", "ü"})
        EXPECT_TRUE(render::is_bare_key(key)) << key;
    for (const char *key : {"", "@a", "...", "...x", "a b", "a:", "a,b", "a;", "a|", "a?", "(a",
                            "a]", "{", "\"", "\\", "\t"})
        EXPECT_FALSE(render::is_bare_key(key)) << key;
}

std::string written(std::string_view text, bool untrusted) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    render::TextWriter to(out);
    to.untrusted = untrusted;
    const accp_unit::Padded padded(text);
    to.string(padded.view(), 0);
    return accp_unit::text_of(out);
}

TEST(RenderText, HowTextsAreWritten) {
    EXPECT_EQ(written("a b\n\\\x01", false), "a b\\n\\\\\\u0001");
    EXPECT_EQ(written("- \"a\"\t", false), "\"- \\\"a\\\"\\t\"");
    EXPECT_EQ(written("two words", true), "\"two words\"");
    EXPECT_EQ(written("a\u200Bb\u202E\x7F\u0085", false), "a\u200Bb\\u202e\\u007f\\u0085");
    EXPECT_EQ(written("a\u200Bb\U000E0041\"", true), "\"a\\u200bb\\udb40\\udc41\\\"\"");
}

}  // namespace
