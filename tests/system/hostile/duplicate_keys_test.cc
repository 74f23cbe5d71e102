// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "duplicate keys": the second of two equal keys is refused at its offset, in every block,
// map and spelling, with any number of keys between. If the last key won, two readers could
// disagree.
#include "capi/face.h"

namespace {

using namespace accp_face;

// `count` other keys between the two: a few are searched one by one, many by a hash set.
std::string between(int count, const char *value, char separator) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "k" + std::to_string(i) + value + separator;
    return text;
}

TEST(DuplicateKeys, InFrames) {
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) {
        const auto frame = new_frame(with(dialect));
        for (int count : {0, 1, 13, 14, 15, 16, 17, 100}) {
            const std::string params = "@a>req:x{twin:1|" + between(count, ":1", '|');
            EXPECT_EQ(parse(frame.get(), params + "twin:2}"),
                      "E1001 at " + std::to_string(params.size()))
                << count;
            EXPECT_EQ(parse(frame.get(), params + "twim:2}"), "OK") << count;
            const std::string map = "@a>req:x{k:{twin:1," + between(count, ":1", ',');
            EXPECT_EQ(parse(frame.get(), map + "twin:2,z:1}}"),
                      "E1001 at " + std::to_string(map.size()))
                << count;
            const std::string meta = "@a>req:x{}[mid:a," + between(count, ":1", ',');
            EXPECT_EQ(parse(frame.get(), meta + "mid:a]"),
                      "E1001 at " + std::to_string(meta.size()))
                << count;
        }
        EXPECT_EQ(parse(frame.get(), "@a>req:x{k:1|l:{k:1,l:{k:1}}|m:[{k:1},{k:1}]}[k:1]"), "OK")
            << "one key in different maps";
        EXPECT_EQ(parse(frame.get(), "@a>req:x{k:1|K:1|k_:1|_k:1|kk:1}"), "OK");
        EXPECT_EQ(parse(frame.get(), "@a>req:x{a:{b:{c:1},d:1}|e:[{f:1}]|a:2}"), "E1001 at 35")
            << "with trees between";
    }
}

TEST(DuplicateKeys, InJson) {
    const auto value = new_value();
    for (int count : {0, 1, 14, 15, 16, 17, 1000}) {
        std::string text = R"({"twin":1,)";
        for (int i = 0; i < count; ++i) text += "\"k" + std::to_string(i) + "\":[{\"twin\":1}],";
        EXPECT_EQ(json(value.get(), text + R"("twin":2})"),
                  "E1001 at " + std::to_string(text.size()))
            << count;
        EXPECT_EQ(json(value.get(), text + R"("\u0074win":2})"),
                  "E1001 at " + std::to_string(text.size()))
            << "in another spelling, " << count;
        EXPECT_EQ(json(value.get(), text + R"("twin ":2})"), "OK") << count;
    }
    EXPECT_EQ(json(value.get(), R"({"":1,"":2})"), "E1001 at 6");
    EXPECT_EQ(json(value.get(), R"({"a\u0000":1,"a":2,"a\u0000\u0000":3})"), "OK");
}

// Two different keys on the wire for one key of the message: such a frame is valid, but decode
// refuses it.
TEST(DuplicateKeys, ThatDecodeToOne) {
    const auto frame = new_frame();
    const auto plain = new_codec(), abbreviated = new_codec(with(ACCP_STRICT, ACCP_EXT_Q1, true));
    const struct {
        const char *frame, *plain, *abbreviated;
    } cases[] = {
        {"@a>req:x{d:1|data:2}", nullptr, "E1001 at 13"},
        {"@a>req:x{data:1|d:2}", nullptr, "E1001 at 16"},
        {"@a>req:x{k:{d:1,data:2}}", nullptr, nullptr},
        {"@a>req:x{a:1|___61:2}", "E1001 at 13", "E1001 at 13"},
        {"@a>req:x{___61:1|a:2}", "E1001 at 17", "E1001 at 17"},
        {"@a>req:x{__a:1|___61:2}", "E1001 at 15", "E1001 at 15"},
        {"@a>req:x{k:{__a_2Db:1,__a__b:2}}", "E1001 at 22", "E1001 at 22"},
        {"@a>req:x{}[seq:1,__seq:2]", "E1001 at 17", "E1001 at 17"},
        {"@a>req:x{schema:1|__schema:2}", "E1001 at 18", "E1001 at 18"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(parse(frame.get(), c.frame), "OK") << c.frame;
        const std::string one = decode(plain.get(), c.frame),
                          two = decode(abbreviated.get(), c.frame);
        EXPECT_EQ(c.plain ? one : one.substr(0, 1), c.plain ? c.plain : "{") << c.frame;
        EXPECT_EQ(c.abbreviated ? two : two.substr(0, 1), c.abbreviated ? c.abbreviated : "{")
            << c.frame;
    }
}

}  // namespace
