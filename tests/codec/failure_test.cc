// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Error messages, written and read (specification 3.6).
#include "codec/codecs.h"

namespace {

using namespace accp_codecs;

using accp_test::string_of;

accp_text view(std::string_view text) { return {text.data(), text.size()}; }

struct Codec {
    explicit Codec(uint32_t extensions = ACCP_EXT_Q1)
        : registry(open_registry("", 0)), codec(open_codec(registry.get(), extensions)) {}

    Answer write(const accp_failure &failure) {
        accp_text out = {};
        accp_error error = {};
        Answer answer;
        answer.status = accp_codec_encode_failure(codec.get(), &failure, &out, &error);
        if (answer.ok()) answer.text.assign(out.text, out.len);
        return answer;
    }
    accp_failure read(std::string_view frame) {
        const Answer message = decode(codec.get(), frame);
        EXPECT_TRUE(message.ok()) << message.status << " for " << frame;
        return last();
    }
    accp_failure last() {
        accp_failure out = {};
        EXPECT_EQ(accp_codec_failure(codec.get(), &out, nullptr), ACCP_OK);
        return out;
    }

    Handle<accp_registry> registry;
    Handle<accp_codec> codec;
};

// Number, code on the wire, name, retryable: the table of the specification, repeated here.
struct Row {
    accp_status number;
    const char *code, *name;
    bool retry;
    int32_t category;
};
const Row kTable[] = {
    {1001, "E1001", "PARSE_ERROR", false, 1},
    {1002, "E1002", "INVALID_INTENT", false, 1},
    {1003, "E1003", "UNKNOWN_SCHEMA", false, 1},
    {1004, "E1004", "INVALID_TYPE", false, 1},
    {2001, "E2001", "REF_NOT_FOUND", false, 2},
    {2002, "E2002", "REF_EXPIRED", false, 2},
    {2003, "E2003", "BUDGET_EXCEEDED", false, 2},
    {3001, "E3001", "TIMEOUT", true, 3},
    {3002, "E3002", "DUPLICATE", false, 3},
    {3003, "E3003", "SEQUENCE_GAP", true, 3},
    {4001, "E4001", "TOOL_NOT_FOUND", false, 4},
    {4002, "E4002", "TOOL_EXEC_FAILED", true, 4},
    {4003, "E4003", "TOOL_SCHEMA_MISMATCH", false, 4},
    {5001, "E5001", "POLICY_DENIED", false, 5},
    {5002, "E5002", "UNAUTHORIZED_REF", false, 5},
    {9999, "E9999", "INTERNAL_ERROR", true, 9},
};

// ACCP-3.6-02 to ACCP-3.6-18: every code, written and read.
TEST(Failure, EveryCodeOfTheErrorModel) {
    Codec plain, positional(ACCP_EXT_P1);
    for (const Row &row : kTable) {
        SCOPED_TRACE(row.code);
        EXPECT_STREQ(accp_status_name(row.number), row.name);
        EXPECT_STREQ(accp_status_code_name(row.number), row.code);
        EXPECT_EQ(accp_status_is_retryable(row.number), row.retry);
        EXPECT_EQ(accp_status_category(row.number), row.category);
        accp_failure failure = {};
        failure.code = row.number;
        failure.agent = view("a");
        const std::string retry = row.retry ? "true" : "false";
        EXPECT_EQ(plain.write(failure).text, std::string("@a>fail:error{code:") + row.code +
                                                 "|msg:" + row.name + "|retry:" + retry +
                                                 "|schema:ER}");
        const Answer placed = positional.write(failure);
        EXPECT_EQ(placed.text, std::string("@a>fail:error{ER:[") + row.code + "," + row.name + "," +
                                   retry + "]}");
        const accp_failure read = positional.read(placed.text);
        EXPECT_EQ(read.code, row.number);
        EXPECT_EQ(read.retry, row.retry);
        EXPECT_EQ(string_of(read.message), row.name);
        EXPECT_EQ(string_of(read.agent), "a");
    }
    for (accp_status none : {0, 1, 2, -1, 999, 6001, 8001, 10000, 1005}) {
        accp_failure failure = {};
        failure.code = none;
        failure.agent = view("a");
        EXPECT_EQ(plain.write(failure).status, ACCP_ERR_ARG) << none;
    }
    for (accp_status none : {0, 1, -1, -7, 999, 6001, 8001, 10000, 19999})
        EXPECT_EQ(accp_status_category(none), 0) << none;
    for (accp_status later : {1000, 1999, 5999, 9000})
        EXPECT_EQ(accp_status_category(later), later / 1000) << later;
}

TEST(Failure, AllFields) {
    Codec codec;
    accp_failure failure = {};
    failure.code = ACCP_E4002;
    failure.agent = view("tool_agent");
    failure.message = view("exit status 1");
    failure.detail = view("stderr: \"no\nsuch file\"");
    failure.source = view("web_search");
    failure.cid = view("m1");
    const Answer frame = codec.write(failure);
    EXPECT_EQ(frame.text,
              "@tool_agent>fail:error{code:E4002|msg:\"exit_status_1\"|retry:true|detail:"
              "\"stderr\\:_\"no%0Asuch_file\"\"|src:web_search|"
              "schema:ER}[cid:m1]");
    const accp_failure read = codec.read(frame.text);
    EXPECT_EQ(read.code, ACCP_E4002);
    EXPECT_EQ(string_of(read.message), "exit status 1");
    EXPECT_EQ(string_of(read.detail), "stderr: \"no\nsuch file\"");
    EXPECT_EQ(string_of(read.source), "web_search");
    EXPECT_EQ(string_of(read.cid), "m1");
}

TEST(Failure, WithTheCodecsEnvelope) {
    Codec codec;
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    envelope.mid = view("a00000000004");
    envelope.seq = 4;
    envelope.ts = 1714000001;
    ASSERT_EQ(accp_codec_set_envelope(codec.codec.get(), &envelope, nullptr), ACCP_OK);
    accp_failure failure = {};
    failure.code = ACCP_E3001;
    failure.agent = view("agent");
    failure.message = view("connection_timed_out");
    failure.cid = view("c1");
    EXPECT_EQ(codec.write(failure).text,
              "@agent>fail:error{code:E3001|msg:connection_timed_out|retry:true|schema:ER}[mid:"
              "a00000000004,seq:4,ts:1714000001,cid:c1]");
}

// ACCP-3.6-EX1, A69
TEST(Failure, WhatIsOneAndWhatIsNot) {
    Codec codec;
    const accp_failure sample = codec.read(
        "@agent>fail:error{code:E3001|msg:connection_timed_out|retry:true|schema:ER}[mid:abc,seq:4,"
        "ts:1714000001]");
    EXPECT_EQ(sample.code, ACCP_E3001);
    EXPECT_EQ(sample.retry, 1);
    EXPECT_EQ(string_of(sample.message), "connection_timed_out");
    EXPECT_EQ(string_of(sample.cid), "");
    for (const char *other : {"@a>fail:fetch{src:api|retry:3}", "@a>req:error{code:E3001}",
                              "@a>done:error{}", "@a>fail:tool{code:E4002}"})
        EXPECT_EQ(codec.read(other).code, 0) << other;
    EXPECT_EQ(codec.read("@a>fail:error{code:E3777|retry:true}").code, 3777);
    EXPECT_EQ(codec.read("@a>fail:error{code:E3777|retry:true}").retry, 1);
    EXPECT_EQ(codec.read("@a>fail:error{code:nonsense}").code, ACCP_E9999);
    EXPECT_EQ(codec.read("@a>fail:error{code:E3003}").retry, 1)
        << "the table's, where the frame says nothing";
    EXPECT_EQ(string_of(codec.read("@a>fail:error{code:E3003|cid:x1}").cid), "x1");
    EXPECT_EQ(string_of(codec.read("@a>fail:error{code:E3003|cid:x1}[cid:42]").cid), "42");
    EXPECT_EQ(string_of(codec.read("@a>fail:error{code:E3003|detail:{k:1}}").detail), "");
}

TEST(Failure, Refusals) {
    Codec codec, bare(ACCP_EXT_NONE);
    accp_failure failure = {};
    failure.code = ACCP_E3001;
    EXPECT_EQ(codec.write(failure).status, ACCP_E1001) << "no agent";
    failure.agent = view("a");
    failure.message = view("two words");
    EXPECT_EQ(bare.write(failure).status, ACCP_E1004) << "no spelling in the bare specification";
    failure.message = view("\xFF");
    EXPECT_NE(codec.write(failure).status, ACCP_OK);
    failure.message = view("");
    EXPECT_EQ(bare.write(failure).text,
              "@a>fail:error{code:E3001|msg:TIMEOUT|retry:true|schema:ER}");
    failure.cid = {nullptr, 3};
    EXPECT_EQ(codec.write(failure).status, ACCP_ERR_ARG);
    const Handle<accp_codec> none = open_codec(nullptr, ACCP_EXT_Q1);
    failure.cid = {nullptr, 0};
    accp_text out = {};
    EXPECT_EQ(accp_codec_encode_failure(none.get(), &failure, &out, nullptr), ACCP_ERR_ARG);
    EXPECT_TRUE(decode(none.get(), "@a>fail:error{}").ok());
    EXPECT_EQ(accp_codec_failure(none.get(), &failure, nullptr), ACCP_OK);
    EXPECT_EQ(failure.code, 0) << "only a registry knows what an error frame is";
    EXPECT_EQ(accp_codec_failure(nullptr, &failure, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_failure(codec.codec.get(), nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(decode(codec.codec.get(), "@a>fail").status, ACCP_E1001);
    EXPECT_EQ(codec.last().code, 0) << "what was refused says nothing";
}

TEST(Failure, IsThatOfTheFrameDecodedLast) {
    Codec codec;
    EXPECT_EQ(codec.last().code, 0) << "nothing was decoded";
    EXPECT_EQ(codec.read("@a>fail:error{code:E3003}").code, ACCP_E3003);
    EXPECT_EQ(codec.last().code, ACCP_E3003) << "asked again";
    EXPECT_EQ(codec.read("@a>done:x{k:1}").code, 0);
    EXPECT_EQ(codec.read("@a>fail:error{code:E3003}").code, ACCP_E3003);
    accp_failure failure = {};
    failure.code = ACCP_E3001;
    failure.agent = view("a");
    EXPECT_TRUE(codec.write(failure).ok());
    EXPECT_EQ(codec.last().code, 0) << "encoded";
}

}  // namespace
