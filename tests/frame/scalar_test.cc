// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Strings and numbers on the wire: every short text survives a round trip, is valid in a frame, and
// has the one spelling of docs/wire.md.
#include "frame/scalar.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "frame/raw.h"
#include "unit.h"

namespace {

using namespace accp;
using accp_unit::Padded;

std::string write(const std::string &text, frame::Spelling spelling) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    return frame::write_wire_string(Padded(text).view(), spelling, out) ? accp_unit::text_of(out)
                                                                        : "-";
}

// Reads a string as decode does: with unescape() if it is plain, with read_quoted() if it is
// quoted. Returns "fault N" for a malformed %u.
std::string read_text(const std::string &wire) {
    const Padded padded(wire);
    std::unique_ptr<char[]> out(new char[wire.size() + Buffer<char>::kSlack]);
    size_t fault = wire.size();
    char *end = frame::is_quoted(wire) ? frame::read_quoted(padded.view(), out.get(), &fault)
                                       : frame::unescape(padded.view(), out.get());
    return fault < wire.size() ? "fault " + std::to_string(fault) : std::string(out.get(), end);
}

// Returns whether the grammar accepts the text as one string of a value.
bool is_legal(const std::string &wire, bool raw) {
    if (wire.empty()) return false;
    bool escaped = false;
    for (size_t i = 0; i < wire.size(); ++i) {
        const auto c = static_cast<unsigned char>(wire[i]);
        if (c == '\\') {
            if (++i == wire.size() || !accp::is_delimiter(static_cast<unsigned char>(wire[i])))
                return false;
            escaped = true;
        } else if (accp::is_delimiter(c) || c <= 0x20 || c == 0x7F || (c >= 0x80 && !raw)) {
            return false;
        }
    }
    if (escaped) return true;
    if (wire == "true" || wire == "false") return false;
    return frame::wire_number_kind(wire.data(), static_cast<uint32_t>(wire.size())) == ACCP_STRING;
}

TEST(WireString, EveryShortText) {
    for (std::string_view alphabet :
         {std::string_view("a \"_%\\|"), std::string_view("1=-.0e\""), std::string_view("%u0A2;_ "),
          std::string_view("~:\"\n\x7F a")}) {
        std::map<std::string, std::string> wires;
        accp_unit::each_text(alphabet, 5, [&](const std::string &text) {
            const std::string wire = write(text, {true, false});
            ASSERT_TRUE(is_legal(wire, false)) << text << " became " << wire;
            ASSERT_FALSE(wire[0] == '=' && wire.size() > 1 &&
                         (accp::is_digit(static_cast<unsigned char>(wire[1]))))
                << text;
            ASSERT_EQ(read_text(wire), text) << wire;
            ASSERT_TRUE(wires.emplace(wire, text).second) << wire;
            const std::string bare = write(text, {false, false});
            ASSERT_EQ(bare, wire[0] == '"' && frame::is_quoted(wire) ? "-" : wire)
                << "without q1 a text has its plain form or none";
        });
    }
}

