// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames over the limit: sent in parts and joined, or with values in the state, or refused.
#include <algorithm>
#include <random>

#include "codec/states.h"
#include "token/tokens.h"

namespace {

using namespace accp_codecs;

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream from(text);
    for (std::string line; std::getline(from, line);) lines.push_back(line);
    return lines;
}

struct Sender {
    explicit Sender(uint32_t extensions = ACCP_EXT_Q1, uint64_t max = 240)
        : counting("o200k_base"), registry(open_registry("", ACCP_PROFILE_ALL)) {
        config.registry(registry.get())
            .extensions(extensions)
            .tokenizer(counting.tokenizer.get())
            .rule(ACCP_RULE_PARTS, 1);
        open(envelopes.hooks(), max);
    }
    // Creates the codec again.
    void open(const accp_hooks &hooks, uint64_t max = 240) {
        config.rule(ACCP_RULE_MAX_TOKENS, static_cast<int64_t>(max));
        codec = open_codec(config.hooks(hooks));
    }
    std::string whole(const std::string &json) {
        return encode(open_codec(config.rule(ACCP_RULE_MAX_TOKENS, 0)).get(), json).text;
    }

    accp_tokens::Counting counting;
    Handle<accp_registry> registry;
    Config config;
    Envelopes envelopes;
    Handle<accp_codec> codec;
};

struct Receiver {
    explicit Receiver(uint32_t extensions = ACCP_EXT_Q1)
        : registry(open_registry("", ACCP_PROFILE_ALL)),
          codec(open_codec(
              Config().registry(registry.get()).extensions(extensions).rule(ACCP_RULE_PARTS, 1))) {}
    accp_status read(const std::string &frame) { return decode(codec.get(), frame).status; }

    Handle<accp_registry> registry;
    Handle<accp_codec> codec;
};

const std::string kMeta = R"({"mid":"a00000000001","seq":1,"ts":1700000000,"cid":"c7"})";

std::string words(size_t bytes) {
    std::string text;
    for (int i = 0; text.size() < bytes; ++i)
        text += "word " + std::to_string(i * 7919 % 1000) + (i % 7 ? " and_" : "|\\\\{\\\"}, ");
    return text;
}

// ACCP-3.4-05
TEST(CodecParts, ACCP_3_4_05_TenKilobytesInParts) {
    for (const uint32_t extensions :
         {uint32_t{ACCP_EXT_Q1}, uint32_t{ACCP_EXT_P1 | ACCP_EXT_T1}, uint32_t{ACCP_EXT_U8}}) {
        Sender sender(extensions);
        Receiver receiver(extensions);
        const std::string json =
            message_of(R"({"task":"t","note":")" + words(5000) + R"(","n":[1,2],"list":[")" +
                           words(3000) + R"(","\u65e5\u672c"],"more":")" + words(2000) + "\"}",
                       kMeta);
        const Answer sent = encode(sender.codec.get(), json);
        ASSERT_EQ(sent.status, ACCP_OK) << sent.offset;
        std::vector<std::string> parts = lines_of(sent.text);
        EXPECT_EQ(parts.size(), outcome_of(sender.codec.get()).parts);
        EXPECT_GT(parts.size(), 10u);
        EXPECT_EQ(sender.envelopes.seq, parts.size());
        for (const std::string &part : parts) EXPECT_LE(sender.counting.count(part), 240u) << part;
        const std::string expected = decode(receiver.codec.get(), sender.whole(json)).text;
        std::mt19937 random(7);
        for (int round = 0; round < 4; ++round) {
            std::string message;
            for (size_t i = 0; i < parts.size(); ++i) {
                const Answer answer = decode(receiver.codec.get(), parts[i]);
                EXPECT_EQ(answer.status, i + 1 < parts.size() ? ACCP_HELD : ACCP_OK) << parts[i];
                message = answer.text;
            }
            EXPECT_EQ(message, expected) << "round " << round;
            std::shuffle(parts.begin(), parts.end(), random);
        }
    }
}

TEST(CodecParts, ParamsStayWholeWhereTheyFit) {
    Sender sender(ACCP_EXT_Q1, 60);
    const Answer sent = encode(
        sender.codec.get(),
        message_of(
            R"({"a":"alpha beta gamma delta epsilon zeta eta theta iota kappa","b":"one two three four","c":"\u65e5"})",
            kMeta));
    EXPECT_EQ(sent.text,
              "@a>req:go{a:\"alpha_beta_gamma_delta_epsilon_zeta_eta_theta_iota_kappa\"}[mid:"
              "a00000000001,seq:1,ts:1700000000,cid:c7,fi:0,ft:2]\n"
              "@a>req:go{b:\"one_two_three_four\"|c:\"%u026085;\"}[mid:a00000000002,seq:2,ts:"
              "1700000000,cid:c7,fi:1,ft:2]");
}

