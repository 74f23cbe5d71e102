// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Numbers as text: which texts are numbers, their kind, and the layout of their exact value.
#include "value/number.h"

#include <gtest/gtest.h>

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

}  // namespace
