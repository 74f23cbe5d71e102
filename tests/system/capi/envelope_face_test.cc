// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// frame.h: the typed envelope, and mids of few tokens.
#include "capi/face.h"

namespace {

using namespace accp_face;

constexpr char kEnvelopeMessage[] =
    R"({"agent":"a","intent":"req","operation":"x","payload":{"k":1}})";

std::string with_meta(const std::string &meta) {
    return std::string(kEnvelopeMessage, sizeof kEnvelopeMessage - 2) + ",\"meta\":" + meta + "}";
}

TEST(EnvelopeFace, ReadsByKey) {
    const auto frame = new_frame();
    accp_envelope envelope = {};
    EXPECT_EQ(accp_frame_envelope(frame.get(), &envelope, nullptr), ACCP_ERR_ARG) << "no frame yet";
    const std::string text = "@a>req:x{}[sid:s-1,mid:123456789012,seq:7,ts:1714000000,ttl:0,x:y]";
    ASSERT_EQ(parse(frame.get(), text), "OK");
    ASSERT_EQ(accp_frame_envelope(frame.get(), &envelope, nullptr), ACCP_OK);
    EXPECT_EQ(envelope.fields, uint32_t{ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS |
                                        ACCP_ENVELOPE_SID | ACCP_ENVELOPE_TTL});
    EXPECT_EQ(string_of(envelope.mid), "123456789012");
    EXPECT_EQ(string_of(envelope.sid), "s-1");
    EXPECT_TRUE(envelope.seq == 7 && envelope.ts == 1714000000 && envelope.ttl == 0);
    EXPECT_TRUE(!envelope.cid.text && !envelope.cid.len && !envelope.aid.text)
        << "absent fields are empty";
    EXPECT_TRUE(envelope.mid.text >= text.data() && envelope.mid.text < text.data() + text.size())
        << "a view into the frame's text";
}

TEST(EnvelopeFace, RefusesTheWrongType) {
    const auto frame = new_frame();
    for (const char *meta : {"[seq:x]", "[seq:-1]", "[ts:1.5]", "[ttl:~]", "[mid:~]", "[cid:[a]]",
                             "[aid:{a:1}]", "[sid:a\\,b]", "[seq:99999999999999999999]"}) {
        const std::string text = std::string("@a>req:x{}") + meta;
        ASSERT_EQ(parse(frame.get(), text), "OK");
        accp_envelope envelope;
        std::memset(&envelope, 0x5A, sizeof envelope);
        const accp_envelope before = envelope;
        accp_error error = {};
        EXPECT_EQ(accp_frame_envelope(frame.get(), &envelope, &error), ACCP_E1001) << meta;
        EXPECT_EQ(error.offset, text.find(':', 10) + 1) << meta;
        EXPECT_EQ(std::memcmp(&envelope, &before, sizeof envelope), 0) << "outputs are untouched";
    }
}

TEST(EnvelopeFace, WrittenAheadInOrder) {
    const auto codec = new_codec();
    const accp_envelope envelope = {
        127, 0, 7, 8, 9, text_of("a00000000001"), text_of("c"), text_of("p"), text_of("s")};
    ASSERT_EQ(accp_codec_set_envelope(codec.get(), &envelope, nullptr), ACCP_OK);
    const std::string all = "mid:a00000000001,seq:7,ts:8,cid:c,aid:p,sid:s,ttl:9";
    EXPECT_EQ(encode(codec.get(), kEnvelopeMessage), "@a>req:x{k:1}[" + all + "]");
    EXPECT_EQ(encode(codec.get(), kEnvelopeMessage), "@a>req:x{k:1}[" + all + "]")
        << "until it is set again";
    EXPECT_EQ(encode(codec.get(), with_meta("{}")), "@a>req:x{k:1}[" + all + "]");
    EXPECT_EQ(encode(codec.get(), with_meta("null")), "@a>req:x{k:1}[" + all + "]");
    EXPECT_EQ(encode(codec.get(), with_meta(R"({"z":1,"a":"x y"})")),
              "@a>req:x{k:1}[" + all + ",z:1,a:\"x_y\"]");
    EXPECT_EQ(encode(codec.get(), with_meta(R"({"z":1,"ts":"mine","mid":"m"})")),
              "@a>req:x{k:1}[mid:m,seq:7,ts:mine,cid:c,aid:p,sid:s,ttl:9,z:1]")
        << "a field that the message names is the message's";
    ASSERT_EQ(accp_codec_set_envelope(codec.get(), nullptr, nullptr), ACCP_OK);
    EXPECT_EQ(encode(codec.get(), kEnvelopeMessage), "@a>req:x{k:1}");
    EXPECT_EQ(encode(codec.get(), with_meta(R"({"z":1,"mid":"m"})")), "@a>req:x{k:1}[z:1,mid:m]")
        << "without an envelope the order stays";
}

TEST(EnvelopeFace, IsCopied) {
    const auto codec = new_codec();
    std::string mid = "a00000000001";
    accp_envelope envelope = {ACCP_ENVELOPE_MID, 0, 0, 0, 0, text_of(mid), {}, {}, {}};
    ASSERT_EQ(accp_codec_set_envelope(codec.get(), &envelope, nullptr), ACCP_OK);
    mid.assign(mid.size(), '?');
    envelope = {};
    EXPECT_EQ(encode(codec.get(), kEnvelopeMessage), "@a>req:x{k:1}[mid:a00000000001]");
}

TEST(EnvelopeFace, RefusedOnesChangeNothing) {
    const auto codec = new_codec(with(ACCP_STRICT, ACCP_EXT_Q1, false, false, {{"key_bytes", 20}}));
    accp_envelope envelope = {ACCP_ENVELOPE_SEQ, 0, 5, 0, 0, {}, {}, {}, {}};
    ASSERT_EQ(accp_codec_set_envelope(codec.get(), &envelope, nullptr), ACCP_OK);
    const std::string long_id(21, 'x');
    const accp_envelope bad[] = {
        {ACCP_ENVELOPE_MID, 0, 0, 0, 0, {}, {}, {}, {}},
        {ACCP_ENVELOPE_MID, 0, 0, 0, 0, text_of(""), {}, {}, {}},
        {ACCP_ENVELOPE_CID, 0, 0, 0, 0, {}, text_of("a,b"), {}, {}},
        {ACCP_ENVELOPE_CID, 0, 0, 0, 0, {}, text_of("a b"), {}, {}},
        {ACCP_ENVELOPE_AID, 0, 0, 0, 0, {}, {}, text_of("日"), {}},
        {ACCP_ENVELOPE_SID, 0, 0, 0, 0, {}, {}, {}, text_of(long_id)},
    };
    for (const accp_envelope &each : bad)
        EXPECT_EQ(accp_codec_set_envelope(codec.get(), &each, nullptr), ACCP_E1004);
    for (const accp_envelope &each :
         {accp_envelope{ACCP_ENVELOPE_SEQ, 0, -1, 0, 0, {}, {}, {}, {}},
          accp_envelope{ACCP_ENVELOPE_TTL, 0, 0, 0, -1, {}, {}, {}, {}}})
        EXPECT_EQ(accp_codec_set_envelope(codec.get(), &each, nullptr), ACCP_ERR_ARG);
    const auto frame = new_frame(with(ACCP_STRICT, ACCP_EXT_Q1, false, false, {{"key_bytes", 20}}));
    for (const accp_envelope &each : bad)
        EXPECT_EQ(accp_frame_set_envelope(frame.get(), &each, nullptr), ACCP_E1004);
    EXPECT_EQ(encode(codec.get(), kEnvelopeMessage), "@a>req:x{k:1}[seq:5]");
}

TEST(EnvelopeFace, UnknownFieldsAreRefused) {
    const auto codec = new_codec();
    const accp_envelope envelope = {128, 0, 0, 0, 0, {}, {}, {}, {}};
    const accp_status status = accp_codec_set_envelope(codec.get(), &envelope, nullptr);
    const std::string wire = encode(codec.get(), kEnvelopeMessage);
    EXPECT_EQ(status, ACCP_ERR_ARG);
    EXPECT_EQ(wire, "@a>req:x{k:1}") << "never `[]`, which is no frame";
}

TEST(EnvelopeFace, Mids) {
    char buffer[14] = "-------------";
    ASSERT_EQ(accp_mid_format(5, 7, 42, buffer, nullptr), ACCP_OK);
    EXPECT_STREQ(buffer, "f07000000042-") << "12 bytes, no NUL";
    ASSERT_EQ(accp_mid_format(0, 0, 99999999999, buffer, nullptr), ACCP_OK);
    EXPECT_STREQ(buffer, "a99999999999-");
    const struct {
        uint32_t letter, issuer;
        uint64_t counter;
    } bad[] = {{6, 0, 0},
               {0, 100, 0},
               {0, 0, 100000000000},
               {0, 1, 1000000000},
               {UINT32_MAX, UINT32_MAX, UINT64_MAX}};
    for (const auto &c : bad)
        EXPECT_EQ(accp_mid_format(c.letter, c.issuer, c.counter, buffer, nullptr), ACCP_ERR_ARG);
    EXPECT_STREQ(buffer, "a99999999999-") << "untouched";
    const auto codec = new_codec();
    const accp_envelope envelope = {ACCP_ENVELOPE_MID, 0, 0, 0, 0, {buffer, 12}, {}, {}, {}};
    ASSERT_EQ(accp_codec_set_envelope(codec.get(), &envelope, nullptr), ACCP_OK);
    const std::string wire = encode(codec.get(), kEnvelopeMessage);
    const auto frame = new_frame();
    ASSERT_EQ(parse(frame.get(), wire), "OK");
    size_t count = 0;
    EXPECT_EQ(accp_frame_nodes(frame.get(), &count)[6].kind, ACCP_STRING)
        << "never read as a number";
}

}  // namespace
