// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The envelope: stored and written, read from a tree; and the cheap mid.
#include <gtest/gtest.h>

#include <string>

#include "frame/envelope.h"
#include "frame/parse.h"
#include "unit.h"

namespace {

using namespace accp;

accp_text text(const char *from) { return {from, std::strlen(from)}; }

std::string written(const frame::EnvelopeStore &store) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    for (const frame::EnvelopeField &field : frame::kEnvelope) {
        if (!store.has(field)) continue;
        if (out.size()) out.push(',');
        store.write(field, out);
    }
    return accp_unit::text_of(out);
}

TEST(EnvelopeStore, WritesItsFieldsInOrder) {
    accp_unit::Room room;
    frame::EnvelopeStore store(room.memory);
    EXPECT_EQ(written(store), "");
    accp_envelope envelope = {127,       0,           INT64_MAX, 0, 60, text("a00000000001"),
                              text("c"), text("aid"), text("s")};
    ASSERT_TRUE(store.set(&envelope, 256).ok());
    EXPECT_EQ(written(store),
              "mid:a00000000001,seq:9223372036854775807,ts:0,cid:c,aid:aid,sid:s,ttl:60");
    envelope.fields = ACCP_ENVELOPE_SID | ACCP_ENVELOPE_SEQ;
    ASSERT_TRUE(store.set(&envelope, 256).ok());
    EXPECT_EQ(written(store), "seq:9223372036854775807,sid:s");
    ASSERT_TRUE(store.set(nullptr, 256).ok());
    EXPECT_EQ(written(store), "");
}

TEST(EnvelopeStore, KeepsItsOwnCopy) {
    accp_unit::Room room;
    frame::EnvelopeStore store(room.memory);
    std::string mid = "abc", cid(200, 'c');
    accp_envelope envelope = {ACCP_ENVELOPE_MID | ACCP_ENVELOPE_CID,
                              0,
                              0,
                              0,
                              0,
                              {mid.data(), 3},
                              {cid.data(), 200},
                              {},
                              {}};
    ASSERT_TRUE(store.set(&envelope, 256).ok());
    mid = "xyz";
    cid.assign(200, 'd');
    EXPECT_EQ(written(store), "mid:abc,cid:" + std::string(200, 'c'));
}

TEST(EnvelopeStore, RefusalsChangeNothing) {
    accp_unit::Room room;
    frame::EnvelopeStore store(room.memory);
    accp_envelope good = {ACCP_ENVELOPE_MID, 0, 0, 0, 0, text("abc"), {}, {}, {}};
    ASSERT_TRUE(store.set(&good, 256).ok());
    const std::string long_id(257, 'x');
    const struct {
        accp_envelope envelope;
        accp_status code;
        uint64_t offset;
    } cases[] = {
        {{ACCP_ENVELOPE_SEQ, 0, -1, 0, 0, {}, {}, {}, {}}, ACCP_ERR_ARG, 0},
        {{ACCP_ENVELOPE_TS, 0, 0, -1, 0, {}, {}, {}, {}}, ACCP_ERR_ARG, 0},
        {{ACCP_ENVELOPE_TTL, 0, 0, 0, INT64_MIN, {}, {}, {}, {}}, ACCP_ERR_ARG, 0},
        {{ACCP_ENVELOPE_MID, 0, 0, 0, 0, {}, {}, {}, {}}, ACCP_E1004, 0},
        {{ACCP_ENVELOPE_MID, 0, 0, 0, 0, text(""), {}, {}, {}}, ACCP_E1004, 0},
        {{ACCP_ENVELOPE_MID, 0, 0, 0, 0, {long_id.data(), 257}, {}, {}, {}}, ACCP_E1004, 0},
        {{ACCP_ENVELOPE_CID, 0, 0, 0, 0, {}, text("a b"), {}, {}}, ACCP_E1004, 1},
        {{ACCP_ENVELOPE_AID, 0, 0, 0, 0, {}, {}, text("ab,c"), {}}, ACCP_E1004, 2},
        {{ACCP_ENVELOPE_SID, 0, 0, 0, 0, {}, {}, {}, text("é")}, ACCP_E1004, 0},
        {{ACCP_ENVELOPE_SID, 0, 0, 0, 0, {}, {}, {}, text("a\\b")}, ACCP_E1004, 1},
    };
    for (const auto &c : cases) {
        const Status status = store.set(&c.envelope, 256);
        EXPECT_EQ(status.code, c.code);
        EXPECT_EQ(status.offset, c.offset);
        EXPECT_EQ(written(store), "mid:abc");
    }
}

