// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hooks of a codec: tools (E4001, E4003), policy (E5001), and the origin of messages.
#include <vector>

#include "codec/codecs.h"

namespace {

using namespace accp_codecs;

struct Host {
    accp_status tool = ACCP_OK, policy = ACCP_OK;
    accp_codec *codec = nullptr;  // called from within the hook, which is refused
    accp_status inside = ACCP_OK;
    std::vector<std::string> asked;
};

using accp_test::string_of;

accp_status on_tool(const char *name, size_t name_len, const char *arguments, size_t arguments_len,
                    void *user) {
    auto *host = static_cast<Host *>(user);
    host->asked.push_back(string_of({name, name_len}) + " " +
                          string_of({arguments, arguments_len}));
    return host->tool;
}

accp_status on_policy(const accp_policy_case *asked, void *user) {
    auto *host = static_cast<Host *>(user);
    host->asked.push_back((asked->direction == ACCP_SENT ? "sent " : "received ") +
                          string_of(asked->agent) + " " + string_of(asked->intent) + ":" +
                          string_of(asked->operation) + " " + string_of(asked->schema) + " " +
                          string_of(asked->text) + (asked->untrusted ? " !" : ""));
    if (host->codec) {
        accp_text out = {};
        host->inside = accp_codec_decode(host->codec, "@a>req:x{}", 10, &out, nullptr);
    }
    return host->policy;
}

accp_hooks hooks_of(Host *host, accp_tool_function tool, accp_policy_function policy) {
    accp_hooks hooks = hooks_for(host);
    hooks.check_tool = tool;
    hooks.check_policy = policy;
    return hooks;
}

class Hooks : public testing::Test {
protected:
    Hooks() { open(on_tool, nullptr); }
    // Creates the codec again.
    void open(accp_tool_function tool, accp_policy_function policy) {
        codec = open_codec(Config().registry(registry.get()).hooks(hooks_of(&host, tool, policy)));
    }
    void with_policy() { open(on_tool, on_policy); }

    const std::string call = "@a>req:tool{tool:web_search|args:{max:5,q:\"a_b\"}}";
    Host host;
    Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_ALL);
    Handle<accp_codec> codec;
};

// ACCP-3.6-13
TEST_F(Hooks, E4001AnUnknownTool) {
    host.tool = ACCP_E4001;
    const Answer answer = decode(codec.get(), call);
    EXPECT_EQ(answer.status, ACCP_E4001);
    EXPECT_EQ(answer.offset, 17u);
    EXPECT_EQ(host.asked, std::vector<std::string>{"web_search {\"max\":5,\"q\":\"a b\"}"});
    const Answer sent =
        encode(codec.get(),
               R"({"agent":"a","intent":"req","operation":"tool","payload":{"tool_name":"rm"}})");
    EXPECT_EQ(sent.status, ACCP_E4001);
    EXPECT_EQ(sent.offset, 70u);
    EXPECT_EQ(host.asked.back(), "rm ");
}

// ACCP-3.6-15
TEST_F(Hooks, E4003ArgumentsThatDoNotFit) {
    host.tool = ACCP_E4003;
    const Answer answer = decode(codec.get(), call);
    EXPECT_EQ(answer.status, ACCP_E4003);
    EXPECT_EQ(answer.offset, 33u);
}

TEST_F(Hooks, AToolIsLookedUpForRequestsUnderTCOnly) {
    host.tool = ACCP_E4001;
    EXPECT_TRUE(decode(codec.get(), "@a>done:tool{tool:x|res:1}[cid:m1]").ok());
    EXPECT_TRUE(decode(codec.get(), "@a>req:chat{content:x}").ok());
    EXPECT_TRUE(host.asked.empty());
    EXPECT_EQ(decode(codec.get(), "@a>req:tool{args:{q:x}}").status, ACCP_E4001)
        << "a call that names no tool";
    EXPECT_TRUE(host.asked.empty());
    EXPECT_EQ(decode(codec.get(), "@a>req:run{tool:x|schema:TC}").status, ACCP_E4001);
    // Also with a schema TC of the registry: its name does not bypass the check.
    const auto own = open_registry(
        R"({"schemas":{"t":{"code":"TC","version":1,"fields":["tool_name"],"defaults":{},"bind":["req:tool"]}}})",
        0);
    const auto other = open_codec(Config()
                                      .registry(own.get())
                                      .extensions(ACCP_EXT_P1)
                                      .hooks(hooks_of(&host, on_tool, nullptr)));
    EXPECT_EQ(decode(other.get(), "@a>req:tool{TC:[rm]}").status, ACCP_E4001);
    EXPECT_EQ(host.asked.back(), "rm ");
}

