// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "UTF-8": invalid bytes are refused at the first invalid one, in every kind of input.
#include "capi/face.h"

namespace {

using namespace accp_face;

struct Case {
    const char *bytes;
    size_t good;  // how many of them can still become a code point
};
const Case kCases[] = {
    {"\xC0\xAF", 0},
    {"\xC1\x81", 0},
    {"\xE0\x80\xAF", 1},
    {"\xE0\x9F\xBF", 1},
    {"\xF0\x80\x80\xAF", 1},
    {"\xF0\x8F\xBF\xBF", 1},
    {"\xED\xA0\x80", 1},
    {"\xED\xBF\xBF", 1},
    {"\x80", 0},
    {"\xBF", 0},
    {"\xC3", 1},
    {"\xE6\x97", 2},
    {"\xF0\x9F\x98", 3},
    {"\xC3\x41", 1},
    {"\xE6\x97\x41", 2},
    {"\xF4\x90\x80\x80", 1},
    {"\xF5\x80\x80\x80", 0},
    {"\xF8\x88\x80\x80\x80", 0},
    {"\xFE", 0},
    {"\xFF", 0},
    {"\xC3\xC3\xA9", 1},
    {"\xE6\xE6\x97\xA5", 1},
};

TEST(BadUtf8, InFrames) {
    for (const Case &c : kCases) {
        for (const char *start :
             {"@a>req:x{k:", "@a>req:x{k:v", "@a>req:x{k:[1,", "@a>req:x{k:\"", "@a>req:x{}[k:"}) {
            const std::string text = std::string(start) + c.bytes + "}]";
            for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT})
                EXPECT_EQ(parse(new_frame(with(dialect)).get(), text),
                          "E1001 at " + std::to_string(std::strlen(start)));
            // Raw text ends at U+DFFFF, so F4 is invalid at once; the others follow UTF-8.
            const size_t good = static_cast<unsigned char>(*c.bytes) == 0xF4 ? 0 : c.good;
            EXPECT_EQ(parse(new_frame(with(ACCP_U8)).get(), text),
                      "E1001 at " + std::to_string(std::strlen(start) + good))
                << testing::PrintToString(c.bytes);
        }
        for (const char *start : {"@", "@a>", "@a>req:", "@a>req:x{", "@a>req:x{k:$"})
            for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8})
                EXPECT_EQ(parse(new_frame(with(dialect)).get(), std::string(start) + c.bytes + "}"),
                          "E1001 at " + std::to_string(std::strlen(start)));
    }
}

// Valid UTF-8 is refused too if the dialect does not permit it.
TEST(BadUtf8, RawTextOnlyInU8) {
    const std::string text = "@a>req:x{k:日本}";
    EXPECT_EQ(parse(new_frame().get(), text), "E1001 at 11");
    EXPECT_EQ(parse(new_frame(with(ACCP_COMPAT)).get(), text), "E1001 at 11");
    EXPECT_EQ(parse(new_frame(with(ACCP_U8)).get(), text), "OK");
    EXPECT_EQ(parse(new_frame(with(ACCP_U8)).get(), "@a>req:x{日:1}"), "E1001 at 9")
        << "a key is never raw";
    EXPECT_EQ(parse(new_frame(with(ACCP_U8)).get(),
                    "@a>req:x{k:a\xE2\x80\xAE"
                    "b}"),
              "E1001 at 14")
        << "no bidi override";
}

TEST(BadUtf8, InJson) {
    const auto value = new_value();
    const auto codec = new_codec();
    for (const Case &c : kCases) {
        const std::string bytes = c.bytes;
        EXPECT_EQ(json(value.get(), "[\"ab" + bytes + "\"]"), "E1004 at 4")
            << testing::PrintToString(bytes);
        EXPECT_EQ(json(value.get(), "{\"" + bytes + "\":1}"), "E1004 at 2");
        const std::string start = R"({"agent":"a","intent":"req","operation":"x","payload":{"k":")";
        EXPECT_EQ(encode(codec.get(), start + bytes + "\"}}"),
                  "E1004 at " + std::to_string(start.size()));
        ASSERT_EQ(accp_value_begin((accp_value_reset(value.get()), value.get()), ACCP_MAP, nullptr,
                                   0, nullptr),
                  ACCP_OK);
        EXPECT_EQ(
            accp_value_add(value.get(), ACCP_STRING, "k", 1, bytes.data(), bytes.size(), nullptr),
            ACCP_E1004);
        EXPECT_EQ(
            accp_value_add(value.get(), ACCP_NULL, bytes.data(), bytes.size(), nullptr, 0, nullptr),
            ACCP_E1004);
    }
}

// Escapes must not produce invalid UTF-8 either.
TEST(BadUtf8, ByWayOfEscapes) {
    const auto codec = new_codec();
    for (const char *wire :
         {"___C0_AF", "___ED_A0_80", "___80", "___C3", "___F4_90_80_80", "__a_FFb"})
        EXPECT_EQ(decode(codec.get(), "@a>req:x{k:{" + std::string(wire) + ":1}}"), "E1004 at 12")
            << wire;
    for (const char *point : {"%u055296;", "%u057343;", "%ux1114112;", "%u999999999;"})
        EXPECT_EQ(decode(codec.get(), "@a>req:x{k:\"" + std::string(point) + "\"}"), "E1001 at 12")
            << point;
    EXPECT_EQ(decode(codec.get(), "@a>req:x{k:\"%C0%AF\"}"),
              R"({"agent":"a","intent":"req","operation":"x","payload":{"k":"À¯"}})")
        << "code points, not bytes";
    const auto value = new_value();
    for (const char *text : {R"(["\ud800"])", R"(["\udc00"])", R"(["\ud800\ud800"])",
                             R"(["\ud800x"])", R"(["\udfff\ud800"])"})
        EXPECT_EQ(json(value.get(), text), "E1004 at 2") << text;
}

}  // namespace