struct Read {
    Status status;
    accp_envelope envelope;
    std::string mid;
};

Read read(const std::string &meta) {
    const std::string frame = "@a>req:x{}" + meta;
    accp_unit::Room room;
    Settings settings;
    frame::Parser parser(room.memory, settings);
    Buffer<value::Node> nodes(room.memory);
    EXPECT_TRUE(parser.parse(frame.data(), frame.size(), nodes).ok()) << frame;
    Read result = {};
    result.status = frame::read_envelope({nodes.data(), frame.data()}, nodes.size() > 4 ? 4 : 0,
                                         result.envelope);
    if (result.envelope.mid.text)
        result.mid.assign(result.envelope.mid.text, result.envelope.mid.len);
    return result;
}

TEST(ReadEnvelope, FieldsByKey) {
    EXPECT_EQ(read("").envelope.fields, 0u);
    EXPECT_EQ(read("[x:1]").envelope.fields, 0u);
    const Read all =
        read("[ttl:9223372036854775807,seq:0,mid:123456789012,ts:5,cid:c,aid:true,sid:1.5,x:y]");
    EXPECT_TRUE(all.status.ok());
    EXPECT_EQ(all.envelope.fields, 127u);
    EXPECT_EQ(all.mid, "123456789012")
        << "texts are read by key, also where they look like a number";
    EXPECT_EQ(all.envelope.ttl, INT64_MAX);
    EXPECT_TRUE(all.envelope.seq == 0 && all.envelope.ts == 5);
}

TEST(ReadEnvelope, Refusals) {
    for (const char *meta : {"[seq:x]", "[seq:-1]", "[seq:1.0]", "[seq:~]",
                             "[seq:9223372036854775808]", "[seq:007]", "[seq:[1]]", "[ts:-5]",
                             "[ttl:true]", "[mid:~]", "[mid:[a]]", "[mid:{}]", "[cid:a\\,b]"}) {
        const Read result = read(meta);
        EXPECT_EQ(result.status.code, ACCP_E1001) << meta;
        EXPECT_EQ(result.status.offset, 10 + std::string(meta).find(':') + 1) << meta;
    }
    EXPECT_EQ(read("[mid:$a]").status.offset, 15u) << "a ref begins at its $";
}

TEST(Mid, Format) {
    const struct {
        uint32_t letter, issuer;
        uint64_t counter;
        const char *expected;  // nullptr: an error
    } cases[] = {
        {0, 0, 0, "a00000000000"},     {5, 0, 99999999999, "f99999999999"},
        {5, 0, 100000000000, nullptr}, {6, 0, 0, nullptr},
        {1, 1, 0, "b01000000000"},     {2, 99, 999999999, "c99999999999"},
        {2, 99, 1000000000, nullptr},  {2, 100, 0, nullptr},
        {3, 7, 42, "d07000000042"},    {0, 0, UINT64_MAX, nullptr},
        {UINT32_MAX, 0, 0, nullptr},
    };
    for (const auto &c : cases) {
        char buffer[14] = "?????????????";
        ASSERT_EQ(frame::format_mid(c.letter, c.issuer, c.counter, buffer), c.expected != nullptr);
        EXPECT_EQ(std::string(buffer), c.expected ? std::string(c.expected) + "?" : "?????????????")
            << "12 bytes, no NUL";
    }
}

}  // namespace