TEST(CodecParts, ATextInParts) {
    Sender sender;
    Receiver receiver;
    const std::string json = message_of("\"" + words(3000) + "\"", kMeta);
    const auto parts = lines_of(encode(sender.codec.get(), json).text);
    ASSERT_GT(parts.size(), 3u);
    std::string message;
    for (const std::string &part : parts) message = decode(receiver.codec.get(), part).text;
    EXPECT_EQ(message, decode(receiver.codec.get(), sender.whole(json)).text);
}

TEST(CodecParts, WithoutACidTheMidIsTheChain) {
    Sender sender;
    Receiver receiver;
    const std::string json =
        message_of("{\"k\":\"" + words(2000) + "\"}", R"({"mid":"a00000000001","seq":1})");
    auto parts = lines_of(encode(sender.codec.get(), json).text);
    ASSERT_GT(parts.size(), 1u);
    EXPECT_EQ(parts[0].find("cid:"), std::string::npos);
    EXPECT_NE(parts[1].find("cid:a00000000001"), std::string::npos);
    std::reverse(parts.begin(), parts.end());
    std::string message;
    for (const std::string &part : parts) message = decode(receiver.codec.get(), part).text;
    EXPECT_NE(message.find(R"("meta":{"mid":"a00000000001","seq":1})"), std::string::npos);
    EXPECT_EQ(encode(sender.codec.get(), message_of("{\"k\":\"" + words(2000) + "\"}")).status,
              ACCP_E2003)
        << "neither";
}

// ACCP-7.2-06
TEST(CodecParts, ACCP_7_2_06_EmitSplitExternaliseRefuse) {
    Sender sender;
    State state;
    const std::string small = message_of(R"({"k":"v"})", kMeta),
                      large = message_of("{\"k\":\"" + words(2000) + "\",\"l\":[1,2]}", kMeta);
    EXPECT_EQ(lines_of(encode(sender.codec.get(), small).text).size(), 1u);
    EXPECT_EQ(outcome_of(sender.codec.get()).parts, 1u);
    EXPECT_GT(lines_of(encode(sender.codec.get(), large).text).size(), 1u);
    sender.open(hooks_for(nullptr));
    EXPECT_EQ(encode(sender.codec.get(), large).status, ACCP_E2003);
    EXPECT_EQ(outcome_of(sender.codec.get()).parts, 0u);
    sender.config.rule(ACCP_RULE_INLINE_CHARACTERS, INT64_MAX);
    sender.open(state.hooks());
    EXPECT_EQ(encode(sender.codec.get(), large).text,
              "@a>req:go{k:$warm.t1|l:[1,2]}[mid:a00000000001,seq:1,ts:1700000000,cid:c7]");
    EXPECT_EQ(outcome_of(sender.codec.get()).kept, 1u);
    state.keeps = false;
    EXPECT_EQ(encode(sender.codec.get(), large).status, ACCP_E2003);
    state.keeps = true;
    sender.open(state.hooks(), 20);
    EXPECT_EQ(encode(sender.codec.get(), large).status, ACCP_E2003) << "nothing helps";
}

TEST(CodecParts, TheLargestGoFirst) {
    Sender sender;
    State state;
    sender.config.rule(ACCP_RULE_INLINE_CHARACTERS, INT64_MAX);
    sender.open(state.hooks());
    const std::string json = message_of("{\"a\":\"" + words(60) + "\",\"b\":\"" + words(900) +
                                        "\",\"c\":\"" + words(100) + "\"}");
    const Answer sent = encode(sender.codec.get(), json);
    EXPECT_NE(sent.text.find("b:$warm.t1"), std::string::npos) << sent.text;
    EXPECT_NE(sent.text.find("c:\"word"), std::string::npos) << sent.text;
    EXPECT_LE(budget_of(sender.codec.get()).total.tokens, 240u);
}

