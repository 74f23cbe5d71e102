// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "size": small input that produces large output. A table has each column name once but
// applies it to every row, so the length of names must limit decoding: at most about half of
// key_bytes for each byte of a frame.
#include "capi/face.h"
#include "config.h"

namespace {

using namespace accp_face;

std::string table(size_t name_len, size_t columns, size_t rows) {
    std::string text = "@a>req:x{k:{__cols:[", cells;
    for (size_t i = 0; i < columns; ++i) {
        std::string name = std::to_string(i);
        name.insert(0, name_len - name.size(), 'c');
        text += (i ? "," : "") + name;
        cells += i ? ",~" : "~";
    }
    text += "],__rows:[";
    for (size_t i = 0; i < rows; ++i) text += (i ? ",[" : "[") + cells + "]";
    return text + "]}}";
}

TEST(Amplification, ColumnsAreKeysAndAsLongAsKeysMayBe) {
    const auto codec = new_codec(with(ACCP_STRICT, ACCP_EXT_T1));
    EXPECT_EQ(decode(codec.get(), table(256, 2, 2))[0], '{');
    EXPECT_EQ(decode(codec.get(), table(257, 2, 2)).substr(0, 2), "E1") << "longer than key_bytes";
    EXPECT_EQ(decode(codec.get(), table(45000, 1, 4000)).substr(0, 2), "E1");
    const auto narrow =
        new_codec(with(ACCP_STRICT, ACCP_EXT_T1, false, false, {{"key_bytes", 10}}));
    EXPECT_EQ(decode(narrow.get(), table(10, 2, 2))[0], '{');
    EXPECT_EQ(decode(narrow.get(), table(11, 2, 2)).substr(0, 2), "E1");
}

TEST(Amplification, WhatDecodeWritesIsBounded) {
    const auto codec = new_codec(with(ACCP_STRICT, ACCP_EXT_T1));
    double max = 0;
    for (size_t columns : {1, 2, 8, 32, 100}) {
        for (size_t name_len : {16, 100, 256}) {
            const size_t rows =
                std::min<size_t>(4096, (65000 - columns * name_len) / (2 * columns + 2));
            const std::string text = table(name_len, columns, rows);
            ASSERT_LE(text.size(), 65536u);
            const std::string json = decode(codec.get(), text);
            ASSERT_EQ(json[0], '{') << columns << ' ' << name_len << ' ' << json;
            max =
                std::max(max, static_cast<double>(json.size()) / static_cast<double>(text.size()));
        }
    }
    std::printf("at most %.0f bytes of JSON for each byte of a frame\n", max);
    EXPECT_LT(max, 256 / 2 + 10);
}

// A long key gets the same verdict with and without tables.
TEST(Amplification, EncodingHoldsColumnsToTheSameLimit) {
    std::string rows = "[";
    for (int i = 0; i < 6; ++i)
        rows += std::string(i ? "," : "") + "{\"" + std::string(257, 'k') + "\":1}";
    const std::string message =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"k":)" + rows + "]}}";
    for (uint32_t extensions : {ACCP_EXT_Q1, ACCP_EXT_T1})
        EXPECT_EQ(encode(new_codec(with(ACCP_STRICT, extensions)).get(), message).substr(0, 5),
                  "E1001")
            << extensions;
}

// The header of a render text also names each column only once. There json_bytes limits the output.
TEST(Amplification, RenderTextIsHeldToJsonBytes) {
    accp_test::Config config;
    accp_render *render = nullptr;
    config.limit(ACCP_LIMIT_JSON_BYTES, 1 << 20);
    ASSERT_EQ(accp_render_new(config.get(), &render, nullptr), ACCP_OK);
    for (size_t rows : {10, 1000, 200000}) {
        std::string text = "(" + std::string(60000, 'k') + ")[1";
        for (size_t i = 1; i < rows; ++i) text += ";1";
        text += "]";
        accp_text out = {};
        const accp_status status =
            accp_render_parse(render, text.data(), text.size(), &out, nullptr);
        EXPECT_EQ(status, rows == 10 ? ACCP_OK : ACCP_E1001) << rows;
    }
    accp_render_free(render);
}

// Escapes and numbered code points become shorter.
TEST(Amplification, TextDoesNotGrow) {
    const auto frame = new_frame();
    for (const char *piece : {"\\|", "%01", "%u000001;", "%u026085;", "_", "%FF", "a"}) {
        std::string text = "@a>req:x{k:\"";
        while (text.size() < 60000) text += piece;
        text += "\"}";
        ASSERT_EQ(parse(frame.get(), text), "OK");
        const auto value = new_value();
        ASSERT_EQ(accp_frame_payload(frame.get(), value.get(), nullptr), ACCP_OK);
        size_t count = 0;
        EXPECT_LE(accp_value_nodes(value.get(), &count)[1].len, text.size());
        EXPECT_LE(accp_value_text(value.get()).len, 2 * text.size());
    }
}

}  // namespace
