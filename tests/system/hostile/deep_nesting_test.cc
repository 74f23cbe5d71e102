// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "deep nesting": refused at the bracket that is too deep, whatever follows it, and never by
// recursion.
#include "capi/face.h"

namespace {

using namespace accp_face;

std::string times(size_t count, const std::string &text) {
    std::string all;
    for (size_t i = 0; i < count; ++i) all += text;
    return all;
}

TEST(DeepNesting, Frames) {
    constexpr size_t kMany = 100000;
    const std::string start = "@a>req:x{k:";
    const struct {
        std::string text, expected;
    } cases[] = {
        {start + times(5, "[") + times(5, "]") + "}", "OK"},
        {start + "{a:{a:{a:{a:{a:1}}}}}}", "OK"},
        {start + "[{a:[{a:[1]}]}]}", "OK"},
        {start + times(6, "[") + times(6, "]") + "}", "E1001 at 16"},
        {start + "{a:{a:{a:{a:{a:{}}}}}}}", "E1001 at 26"},
        {start + "[{a:[{a:[{}]}]}]}", "E1001 at 20"},
        {start + times(kMany, "["), "E1001 at 16"},
        {start + times(kMany, "[") + times(kMany, "]") + "}", "E1001 at 16"},
        {start + times(kMany, "{a:"), "E1001 at 26"},
        {start + times(kMany, "[{a:"), "E1001 at 20"},
        {start + times(kMany, "]"), "E1001 at 11"},
        {start + times(5, "["), "E1001 at 16"},
        {"@a>req:x{}[k:" + times(kMany, "["), "E1001 at 18"},
        {times(kMany, "["), "E1001 at 0"},
        {"@a>req:x" + times(kMany, "{"), "E1001 at 9"},
    };
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) {
        const auto frame =
            new_frame(with(dialect, ACCP_EXT_Q1, false, false, {{"frame_bytes", 1 << 20}}));
        for (const auto &c : cases)
            EXPECT_EQ(parse(frame.get(), c.text), c.expected)
                << c.text.substr(0, 50) << ", dialect " << dialect;
    }
}

// The deepest limit that can be set: 64 levels of both kinds are accepted and printed, and the 65th
// is refused.
TEST(DeepNesting, TheDeepestLimit) {
    const auto deepest = with(ACCP_STRICT, ACCP_EXT_Q1, false, false, {{"depth", 64}});
    const auto frame = new_frame(deepest);
    const auto codec = new_codec(deepest);
    for (const auto &[open, close] :
         {std::pair<std::string, std::string>{"[", "]"}, {"{b:1,a:", "}"}}) {
        const std::string text = "@a>req:x{k:" + times(64, open) + "[]" + times(64, close) + "}";
        EXPECT_EQ(parse(frame.get(), text), "E1001 at " + std::to_string(11 + 64 * open.size()));
        const std::string fits = "@a>req:x{k:" + times(64, open) + "1" + times(64, close) + "}";
        EXPECT_EQ(parse(frame.get(), fits), "OK");
        EXPECT_EQ(print(frame.get()).size(), 13 + 64 * (open.size() + 1));
    }
    const std::string json = R"({"agent":"a","intent":"req","operation":"x","payload":{"k":)" +
                             times(64, "[") + times(64, "]") + "}}";
    const std::string wire = encode(codec.get(), json);
    EXPECT_EQ(decode(codec.get(), wire), json);
}

TEST(DeepNesting, Json) {
    constexpr size_t kMany = 100000;
    const auto value = new_value();
    const struct {
        std::string text, expected;
    } cases[] = {
        {times(1024, "[") + times(1024, "]"), "OK"},
        {times(1024, "{\"a\":") + "1" + times(1024, "}"), "OK"},
        {times(kMany, "["), "E1004 at 1024"},
        {times(kMany, "{\"a\":"), "E1004 at 5120"},
        {times(kMany, "[{\"a\":"), "E1004 at 3072"},
        {times(kMany, "]"), "E1001 at 0"},
        {times(1024, "["), "E1001 at 1024"},
    };
    for (const auto &c : cases)
        EXPECT_EQ(json(value.get(), c.text), c.expected) << c.text.substr(0, 20);
}

TEST(DeepNesting, Messages) {
    const auto codec = new_codec();
    const std::string start = R"({"agent":"a","intent":"req","operation":"x","payload":{"k":)";
    const auto at = [&](size_t offset) {
        return "E1004 at " + std::to_string(start.size() + offset);
    };
    EXPECT_EQ(encode(codec.get(), start + times(5, "[") + times(5, "]") + "}}"),
              "@a>req:x{k:[[[[[]]]]]}");
    EXPECT_EQ(encode(codec.get(), start + times(6, "[") + times(6, "]") + "}}"), at(5));
    EXPECT_EQ(encode(codec.get(), start + times(6, "{\"a\":") + "1" + times(6, "}") + "}}"),
              at(25));
    EXPECT_EQ(encode(codec.get(), start + times(500, "[") + times(500, "]") + "}}"), at(5));
    const std::string deepest = encode(codec.get(), start + times(100000, "["));
    EXPECT_EQ(deepest.substr(0, 8), "E1004 at");
}

}  // namespace