TEST(WireString, AsWritten) {
    const struct {
        const char *text, *wire, *raw;  // raw: in u8; nullptr: the same
    } cases[] = {
        {"", "\"\"", nullptr},
        {"a", "a", nullptr},
        {"a|b", "a\\|b", nullptr},
        {"Q3 findings", "\"Q3_findings\"", nullptr},
        {"42", "\"42\"", nullptr},
        {"-1.5", "\"-1.5\"", nullptr},
        {"007", "\"007\"", nullptr},
        {"-0", "\"-0\"", nullptr},
        {"1e5", "1e5", nullptr},
        {"1.", "1.", nullptr},
        {".5", ".5", nullptr},
        {"true", "\"true\"", nullptr},
        {"True", "True", nullptr},
        {"~", "\\~", nullptr},
        {"$x", "\\$x", nullptr},
        {"=1", "\"=1\"", nullptr},
        {"=-1x", "\"=-1x\"", nullptr},
        {"=x", "=x", nullptr},
        {"\"", "\"", nullptr},
        {"\"a\"", "\"\"a\"\"", nullptr},
        {"a_b", "a_b", nullptr},
        {"a_b c", "\"a__b_c\"", nullptr},
        {"a  b", "\"a%20_b\"", nullptr},
        {"a _b", "\"a%20__b\"", nullptr},
        {"_ _", "\"__%20__\"", nullptr},
        {" %20", "\"_%2520\"", nullptr},
        {" %2", "\"_%2\"", nullptr},
        {" %u", "\"_%25u\"", nullptr},
        {" %a0", "\"_%a0\"", nullptr},
        {"%20", "%20", nullptr},
        {" a|b", "\"_a\\|b\"", nullptr},
        {"\n\x7F", "\"%0A%7F\"", nullptr},
        {"日本", "\"%u026085026412;\"", "日本"},
        {"日 本", "\"%u026085;_%u026412;\"", "\"日_本\""},
        {"é", "\"%E9\"", "é"},
        {"\xC2\xA0", "\"%A0\"", nullptr},
        {"\xC2\xAD", "\"%AD\"", nullptr},
        {"Ā", "\"%u000256;\"", "Ā"},
        {"😀", "\"%u128512;\"", "😀"},
        {"\xF4\x8F\xBF\xBF", "\"%ux1114111;\"", nullptr},
        {"\xE2\x80\x8B日", "\"%u008203026085;\"", "\"%u008203;日\""},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(write(c.text, {true, false}), c.wire) << c.text;
        EXPECT_EQ(write(c.text, {true, true}), c.raw ? c.raw : c.wire) << c.text;
        EXPECT_EQ(read_text(c.wire), c.text);
        EXPECT_EQ(read_text(c.raw ? c.raw : c.wire), c.text);
    }
}

TEST(WireString, EveryLengthAndPlace) {
    for (size_t len = 1; len < 70; ++len) {
        for (size_t place = 0; place < len; ++place) {
            for (const char *odd : {" ", "|", "_", "%", "日", "\n", "\"", "~"}) {
                std::string text(len, 'x');
                text.replace(place, 1, odd);
                const std::string wire = write(text, {true, false});
                ASSERT_TRUE(is_legal(wire, false));
                ASSERT_EQ(read_text(wire), text);
            }
        }
    }
}

// The quoted form as docs/wire.md defines it, one character after the other.
std::string quoted_slowly(const std::string &text, bool raw, bool wide_space) {
    std::string out = "\"";
    bool in_run = false;
    char made[16];
    for (const char *p = text.data(), *end = p + text.size(); p < end;) {
        const char *start = p;
        const uint32_t point = accp::read_utf8(p);
        const bool stands =
            point < 0x80 ? point > 0x20 && point != 0x7F : raw && frame::is_raw_point(point);
        const bool numbered = point > 0xFF && !stands;
        if (in_run && !numbered) out += ';';
        if (numbered) {
            std::snprintf(made, sizeof made, point > 999999 ? "x%07u" : "%06u", point);
            out += (in_run ? "" : "%u") + std::string(made);
        } else if (point == ' ' && !wide_space && (p == end || (*p != ' ' && *p != '_'))) {
            out += '_';
        } else if (!stands ||
                   (point == '%' &&
                    (*p == 'u' || (end - p > 1 && std::isxdigit(p[0]) && std::isxdigit(p[1]) &&
                                   !std::islower(p[0]) && !std::islower(p[1]))))) {
            std::snprintf(made, sizeof made, "%%%02X", point);
            out += made;
        } else {
            if (point == '_') out += '_';
            if (point < 0x80 && accp::is_delimiter(static_cast<unsigned char>(point))) out += '\\';
            out.append(start, p);
        }
        in_run = numbered;
    }
    return out + (in_run ? ";\"" : "\"");
}

