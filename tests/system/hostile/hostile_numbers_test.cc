// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "numbers": exact or refused, never wrapped around, and never converted to a double.
#include "capi/face.h"

namespace {

using namespace accp_face;

TEST(HostileNumbers, OnTheWire) {
    const std::string digits400(400, '9');
    const struct {
        std::string text;
        int kind;
        accp_status as_int;
    } cases[] = {
        {"9223372036854775807", ACCP_INT, ACCP_OK},
        {"9223372036854775808", ACCP_INT, ACCP_E1004},
        {"-9223372036854775808", ACCP_INT, ACCP_OK},
        {"-9223372036854775809", ACCP_INT, ACCP_E1004},
        {"18446744073709551616", ACCP_INT, ACCP_E1004},
        {digits400, ACCP_INT, ACCP_E1004},
        {"-" + digits400, ACCP_INT, ACCP_E1004},
        {"0", ACCP_INT, ACCP_OK},
        {"-0", ACCP_STRING, ACCP_ERR_ARG},
        {"007", ACCP_STRING, ACCP_ERR_ARG},
        {"+1", ACCP_STRING, ACCP_ERR_ARG},
        {"1e9", ACCP_STRING, ACCP_ERR_ARG},
        {"1.", ACCP_STRING, ACCP_ERR_ARG},
        {".5", ACCP_STRING, ACCP_ERR_ARG},
        {"0.0000005", ACCP_DEC, ACCP_ERR_ARG},
        {"1.9999999", ACCP_DEC, ACCP_ERR_ARG},
        {"99999999999999.999999", ACCP_DEC, ACCP_ERR_ARG},
        {"0x1F", ACCP_STRING, ACCP_ERR_ARG},
        {"1_000", ACCP_STRING, ACCP_ERR_ARG},
        {"Infinity", ACCP_STRING, ACCP_ERR_ARG},
        {"NaN", ACCP_STRING, ACCP_ERR_ARG},
        {"1.5.5", ACCP_STRING, ACCP_ERR_ARG},
        {"--5", ACCP_STRING, ACCP_ERR_ARG},
        {"00.5", ACCP_STRING, ACCP_ERR_ARG},
    };
    const auto frame = new_frame();
    for (const auto &c : cases) {
        const std::string text = "@a>req:x{k:" + c.text + "}[seq:" + c.text + "]";
        ASSERT_EQ(parse(frame.get(), text), "OK") << c.text;
        size_t count = 0;
        const accp_node *nodes = accp_frame_nodes(frame.get(), &count);
        EXPECT_EQ(nodes[4].kind, c.kind) << c.text;
        EXPECT_EQ(text.substr(nodes[4].offset, nodes[4].len), c.text);
        int64_t number = 0;
        EXPECT_EQ(accp_frame_int(frame.get(), 4, &number, nullptr), c.as_int) << c.text;
        if (c.as_int == ACCP_OK) {
            EXPECT_EQ(std::to_string(number), c.text);
        }
        accp_envelope envelope = {};
        const bool seq = c.as_int == ACCP_OK && c.text[0] != '-';
        EXPECT_EQ(accp_frame_envelope(frame.get(), &envelope, nullptr), seq ? ACCP_OK : ACCP_E1001)
            << c.text;
    }
}

// Every JSON number keeps its value, and decode writes it exact to the last digit.
TEST(HostileNumbers, FromJsonAndBack) {
    const auto codec = new_codec();
    for (const std::string &number : {std::string("9223372036854775808"),
                                      std::string("-9223372036854775809"),
                                      std::string(400, '7'),
                                      std::string("0.1234567890123456789012345"),
                                      std::string("123456789012345678.5"),
                                      std::string("99999999999999.999999"),
                                      std::string("1e400"),
                                      std::string("-1E-400"),
                                      std::string("0.0000005"),
                                      std::string("1.9999999"),
                                      std::string("-0"),
                                      std::string("-0.0"),
                                      std::string("0e0"),
                                      std::string("1e999999999999999999"),
                                      "0." + std::string(400, '3'),
                                      std::string("1.7976931348623157e309"),
                                      std::string("4.9e-325"),
                                      std::string("9007199254740993"),
                                      std::string("0.1"),
                                      std::string("100000.10")}) {
        const std::string message =
            R"({"agent":"a","intent":"req","operation":"x","payload":{"k":[)" + number + "]}}";
        const std::string wire = encode(codec.get(), message);
        ASSERT_EQ(wire[0], '@') << number << ": " << wire;
        const std::string back = decode(codec.get(), wire);
        EXPECT_EQ(hash_form(back).text, hash_form(message).text) << number << " became " << back;
        EXPECT_TRUE(hash_form(back).ok());
    }
}

TEST(HostileNumbers, WhatIsNoJsonNumber) {
    const auto value = new_value();
    for (const char *text :
         {"01", "-01", "+1", ".5", "1.", "1e", "1e+", "0x1", "1_0", "NaN", "Infinity", "-Infinity",
          "-", "--1", "1,", "1 2", "1.5.5", "\xD9\xA1"}) {
        EXPECT_EQ(json(value.get(), text).substr(0, 5), "E1001") << text;
        EXPECT_EQ(json(value.get(), std::string("[") + text + "]").substr(0, 5), "E1001") << text;
    }
}

}  // namespace
