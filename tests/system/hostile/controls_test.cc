// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "NUL and controls": a frame contains no such byte, texts have the given length and never
// end at a NUL, and nothing may follow a frame.
#include "capi/face.h"

namespace {

using namespace accp_face;

const std::string kFrame = "@a-b>req:op{k:[1,{a:v}]|e:x\\|y|r:$w.k}[mid:a1]";

TEST(Controls, InEveryPlaceOfAFrame) {
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) {
        const auto frame = new_frame(with(dialect));
        ASSERT_EQ(parse(frame.get(), kFrame), "OK");
        for (int byte : {0x00, 0x01, 0x09, 0x0A, 0x0D, 0x1B, 0x1F, 0x20, 0x7F}) {
            for (size_t at = 0; at <= kFrame.size(); ++at) {
                std::string text = kFrame;
                text.insert(at, 1, static_cast<char>(byte));
                ASSERT_EQ(parse(frame.get(), text), "E1001 at " + std::to_string(at)) << byte;
                text = kFrame;
                if (at == kFrame.size()) continue;
                text[at] = static_cast<char>(byte);
                ASSERT_EQ(parse(frame.get(), text), "E1001 at " + std::to_string(at)) << byte;
            }
        }
    }
}

TEST(Controls, AroundAFrame) {
    const auto frame = new_frame();
    const std::string end = std::to_string(kFrame.size());
    for (const char *after : {" ", "\n", "\r\n", "\t", "x", "@", "[seq:1]", "{}", "\\", "~"})
        EXPECT_EQ(parse(frame.get(), kFrame + after), "E1001 at " + end) << after;
    EXPECT_EQ(parse(frame.get(), kFrame + std::string(1, '\0')), "E1001 at " + end);
    EXPECT_EQ(parse(frame.get(), kFrame + std::string(1, '\0') + kFrame), "E1001 at " + end);
    for (const char *before : {" ", "\n", "\xEF\xBB\xBF", "x"})
        EXPECT_EQ(parse(frame.get(), before + kFrame), "E1001 at 0") << before;
}

// Only the given length counts, even if the text in memory continues.
TEST(Controls, LengthsRule) {
    const auto frame = new_frame();
    for (size_t len = 0; len < kFrame.size(); ++len) {
        const bool whole = len == kFrame.find("[mid");
        EXPECT_EQ(accp_frame_parse(frame.get(), kFrame.data(), len, nullptr),
                  whole ? ACCP_OK : ACCP_E1001)
            << len;
    }
    const auto value = new_value();
    EXPECT_EQ(accp_value_parse_json(value.get(), "123]]]", 3, nullptr), ACCP_OK);
    EXPECT_EQ(print(value.get()), "123");
    EXPECT_EQ(accp_value_parse_json(value.get(), "\"abc\"def", 5, nullptr), ACCP_OK);
    EXPECT_EQ(print(value.get()), "\"abc\"");
}

TEST(Controls, InJson) {
    const auto value = new_value();
    for (int byte = 0; byte < 0x20; ++byte) {
        const std::string control(1, static_cast<char>(byte));
        EXPECT_EQ(json(value.get(), "[\"ab" + control + "\"]"), "E1001 at 4") << byte;
        EXPECT_EQ(json(value.get(), "{\"" + control + "\":1}"), "E1001 at 2") << byte;
        const bool space = byte == '\t' || byte == '\n' || byte == '\r';
        EXPECT_EQ(json(value.get(), "[1," + control + "2]").substr(0, 5), space ? "OK" : "E1001")
            << byte;
    }
    EXPECT_EQ(json(value.get(), "[\"\x7F\"]"), "OK");
    EXPECT_EQ(json(value.get(), std::string("[1]\0", 4)), "E1001 at 3");
    EXPECT_EQ(json(value.get(), "\xEF\xBB\xBF[1]").substr(0, 5), "E1001")
        << "a byte order mark is no JSON";
}

// Characters that JSON escapes are unchanged after encoding and decoding, with NUL first, in the
// middle and last.
TEST(Controls, EscapedOnesComeBack) {
    const auto codec = new_codec();
    std::string all;
    for (int byte = 0; byte < 0x20; ++byte) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
        all += escape;
    }
    for (const std::string &text :
         {std::string("\\u0000a"), std::string("a\\u0000b"), std::string("a\\u0000"),
          std::string("\\u0000"), all, std::string("\\u007f\\u0080\\u009f")}) {
        const std::string message =
            R"({"agent":"a","intent":"req","operation":"x","payload":{"k":")" + text + R"(","l)" +
            text + "\":1}}";
        const std::string wire = encode(codec.get(), message);
        ASSERT_EQ(wire[0], '@') << wire;
        for (char c : wire) ASSERT_TRUE(c > 0x20 && c < 0x7F);
        EXPECT_EQ(hash_form(decode(codec.get(), wire)).text, hash_form(message).text) << text;
    }
}

}  // namespace
