// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// ACCP-9-01: the debug log shows the content of every frame, except secret values that the host has
// named.
#include <vector>

#include "codec/codecs.h"

namespace {

using namespace accp_codecs;

using Lines = std::vector<std::string>;

void on_line(int32_t direction, accp_status status, const char *text, size_t len, void *user) {
    static_cast<Lines *>(user)->push_back((direction == ACCP_SENT ? "> " : "< ") +
                                          std::to_string(status) + " " + std::string(text, len));
}

class Log : public testing::Test {
protected:
    Log() { open({}); }
    // Creates the codec again with these keys hidden.
    void open(const std::vector<std::string_view> &hidden, uint32_t extensions = ACCP_EXT_Q1) {
        accp_hooks hooks = hooks_for(&lines);
        hooks.log = on_line;
        Config config;
        config.registry(registry.get())
            .extensions(extensions)
            .rule(ACCP_RULE_MARK_DEFAULTS, marks)
            .hooks(hooks);
        for (std::string_view key : hidden) config.redacted(key);
        codec = open_codec(config);
    }

    Lines lines;
    bool marks = false;
    Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_ALL);
    Handle<accp_codec> codec;
};

TEST_F(Log, BothDirectionsReadable) {
    encode(
        codec.get(),
        R"({"agent":"a","intent":"req","operation":"schedule","payload":{"task":"Q3 findings"},"meta":{"seq":1}})");
    decode(codec.get(), "@b>done:schedule{task:\"Q3_findings\"}[mid:a1,cid:c1]");
    EXPECT_EQ(
        lines,
        (Lines{"> 0 @a req:schedule {seq:1} task: Q3 findings",
               "< 0 @b done:schedule {mid:a1 cid:c1} priority:medium deps:[] task: Q3 findings"}));
    const auto silent = open_codec(registry.get(), ACCP_EXT_Q1);
    decode(silent.get(), "@b>done:x{}");
    EXPECT_EQ(lines.size(), 2u);
}

// Also without names of keys; the message itself keeps them.
TEST_F(Log, SecretsAreNotShown) {
    const std::string key = std::string("gh") + "p_" + "Xq81mZtR4vLw9Ks2Yb7NcD5fGh3JpQ6aTe0u";
    const std::string frame =
        encode(codec.get(),
               R"({"agent":"a","intent":"req","operation":"x","payload":{"note":"use )" + key +
                   R"(","password":"Vk7!pQz93xLm"}})")
            .text;
    EXPECT_NE(frame.find("Vk7!pQz93xLm"), frame.npos) << frame;
    EXPECT_EQ(
        lines,
        (Lines{"> 0 @a req:x password:[redacted:password] note: use [redacted:github-token]"}));
}

TEST_F(Log, RefusalsToo) {
    encode(
        codec.get(),
        R"({"agent":"a","intent":"req","operation":"transaction","payload":{"amount":"secret"}})");
    decode(codec.get(), "@b>done:x{secret:}");
    EXPECT_EQ(lines, (Lines{"> 1004 E1004 at byte 74: an amount must be an exact decimal or "
                            "integer, without quotes",
                            "< 1001 E1001 at byte 17: expected a value"}));
}

TEST_F(Log, AtAnyDepthAndUnderAnAlias) {
    open({"account", "token"});
    decode(codec.get(),
           "@b>req:transaction{txn:t1|amt:1|acc:4111111111111111|x:[{token:s3cret,k:1},{token:["
           "s3cret,{a:s3cret}],k:2}]}[token:s3cret,seq:1]");
    encode(
        codec.get(),
        R"({"agent":"a","intent":"req","operation":"go","payload":{"token":{"a":"s3cret"},"k":2},"meta":{"token":"s3cret"}})");
    ASSERT_EQ(lines.size(), 2u);
    for (const std::string &line : lines) {
        EXPECT_EQ(line.find("s3cret"), std::string::npos) << line;
        EXPECT_EQ(line.find("4111"), std::string::npos) << line;
        EXPECT_NE(line.find("[redacted]"), std::string::npos) << line;
    }
    EXPECT_EQ(lines[1], "> 0 @a req:go {token:\"[redacted]\"} k:2 token: [redacted]");
    EXPECT_NE(lines[0].find("account: [redacted]"), std::string::npos) << lines[0];
    // The messages themselves are unchanged.
    EXPECT_NE(decode(codec.get(), "@b>req:go{token:s3cret}").text.find("s3cret"),
              std::string::npos);
    open({});
    decode(codec.get(), "@b>req:go{token:s3cret}");
    EXPECT_EQ(lines.back(), "< 0 @b req:go token:s3cret");
}

TEST_F(Log, ByPositionAndWithMarks) {
    marks = true;
    open({"account"}, ACCP_EXT_P1);
    decode(codec.get(), "@b>req:transaction{TX:[t1,1,!,4111]}");
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].find("4111"), std::string::npos) << lines[0];
    EXPECT_EQ(lines[0].find("< 0 @b req:transaction "), 0u) << lines[0];
}

TEST_F(Log, NamesHaveBounds) {
    Config full, empty;
    const auto hide = [](const Config &config, std::string_view key) {
        return accp_config_add_redacted(config.get(), key.data(), key.size(), nullptr);
    };
    EXPECT_EQ(hide(full, std::string(4095, 'k')), ACCP_OK);
    EXPECT_EQ(hide(full, "k"), ACCP_ERR_ARG);
    EXPECT_EQ(hide(empty, ""), ACCP_ERR_ARG);
    EXPECT_EQ(hide(empty, std::string(4096, 'k')), ACCP_ERR_ARG);
    EXPECT_EQ(hide(empty, std::string_view("a\0b", 3)), ACCP_ERR_ARG);
}

}  // namespace
