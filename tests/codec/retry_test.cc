// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Retries (specification 3.7, 10.3): ACCP-3.7-05, ACCP-10.3-02, ACCP-10.3-05.
#include "codec/codecs.h"

namespace {

using namespace accp_codecs;

accp_text to_view(std::string_view text) { return {text.data(), text.size()}; }

accp_envelope fresh(std::string_view mid, int64_t seq, int64_t ts) {
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    envelope.mid = to_view(mid);
    envelope.seq = seq;
    envelope.ts = ts;
    return envelope;
}

Answer retry(accp_codec *codec, std::string_view frame, const accp_envelope &envelope) {
    const std::unique_ptr<char[]> block(new char[frame.size()]);
    std::copy(frame.begin(), frame.end(), block.get());
    accp_text out = {};
    Answer answer;
    answer.status = accp_codec_retry(codec, block.get(), frame.size(), &envelope, &out, nullptr);
    if (answer.ok()) answer.text.assign(out.text, out.len);
    return answer;
}

TEST(Retry, TheSamePayloadAndCidUnderAnotherMid) {
    const auto registry = open_registry("", ACCP_PROFILE_ALL);
    const auto codec = open_codec(registry.get(), ACCP_EXT_Q1);
    const std::string payload = "@p>req:transaction{txn:txn_001|amt:142.50|x:\"a_b\"}";
    EXPECT_EQ(retry(codec.get(), payload + "[mid:a1,seq:5,ts:10,cid:c1,ttl:9,k:[1,{a:2}],sid:s]",
                    fresh("a2", 7, 20))
                  .text,
              payload + "[mid:a2,seq:7,ts:20,cid:c1,sid:s,ttl:9,k:[1,{a:2}]]");
    // A reply without a cid names the mid of the request, which becomes the cid.
    const Answer second = retry(codec.get(), payload + "[seq:5,mid:a1,ts:10]", fresh("a2", 7, 20));
    EXPECT_EQ(second.text, payload + "[mid:a2,seq:7,ts:20,cid:a1]");
    const Answer third = retry(codec.get(), second.text, fresh("a3", 8, 30));
    EXPECT_EQ(third.text, payload + "[mid:a3,seq:8,ts:30,cid:a1]");
    EXPECT_NE(decode(codec.get(), third.text).text.find("\"transaction_id\":\"txn_001\""),
              std::string::npos);
}

TEST(Retry, Refusals) {
    const auto codec = open_codec(nullptr, ACCP_EXT_Q1);
    const std::string frame = "@p>req:x{}[mid:a1,seq:5,ts:10]";
    EXPECT_EQ(retry(codec.get(), frame, fresh("a1", 6, 20)).status, ACCP_ERR_ARG)
        << "the mid is not new";
    EXPECT_EQ(retry(codec.get(), frame, fresh("a2", 5, 20)).status, ACCP_ERR_ARG)
        << "the seq is not higher";
    accp_envelope none = fresh("a2", 6, 20);
    none.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
    EXPECT_EQ(retry(codec.get(), frame, none).status, ACCP_ERR_ARG) << "no ts";
    EXPECT_TRUE(retry(codec.get(), "@p>req:x{}[mid:a1,seq:5]", none).ok());
    none.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_TS;
    EXPECT_EQ(retry(codec.get(), frame, none).status, ACCP_ERR_ARG) << "no seq";
    accp_envelope other = fresh("a2", 6, 20);
    other.fields |= ACCP_ENVELOPE_CID;
    other.cid = to_view("c2");
    EXPECT_EQ(retry(codec.get(), frame, other).status, ACCP_ERR_ARG) << "another cid";
    EXPECT_EQ(retry(codec.get(), "@p>req:x{}", fresh("a2", 6, 20)).status, ACCP_E1001);
    EXPECT_EQ(retry(codec.get(), "@p>req:x{}[k:1]", fresh("a2", 6, 20)).status, ACCP_E1001);
    EXPECT_EQ(retry(codec.get(), "@p>req", fresh("a2", 6, 20)).status, ACCP_E1001);
    EXPECT_EQ(retry(codec.get(), frame, fresh("a b", 6, 20)).status, ACCP_E1004);
    EXPECT_EQ(retry(codec.get(), "@p>req:x{}[cid:c,k:1]", fresh("a2", 6, 20)).text,
              "@p>req:x{}[mid:a2,seq:6,ts:20,cid:c,k:1]");
}

}  // namespace