// Texts of every length around a vector, mostly plain letters with some special characters.
TEST(WireString, QuotedAsTheDefinitionSays) {
    const std::vector<std::string> odd = {" ",
                                          " ",
                                          "  ",
                                          "_",
                                          "%",
                                          "%4",
                                          "%4F",
                                          "%u",
                                          "u",
                                          "A",
                                          "1",
                                          "|",
                                          ":",
                                          "\\",
                                          "\"",
                                          "\n",
                                          "\t",
                                          "~",
                                          "\x7F",
                                          "日",
                                          "本",
                                          "\xC2\xA0",
                                          "é",
                                          "😀",
                                          "\xF4\x8F\xBF\xBF",
                                          "                   ",
                                          "\xE2\x80\x8B",
                                          "я",
                                          "ю"};
    accp_unit::Random random(39);
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    for (int i = 0; i < (ACCP_EMULATED ? 2000 : ACCP_SANITIZED ? 8000 : 40000); ++i) {
        std::string text;
        const size_t len = random.below(80), odds = random.below(17);
        while (text.size() < len)
            text += random.below(16) < odds ? odd[random.below(odd.size())] : "x";
        const Padded padded(text);
        for (bool raw : {false, true}) {
            for (bool wide : {false, true}) {
                out.clear();
                frame::write_quoted_string(padded.view(), raw, {0, wide}, out);
                ASSERT_EQ(accp_unit::text_of(out), quoted_slowly(text, raw, wide)) << text;
            }
            const std::string wire = write(text, {true, raw});
            ASSERT_TRUE(is_legal(wire, raw)) << wire;
            ASSERT_EQ(read_text(wire), text) << wire;
            if (wire[0] == '"' && frame::is_quoted(wire)) {
                ASSERT_EQ(wire, quoted_slowly(text, raw, false));
            }
        }
    }
}

TEST(WireString, EveryCodePointBetweenOthers) {
    for (uint32_t point = 0; point <= 0x10FFFF;
         point += point < 0x3200 || (point > 0xD700 && point < 0x10100) ? 1 : 61) {
        if (point >= 0xD800 && point < 0xE000) continue;
        char bytes[4];
        const std::string one(bytes, accp::write_utf8(point, bytes));
        for (bool raw : {false, true}) {
            const std::string text = "日" + one + "x";
            const std::string wire = write(text, {true, raw});
            ASSERT_TRUE(is_legal(wire, raw)) << std::hex << point << ' ' << wire;
            ASSERT_EQ(frame::raw_text_prefix(wire.data(), wire.size()), wire.size())
                << std::hex << point;
            ASSERT_EQ(read_text(wire), text) << std::hex << point;
        }
    }
}

TEST(ReadQuoted, MalformedNumbersOfPoints) {
    const struct {
        const char *wire, *expected;
    } cases[] = {
        {"\"%u026085;\"", "日"},
        {"\"a%u;\"", "fault 2"},
        {"\"%u\"", "fault 1"},
        {"\"%u026085\"", "fault 1"},
        {"\"%u26085;\"", "fault 1"},
        {"\"%u0260850;\"", "fault 1"},
        {"\"%u055296;\"", "fault 1"},
        {"\"%u057343;\"", "fault 1"},
        {"\"%ux1114112;\"", "fault 1"},
        {"\"%ux0026085;\"", "fault 1"},
        {"\"%ux1000000;\"", "\xF3\xB4\x89\x80"},
        {"\"%u000065;\"", "A"},
        {"\"%uxx000065;\"", "fault 1"},
        {"\"x%41y\"", "xAy"},
        {"\"%4g\"", "%4g"},
        {"\"%\"", "%"},
        {"\"%4\"", "%4"},
        {"\"%aA\"", "%aA"},
        {"\"%80\"", "\xC2\x80"},
        {"\"___\"", "_ "},
        {"\"\"\"", "\""},
        {"\"a", "\"a"},
        {"\"", "\""},
        {"\"%u000000;\"", nullptr},
        {"\"%u026085x1000000;\"", "日\xF3\xB4\x89\x80"},
    };
    for (const auto &c : cases)
        EXPECT_EQ(read_text(c.wire), c.expected ? std::string(c.expected) : std::string(1, '\0'))
            << c.wire;
}

