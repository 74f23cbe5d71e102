// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// text/units.h: cases; and for any text, units are parts of it in order.
#include "text/units.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit.h"

namespace {

using namespace accp;

// The text of each unit, after `-` for an item, `#` for a heading, and `:` for an opener.
std::vector<std::string> units_of(std::string_view text) {
    accp_unit::Room room;
    Buffer<text::Unit> units(room.memory);
    text::split_units(text, units);
    std::vector<std::string> made;
    for (const text::Unit &unit : units)
        made.push_back(std::string(unit.is_heading ? "#"
                                   : unit.is_item  ? "-"
                                                   : "") +
                       (unit.opens_list ? ":" : "") +
                       std::string(text.substr(unit.begin, unit.end - unit.begin)));
    return made;
}

TEST(TextUnits, Cases) {
    const struct {
        const char *text;
        std::vector<std::string> units;
    } cases[] = {
        {"One. Two! Three? four", {"One.", "Two!", "Three?", "four"}},
        {"See e.g. the page, v1.2 and No. 5. Then go.",
         {"See e.g. the page, v1.2 and No. 5.", "Then go."}},
        {"He said \"no.\" Then (yes.) And **so.** End",
         {"He said \"no.\"", "Then (yes.)", "And **so.**", "End"}},
        {"# Title\n- one\n2. two\n* [x] three\n\xE2\x80\xA2 four",
         {"#Title", "-one", "-two", "-three", "-four"}},
        {"Do this:\n- a b\n", {":Do this:", "-a b"}},
        {"text\n```\ncode. More\n```\nafter\n~~~\nx\n", {"text", "after"}},
        {"| a | b |\n---\n> quoted\n<tag>\n@@ -1 +1 @@\n+++ b/x\n===\nsaid", {"said"}},
        {"\xE7\x94\xA8 SQLite\xE3\x80\x82\xE4\xB8\x8D\xE8\xA6\x81\xEF\xBC\x81",
         {"\xE7\x94\xA8 SQLite\xE3\x80\x82", "\xE4\xB8\x8D\xE8\xA6\x81\xEF\xBC\x81"}},
        {"  1234.\n...\n", {}},
        // program output, not a statement
        {"/add src/main.cc\n/usr/bin is a path\nUpdate(src/main.cc)\nsaid",
         {"/usr/bin is a path", "said"}},
        {"\"message\": \"'x' is never read\",\nif (a[i] == b[i]) { return f(a); }\nuse `f(a[i])` "
         "here",
         {"use `f(a[i])` here"}},
        {"pkg/a/b_test.go\npkg/a (1.2s)\na.go:12: bad\n=== RUN x\nDONE 853 tests\n// no\n"
         "(use \"git add\")\nno changes added to commit\nsrc/a.py is bad\nADD 3",
         {"src/a.py is bad", "ADD 3"}},
        // box characters, emoji and arrows
        {"\u2502 - Add it   \u2502\n\u2705 Done \u2192\n\U0001F680 Go on",
         {"-Add it", "Done", "Go on"}},
        {"**Options for it:**\n1. one", {":**Options for it:**", "-one"}},
        // a line that was wrapped because it was full
        {"this line is so long that whoever wrote it had to break it somewhere before\n  it had "
         "ended. And more",
         {"this line is so long that whoever wrote it had to break it somewhere before\n  it had "
          "ended.",
          "And more"}},
        {"- this item is so long that whoever wrote it had to break it somewhere before\n  it had "
         "ended\n- another",
         {"-this item is so long that whoever wrote it had to break it somewhere before\n  it had "
          "ended",
          "-another"}},
        {"a short line\nand another", {"a short line", "and another"}},
        {"a\r\nb\r\n", {"a", "b"}},
        {"", {}},
    };
    for (const auto &given : cases) EXPECT_EQ(units_of(given.text), given.units) << given.text;
}

TEST(TextUnits, ArePiecesInOrder) {
    accp_unit::Random random(3);
    for (int round = 0; round < 20000; ++round) {
        const std::string text = random.text("ab. !?\n-#*1)>|`~[]:\"\xC3\xA9\xE3\x80\x82", 30);
        accp_unit::Room room;
        Buffer<text::Unit> units(room.memory);
        text::split_units(text, units);
        uint32_t before = 0;
        for (const text::Unit &unit : units) {
            ASSERT_LE(before, unit.begin) << text;
            ASSERT_LT(unit.begin, unit.end) << text;
            ASSERT_LE(unit.end, text.size()) << text;
            // such short lines are not wrapped
            ASSERT_EQ(text.substr(unit.begin, unit.end - unit.begin).find('\n'), text.npos);
            before = unit.end;
        }
    }
}

}  // namespace
