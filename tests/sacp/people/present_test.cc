// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Presentation through the C interface: cases in several locales, and hostile input. The expected
// texts follow the conventions of the locales (CLDR), with no-break spaces as \u.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "accp/accp.h"

namespace {

// Returns the text, or the code, the byte and the message of a failure.
std::string present(const std::string &text, const std::string &data,
                    const std::string &locale = "en-US", const std::string &zone = "") {
    accp_presenter *made = nullptr;
    accp_error err = {};
    accp_text out = {};
    std::string said;
    accp_status status = accp_presenter_new(text.data(), text.size(), locale.data(), locale.size(),
                                            zone.data(), zone.size(), nullptr, &made, &err);
    if (status == ACCP_OK)
        status = accp_presenter_print(made, data.data(), data.size(), &out, &err);
    if (status == ACCP_OK) said.assign(out.text, out.len);
    else said = std::to_string(status) + " at " + std::to_string(err.offset) + ": " + err.message;
    accp_presenter_free(made);
    return said;
}

struct Case {
    const char *locale, *zone, *text, *data, *wanted;
};

const Case kLocales[] = {
    {"en-US", "", "{n}", R"({"n":1234567.891})", "1,234,567.891"},
    {"de-DE", "", "{n}", R"({"n":1234567.891})", "1.234.567,891"},
    {"hi-IN", "", "{n}", R"({"n":1234567.891})", "12,34,567.891"},
    {"ar-EG", "", "{n}", R"({"n":1234.5})", "١٬٢٣٤٫٥"},
    {"ja-JP", "", "{n}", R"({"n":1234567})", "1,234,567"},
    // exact, unlike a double
    {"en-US", "", "{n, number}", R"({"n":123456789012345678.123456789})",
     "123,456,789,012,345,678.123456789"},
    {"en-US", "", "{n, number, integer} {m,number,integer}", R"({"n":2.5,"m":3.5e0})", "2 4"},
    {"en-US", "", "{n, number, percent}", R"({"n":0.256})", "25.6%"},
    {"de-DE", "", "{n, number, percent}", R"({"n":0.25})", "25\u00A0%"},
    {"en-US", "", "{n, currency, EUR}", R"({"n":-1234.5})", "-€1,234.50"},
    {"de-DE", "", "{n, currency, EUR}", R"({"n":1234.5})", "1.234,50\u00A0€"},
    {"ja-JP", "", "{n, currency, JPY}", R"({"n":1234.5})", "￥1,234"},
    {"hi-IN", "", "{n, currency, INR}", R"({"n":1234567})", "₹12,34,567.00"},
    {"en-US", "", "{d, date}", R"({"d":"2026-05-09"})", "May 9, 2026"},
    {"en-US", "America/New_York", "{d, date, short}", R"({"d":"2026-05-09"})", "5/9/26"},
    {"de-DE", "", "{d, date, full}", R"({"d":"2026-05-09"})", "Samstag, 9. Mai 2026"},
    {"ja-JP", "", "{d, date, long}", R"({"d":"2026-05-09"})", "2026年5月9日"},
    {"hi-IN", "", "{d, date, long}", R"({"d":"2026-05-09"})", "9 मई 2026"},
    {"ar-EG", "", "{d, date, long}", R"({"d":"2026-05-09"})", "٩ مايو ٢٠٢٦"},
    {"de-DE", "Europe/Berlin", "{d, time, short}", R"({"d":"2026-05-09T10:30:00Z"})", "12:30"},
    {"de-DE", "Europe/Berlin", "{d, time, short}", R"({"d":"2026-01-09T10:30:00Z"})", "11:30"},
    {"de-DE", "Asia/Tokyo", "{d, datetime, short}", R"({"d":"2026-05-09T23:30:00+02:00"})",
     "10.05.26, 06:30"},
    {"ja-JP", "Asia/Tokyo", "{d, time, medium}", R"({"d":"2026-05-09T10:30:05Z"})", "19:30:05"},
    // plurals by the rules of each locale
    {"en-US", "", "{n, plural, one {# hotel} other {# hotels}}", R"({"n":1})", "1 hotel"},
    {"en-US", "", "{n, plural, =1 {one} one {# hotel} other {# hotels}}", R"({"n":1.0})", "one"},
    {"en-US", "", "{n,selectordinal,one{#st}two{#nd}few{#rd}other{#th}}", R"({"n":22})", "22nd"},
    {"ja-JP", "", "{n, plural, one {x} other {#件}}", R"({"n":1})", "1件"},
    {"ar-EG", "", "{n, plural, zero {0} two {مثنى} few {# قليل} other {x}}", R"({"n":2})", "مثنى"},
    {"ar-EG", "", "{n, plural, zero {0} two {2} few {# قليل} other {x}}", R"({"n":3})", "٣ قليل"},
    {"hi-IN", "", "{n, plural, one {एक} other {कई}}", R"({"n":0})", "एक"},
    // texts in the order of the locale
    {"de-DE", "", "{l, each, by . {{.} }}", R"({"l":["Zoo","Öl","Ort","ohne"]})",
     "ohne Öl Ort Zoo "},
    {"sv-SE", "", "{l, each, by . {{.} }}", R"({"l":["Zoo","Öl","Ort"]})", "Ort Zoo Öl "},
    {"ja-JP", "", "{l, each, by . desc {{.} }}", R"({"l":["あ","ウ","い"]})", "ウ い あ "},
};

TEST(Present, SACP_9D_02_WritesAsTheLocaleHasIt) {
    for (const Case &each : kLocales)
        EXPECT_EQ(present(each.text, each.data, each.locale, each.zone), each.wanted)
            << each.locale << " " << each.text;
}

const Case kTemplates[] = {
    {"en-US", "", "", "1", ""},
    {"en-US", "", "It's {a.b.1}, isn''t it? '{'x'}' '{a} ''b''}'", R"({"a":{"b":[1,"two"]}})",
     "It's two, isn't it? {x} {a} 'b'}"},
    {"en-US", "", "{.}", "\"x\"", "x"},
    {"en-US", "", "# {n, plural, other {'#' # {n}}}", R"({"n":5})", "# # 5 5"},
    {"en-US", "", "{s, select, a {A} other {O}}{t, select, a {A} other {O}}", R"({"s":"a"})", "AO"},
    {"en-US", "", "{s, select, true {A} other {O}}{n, select, 12 {A} other {O}}",
     R"({"s":true,"n":12})", "AA"},
    {"en-US", "", "{l, each, by p.x desc limit 2 {{@}.{name}={p.x} of {$.all};}}",
     R"({"all":3,"l":[{"name":"a","p":{"x":1}},{"name":"b","p":{"x":3}},{"name":"c","p":{"x":2}}]})",
     "1.b=3 of 3;2.c=2 of 3;"},
    // exact order; equal items keep theirs; numbers, then texts, then items without the key
    {"en-US", "", "{l, each, by k {{n}}}",
     R"({"l":[{"n":"a"},{"n":"b","k":"x"},{"n":"c","k":10},{"n":"d","k":9},{"n":"e","k":9.0},)"
     R"({"n":"f","k":-1e2},{"n":"g","k":9007199254740993},{"n":"h","k":9007199254740992}]})",
     "fdechgba"},
    {"en-US", "", "{l, each, by k desc {{n}}}",
     R"({"l":[{"n":"a"},{"n":"b","k":"x"},{"n":"c","k":10},{"n":"d","k":0.5},{"n":"e","k":5e-1}]})",
     "cdeba"},
    {"en-US", "", "{l, each {x} empty {none}}{m, each {{.}}}", R"({"l":[],"m":[1,2]})", "none12"},
    {"en-US", "", "{l, each, {{., each, by . desc {{.}}};}}", R"({"l":[[1,2],[4,3]]})", "21;43;"},
    // errors and their places
    {"en-US", "", "ab {n}", "{}", "1004 at 3: the data has no value of this name"},
    {"en-US", "", "{n, number}", R"({"n":"1"})", "1004 at 0: the data has no number here"},
    {"en-US", "", "{n}", R"({"n":null})", "1004 at 0: the data has null here: use select"},
    {"en-US", "", "{n}", R"({"n":[]})",
     "1004 at 0: the data has an array or an object here: use each"},
    {"en-US", "", "{n, each {}}", R"({"n":{}})", "1004 at 0: the data has no array here"},
    {"en-US", "", "{n, date}", R"({"n":"06-01"})",
     "1004 at 0: the data has no date here: 2026-05-09 or 2026-05-09T10:30:00Z, from 1583 on"},
    {"en-US", "", "{n, date}", R"({"n":"1582-12-31"})",
     "1004 at 0: the data has no date here: 2026-05-09 or 2026-05-09T10:30:00Z, from 1583 on"},
    {"en-US", "", "{n, date}", R"({"n":"2026-02-30"})",
     "1004 at 0: the data has no date here: 2026-05-09 or 2026-05-09T10:30:00Z, from 1583 on"},
    {"en-US", "", "{n, time}", R"({"n":"2026-05-09"})",
     "1004 at 0: the data has a day without a time here"},
    {"en-US", "", "{n}", R"({"n":1e401})", "1004 at 0: the number has more than 400 digits"},
    {"en-US", "", "{n}", R"({"n":1e-99999999999999999999})",
     "1004 at 0: the number has more than 400 digits"},
    {"en-US", "", "{", "{}", "1001 at 1: a slot must begin with a name, as in {name}"},
    {"en-US", "", "a}", "{}", "1001 at 1: a } has no {"},
    {"en-US", "", "{a", "{}", "1001 at 0: the slot that begins here has no }"},
    {"en-US", "", "{a..b}", "{}", "1001 at 5: a name must be parts with dots between them"},
    {"en-US", "", "{a, plural, one {}}", "{}", "1001 at 18: the case `other` is missing"},
    {"en-US", "", "{a, select, x {} x {}}", "{}", "1001 at 18: a case is defined twice"},
    {"en-US", "", "{a, currency, euro}", "{}",
     "1001 at 18: a currency must have three capital letters, as in {price, currency, EUR}"},
    {"en-US", "", "{a, each, limit x {}}", "{}",
     "1001 at 17: limit must be followed by a whole number"},
    {"en-US", "", "'{a", "{}", "1001 at 0: a quote has no end: write '' for an apostrophe"},
    {"en-US", "", "\x1b[1m", "{}",
     "1001 at 0: a template must be UTF-8 without control characters"},
    {"en-US", "", "\xff", "{}", "1001 at 0: a template must be UTF-8 without control characters"},
    {"xx-YY", "", "", "{}", "1004 at 0: ICU does not have the language of this locale"},
    {"", "", "", "{}", "1004 at 0: the locale is not a tag such as de-DE"},
    {"de-DE!", "", "", "{}", "1004 at 0: the locale is not a tag such as de-DE"},
    {"de-DE", "Mars/Base", "", "{}",
     "1004 at 0: unknown time zone: use a name such as Europe/Berlin"},
};

TEST(Present, SACP_9D_01_TakesDataAndWhatItIsToLookLike) {
    for (const Case &each : kTemplates)
        EXPECT_EQ(present(each.text, each.data, each.locale, each.zone), each.wanted) << each.text;
    EXPECT_TRUE(present("", "{").starts_with("1001 at 1: "));
}

TEST(Present, SACP_9D_03_ATextOfTheDataIsOneLineAndNoTemplate) {
    EXPECT_EQ(present("<{a}>", R"({"a":"{b} '{' {a, number}"})"), "<{b} '{' {a, number}>");
    EXPECT_EQ(present("{a}", R"({"a":"1\n2\r\n3\t4\u0085\u2028x"})"), "1 2  3 4  x");
    EXPECT_EQ(present("{a}", R"({"a":"\u001b[2J\u009b\u007f\u0000\u202e\u2066\ufeff"})"),
              "\uFFFD[2J\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(present("{a}", R"({"a":"क्‍ष 👩‍👧"})"), "क्‍ष 👩‍👧");
    // also as an element, and as the word to select by
    EXPECT_EQ(present("{a, each {{.}}}", R"({"a":["\u001b","{.}"]})"), "\uFFFD{.}");
    EXPECT_EQ(present("{a, select, other {x}}", R"({"a":"other {"})"), "x");
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
        std::string data = "{\"a\":\"";
        for (unsigned i = random() % 20; i > 0; --i) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(random() % 0x300));
            data += escape;
        }
        const std::string made = present("{a}", data + "\"}");
        for (size_t i = 0; i < made.size(); ++i) {
            const auto c = static_cast<unsigned char>(made[i]);
            ASSERT_TRUE(c >= 0x20 && c != 0x7F) << data;
            if (c == 0xC2 && i + 1 < made.size()) {
                ASSERT_GE(static_cast<unsigned char>(made[i + 1]), 0xA0) << data;
            }
        }
    }
}

// Compares with a slow sort by doubles and positions.
TEST(Present, SortsAsAModelDoes) {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        struct Row {
            int value, place;
        };
        std::vector<Row> rows(random() % 40);
        std::string data = "{\"l\":[", wanted;
        for (size_t i = 0; i < rows.size(); ++i) {
            rows[i] = {static_cast<int>(random() % 21) - 10, static_cast<int>(i)};
            const char *const spelt[] = {"", ".0", "e0"};
            data += (i ? ",{\"k\":" : "{\"k\":") + std::to_string(rows[i].value) +
                    spelt[random() % 3] + ",\"n\":\"" + std::to_string(i) + "\"}";
        }
        const bool descending = random() % 2;
        const size_t limit = random() % 50;
        for (size_t i = 0; i < rows.size(); ++i)
            for (size_t k = rows.size() - 1; k > i; --k) {
                const int order = rows[k].value - rows[k - 1].value;
                if (descending ? order > 0 : order < 0) std::swap(rows[k], rows[k - 1]);
            }
        for (size_t i = 0; i < rows.size() && i < limit; ++i)
            wanted += std::to_string(rows[i].place) + " ";
        const std::string order = descending ? "desc" : "asc";
        ASSERT_EQ(
            present("{l, each, by k " + order + " limit " + std::to_string(limit) + " {{n} }}",
                    data + "]}"),
            wanted)
            << data;
    }
}