TEST(CodecParts, HostileParts) {
    Receiver receiver;
    const std::string head = "@a>req:go{k:v}[mid:a00000000001,cid:c1,";
    for (const char *numbers : {"fi:0]", "ft:2]", "fi:2,ft:2]", "fi:0,ft:1]", "fi:0,ft:1025]",
                                "fi:0,ft:99999999999999999999]", "fi:-1,ft:2]", "fi:a,ft:2]",
                                "fi:0.0,ft:2]", "fi:~,ft:2]", "fi:[0],ft:2]", "fi:0,ft:$hot.x]"})
        EXPECT_EQ(receiver.read(head + numbers), ACCP_E1004) << numbers;
    EXPECT_EQ(receiver.read("@a>req:go{k:v}[mid:m,fi:1,ft:2]"), ACCP_E1004) << "no cid";
    EXPECT_EQ(receiver.read("@a>req:go{k:v}[fi:0,ft:2]"), ACCP_E1004) << "neither";
    for (const char *piece : {"$hot.x", "=12", "\"%u\""})
        EXPECT_EQ(receiver.read("@a>req:go{___:" + std::string(piece) + "}[cid:c1,fi:0,ft:2]"),
                  ACCP_E1004)
            << piece;
    EXPECT_EQ(receiver.read("@a>req:go{___:12}[cid:c9,fi:0,ft:2]"), ACCP_HELD) << "an object's key";
    EXPECT_EQ(receiver.read(head + "fi:0,ft:3]"), ACCP_HELD);
    EXPECT_EQ(receiver.read(head + "fi:0,ft:3]"), ACCP_E1004) << "again";
    EXPECT_EQ(receiver.read("@a>req:go{l:v}[cid:c1,fi:1,ft:2]"), ACCP_E1004) << "of another number";
    EXPECT_EQ(receiver.read("@b>req:go{l:w}[cid:c1,fi:1,ft:3]"), ACCP_HELD) << "another agent's";
    EXPECT_EQ(receiver.read("@a>req:go{l:w}[cid:c2,fi:1,ft:3]"), ACCP_HELD) << "another chain's";
    EXPECT_EQ(receiver.read("@a>req:go{l:w}[cid:c1,sid:s,fi:1,ft:3]"), ACCP_HELD)
        << "another session's";
    EXPECT_EQ(receiver.read("@a>req:go{m:1}[cid:c1,fi:2,ft:3]"), ACCP_HELD);
    const Answer whole = decode(receiver.codec.get(), "@a>req:go{l:w}[cid:c1,fi:1,ft:3]");
    EXPECT_EQ(whole.text,
              message_of(R"({"k":"v","l":"w","m":1})", R"({"mid":"a00000000001","cid":"c1"})"));
    EXPECT_EQ(receiver.read(head + "fi:0,ft:3]"), ACCP_HELD) << "a new one";
}

// The joined parts may not be a frame or a message. Nothing of them is kept then.
TEST(CodecParts, TogetherNoFrame) {
    Receiver receiver;
    EXPECT_EQ(receiver.read("@a>req:go{k:v}[cid:c1,fi:0,ft:2]"), ACCP_HELD);
    EXPECT_EQ(receiver.read("@a>req:go{k:w}[cid:c1,fi:1,ft:2]"), ACCP_E1001) << "a key twice";
    EXPECT_EQ(receiver.read("@a>req:go{___:k\\:\\[1}[cid:c1,fi:0,ft:2]"), ACCP_HELD);
    const Answer answer = decode(receiver.codec.get(), "@a>req:go{___:\"_x\"}[cid:c1,fi:1,ft:2]");
    EXPECT_EQ(answer.status, ACCP_E1001);
    EXPECT_EQ(answer.offset, 0u);
    EXPECT_EQ(receiver.read("@a>req:go{___:k\\:\\[1}[cid:c1,fi:0,ft:2]"), ACCP_HELD);
    EXPECT_EQ(decode(receiver.codec.get(), "@a>req:go{___:\\,2\\]}[cid:c1,fi:1,ft:2]").text,
              message_of(R"({"k":[1,2]})", R"({"cid":"c1"})"));
}

TEST(CodecParts, WhatIsHeldIsBounded) {
    Receiver receiver;
    const auto part = [](int chain, int index, const std::string &text) {
        return "@a>req:go{___:" + text + "}[cid:c" + std::to_string(chain) +
               ",fi:" + std::to_string(index) + ",ft:1024]";
    };
    for (int i = 0; i < 64; ++i) EXPECT_EQ(receiver.read(part(i, 0, "x")), ACCP_HELD);
    EXPECT_EQ(receiver.read(part(64, 0, "x")), ACCP_E2003) << "too many open";
    EXPECT_EQ(receiver.read(part(5, 1, "x")), ACCP_HELD) << "those that are go on";
    ASSERT_EQ(accp_codec_remove_parts(receiver.codec.get(), "c5", 2, nullptr), ACCP_OK);
    EXPECT_EQ(receiver.read(part(64, 0, "x")), ACCP_HELD);
    EXPECT_EQ(receiver.read(part(65, 0, "x")), ACCP_E2003);
    ASSERT_EQ(accp_codec_remove_parts(receiver.codec.get(), nullptr, 0, nullptr), ACCP_OK);
    const std::string big(60000, 'x');
    EXPECT_EQ(receiver.read(part(0, 0, big)), ACCP_HELD);
    EXPECT_EQ(receiver.read(part(0, 1, big)), ACCP_E1001) << "longer than a frame may be";
    int taken = 1;
    while (taken < 64 && receiver.read(part(taken, 0, big)) == ACCP_HELD) ++taken;
    EXPECT_EQ(taken, 17) << "a mebibyte";
    EXPECT_EQ(receiver.read(part(99, 0, big)), ACCP_E2003);
}