TEST_F(Hooks, AnswersThatAreNoneAreDefects) {
    for (accp_status odd : {1, 2, -17, 17, 1005}) {
        host.tool = odd;
        EXPECT_EQ(decode(codec.get(), call).status, ACCP_E9999) << odd;
    }
    host.tool = ACCP_E5001;
    EXPECT_EQ(decode(codec.get(), call).status, ACCP_E5001);
    host.tool = ACCP_OK;
    EXPECT_TRUE(decode(codec.get(), call).ok());
    open(nullptr, nullptr);
    host.tool = ACCP_E4001;
    EXPECT_TRUE(decode(codec.get(), call).ok());
}

// ACCP-3.6-16
TEST_F(Hooks, E5001APolicyThatDenies) {
    with_policy();
    const std::string message =
        R"({"agent":"a","intent":"req","operation":"schedule","payload":{"task":"t"}})";
    EXPECT_EQ(encode(codec.get(), message).text, "@a>req:schedule{task:t}");
    EXPECT_EQ(host.asked.back(), "sent a req:schedule TA " + message);
    EXPECT_TRUE(decode(codec.get(), "@a>req:x{k:1}").ok());
    EXPECT_EQ(
        host.asked.back(),
        R"(received a req:x  {"agent":"a","intent":"req","operation":"x","payload":{"k":1}})");
    host.policy = ACCP_E5001;
    EXPECT_EQ(encode(codec.get(), message).status, ACCP_E5001);
    EXPECT_EQ(decode(codec.get(), "@a>req:x{k:1}").status, ACCP_E5001);
    host.policy = ACCP_OK;
    EXPECT_EQ(decode(codec.get(), "@a>req:x{k:1}").text,
              R"({"agent":"a","intent":"req","operation":"x","payload":{"k":1}})");
}

TEST_F(Hooks, AHookMayNotCallItsCodec) {
    with_policy();
    host.codec = codec.get();
    EXPECT_TRUE(decode(codec.get(), "@a>req:x{k:1}").ok());
    EXPECT_EQ(host.inside, ACCP_ERR_BUSY);
    host.codec = nullptr;
    EXPECT_TRUE(decode(codec.get(), "@a>req:x{k:1}").ok());
}

TEST(HooksWithout, ARegistryAreNone) {
    EXPECT_EQ(refused_codec(Config().hooks(hooks_of(nullptr, on_tool, nullptr))), ACCP_ERR_ARG);
    EXPECT_EQ(refused_codec(Config().hooks(hooks_of(nullptr, nullptr, on_policy))), ACCP_ERR_ARG);
    EXPECT_EQ(refused_codec(Config().rule(ACCP_RULE_STRICTNESS, 1)), ACCP_ERR_ARG);
    Config config;
    const auto codec = open_codec(config.rule(ACCP_RULE_STRICTNESS, 0));
    EXPECT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_STRICTNESS, 16, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_set_origin(codec.get(), 2, nullptr), ACCP_ERR_ARG);
}

// Decision A73: decode passes the mark to render, and encode ignores it.
TEST_F(Hooks, AnOriginThatIsNotTrustedStaysWithTheMessage) {
    with_policy();
    ASSERT_EQ(accp_codec_set_origin(codec.get(), ACCP_ORIGIN_UNTRUSTED, nullptr), ACCP_OK);
    const Answer answer = decode(codec.get(), "@a>req:x{k:1}[seq:1]");
    EXPECT_EQ(
        answer.text,
        R"({"agent":"a","intent":"req","operation":"x","payload":{"k":1},"meta":{"seq":1},"untrusted":true})");
    EXPECT_EQ(host.asked.back(), "received a req:x  " + answer.text + " !");
    EXPECT_EQ(encode(codec.get(), answer.text).text, "@a>req:x{k:1}[seq:1]");
    const auto bare = open_codec(nullptr, ACCP_EXT_Q1);
    ASSERT_EQ(accp_codec_set_origin(bare.get(), ACCP_ORIGIN_UNTRUSTED, nullptr), ACCP_OK);
    EXPECT_EQ(decode(bare.get(), "@a>req:x{k:1}[seq:1]").text, answer.text);
    EXPECT_EQ(encode(bare.get(), answer.text).text, "@a>req:x{k:1}[seq:1]");
    accp_codec_set_origin(codec.get(), ACCP_ORIGIN_TRUSTED, nullptr);
    EXPECT_EQ(decode(codec.get(), "@a>req:x{k:1}").text,
              R"({"agent":"a","intent":"req","operation":"x","payload":{"k":1}})");
}

}  // namespace
