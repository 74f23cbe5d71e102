// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "escapes": a backslash is only permitted before one of the twelve delimiters, and many
// backslashes cost no more than other bytes.
#include "capi/face.h"

namespace {

using namespace accp_face;

TEST(HostileEscapes, BeforeEveryByte) {
    const std::string delimiters = "@>:{}[]|$,~\\";
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) {
        const auto frame = new_frame(with(dialect));
        for (int byte = 0; byte < 256; ++byte) {
            const char c = static_cast<char>(byte);
            const bool good = delimiters.find(c) != std::string::npos;
            const std::string text = std::string("@a>req:x{k:a\\") + c + "b}";
            EXPECT_EQ(parse(frame.get(), text), good ? "OK" : "E1001 at 13") << byte;
        }
        EXPECT_EQ(parse(frame.get(), "@a>req:x{k:a\\"), "E1001 at 13");
        EXPECT_EQ(parse(frame.get(), "@a>req:x{k:a\\}"), "E1001 at 14");
    }
}

TEST(HostileEscapes, NowhereButInStrings) {
    const auto frame = new_frame();
    for (const char *text :
         {"@\\a>req:x{}", "@a\\>req:x{}", "@a>r\\:x{}", "@a>req:x\\{}", "@a>req:x{\\k:1}",
          "@a>req:x{k\\::1}", "@a>req:x{k:$a\\.b}", "@a>req:x{}\\[a:1]"}) {
        const std::string all = text;
        EXPECT_EQ(parse(frame.get(), all), "E1001 at " + std::to_string(all.find('\\'))) << text;
    }
}

// Odd and even runs of backslashes at every position in a block of 64 bytes.
TEST(HostileEscapes, RunsOfBackslashes) {
    const auto frame = new_frame();
    for (size_t before = 0; before < 130; ++before) {
        for (size_t run = 1; run <= 8; ++run) {
            const std::string text =
                "@a>req:x{k:" + std::string(before, 'v') + std::string(run, '\\');
            EXPECT_EQ(parse(frame.get(), text + "}"),
                      run % 2 ? "E1001 at " + std::to_string(text.size() + 1) : "OK")
                << before << ' ' << run;
            EXPECT_EQ(parse(frame.get(), text + "|}"),
                      run % 2 ? "OK" : "E1001 at " + std::to_string(text.size() + 1))
                << before << ' ' << run;
        }
    }
}

TEST(HostileEscapes, AHundredThousand) {
    const auto large = with(ACCP_STRICT, ACCP_EXT_Q1, false, false, {{"frame_bytes", 1 << 20}});
    const auto frame = new_frame(large);
    const auto codec = new_codec(large);
    std::string text = "@a>req:x{k:";
    for (int i = 0; i < 100000; ++i) text += "\\|";
    const std::string whole = text + "}";
    ASSERT_EQ(parse(frame.get(), whole), "OK");
    size_t len = 0;
    std::string out(100000, '?');
    ASSERT_EQ(accp_frame_string(frame.get(), 4, out.data(), out.size(), &len, nullptr), ACCP_OK);
    EXPECT_EQ(out, std::string(100000, '|'));
    EXPECT_EQ(print(frame.get()), whole);
    EXPECT_EQ(decode(codec.get(), whole).size(), 60 + 100000 + 3u);
    EXPECT_EQ(parse(frame.get(), text + "\\}"), "E1001 at 200013");
}

TEST(HostileEscapes, InJson) {
    const auto value = new_value();
    for (int byte = 0; byte < 128; ++byte) {
        const bool good = byte && std::strchr("\"\\/bfnrt", byte);
        const std::string text = std::string("[\"a\\") + static_cast<char>(byte) + "\"]";
        if (byte == '"') continue;  // does not end the string: see below
        EXPECT_EQ(json(value.get(), text).substr(0, 5), good ? "OK" : "E1001") << byte;
    }
    EXPECT_EQ(json(value.get(), R"(["a\"])").substr(0, 5), "E1001");
    for (const char *text : {R"(["\u"])", R"(["\u1"])", R"(["\u12"])", R"(["\u123"])",
                             R"(["\u123g"])", R"(["\u 123"])", R"(["\u-123"])"})
        EXPECT_EQ(json(value.get(), text), "E1001 at 2") << text;
    std::string many = "\"";
    for (int i = 0; i < 100000; ++i) many += "\\u0041";
    ASSERT_EQ(json(value.get(), many + "\""), "OK");
    EXPECT_EQ(print(value.get()), "\"" + std::string(100000, 'A') + "\"");
}

}  // namespace
