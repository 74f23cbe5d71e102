// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Numbers as text: which texts are numbers, their kind, and the layout of their exact value.
#include "value/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "unit.h"

namespace {

using namespace accp;

TEST(ScanNumber, LengthAndKind) {
    const struct {
        const char *text;
        size_t len;
        int kind;
    } cases[] = {
        {"0", 1, ACCP_INT},
        {"7", 1, ACCP_INT},
        {"-7", 2, ACCP_INT},
        {"10", 2, ACCP_INT},
        {"-0", 2, ACCP_NUMBER},
        {"0.0", 3, ACCP_DEC},
        {"-0.0", 4, ACCP_NUMBER},
        {"-0.00", 5, ACCP_NUMBER},
        {"-0.01", 5, ACCP_DEC},
        {"1.50", 4, ACCP_DEC},
        {"1e5", 3, ACCP_NUMBER},
        {"1E+5", 4, ACCP_NUMBER},
        {"1.5e-05", 7, ACCP_NUMBER},
        {"0e0", 3, ACCP_NUMBER},
        {"", 0, 0},
        {"-", 0, 0},
        {"01", 0, 0},
        {"-01", 0, 0},
        {"00", 0, 0},
        {"+1", 0, 0},
        {".5", 0, 0},
        {"1.", 0, 0},
        {"1.e5", 0, 0},
        {"1e", 0, 0},
        {"1e+", 0, 0},
        {"1x", 1, ACCP_INT},
        {"1.5.5", 3, ACCP_DEC},
        {"1,", 1, ACCP_INT},
        {"Infinity", 0, 0},
        {"NaN", 0, 0},
        {"0x10", 1, ACCP_INT},
        {"-.5", 0, 0},
        {"--1", 0, 0},
        {"1e5.5", 3, ACCP_NUMBER},
        {"\xD9\xA1", 0, 0},
    };
    for (const auto &c : cases) {
        const std::string text = c.text;
        const value::NumberToken token = value::scan_number(text.data(), text.data() + text.size());
        EXPECT_EQ(token.len, c.len) << text;
        EXPECT_EQ(token.len ? token.kind : 0, c.kind) << text;
    }
}

std::string laid_out(const std::string &text) {
    value::Decimal number = {};
    if (!value::read_decimal(text, number)) return "refused";
    std::string out(text.size() + value::kLayoutRoom, '?');
    out.resize(static_cast<size_t>(value::layout_number(number, out.data()) - out.data()));
    return out;
}

// The layout of RFC 8785 (ECMAScript's) with exact digits. Some texts are from its appendix B, with
// other spellings.
TEST(LayoutNumber, AsRfc8785) {
    const struct {
        const char *text, *expected;
    } cases[] = {
        {"0", "0"},
        {"-0", "0"},
        {"-0.0e-7", "0"},
        {"0e999", "0"},
        {"5e-324", "5e-324"},
        {"-0.5E-323", "-5e-324"},
        {"17976931348623157e292", "1.7976931348623157e+308"},
        {"9007199254740992", "9007199254740992"},
        {"-9007199254740992.0", "-9007199254740992"},
        {"295147905179352830000", "295147905179352830000"},
        {"0.9999999999999997e23", "9.999999999999997e+22"},
        {"100000000000000000000000", "1e+23"},
        {"1.0000000000000001e+23", "1.0000000000000001e+23"},
        {"9999999999999997e5", "999999999999999700000"},
        {"999999999999999900000", "999999999999999900000"},
        {"1000000000000000000000", "1e+21"},
        {"1e20", "100000000000000000000"},
        {"9.999999999999997e-7", "9.999999999999997e-7"},
        {"0.0000010", "0.000001"},
        {"0.0000001", "1e-7"},
        {"33333333333.3333325e-2", "333333333.333333325"},
        {"-3333.333e-9", "-0.000003333333"},
        {"1424953923781206.25", "1424953923781206.25"},
        {"1.50", "1.5"},
        {"100.00", "100"},
        {"0.00120", "0.0012"},
        {"120e-1", "12"},
        {"12e-1", "1.2"},
        {"1e0000000000000000000000005", "100000"},
        {"1e-0000000000000000000000005", "0.00001"},
        {"1e999999999999999999", "1e+999999999999999999"},
        {"1e1000000000000000000", "refused"},
        {"10e-999999999999999999", "1e-999999999999999998"},
        {"123456789012345678901234567890", "1.2345678901234567890123456789e+29"},
        {"0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"},
    };
    for (const auto &c : cases) EXPECT_EQ(laid_out(c.text), c.expected) << c.text;
}

// The shortest digits of a double, printed by the C library, give the same double again, and are
// already in this layout.
TEST(LayoutNumber, AgreesWithDoublesAndWithItself) {
    accp_unit::Random random(3);
    for (int i = 0; i < 20000; ++i) {
        const uint64_t bits = random.next();
        double number;
        std::memcpy(&number, &bits, sizeof number);
        if (!(number - number == 0)) continue;
        char text[64];
        std::snprintf(text, sizeof text, "%.17g", number);
        const std::string out = laid_out(text);
        ASSERT_EQ(std::strtod(out.c_str(), nullptr), number) << text << " became " << out;
        ASSERT_EQ(laid_out(out), out);
    }
}

TEST(LayoutNumber, EqualValuesHaveOneText) {
    accp_unit::Random random(4);
    for (int i = 0; i < 20000; ++i) {
        const std::string digits =
            std::to_string(1 + random.below(9)) + random.text("0123456789", random.below(30));
        const auto point = 1 + random.below(digits.size());
        const std::string shifted = digits.substr(0, point) + "." + digits.substr(point) + "0e" +
                                    std::to_string(digits.size() - point);
        ASSERT_EQ(laid_out(shifted), laid_out(digits)) << shifted;
    }
}

// Both functions agree with the C library, to the bit.
void expect_double(const std::string &text, double expected) {
    for (double number : {value::to_double(text), value::to_double_by_simdjson(text)})
        ASSERT_EQ(std::memcmp(&number, &expected, sizeof number), 0) << text << " is " << number;
}

TEST(ToDouble, IsNearest) {
    // The limits of the range, halves between two doubles, and floats that only YAML has.
    for (const char *text : {"0",
                             "-0",
                             "0e999",
                             "1",
                             "-1.5",
                             "1.",
                             ".5",
                             "-.5e+3",
                             "1.e2",
                             "9007199254740993",
                             "9007199254740993.00000000000000000000000000000000000000000001",
                             "1e23",
                             "4.9e-324",
                             "2.4703282292062327e-324",
                             "2.4703282292062328e-324",
                             "2.2250738585072011e-308",
                             "1.7976931348623157e308",
                             "1.7976931348623158e308",
                             "1.7976931348623159e308",
                             "1e309",
                             "-1e309",
                             "1e99999999999999999999",
                             "1e-99999999999999999999",
                             "0.001e-400",
                             "0e99999999999999999999",
                             "-0e-99999999999999999999",
                             "-1e99999999999999999999"})
        expect_double(text, std::strtod(text, nullptr));
    accp_unit::Random random(5);
    for (int i = 0; i < 5000; ++i) {
        const uint64_t bits = random.next();
        double number;
        std::memcpy(&number, &bits, sizeof number);
        if (!(number - number == 0)) continue;
        char text[1200];
        std::snprintf(text, sizeof text, "%.*g", 15 + static_cast<int>(random.below(10)), number);
        expect_double(text, std::strtod(text, nullptr));
        const double next = std::nextafter(number, 0);
        std::snprintf(text, sizeof text, "%.1100Lg", (static_cast<long double>(number) + next) / 2);
        expect_double(text, std::strtod(text, nullptr));
        std::string above = text;  // the half
        if (above.find('.') == above.npos) continue;
        above.insert(std::min(above.find('e'), above.size()), std::string(400, '0') + "1");
        expect_double(above, std::strtod(above.c_str(), nullptr));
    }
}

}  // namespace