// With many open messages, each counts its own parts.
TEST(CodecParts, AnyNumberMayBeOpen) {
    auto part = [](int message, int index) {
        return "@a>req:go{k" + std::to_string(index) + ":1}[cid:c" + std::to_string(message) +
               ",fi:" + std::to_string(index) + ",ft:3]";
    };
    for (int open = 1; open <= 64; ++open) {
        Receiver receiver;
        for (int i = 0; i < open; ++i) ASSERT_EQ(receiver.read(part(i, 0)), ACCP_HELD);
        ASSERT_EQ(receiver.read(part(0, 1)), ACCP_HELD);
        ASSERT_EQ(receiver.read(part(0, 2)), ACCP_OK) << open;
    }
}

TEST(CodecParts, OffItIsMetadataLikeAny) {
    const Handle<accp_codec> codec = open_codec(nullptr, ACCP_EXT_Q1);
    EXPECT_EQ(decode(codec.get(), "@a>req:go{k:v}[cid:c,fi:0,ft:2]").text,
              message_of(R"({"k":"v"})", R"({"cid":"c","fi":0,"ft":2})"));
    Config bare;
    bare.extensions(ACCP_EXT_NONE).rule(ACCP_RULE_PARTS, 1);
    EXPECT_EQ(refused_codec(bare), ACCP_ERR_ARG);
    EXPECT_EQ(refused_codec(bare.hooks(Envelopes().hooks())), ACCP_ERR_ARG);
    Sender sender;
    const Answer refused = encode(sender.codec.get(), message_of("{}", R"({"fi":1})"));
    EXPECT_EQ(refused.status, ACCP_E1004);
    EXPECT_EQ(refused.offset, message_of("{}", "{").size() - 1);
}

TEST(CodecParts, AFailingSourceOfEnvelopes) {
    Sender sender;
    accp_hooks fail = hooks_for(nullptr), odd = hooks_for(nullptr);
    fail.next_envelope = [](accp_envelope *, void *) -> accp_status { return ACCP_ERR_BUSY; };
    odd.next_envelope = [](accp_envelope *envelope, void *) -> accp_status {
        envelope->mid = {"a b", 3};
        return ACCP_OK;
    };
    const std::string large = message_of("{\"k\":\"" + words(2000) + "\"}", kMeta);
    sender.open(fail);
    EXPECT_EQ(encode(sender.codec.get(), large).status, ACCP_ERR_BUSY);
    sender.open(odd);
    EXPECT_EQ(encode(sender.codec.get(), large).status, ACCP_E1004);
}

// Random payloads and limits: every part is within the limit, and in any order the parts give the
// same message as the whole frame.
TEST(CodecParts, AnyMessageAnyOrder) {
    std::mt19937 random(11);
    auto below = [&](size_t n) { return random() % n; };
    const char *const pieces[] = {"a",      " ", "_",  "|", "\\\\", "{",  "}",  "\\\"",     "word",
                                  "\u65e5", ":", "42", "%", ",",    "=1", "+5", "9 percent"};
    auto text = [&](size_t count) {
        std::string out;
        for (size_t i = below(count); i; --i) out += pieces[below(std::size(pieces))];
        return out;
    };
    int split = 0;
    for (int round = 0; round < 300; ++round) {
        const uint32_t extensions =
            round % 3 ? round % 3 == 1 ? uint32_t{ACCP_EXT_Q1} : uint32_t{ACCP_EXT_T1 | ACCP_EXT_P1}
                      : uint32_t{ACCP_EXT_U8 | ACCP_EXT_W1};
        const uint64_t max = 70 + below(200);
        Sender sender(extensions, max);
        Receiver receiver(extensions);
        std::string payload = "{";
        for (size_t i = 0, n = 1 + below(12); i < n; ++i)
            payload +=
                (i ? ",\"k" : "\"k") + std::to_string(i) + "\":" +
                (below(4) ? "\"" + text(120) + "\""
                          : "[1,\"" + text(60) + "\",{\"x\":" + std::to_string(below(9999)) + "}]");
        const std::string json = message_of(payload + "}", kMeta);
        const Answer sent = encode(sender.codec.get(), json);
        ASSERT_EQ(sent.status, ACCP_OK) << json << round;
        auto parts = lines_of(sent.text);
        split += parts.size() > 1;
        for (const std::string &part : parts) ASSERT_LE(sender.counting.count(part), max) << part;
        const std::string whole = sender.whole(json),
                          expected = decode(receiver.codec.get(), whole).text;
        std::shuffle(parts.begin(), parts.end(), random);
        std::string message;
        for (const std::string &part : parts) message = decode(receiver.codec.get(), part).text;
        ASSERT_EQ(message, expected) << sent.text;
    }
    EXPECT_GT(split, 150);
}

}  // namespace
