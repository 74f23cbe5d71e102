// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// text/words.h and text/phrases.h: words, phrases and topics.
#include "text/phrases.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

#include "base/text.h"
#include "text/words.h"
#include "unit.h"

namespace {

using namespace accp;

std::string words_of(std::string_view text) {
    accp_unit::Room room;
    text::Words words(room.memory);
    words.read(text);
    std::string made;
    for (size_t i = 0; i < words.size(); ++i) made += std::string(words[i]) + "|";
    return made;
}

bool has(std::string_view text, std::string_view phrase) {
    accp_unit::Room room;
    text::Words words(room.memory);
    words.read(text);
    text::Phrases phrases(room.memory);
    phrases.add(phrase);
    phrases.finish();
    const bool found = text::has_phrase(words, phrase);
    EXPECT_EQ(phrases.match(words)[0] != 0, found) << text << " / " << phrase;
    return found;
}

size_t common(std::string_view a, std::string_view b) {
    accp_unit::Room room;
    Buffer<uint64_t> one(room.memory), other(room.memory);
    text::append_topics(a, one);
    text::append_topics(b, other);
    return text::count_common({one.data(), one.size()}, {other.data(), other.size()});
}

TEST(TextWords, AreLowerCaseWithoutApostrophes) {
    EXPECT_EQ(words_of("Don't use `PyJWT`, I\xE2\x80\x99ll take snake_case!"),
              "dont|use|pyjwt|ill|take|snake_case|");
    EXPECT_EQ(words_of("'quoted' it's"), "quoted|its|");
    EXPECT_EQ(words_of("\xC3\x89t\xC3\xA9 2x"), "\xC3\xA9t\xC3\xA9|2x|");
    EXPECT_EQ(words_of(""), "");
}

TEST(TextWords, Phrases) {
    const struct {
        const char *text, *phrase;
        bool has;
    } cases[] = {
        {"we use it", "use", true},
        {"we used it", "use", false},
        {"we used it", "use*", true},
        {"go with JWT", "go with", true},
        {"go now with JWT", "go with", false},
        {"go now with JWT", "go ~ with", true},
        {"go a b c with", "go ~ with", true},
        {"go a b c d with", "go ~ with", false},
        {"it must be", "must|should", true},
        {"use it", "^ use", true},
        {"we use it", "^ use", false},
        {"we use it", "^ use / we use", true},
        {"isn't being respected", "isnt|wasnt ~ respect*", true},
        {"", "use", false},
        {"we unused it", "*used", true},
        {"a useless", "*seles*", true},
        {"usable", "*used", false},
        {"add it", "^ !we|you it", true},
        {"we it", "^ !we|you it", false},
        {"must", "must be", false},
        {"must", "^ ~ must", true},
        {"a b c must", "^ ~ must", true},
        {"a b c d must", "^ ~ must", false},
    };
    for (const auto &given : cases)
        EXPECT_EQ(has(given.text, given.phrase), given.has) << given.text << " / " << given.phrase;
}

// Phrases matched together give the same results as each alone.
TEST(TextWords, PhrasesTogetherAsAlone) {
    accp_unit::Random random(11);
    const char *const words[] = {"use", "used", "it", "must", "not", "we", "you", "be"};
    const char *const elements[] = {"use", "use*", "*ed", "it|be", "!we|you", "must", "*s*", "not"};
    for (int round = 0; round < 3000; ++round) {
        accp_unit::Room room;
        text::Phrases phrases(room.memory);
        std::vector<std::string> all(1 + random.below(6));
        for (std::string &phrase : all) {
            for (size_t ways = 1 + random.below(2); ways; --ways) {
                if (!phrase.empty()) phrase += " / ";
                if (random.below(4) == 0) phrase += "^ ";
                phrase += elements[random.below(std::size(elements))];
                if (random.below(2)) phrase += random.below(2) ? " ~ " : " ";
                if (phrase.back() == ' ') phrase += elements[random.below(std::size(elements))];
            }
        }
        std::string text;
        for (size_t n = random.below(8); n; --n)
            text += words[random.below(std::size(words))] + std::string(" ");
        for (const std::string &phrase : all) phrases.add(phrase);
        phrases.finish();
        text::Words read(room.memory);
        read.read(text);
        const std::span<const uint8_t> found = phrases.match(read);
        ASSERT_EQ(found.size(), all.size());
        for (size_t i = 0; i < all.size(); ++i)
            ASSERT_EQ(found[i] != 0, text::has_phrase(read, all[i])) << text << "| " << all[i];
    }
}

TEST(TextWords, TopicsLeaveOutWhatAllSay) {
    EXPECT_EQ(common("the parser is slow", "a PARSER of the frames"), 1u);
    EXPECT_EQ(common("renderSegments", "the segments rendered"), 2u);
    EXPECT_EQ(common("src/pie_menu.rs", "pie menu"), 2u);
    EXPECT_EQ(common("and the of to", "and the of to"), 0u);
    EXPECT_EQ(common("gr\xC3\xB6\xC3\x9F"
                     "e",
                     "Die Gr\xC3\xB6\xC3\x9F"
                     "e"),
              1u);
    // pairs of characters
    EXPECT_EQ(common("\xE7\x99\xBB\xE5\xBD\x95\xE6\x8E\xA5\xE5\x8F\xA3",
                     "\xE7\x99\xBB\xE5\xBD\x95\xE7\x94\xA8"),
              1u);
}

TEST(TextFind, InAnyCase) {
    EXPECT_EQ(text::find_in_any_case("Use PyJWT, not pyjwt", "pyjwt"), 4u);
    EXPECT_EQ(text::find_in_any_case("use pyjwt", "PyJWT"), 4u);
    EXPECT_EQ(text::find_in_any_case("\xC3\x84x", "\xC3\xA4x"), std::string::npos);
    EXPECT_EQ(text::find_in_any_case("ab", "abc"), std::string::npos);
    EXPECT_EQ(text::find_in_any_case("ab", ""), 0u);
    EXPECT_EQ(text::find_in_any_case("", ""), 0u);
}

TEST(Blanks, AreTrimmedAtBothEnds) {
    for (std::string_view text : {"a b", " a b", "a b\r\n", "\t\n a b \t"})
        EXPECT_EQ(trim(text), "a b");
    for (std::string_view text : {"", " ", "\r\n\t "}) EXPECT_EQ(trim(text), "");
    EXPECT_EQ(trim("\v\xC2\xA0"), "\v\xC2\xA0");
}

}  // namespace
