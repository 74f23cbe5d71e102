// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reading and writing of YAML: what the safe subset accepts, the byte of each error, and that
// written texts can be read back.
#include "value/yaml_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "unit.h"
#include "value/yaml_plain.h"
#include "value/yaml_writer.h"

namespace {

using namespace accp;

class YamlTest : public testing::Test {
protected:
    Status read(const std::string &yaml, value::YamlLimits limits = {1 << 18, 32}) {
        std::unique_ptr<char[]> exact(new char[yaml.size()]);
        std::memcpy(exact.get(), yaml.data(), yaml.size());
        const Status status = reader.read({exact.get(), yaml.size()}, limits, value);
        EXPECT_EQ(value.empty(), status.failed());
        return status;
    }
    // The value as JSON, with every scalar as a string.
    std::string printed() { return accp_unit::json_of(room.memory, value.view()); }
    std::string written() {
        Buffer<char> out(room.memory);
        EXPECT_TRUE(value::write_yaml(value.view(), 0, room.arena, out).ok());
        return accp_unit::text_of(out);
    }

    accp_unit::Room room;
    value::YamlReader reader{room.memory};
    value::Value value{room.memory};
};

TEST_F(YamlTest, Readings) {
    const struct {
        const char *yaml, *json;
    } cases[] = {
        {"a: 1", R"({"a":"1"})"},
        {"- a\n- [b, {c: d}]\n-\n", R"(["a",["b",{"c":"d"}],""])"},
        {"a: |\n  x\n   y\n\nb: >-\n  x\n  y\n", R"({"a":"x\n y\n","b":"x y"})"},
        {"{\"a\":1,\"b\":[true,null]}", R"({"a":"1","b":["true","null"]})"},
        {"---\na: b\n...\n", R"({"a":"b"})"},
        {"\xEF\xBB\xBF"
         "a: b",
         R"({"a":"b"})"},
        {"a: 'it''s' # no\n", R"({"a":"it's"})"},
        {"'<<': a", R"({"<<":"a"})"},
        {"a: x\xC2\x85y\xE2\x80\xA8z\xE2\x80\xA9",
         "{\"a\":\"x\xC2\x85y\xE2\x80\xA8z\xE2\x80\xA9\"}"},
        {"a: \"\\ud83d\\ude00\"", "{\"a\":\"\xF0\x9F\x98\x80\"}"},
        // only in double quotes is it an escape
        {"# \\ud83d\\ude00\na: [\\uD83D\\ude00, '\\ud83d\\ude01', \"\\\\ud83d\", "
         "\"\\ud83d\\ude02\"]",
         "{\"a\":[\"\\\\uD83D\\\\ude00\",\"\\\\ud83d\\\\ude01\",\"\\\\ud83d\",\"\xF0\x9F\x98\x82\"]"
         "}"},
        // the replacements are not code points of the text, raw or escaped
        {"a: \"\xF4\x80\x80\x80\\U00100001\\udbc0\\udc02 \xC2\x85\"",
         "{\"a\":\"\xF4\x80\x80\x80\xF4\x80\x80\x81\xF4\x80\x80\x82 \xC2\x85\"}"},
        {"a:\rb: c\r", R"(!)"},
        {"a: \"x\ty\"\nb: |\n  x\ty\n#\t\n", R"({"a":"x\ty","b":"x\ty\n"})"},
    };
    for (const auto &given : cases) {
        const Status status = read(given.yaml);
        if (*given.json == '!') {
            EXPECT_TRUE(status.ok()) << given.yaml;
            continue;
        }
        ASSERT_TRUE(status.ok()) << given.yaml << ": " << status.message << status.offset;
        EXPECT_EQ(printed(), given.json) << given.yaml;
    }
}

TEST_F(YamlTest, Refusals) {
    const struct {
        std::string yaml;
        const char *message;
        size_t offset;
    } cases[] = {
        {"", "empty", 0},
        {"# nothing\n", "empty", 10},
        {"---\n", "empty", 4},
        {"a: [b", "not yaml: a list in [ ] has no ] at its end, or no comma between two items", 5},
        {"a: {b: c", "not yaml: a map in { } has no } at its end, or no comma between two members",
         8},
        {"a: 'b", "not yaml: a text in quotes is not closed: put the quote at its end", 5},
        {"a: b: c",
         "not yaml: a text contains a colon and a blank, or a key is in the wrong column: put the "
         "text in quotes, or correct the column",
         4},
        {"a: b\nc\n",
         "not yaml: a line before this is not a key with a colon and a blank; indent a text of "
         "several lines more than its key",
         7},
        {"- a\nb: c",
         "not yaml: each item of the list before this must begin with a dash in the same column",
         4},
        {"a: - b", "not yaml: a list cannot begin here: put each item on a new line, with a dash",
         3},
        {"a: 'b' c",
         "not yaml: expected a key here, in the column of the keys before it, with a colon and a "
         "blank after it; or a text before this needs quotes",
         7},
        {"a: @b", "not yaml: a text cannot begin with this character: put the text in quotes", 3},
        {"a: ]",
         "not yaml: a value is missing here, or a bracket is not closed; a text that begins with a "
         "mark of YAML needs quotes",
         3},
        {"a: \"\\y\"",
         "not yaml: unknown escape in double quotes: write \\\\ for a backslash, or use single "
         "quotes",
         4},
        {"a: \"\\u12\"", "not yaml: \\x, \\u and \\U need 2, 4 and 8 hexadecimal digits", 6},
        {"a: \"\\ud83d\"",
         "not yaml: an escape is not a character: it is half of a pair, or above 10FFFF", 6},
        {"a: \"\\\\ud83d\\ude00\"",
         "not yaml: an escape is not a character: it is half of a pair, or above 10FFFF", 13},
        {"a: |x\n b",
         "not yaml: after | or > only a digit, + or - is allowed, and the text begins on the next "
         "line",
         4},
        {"a: |0\n b", "not yaml: the digit after | or > is 1 to 9", 4},
        {"a: 'b\n--- c'",
         "not yaml: a line of a text in quotes begins with --- or ...: indent it, or close the "
         "quote",
         6},
        {"[a]]",
         "not yaml: this does not continue the text before it: check the quotes, brackets and "
         "columns there",
         3},
        {"a: \x01",
         "not yaml: this character is not allowed in YAML: remove it, or write it in double quotes "
         "as \\x with two digits",
         3},
        {"a: \xC0\x80", "not utf-8", 3},
        {"a: \"\\0\"", "nul", 3},
        {"a: &x b", "anchor or alias", 3},
        {"a: *x", "anchor or alias", 3},
        {"a: !!str b", "tag", 3},
        {"a: ! b", "tag", 3},
        {"%YAML 1.2\n---\na: b", "directive", 0},
        {"%FOO\n---\na: b", "directive", 0},
        {"a: b\n---\nc: d", "multiple documents", 5},
        {"<<: a", "merge key", 0},
        {"? a\n: b", "complex key", 0},
        {"{[a]: b}", "complex key", 1},
        {"a:\tb", "tab", 2},
        {"a:\n\t- b", "tab", 3},
        {"a: b\tc", "tab", 4},
        {"\xC3\xA9: \xC3\xA9\n\xC3\xA9: c", "duplicate key", 7},
        {"{a: 1, \"\\x61\": 2}", "duplicate key", 7},
        {"[[[[", "too deep", 3},
        {"aaaaaaaaaaaaaaaaaaaaa", "too large", 20},
    };
    for (const auto &given : cases) {
        const Status status = read(given.yaml, {20, 3});
        EXPECT_TRUE(status.failed()) << given.yaml;
        if (!status.failed()) continue;
        EXPECT_STREQ(status.message, given.message) << given.yaml;
        EXPECT_EQ(status.offset, given.offset) << given.yaml;
    }
}

// Time grows linearly with the length of any text: with quadratic time these would take minutes.
TEST_F(YamlTest, LongRunsAreLinear) {
    const std::string runs[] = {std::string(200000, '\\'), std::string(200000, '\t'),
                                std::string(200000, '#'), std::string(200000, '['),
                                std::string(200000, '-') + " "};
    for (const std::string &run : runs) {
        EXPECT_TRUE(read("a: \"\xC2\x85" + run + "\"").ok()) << run[0];
        static_cast<void>(read(run + "\xC2\x85"));
        static_cast<void>(read("a: \xC2\x85\n" + run));
    }
}

TEST_F(YamlTest, Origins) {
    ASSERT_TRUE(read("\xEF\xBB\xBF"
                     "\xC3\xA9: [a]\nb: c")
                    .ok());
    EXPECT_EQ(reader.origin(1).key, 3u);
    EXPECT_EQ(reader.origin(2).value, 8u);
    EXPECT_EQ(reader.origin(3).key, 11u);
    EXPECT_EQ(reader.origin(3).value, 14u);
}

TEST_F(YamlTest, PlainScalars) {
    const struct {
        const char *text;
        int kind;
        const char *json;
    } cases[] = {
        {"", ACCP_NULL, ""},
        {"~", ACCP_NULL, ""},
        {"NULL", ACCP_NULL, ""},
        {"nUll", ACCP_STRING, ""},
        {"True", ACCP_BOOL, ""},
        {"yes", ACCP_STRING, ""},
        {"012", ACCP_INT, "12"},
        {"0o14", ACCP_INT, "12"},
        {"0xfF", ACCP_INT, "255"},
        {"0b1", ACCP_STRING, ""},
        {"+1", ACCP_INT, "1"},
        {"-0", ACCP_INT, "0"},
        {"1_000", ACCP_STRING, ""},
        {"12:30", ACCP_STRING, ""},
        {".5", ACCP_DEC, "0.5"},
        {"1.", ACCP_INT, "1"},
        {".", ACCP_STRING, ""},
        {"1e3", ACCP_INT, "1000"},
        {"1.50", ACCP_DEC, "1.5"},
        {"1e-7", ACCP_NUMBER, "1e-07"},
        {"1e", ACCP_STRING, ""},
        {"9007199254740991", ACCP_INT, "9007199254740991"},
        {"0.1000000000000000055", ACCP_DEC, "0.1"},
        {"1e-999", ACCP_INT, "0"},
        {"-0.0", ACCP_INT, "0"},
    };
    for (const auto &given : cases) {
        Buffer<char> out(room.memory);
        const value::PlainScalar plain = value::resolve_plain(given.text, out);
        EXPECT_EQ(plain.kind, given.kind) << given.text;
        EXPECT_TRUE(plain.is_in_range) << given.text;
        EXPECT_EQ(accp_unit::text_of(out), given.json) << given.text;
    }
    for (const char *text : {"9007199254740992", "-9007199254740992", ".inf", "-.INF", ".nan",
                             "1e999", "0xffffffffffffffffff"}) {
        Buffer<char> out(room.memory);
        EXPECT_FALSE(value::resolve_plain(text, out).is_in_range) << text;
    }
}

TEST_F(YamlTest, WritesOneForm) {
    ASSERT_TRUE(read("{a: 'plain text', b: ['12', 'yes', '', ' x', 'x: y', \"l1\\nl2\"], c: {}, "
                     "d: [[x], {e: f, g: [h]}], \"k: \": \"\\u2028\\t\", m: \"a\\n\\n\"}")
                    .ok());
    EXPECT_EQ(written(),
              "a: plain text\nb:\n  - \"12\"\n  - \"yes\"\n  - \"\"\n  - \" x\"\n  - \"x: y\"\n"
              "  - |-\n    l1\n    l2\nc: {}\nd:\n  - - x\n  - e: f\n    g:\n      - h\n"
              "\"k: \": \"\\u2028\\t\"\nm: |+\n  a\n\n");
}

// Random values with texts that are difficult in YAML: read(write(v)) is v.
TEST_F(YamlTest, ComesBack) {
    accp_unit::Random random(7);
    const char *const pieces[] = {"a",
                                  " ",
                                  "\n",
                                  ":",
                                  "#",
                                  "- ",
                                  "'",
                                  "\"",
                                  "\\",
                                  "\t",
                                  "\r",
                                  "|",
                                  "\xC2\x85",
                                  "\xE2\x80\xA8",
                                  "\xEF\xBB\xBF",
                                  "\xF0\x9F\x98\x80",
                                  "\x01",
                                  "0",
                                  "~",
                                  "?",
                                  "\\ud83d\\ude00",
                                  "%",
                                  "---",
                                  "<<",
                                  "{"};
    auto text = [&] {
        std::string made;
        for (size_t n = random.below(6); n; --n) made += pieces[random.below(std::size(pieces))];
        return made;
    };
    for (int round = 0; round < 20000; ++round) {
        value::Value made(room.memory);
        const uint32_t root = made.open(ACCP_MAP), count = static_cast<uint32_t>(random.below(4));
        for (uint32_t i = 0; i < count; ++i) {
            made.add_key(std::to_string(i) + text());
            if (random.below(3)) {
                made.add_scalar(ACCP_STRING, 0, text());
                continue;
            }
            const uint32_t list = made.open(random.below(2) ? ACCP_ARRAY : ACCP_MAP);
            const bool map = made.nodes[list].kind == ACCP_MAP;
            if (map) made.add_key(text());
            made.add_scalar(ACCP_STRING, 0, text());
            made.close(list, 1);
        }
        made.close(root, count);
        Buffer<char> yaml(room.memory);
        ASSERT_TRUE(value::write_yaml(made.view(), 0, room.arena, yaml).ok());
        const Status status = read(accp_unit::text_of(yaml));
        ASSERT_TRUE(status.ok()) << status.message << "\n" << accp_unit::text_of(yaml);
        ASSERT_EQ(accp_unit::json_of(room.memory, made.view()), printed())
            << accp_unit::text_of(yaml);
    }
}

}  // namespace
