// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "size": each limit refuses at the exact byte. With raised limits, a handle holds at most a
// small multiple of its input.
#include "capi/face.h"

namespace {

using namespace accp_face;

std::string many(size_t count, const std::string &before, const std::string &after,
                 const std::string &between) {
    std::string text;
    for (size_t i = 0; i < count; ++i)
        text.append(i ? between : "").append(before).append(std::to_string(i)).append(after);
    return text;
}

const Limits kRaised = {
    {"frame_bytes", 1 << 24}, {"params", 1 << 20}, {"items", 1 << 24}, {"key_bytes", 65535}};

TEST(Size, DefaultLimitsRefuseAtTheirByte) {
    const auto frame = new_frame();
    const std::string start = "@a>req:x{k:";
    const struct {
        std::string text;
        size_t offset;
    } cases[] = {
        {start + std::string(1 << 20, 'v') + "}", 65536},
        {"@a>req:x{" + std::string(1 << 20, 'k') + ":1}", 265},
        {"@" + std::string(1 << 20, 'a'), 257},
        {"@a>" + std::string(1 << 20, 'r'), 259},
        {"@a>req:" + std::string(1 << 20, 'o'), 263},
        {start + "$" + std::string(1 << 20, 'r') + "}", 268},
        {"@a>req:x{" + many(100000, "k", ":1", "|") + "}",
         9 + many(256, "k", ":1", "|").size() + 1},
        {start + "[" + many(100000, "", "", ",") + "]}", 12 + many(4096, "", "", ",").size() + 1},
        {start + "{" + many(100000, "k", ":1", ",") + "}}",
         12 + many(4096, "k", ":1", ",").size() + 1},
        {std::string(1 << 20, '@'), 1},
        {"", 0},
    };
    for (const auto &c : cases)
        EXPECT_EQ(parse(frame.get(), c.text), "E1001 at " + std::to_string(c.offset))
            << c.text.substr(0, 40);
}

TEST(Size, RaisedLimitsTakeThemAll) {
    const auto raised = with(ACCP_STRICT, ACCP_EXT_Q1, false, false, kRaised);
    const auto frame = new_frame(raised);
    const auto codec = new_codec(raised);
    const std::string cases[] = {
        "@a>req:x{k:" + std::string(1 << 20, 'v') + "}",
        "@a>req:x{" + std::string(65535, 'k') + ":1}",
        "@a>req:x{" + many(100000, "k", ":1", "|") + "}",
        "@a>req:x{k:[" + many(100000, "", "", ",") + "]}",
        "@a>req:x{k:{" + many(100000, "k", ":1", ",") + "}}",
    };
    for (const std::string &text : cases) {
        ASSERT_EQ(parse(frame.get(), text), "OK") << text.substr(0, 40);
        EXPECT_EQ(print(frame.get()).size(), text.size());
        const std::string json = decode(codec.get(), text);
        EXPECT_EQ(encode(codec.get(), json).size(), text.size());
    }
    EXPECT_EQ(parse(frame.get(), "@a>req:x{" + std::string(65536, 'k') + ":1}"), "E1001 at 65544");
}

struct Counter {
    int64_t live = 0, peak = 0;
    accp_allocator allocator() {
        return {[](size_t size, void *user) {
                    auto *c = static_cast<Counter *>(user);
                    c->live += static_cast<int64_t>(size);
                    c->peak = std::max(c->peak, c->live);
                    return std::malloc(size);
                },
                [](void *memory, size_t size, void *user) {
                    static_cast<Counter *>(user)->live -= static_cast<int64_t>(size);
                    std::free(memory);
                },
                this};
    }
};

// Inputs of 1 MiB each, in the form that needs the most memory per byte.
TEST(Size, HeldMemoryIsASmallMultipleOfTheInput) {
    const std::string message = R"({"agent":"a","intent":"req","operation":"x","payload":{"k":)";
    const struct {
        const char *what;
        std::string text;
        bool frame;
        double max;
    } cases[] = {
        {"frame of one-byte items", "@a>req:x{k:[" + many(1 << 17, "", "", ",") + "]}", true, 40},
        {"frame of delimiters", "@a>req:x{k:[" + std::string(1 << 20, ','), true, 40},
        {"frame of escapes", "@a>req:x{k:" + many(1 << 17, "\\|", "", "") + "}", true, 40},
        {"JSON of one-byte items", message + "[" + many(1 << 17, "", "", ",") + "]}}", false, 80},
        {"JSON of control characters", message + "\"" + many(1 << 16, "\\u0001", "", "") + "\"}}",
         false, 80},
        {"JSON of CJK", message + "\"" + many(1 << 17, "日", "", "") + "\"}}", false, 80},
        {"JSON of brackets", message + "[" + many(1 << 16, "[],", "", ",") + "]}}", false, 80},
    };
    for (const auto &c : cases) {
        Counter counter;
        const accp_allocator allocator = counter.allocator();
        const auto config = make_config(with(ACCP_STRICT, ACCP_EXT_T1, false, false, kRaised));
        ASSERT_EQ(accp_config_set_allocator(config.get(), &allocator, nullptr), ACCP_OK);
        accp_codec *made = nullptr;
        ASSERT_EQ(accp_codec_new(config.get(), &made, nullptr), ACCP_OK);
        const Handle<accp_codec> codec(made);
        if (c.frame) decode(made, c.text);
        else encode(made, c.text);
        const double factor =
            static_cast<double>(counter.peak) / static_cast<double>(c.text.size());
        EXPECT_LT(factor, c.max) << c.what;
        std::printf("%-28s %5.1f bytes held for each byte of input\n", c.what, factor);
    }
}

// After one large text a handle releases its memory again: beyond its last input it keeps at most 1
// MiB per area.
TEST(Size, OneLargeTextIsNotKeptForEver) {
    Counter counter;
    const accp_allocator allocator = counter.allocator();
    const auto config = make_config(with(ACCP_STRICT, ACCP_EXT_Q1, false, false, kRaised));
    ASSERT_EQ(accp_config_set_allocator(config.get(), &allocator, nullptr), ACCP_OK);
    accp_codec *made = nullptr;
    ASSERT_EQ(accp_codec_new(config.get(), &made, nullptr), ACCP_OK);
    const Handle<accp_codec> codec(made);
    const std::string large = "@a>req:x{k:[" + many(1 << 20, "", "", ",") + "]}";
    const std::string json = decode(made, large);
    ASSERT_EQ(json[0], '{');
    ASSERT_EQ(encode(made, json)[0], '@');
    EXPECT_GT(counter.live, 30 << 20);
    for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(encode(made, R"({"agent":"a","intent":"req","operation":"x","payload":{}})"),
                  "@a>req:x{}");
        ASSERT_EQ(decode(made, "@a>req:x{}")[0], '{');
    }
    EXPECT_LT(counter.live, 12 << 20);
}

}  // namespace
