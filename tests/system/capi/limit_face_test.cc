// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every limit by its name, at its edge: the largest permitted input is accepted and one more is
// refused, in parsing and in encoding.
#include "capi/face.h"

namespace {

using namespace accp_face;

Setup limited(const char *name, uint64_t value) {
    return with(ACCP_STRICT, ACCP_EXT_Q1, false, false, {{name, value}});
}

std::string message(const std::string &payload) {
    return R"({"agent":"a","intent":"req","operation":"x","payload":)" + payload + "}";
}

TEST(LimitFace, Parsing) {
    const struct {
        const char *name;
        uint64_t value;
        const char *fits, *beyond;
        int offset;
    } cases[] = {
        {"frame_bytes", 16, "@a>req:x{k:1234}", "@a>req:x{k:12345}", 16},
        {"params", 2, "@a>req:x{a:1|b:2}[a:1,b:2]", "@a>req:x{a:1|b:2|c:3}", 17},
        {"params", 2, "@a>req:x{a:1|b:2}", "@a>req:x{}[a:1,b:2,c:3]", 19},
        {"items", 2, "@a>req:x{k:[1,2]|l:{a:1,b:2}}", "@a>req:x{k:[1,2,3]}", 16},
        {"items", 2, "@a>req:x{k:[[1,2],[1,2]]}", "@a>req:x{k:{a:1,b:2,c:3}}", 20},
        {"key_bytes", 3, "@abc>req:xyz{key:1|r:$a.b}", "@abcd>req:x{}", 4},
        {"key_bytes", 3, "@a>req:x{}", "@a>reqs:x{}", 6},
        {"key_bytes", 3, "@a>req:x{}", "@a>req:wxyz{}", 10},
        {"key_bytes", 3, "@a>req:x{k:long_text}", "@a>req:x{keys:1}", 12},
        {"key_bytes", 3, "@a>req:x{}", "@a>req:x{k:{keys:1}}", 15},
        {"key_bytes", 3, "@a>req:x{}", "@a>req:x{k:$a.bc}", 15},
        {"depth", 2, "@a>req:x{k:[[1]]|l:{a:[1]}}", "@a>req:x{k:[[[1]]]}", 13},
        {"depth", 1, "@a>req:x{k:[1]}[m:{a:1}]", "@a>req:x{}[m:[[]]]", 14},
    };
    for (const auto &c : cases) {
        const auto frame = new_frame(limited(c.name, c.value));
        EXPECT_EQ(parse(frame.get(), c.fits), "OK") << c.fits;
        EXPECT_EQ(parse(frame.get(), c.beyond), "E1001 at " + std::to_string(c.offset)) << c.beyond;
    }
}

TEST(LimitFace, Encoding) {
    const struct {
        const char *name;
        uint64_t value;
        const char *fits, *beyond;
        accp_status status;
    } cases[] = {
        {"frame_bytes", 16, R"({"k":1234})", R"({"k":12345})", ACCP_E1001},
        {"params", 2, R"({"a":1,"b":2})", R"({"a":1,"b":2,"c":3})", ACCP_E1001},
        {"items", 2, R"({"k":[1,2],"l":{"a":1,"b":2}})", R"({"k":[1,2,3]})", ACCP_E1001},
        {"items", 2, "{}", R"({"k":{"a":1,"b":2,"c":3}})", ACCP_E1001},
        {"key_bytes", 9, R"({"ninebytes":1,"ni e":1})", R"({"tenletters":1})", ACCP_E1001},
        {"key_bytes", 9, "{}", R"({"k":{"ni  x":1}})", ACCP_E1001},
        {"depth", 2, R"({"k":[[1]],"l":{"a":[1]}})", R"({"k":[[[1]]]})", ACCP_E1004},
        {"json_bytes", 70, R"({"k":1234567})", R"({"k":"a very long text that goes on and on"})",
         ACCP_E1001},
    };
    for (const auto &c : cases) {
        const auto frame = new_frame(limited(c.name, c.value));
        const auto codec = new_codec(limited(c.name, c.value));
        const std::string wire = encode(codec.get(), message(c.fits));
        EXPECT_EQ(wire[0], '@') << c.name << ": " << wire;
        EXPECT_EQ(parse(frame.get(), wire), "OK") << "what is written can be read: " << wire;
        EXPECT_EQ(encode(codec.get(), message(c.beyond)).substr(0, 5),
                  accp_status_code_name(c.status))
            << c.beyond;
    }
}

// A peer with the same limits accepts every frame that is written, also with an envelope.
TEST(LimitFace, MetadataCountsTheEnvelope) {
    const auto codec = new_codec(limited("params", 3));
    const accp_envelope envelope = {
        ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS, 0, 1, 2, 0, {}, {}, {}, {}};
    ASSERT_EQ(accp_codec_set_envelope(codec.get(), &envelope, nullptr), ACCP_OK);
    const std::string start = R"({"agent":"a","intent":"req","operation":"x","payload":{},"meta":)";
    EXPECT_EQ(encode(codec.get(), start + R"({"a":1}})"), "@a>req:x{}[seq:1,ts:2,a:1]");
    EXPECT_EQ(encode(codec.get(), start + R"({"a":1,"seq":9}})"), "@a>req:x{}[seq:9,ts:2,a:1]");
    EXPECT_EQ(encode(codec.get(), start + R"({"a":1,"b":2}})").substr(0, 5), "E1001");
}

TEST(LimitFace, Json) {
    const auto value = new_value(
        with(ACCP_STRICT, ACCP_EXT_Q1, false, false, {{"json_bytes", 10}, {"json_depth", 2}}));
    EXPECT_EQ(json(value.get(), "[[1,2345]]"), "OK");
    EXPECT_EQ(json(value.get(), "[[1,23456]]"), "E1001 at 10");
    EXPECT_EQ(json(value.get(), "[1,[[]]]"), "E1004 at 4");
}

TEST(LimitFace, Memory) {
    const auto value = new_value(limited("memory_bytes", 65536));
    std::string large = "[";
    for (int i = 0; i < 10000; ++i) large += "1,";
    large += "1]";
    EXPECT_EQ(json(value.get(), large), "ERR_NOMEM at 0");
    EXPECT_EQ(json(value.get(), "[1]"), "OK");
}

// The defaults, as config.h states them.
TEST(LimitFace, Defaults) {
    const auto frame = new_frame();
    const std::string start = "@a>req:x{k:";
    EXPECT_EQ(parse(frame.get(), start + std::string(65536 - 12, 'v') + "}"), "OK");
    EXPECT_EQ(parse(frame.get(), start + std::string(65536 - 11, 'v') + "}"), "E1001 at 65536");
    std::string params, items;
    for (int i = 0; i < 256; ++i) params += (i ? "|k" : "k") + std::to_string(i) + ":1";
    for (int i = 0; i < 4096; ++i) items += i ? ",1" : "1";
    EXPECT_EQ(parse(frame.get(), "@a>req:x{" + params + "}"), "OK");
    EXPECT_EQ(parse(frame.get(), "@a>req:x{" + params + "|z:1}"),
              "E1001 at " + std::to_string(params.size() + 10));
    EXPECT_EQ(parse(frame.get(), start + "[" + items + "]}"), "OK");
    EXPECT_EQ(parse(frame.get(), start + "[" + items + ",1]}"),
              "E1001 at " + std::to_string(items.size() + 13));
    EXPECT_EQ(parse(frame.get(), "@a>req:x{" + std::string(256, 'k') + ":1}"), "OK");
    EXPECT_EQ(parse(frame.get(), "@a>req:x{" + std::string(257, 'k') + ":1}"), "E1001 at 265");
    EXPECT_EQ(parse(frame.get(), start + "[[[[[]]]]]}"), "OK");
    EXPECT_EQ(parse(frame.get(), start + "[[[[[[]]]]]]}"), "E1001 at 16");
    const auto value = new_value();
    EXPECT_EQ(json(value.get(), std::string(1024, '[') + std::string(1024, ']')), "OK");
    EXPECT_EQ(json(value.get(), std::string(1025, '[') + std::string(1025, ']')), "E1004 at 1024");
    const std::string max = "\"" + std::string((16 << 20) - 2, 'x') + "\"";
    EXPECT_EQ(json(value.get(), max), "OK");
    EXPECT_EQ(json(value.get(), max + " "), "E1001 at 16777216");
}

// The error for a parsed rendering has the actual number and the limit.
TEST(LimitFace, Renderings) {
    const struct {
        const char *name;
        uint64_t limit;
        std::string text;
        accp_status code;
        uint64_t had;
    } cases[] = {
        {"json_depth", 2, "[[[1]]]", ACCP_E1004, 3},
        {"json_bytes", 8, "\"123456789\"", ACCP_E1001, 11},
        {"json_bytes", 1 << 20, "{" + std::string(65536, 'k') + ": 1}", ACCP_E1004, 65536},
    };
    for (const auto &c : cases) {
        accp_render *made = nullptr;
        ASSERT_EQ(accp_render_new(make_config(limited(c.name, c.limit)).get(), &made, nullptr),
                  ACCP_OK);
        const Handle<accp_render> render(made);
        accp_text out = {};
        accp_error error = {};
        EXPECT_EQ(accp_render_parse(render.get(), c.text.data(), c.text.size(), &out, &error),
                  c.code)
            << c.name << error.message;
        EXPECT_EQ(error.had, c.had) << error.message;
        EXPECT_EQ(error.limit, c.had == 65536 ? 65535 : c.limit);
    }
}

}  // namespace
