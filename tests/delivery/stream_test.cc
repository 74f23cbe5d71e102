// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Streams, rule by rule (specification 10.4, decisions A61, A62).
#include "delivery/receiver.h"

namespace {

using namespace accp_streams;

const Part kRefused = {ACCP_E1004, -1, "", "", 0}, kTooMuch = {ACCP_E2003, -1, "", "", 0};

Part open(std::string data, int64_t chunks) {
    return {ACCP_OK, ACCP_STREAM_OPEN, std::move(data), "", chunks};
}
Part complete(std::string data, std::string whole, int64_t chunks) {
    return {ACCP_OK, ACCP_STREAM_COMPLETE, std::move(data), std::move(whole), chunks};
}
Part aborted(std::string whole, int64_t chunks) {
    return {ACCP_OK, ACCP_STREAM_ABORTED, "", std::move(whole), chunks};
}

// ACCP-10.4-04
TEST(Stream, ChunksLeaveInOrder) {
    Receiver r;
    EXPECT_EQ(r.add("s", 0, "Hello", false, 3), open("Hello", 1));
    EXPECT_EQ(r.add("s", 1, "_world", false, 3), open("_world", 2));
    EXPECT_EQ(r.add("s", 2, "!", true, 3), complete("!", "Hello_world!", 3));
    EXPECT_EQ(r.open(), 0u);
}

TEST(Stream, ChunksThatComeEarlyWait) {
    Receiver r;
    EXPECT_EQ(r.add("s", 3, "d", true), open("", 0));
    EXPECT_EQ(r.add("s", 1, "b"), open("", 0));
    EXPECT_EQ(r.add("s", 0, "a"), open("ab", 2));
    EXPECT_EQ(r.add("s", 2, "c"), complete("cd", "abcd", 4));
}

// ACCP-10.4-02
TEST(Stream, AStreamIsItsCid) {
    Receiver r;
    EXPECT_EQ(r.add("", 0, "x"), kRefused);
    EXPECT_EQ(r.end(""), kRefused);
    EXPECT_EQ(r.add("one", 0, "1a"), open("1a", 1));
    EXPECT_EQ(r.add("two", 0, "2a"), open("2a", 1));
    EXPECT_EQ(r.add("one", 1, "1b", true), complete("1b", "1a1b", 2));
    EXPECT_EQ(r.add("two", 1, "2b", true), complete("2b", "2a2b", 2));
}

// ACCP-10.4-02: if one stream is allowed, a chunk with another cid is refused.
TEST(Stream, AMixedCidIsRefusedWhereOneStreamIsAllowed) {
    Receiver r(Config().limit(ACCP_LIMIT_OPEN_STREAMS, 1));
    EXPECT_EQ(r.add("one", 0, "a"), open("a", 1));
    EXPECT_EQ(r.add("two", 1, "b"), kTooMuch);
    EXPECT_EQ(r.add("one", 1, "b", true), complete("b", "ab", 2));
}

TEST(Stream, WhatContradictsIsRefusedAndChangesNothing) {
    Receiver r;
    EXPECT_EQ(r.add("s", -1, "x"), kRefused);
    EXPECT_EQ(r.add("s", INT64_MAX, "x"), kRefused);
    EXPECT_EQ(r.add("s", 3, "x", false, 3), kRefused) << "an index that is not below the total";
    EXPECT_EQ(r.add("s", 0, "x", false, -1), kRefused);
    EXPECT_EQ(r.add("s", 0, "x", true, 2), kRefused) << "a final chunk that is not the last";
    EXPECT_EQ(r.open(), 0u);
    EXPECT_EQ(r.add("s", 0, "a", false, 5), open("a", 1));
    EXPECT_EQ(r.add("s", 0, "a", false, 5), kRefused) << "an index that came";
    EXPECT_EQ(r.add("s", 2, "c"), open("", 1));
    EXPECT_EQ(r.add("s", 2, "c"), kRefused) << "an index that waits";
    EXPECT_EQ(r.add("s", 1, "b", false, 6), kRefused) << "another total";
    EXPECT_EQ(r.add("s", 5, "f"), kRefused) << "beyond the total that was said";
    EXPECT_EQ(r.add("s", 1, "b", true), kRefused) << "final, and a later one came";
    EXPECT_EQ(r.add("s", 3, "d", true), kRefused) << "final, and not the last of the total";
    EXPECT_EQ(r.add("s", 1, "b"), open("bc", 3));
    EXPECT_EQ(r.add("s", 4, "e", true), open("", 3));
    EXPECT_EQ(r.add("s", 3, "d", true), kRefused) << "two finals";
    EXPECT_EQ(r.add("s", 3, "d"), complete("de", "abcde", 5));
}

TEST(Stream, ATotalBelowWhatCame) {
    Receiver r;
    EXPECT_EQ(r.add("s", 4, "e"), open("", 0));
    EXPECT_EQ(r.add("s", 0, "a", false, 3), kRefused);
    EXPECT_EQ(r.add("s", 5, "f", true), open("", 0));
    EXPECT_EQ(r.add("s", 0, "a", false, 7), kRefused) << "not the final one's";
    EXPECT_EQ(r.add("s", 6, "g"), kRefused) << "behind the final one";
    EXPECT_EQ(r.add("s", 0, "a", false, 6), open("a", 1));
}

TEST(Stream, DataBehindTheEnd) {
    Receiver r;
    EXPECT_EQ(r.add("s", 0, "a", true), complete("a", "a", 1));
    EXPECT_EQ(r.add("s", 1, "b"), kRefused);
    EXPECT_EQ(r.add("s", 0, "a"), kRefused);
    EXPECT_EQ(r.add("t", 0, "a"), open("a", 1));
}

// decision A61
TEST(Stream, EndWithoutAFinalChunkIsAborted) {
    Receiver r;
    r.add("s", 0, "a");
    r.add("s", 1, "b");
    r.add("s", 3, "d");
    EXPECT_EQ(r.end("s"), aborted("ab", 2));
    EXPECT_EQ(r.add("s", 2, "c"), kRefused);
    EXPECT_EQ(r.end("s"), (Part{ACCP_OK, ACCP_STREAM_CLOSED, "", "", 0}));
    r.add("t", 1, "b", true);
    EXPECT_EQ(r.end("t"), aborted("", 0)) << "the final chunk came, but not all before it";
    EXPECT_EQ(r.end("u"), aborted("", 0)) << "nothing came";
    EXPECT_EQ(r.add("u", 0, "a"), kRefused);
    EXPECT_EQ(r.add("v", 0, "a", true), complete("a", "a", 1));
    EXPECT_EQ(r.end("v"), (Part{ACCP_OK, ACCP_STREAM_CLOSED, "", "", 0}))
        << "the final chunk closed it: whichever is first";
}

TEST(Stream, ATotalAllocatesNothing) {
    Receiver r;
    EXPECT_EQ(r.add("s", 0, "a", false, INT64_MAX), open("a", 1));
    EXPECT_EQ(r.add("s", 1, "b", false, INT64_MAX), open("b", 2));
}

// ---- Limits of streams

TEST(Stream, ChunksTooFarAhead) {
    Receiver r;
    EXPECT_EQ(r.add("s", 1025, "x"), kTooMuch);
    EXPECT_EQ(r.open(), 0u);
    EXPECT_EQ(r.add("s", 1024, "x"), open("", 0));
    for (int64_t i = 1; i < 1024; ++i) ASSERT_EQ(r.add("s", i, "x"), open("", 0)) << i;
    EXPECT_EQ(r.add("s", 0, "x"), open(std::string(1025, 'x'), 1025));
    EXPECT_EQ(r.add("s", 1025 + 1025, "x"), kTooMuch);
    EXPECT_EQ(r.add("s", 1025 + 1024, "x"), open("", 1025));
}

TEST(Stream, TooManyBytes) {
    Receiver r(Config().limit(ACCP_LIMIT_STREAM_BYTES, 10));
    EXPECT_EQ(r.add("s", 0, "12345"), open("12345", 1));
    EXPECT_EQ(r.add("s", 2, "1234"), open("", 1));
    EXPECT_EQ(r.add("s", 1, "12"), kTooMuch);
    EXPECT_EQ(r.add("t", 0, "12"), kTooMuch) << "of all streams together";
    EXPECT_EQ(r.add("s", 1, "1"), open("11234", 3));
    EXPECT_EQ(r.end("s"), aborted("1234511234", 3));
    EXPECT_EQ(r.add("t", 0, "1234567890"), open("1234567890", 1)) << "what was held is given back";
}

TEST(Stream, WithoutKeepingOnlyWhatWaitsIsHeld) {
    Receiver r(Config().limit(ACCP_LIMIT_STREAM_BYTES, 10).rule(ACCP_RULE_KEEP_STREAMS, 0));
    for (int64_t i = 0; i < 100; ++i) ASSERT_EQ(r.add("s", i, "12345"), open("12345", i + 1));
    EXPECT_EQ(r.add("s", 101, "b", true), open("", 100));
    EXPECT_EQ(r.add("s", 100, "a"), complete("ab", "", 102));
    r.add("t", 0, "a");
    EXPECT_EQ(r.end("t"), (Part{ACCP_OK, ACCP_STREAM_ABORTED, "", "", 1}));
}

TEST(Stream, TooManyOpenOnes) {
    Receiver r;
    for (int i = 0; i < 256; ++i)
        ASSERT_EQ(r.add("s" + std::to_string(i), 1, "x"), open("", 0)) << i;
    for (int i = 256; i < 10'000; ++i) ASSERT_EQ(r.add("s" + std::to_string(i), 0, "x"), kTooMuch);
    EXPECT_EQ(r.open(), 256u);
    EXPECT_EQ(accp_stream_remove(r.stream.get(), "s7", 2, nullptr), ACCP_OK);
    EXPECT_EQ(accp_stream_remove(r.stream.get(), "s7", 2, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(r.add("s256", 0, "x"), open("x", 1));
    EXPECT_EQ(r.add("s255", 0, "y"), open("yx", 2)) << "the others stand";
}

// The newest 1,024 ends are remembered. A dropped stream may start again.
TEST(Stream, EndsAreForgottenInTheEnd) {
    Receiver r;
    for (int i = 0; i < 1025; ++i) r.add("s" + std::to_string(i), 0, "x", true);
    EXPECT_EQ(r.add("s1", 0, "x"), kRefused);
    EXPECT_EQ(r.add("s1024", 0, "x"), kRefused);
    EXPECT_EQ(r.add("s0", 0, "x"), open("x", 1));
    accp_stream_remove(r.stream.get(), "s0", 2, nullptr);
    EXPECT_EQ(r.add("s0", 0, "x"), open("x", 1));
}

TEST(Stream, LimitsAreSetBeforeItIsMade) {
    Config config;
    const struct {
        int32_t limit;
        uint64_t max;
    } cases[] = {{ACCP_LIMIT_STREAM_BYTES, 16 << 20},
                 {ACCP_LIMIT_STREAM_AHEAD, 1024},
                 {ACCP_LIMIT_OPEN_STREAMS, 256}};
    for (const auto &row : cases) {
        EXPECT_EQ(accp_limit_default(row.limit), row.max);
        for (uint64_t value : {uint64_t{0}, row.max + 1})
            EXPECT_EQ(accp_config_set_limit(config.get(), row.limit, value, nullptr), ACCP_ERR_ARG)
                << accp_limit_name(row.limit);
    }
    EXPECT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_KEEP_STREAMS, 2, nullptr), ACCP_ERR_ARG);
    Receiver r(config);
    config.limit(ACCP_LIMIT_OPEN_STREAMS, 1).rule(ACCP_RULE_KEEP_STREAMS, 0);
    EXPECT_EQ(r.add("s", 0, "x"), open("x", 1));
    EXPECT_EQ(r.add("t", 0, "y", true), complete("y", "y", 1));
}

// ---- Messages

// ACCP-10.4-EX1 to EX3: the specification's own frames, decoded and joined.
TEST(Stream, TheSpecificationsChunks) {
    const auto codec = open_codec(ACCP_PROFILE_ALL, ACCP_EXT_Q1);
    Receiver r;
    Part last;
    for (std::string_view frame :
         {"@streamer>stream:infer{idx:1|tot:3|d:_world|schema:ST}[mid:m2,seq:2,cid:stream_abc]",
          "@streamer>stream:infer{idx:2|tot:3|d:!|done:true|schema:ST}[mid:m3,seq:3,cid:stream_"
          "abc]",
          "@streamer>stream:infer{idx:0|tot:3|d:Hello|schema:ST}[mid:m1,seq:1,cid:stream_abc]"}) {
        accp_text json = {};
        ASSERT_EQ(accp_codec_decode(codec.get(), frame.data(), frame.size(), &json, nullptr),
                  ACCP_OK);
        last = r.receive({json.text, json.len});
    }
    EXPECT_EQ(last, complete("Hello_world!", "Hello_world!", 3));
}

TEST(Stream, MessagesThatAreChunks) {
    Receiver r;
    auto message = [](const std::string &intent, const std::string &payload,
                      const std::string &more = R"(,"meta":{"cid":"c"})") {
        return R"({"agent":"a","intent":")" + intent + R"(","operation":"x","payload":)" + payload +
               more + "}";
    };
    EXPECT_EQ(r.receive(message("stream", R"({"chunk_index":0,"data":{"a":[1,"b"]}})")),
              open("{\"a\":[1,\"b\"]}\n", 1));
    EXPECT_EQ(r.receive(message(
                  "stream", R"({"chunk_index":1,"data":7,"is_final":null,"total_chunks":null})")),
              open("7\n", 2));
    EXPECT_EQ(r.receive(message("stream", R"({"chunk_index":2})")), open("", 3));
    EXPECT_EQ(r.receive(message("end", "{}")), aborted("{\"a\":[1,\"b\"]}\n7\n", 3));
    EXPECT_EQ(
        r.receive(message("stream", R"({"chunk_index":0,"data":"x"})", R"(,"meta":{"cid":7})")),
        open("x", 1));
    EXPECT_EQ(r.add("7", 1, "y", true), complete("y", "xy", 2));
    for (const char *wrong :
         {R"({"data":"x"})", R"({"chunk_index":"0"})", R"({"chunk_index":-1})",
          R"({"chunk_index":1.5})", R"({"chunk_index":1e3})",
          R"({"chunk_index":99999999999999999999})", R"({"chunk_index":0,"total_chunks":"3"})",
          R"({"chunk_index":0,"is_final":"true"})"})
        EXPECT_EQ(r.receive(message("stream", wrong, R"(,"meta":{"cid":"d"})")), kRefused) << wrong;
    EXPECT_EQ(r.receive(message("stream", R"({"chunk_index":0})", "")), kRefused);
    EXPECT_EQ(r.receive(message("stream", "[]", R"(,"meta":{"cid":"d"})")), kRefused);
    EXPECT_EQ(r.receive(message("done", "{}")).status, ACCP_ERR_ARG);
    EXPECT_EQ(r.receive("[]").status, ACCP_ERR_ARG);
    EXPECT_EQ(r.receive("{").status, ACCP_E1001);
}

}  // namespace