std::string number(const char *text, uint8_t kind, bool q1 = true) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    return frame::write_wire_number(Padded(text).view(), kind, {q1, false}, out)
               ? accp_unit::text_of(out)
               : "-";
}

TEST(WireNumber, AsWritten) {
    const struct {
        const char *text;
        uint8_t kind;
        const char *wire, *bare;
    } cases[] = {
        {"0", ACCP_INT, "0", "0"},
        {"-12", ACCP_INT, "-12", "-12"},
        {"123456789012345678901234567890", ACCP_INT, "123456789012345678901234567890",
         "123456789012345678901234567890"},
        {"1.50", ACCP_DEC, "1.5", "1.5"},
        {"3.000", ACCP_DEC, "3.0", "3.0"},
        {"0.0", ACCP_DEC, "0.0", "0.0"},
        {"-0.5", ACCP_DEC, "-0.5", "-0.5"},
        {"0.123456", ACCP_DEC, "0.123456", "0.123456"},
        {"0.1234567", ACCP_DEC, "=0.1234567", "-"},
        {"0.1234560", ACCP_DEC, "0.123456", "0.123456"},
        {"0.0000000", ACCP_DEC, "0.0", "0.0"},
        {"12345678901234567.5", ACCP_DEC, "12345678901234567.5", "12345678901234567.5"},
        {"123456789012345678.5", ACCP_DEC, "=123456789012345678.5", "-"},
        {"-12345678901234567.5", ACCP_DEC, "-12345678901234567.5", "-12345678901234567.5"},
        {"123456789012345678.50", ACCP_DEC, "=123456789012345678.5", "-"},
        {"1e-9", ACCP_NUMBER, "=1e-9", "-"},
        {"1.50E+03", ACCP_NUMBER, "=1.50E+03", "-"},
        {"-0", ACCP_NUMBER, "=-0", "-"},
        {"-0.0", ACCP_NUMBER, "=-0.0", "-"},
        {"-0.000", ACCP_NUMBER, "=-0.0", "-"},
        {"-0e0", ACCP_NUMBER, "=-0e0", "-"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(number(c.text, c.kind), c.wire) << c.text;
        EXPECT_EQ(number(c.text, c.kind, false), c.bare) << c.text;
    }
}

TEST(WireNumber, KindsOfTheWire) {
    const struct {
        const char *text;
        int kind;
    } cases[] = {{"0", ACCP_INT},       {"-1", ACCP_INT},    {"-0", ACCP_STRING},
                 {"007", ACCP_STRING},  {"0.5", ACCP_DEC},   {"-0.0", ACCP_DEC},
                 {"00.5", ACCP_STRING}, {"1.", ACCP_STRING}, {".5", ACCP_STRING},
                 {"1e5", ACCP_STRING},  {"-", ACCP_STRING},  {"--1", ACCP_STRING},
                 {"1-2", ACCP_STRING},  {"+1", ACCP_STRING}, {"1.5.5", ACCP_STRING},
                 {"-.5", ACCP_STRING},  {"-x", ACCP_STRING}, {"1_0", ACCP_STRING}};
    for (const auto &c : cases)
        EXPECT_EQ(frame::wire_number_kind(c.text, static_cast<uint32_t>(std::strlen(c.text))),
                  c.kind)
            << c.text;
}

TEST(Refs, Labels) {
    for (const char *good : {"a", "a.b", "warm.key_1", "0.1", "_"})
        EXPECT_TRUE(frame::is_ref(good, static_cast<uint32_t>(std::strlen(good)))) << good;
    for (const char *bad : {"", ".", "a.", ".a", "a..b", "a-b", "a b", "a.b.", "é"})
        EXPECT_FALSE(frame::is_ref(bad, static_cast<uint32_t>(std::strlen(bad)))) << bad;
}

}  // namespace