std::string repeat(const std::string &text, size_t count) {
    std::string all;
    while (count--) all += text;
    return all;
}

TEST(PresentHostile, TemplatesHaveBounds) {
    EXPECT_EQ(present(repeat("{l, each {", 16) + "x" + repeat("}}", 16), R"({"l":[]})"), "");
    EXPECT_EQ(present(repeat("{l, each {", 17) + repeat("}}", 17), "{}"),
              "1001 at 169: cases are nested too deep");
    EXPECT_TRUE(present(repeat("{l, each {", 25'000), "{}").starts_with("1001 at "));
    EXPECT_EQ(present(std::string((256 << 10) + 1, 'x'), "{}"),
              "1001 at 0: a template is too long");
    EXPECT_EQ(present(std::string(256 << 10, 'x'), "{}").size(), 256u << 10);
}

// 200^4 texts, and as many empty ones; repeated sorting.
TEST(PresentHostile, EachInsideEachEnds) {
    const std::string data = "{\"l\":[" + repeat("1,", 199) + "1]}";
    const std::string outer = repeat("{$.l, each {", 4), end = repeat("}}", 4);
    EXPECT_EQ(present(outer + std::string(1000, 'x') + end, data),
              "1001 at 48: the text is too long");
    EXPECT_EQ(present(outer + "{$.l, each {}}" + end, data),
              "1001 at 48: the text takes too much work");
    EXPECT_EQ(present(outer + "{$.l, each, by . limit 0 {}}" + end, data),
              "1001 at 48: the text takes too much work");
}

TEST(PresentHostile, ReferencesIntoLargeDataAreLinear) {
    std::string data = "{\"l\":[0";
    for (int i = 1; i < 50'000; ++i) data += "," + std::to_string(i);
    data += "]}";
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "{l.49999}";
    EXPECT_EQ(present(text, data).size(), 20'000 * sizeof "49,999" - 20'000);
}

TEST(PresentHostile, OneIsUsedAgainAfterAFailure) {
    accp_presenter *made = nullptr;
    ASSERT_EQ(accp_presenter_new("{a}!", 4, "en", 2, "", 0, nullptr, &made, nullptr), ACCP_OK);
    accp_text out = {};
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(accp_presenter_print(made, "{}", 2, &out, nullptr), ACCP_E1004);
        ASSERT_EQ(accp_presenter_print(made, "{\"a\":1}", 7, &out, nullptr), ACCP_OK);
        EXPECT_EQ(std::string(out.text, out.len), "1!");
    }
    EXPECT_EQ(accp_presenter_print(made, out.text, out.len, &out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_presenter_print(nullptr, "{}", 2, &out, nullptr), ACCP_ERR_ARG);
    accp_presenter_free(made);
    accp_presenter_free(nullptr);
}

}  // namespace
