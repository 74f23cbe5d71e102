// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sending: how texts are split, and the frames of chunks.
#include <vector>

#include "delivery/receiver.h"
#include "unit.h"

namespace {

using namespace accp_streams;

std::vector<std::string> cut(std::string_view text, uint32_t max) {
    const Exact exact(text);
    std::vector<std::string> pieces;
    accp_chunk chunk = {};
    while (accp_chunk_next(exact.view().text, exact.view().len, max, &chunk, nullptr) == ACCP_OK) {
        EXPECT_EQ(chunk.index, static_cast<int64_t>(pieces.size()));
        pieces.push_back(string_of(chunk.data));
    }
    EXPECT_TRUE(chunk.is_final);
    return pieces;
}

using Pieces = std::vector<std::string>;

TEST(Chunk, WhereATextIsCut) {
    EXPECT_EQ(cut("", 5), Pieces{""});
    EXPECT_EQ(cut("abc", 5), Pieces{"abc"});
    EXPECT_EQ(cut("abcdefg", 3), (Pieces{"abc", "def", "g"}));
    EXPECT_EQ(cut("日本語", 4), (Pieces{"日", "本", "語"}));
    EXPECT_EQ(cut("日本語", 1), (Pieces{"日", "本", "語"})) << "a code point is never cut to fit";
    EXPECT_EQ(cut("abe\xCC\x81x", 3), (Pieces{"ab", "e\xCC\x81", "x"}))
        << "a mark stays with its letter";
    EXPECT_EQ(cut("\xCC\x81\xCC\x81\xCC\x81", 4), (Pieces{"\xCC\x81\xCC\x81", "\xCC\x81"}))
        << "where that is possible";
    EXPECT_EQ(cut("ab👩\u200D🚀cd", 12), (Pieces{"ab", "👩\u200D🚀c", "d"}))
        << "what a joiner joins stays together";
}

TEST(Chunk, WhatIsNoTextIsRefused) {
    accp_error error = {};
    auto refusal = [&](std::string_view text, uint32_t max) {
        const Exact exact(text);
        accp_chunk chunk = {};
        accp_status status = ACCP_OK;
        while (status == ACCP_OK)
            status = accp_chunk_next(exact.view().text, exact.view().len, max, &chunk, &error);
        return status;
    };
    EXPECT_EQ(refusal("ab\xFF"
                      "cd",
                      100),
              ACCP_E1004);
    EXPECT_EQ(error.offset, 2u);
    EXPECT_EQ(refusal("abcdefghijklmnopqrstuvwxyz\xE6\x97", 4), ACCP_E1004);
    EXPECT_EQ(error.offset, 26u);
    EXPECT_EQ(refusal("abc", 100), ACCP_ERR_CLOSED);
    accp_chunk chunk = {};
    EXPECT_EQ(accp_chunk_next("abc", 3, 0, &chunk, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_chunk_next(nullptr, 3, 1, &chunk, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_chunk_next("abc", 3, 1, nullptr, nullptr), ACCP_ERR_ARG);
    for (const int64_t index : {int64_t{-1}, INT64_MIN, INT64_MAX}) {  // no chunk that we cut
        const char *text = "abc";
        accp_chunk other = {};
        other.data = {text, 1};
        other.index = index;
        EXPECT_EQ(accp_chunk_next(text, 3, 1, &other, nullptr), ACCP_ERR_ARG);
        EXPECT_EQ(other.index, index);
    }
}

// Every piece has whole code points and is not longer than requested, and the pieces together are
// the text.
TEST(Chunk, PiecesAreTheText) {
    accp_unit::Random random(1);
    const char *parts[] = {"a", "é", "日", "🚀", "e\xCC\x81", "👩\u200D🚀", " ", "\n"};
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (size_t n = random.below(30); n > 0; --n) text += parts[random.below(8)];
        const auto max = static_cast<uint32_t>(1 + random.below(20));
        std::string all;
        for (const std::string &piece : cut(text, max)) {
            EXPECT_TRUE(piece.size() <= max || piece.size() <= 4) << text;
            EXPECT_TRUE(piece.empty() || (static_cast<unsigned char>(piece[0]) & 0xC0) != 0x80);
            all += piece;
        }
        ASSERT_EQ(all, text);
    }
}

std::string encode(accp_codec *codec, std::string_view operation, const accp_chunk &chunk) {
    accp_text out = {};
    const accp_status status = accp_codec_encode_chunk(
        codec, {"s", 1}, {operation.data(), operation.size()}, &chunk, &out, nullptr);
    return status == ACCP_OK ? string_of(out) : std::to_string(status);
}

// ACCP-10.4-01, ACCP-10.4-02, ACCP-10.4-03
TEST(ChunkFrame, AsTheProfileHasIt) {
    const auto codec = open_codec(ACCP_PROFILE_ALL, ACCP_EXT_Q1),
               positional = open_codec(ACCP_PROFILE_ALL, ACCP_EXT_P1);
    accp_chunk chunk = {{"c1", 2}, {"a, b", 4}, 0, 0, 0, 0};
    EXPECT_EQ(encode(codec.get(), "infer", chunk), "@s>stream:infer{idx:0|d:\"a\\,_b\"}[cid:c1]");
    EXPECT_EQ(encode(codec.get(), "tell", chunk),
              "@s>stream:tell{idx:0|d:\"a\\,_b\"|schema:ST}[cid:c1]");
    EXPECT_EQ(encode(positional.get(), "infer", chunk),
              "@s>stream:infer{ST:[0,!,\"a\\,_b\"]}[cid:c1]");
    chunk = {{"c1", 2}, {"", 0}, 2, 3, 1, 0};
    EXPECT_EQ(encode(codec.get(), "infer", chunk),
              "@s>stream:infer{idx:2|tot:3|d:\"\"|done:true}[cid:c1]");
    chunk.cid.len = 0;
    EXPECT_EQ(encode(codec.get(), "infer", chunk), "1004");
    EXPECT_EQ(encode(open_codec(ACCP_PROFILE_NONE, ACCP_EXT_Q1).get(), "infer",
                     {{"c", 1}, {"", 0}, 0, 0, 0, 0}),
              "1003");
    const Handle<accp_codec> without(accp_test::make_codec(Config()).release());
    EXPECT_EQ(encode(without.get(), "infer", {{"c", 1}, {"", 0}, 0, 0, 0, 0}),
              std::to_string(ACCP_ERR_ARG));
}

// A long text is sent in frames of any order, and joined again.
TEST(ChunkFrame, ThereAndBack) {
    const auto codec = open_codec(ACCP_PROFILE_ALL, ACCP_EXT_P1 | ACCP_EXT_U8);
    std::string text;
    for (int i = 0; i < 400; ++i) text += "Zeile " + std::to_string(i) + ": {\"日本\": [1, 2]}\n";
    std::vector<std::string> frames;
    accp_chunk chunk = {};
    chunk.cid = {"c1", 2};
    while (accp_chunk_next(text.data(), text.size(), 97, &chunk, nullptr) == ACCP_OK)
        frames.push_back(encode(codec.get(), "infer", chunk));
    accp_unit::Random random(7);
    for (size_t i = frames.size(); i > 1; --i) std::swap(frames[i - 1], frames[random.below(i)]);
    Receiver receiver;
    Part part;
    for (const std::string &frame : frames) {
        accp_text json = {};
        ASSERT_EQ(accp_codec_decode(codec.get(), frame.data(), frame.size(), &json, nullptr),
                  ACCP_OK)
            << frame;
        part = receiver.receive({json.text, json.len});
        ASSERT_EQ(part.status, ACCP_OK);
    }
    EXPECT_EQ(part.state, ACCP_STREAM_COMPLETE);
    EXPECT_EQ(part.whole, text);
}

}  // namespace
