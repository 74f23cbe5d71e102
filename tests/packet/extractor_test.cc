// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets with a host's extractor: which of its items are accepted, and how bad replies fail.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "packet/packets.h"

namespace {

using namespace accp_packets;

const std::string kHostTalk =
    "User: We need a login page for the shop. The old sessions are fine as they are, nobody wants "
    "to touch the\nregistration flow.\n"
    "Assistant: The page could be rendered on the server. PyJWT is what I would take here.\n"
    "User: our proxy strips the header, so it comes back empty\n"
    "Assistant: Cookies survive the proxy. The login page sets a cookie now.\n"
    "```\nset_cookie()\n```\n"
    "User: Do not use any cookie for tracking.\n";

struct Host {
    std::string answer;
    accp_status status = ACCP_OK;
    std::string asked;
    accp_packet *uses = nullptr;  // generates with it within the call
};

accp_status extract(const char *asked, size_t asked_len, accp_text *out, void *user) {
    Host &host = *static_cast<Host *>(user);
    host.asked.assign(asked, asked_len);
    *out = {host.answer.data(), host.answer.size()};
    if (!host.uses) return host.status;
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"t", 1};
    request.conversation = request.task;
    return accp_packet_generate(host.uses, &request, nullptr);
}

struct FreeHostConfig {
    void operator()(accp_config *config) const { accp_config_free(config); }
};

Packet new_packet_of(Host &host) {
    accp_config *made = nullptr;
    EXPECT_EQ(accp_config_new(&made, nullptr), ACCP_OK);
    const std::unique_ptr<accp_config, FreeHostConfig> config(made);
    accp_hooks hooks = {};
    hooks.size = sizeof hooks;
    hooks.user = &host;
    hooks.extract = extract;
    EXPECT_EQ(accp_config_set_hooks(config.get(), &hooks, nullptr), ACCP_OK);
    accp_packet *packet = nullptr;
    EXPECT_EQ(accp_packet_new(config.get(), &packet, nullptr), ACCP_OK);
    return Packet(packet);
}

accp_status make_told(const Packet &packet, accp_error *error = nullptr, uint64_t budget = 800) {
    return generate(packet, "Add a login page", kHostTalk, ACCP_PACKET_DEEP, budget,
                    ACCP_INTERFACE_SPEAKERS, error);
}

// An item, whether it is accepted, and its line in the prompt.
struct ItemCase {
    const char *item;
    bool taken;
    const char *line;
};
const ItemCase kItemCases[] = {
    // a quote is extended to its sentence, which has the negation
    {R"({"kind":"constraint","text":"touch the registration flow","message":0})", true,
     "nobody wants to touch the registration flow.\n"},
    {R"({"kind":"constraint","text":"  wants  to touch\n the registration ","message":0,"x":[]})",
     true, "nobody wants to touch the registration flow.\n"},
    {R"({"kind":"decision","text":"survive","message":3})", true, "- Cookies survive the proxy. ("},
    {R"({"kind":"decision","text":"PyJWT","message":1,"who":"assistant"})", true,
     "- PyJWT is what I would take here. (agent)\n"},
    {R"({"kind":"failure","text":"PyJWT is what I","message":1,"reason":"strips the header",
         "reason_message":2})",
     true,
     "- PyJWT is what I would take here: our proxy strips the header, so it comes back empty\n"},
    {R"({"kind":"decision","text":"PyJWT is what","message":1,"reason":"nobody said this"})", true,
     "- PyJWT is what I would take here. (agent)\n"},
    {R"({"kind":"decision","text":"PyJWT is what I would","message":1,"reason":"would take"})",
     true, "- PyJWT is what I would take here. (agent)\n"},
    {R"({"kind":"question","text":"our proxy strips the header","message":2})", true,
     "## Open questions\n- our proxy strips the header, so it comes back empty\n"},
    // a certain finding keeps its kind and is not repeated
    {R"({"kind":"question","text":"use any cookie for tracking","message":4})", true,
     "- Do not use any cookie for tracking.\n"},
    // not in the text, not there, another speaker, another message, not in a sentence, no such
    // message
    {R"({"kind":"constraint","text":"Use bcrypt for passwords","message":0})", false, ""},
    {R"({"kind":"constraint","text":"touch the Registration flow","message":0})", false, ""},
    {R"({"kind":"decision","text":"PyJWT is what","message":1,"who":"user"})", false, ""},
    {R"({"kind":"decision","text":"PyJWT is what","message":3})", false, ""},
    {R"({"kind":"decision","text":"set_cookie","message":3})", false, ""},
    {R"({"kind":"decision","text":"PyJWT is what","message":5})", false, ""},
    {R"({"kind":"decision","text":"PyJWT is what","message":-1})", false, ""},
    {R"({"kind":"decision","text":"PyJWT is what","message":99999999999999})", false, ""},
    {R"({"kind":"decision","text":"T is what","message":1})", false, ""},
    {R"({"kind":"decision","text":"PyJ","message":1})", false, ""},
    {R"({"kind":"decision","text":" ","message":1})", false, ""},
    {R"({"kind":"decision","message":1})", false, ""},
};

TEST(PacketExtractor, TakesWhatIsInTheConversation) {
    for (const ItemCase &each : kItemCases) {
        SCOPED_TRACE(each.item);
        Host host = {std::string(R"({"items":[)") + each.item + "]}", ACCP_OK, {}, nullptr};
        const Packet packet = new_packet_of(host);
        accp_error error = {};
        ASSERT_EQ(make_told(packet, &error), ACCP_OK) << error.message;
        const std::string prompt = printed(packet, accp_packet_print_prompt);
        EXPECT_NE(prompt.find(each.line), std::string::npos) << prompt;
        EXPECT_EQ(accp_packet_warnings(packet.get()),
                  each.taken ? 0u : uint32_t{ACCP_PACKET_DROPPED_ITEMS});
        const std::string told = each.taken ? R"("extractor":"1 of 1 items")" : R"("0 of 1 items")";
        EXPECT_NE(printed(packet, accp_packet_print_json).find(told), std::string::npos);
        const size_t first = prompt.find("Do not use any cookie");
        EXPECT_EQ(prompt.find("Do not use any cookie", first + 1), std::string::npos) << prompt;
    }
}

TEST(PacketExtractor, SeesWhatIsSaid) {
    Host host = {R"({"items":[]})", ACCP_OK, {}, nullptr};
    const Packet packet = new_packet_of(host);
    ASSERT_EQ(make_told(packet), ACCP_OK);
    EXPECT_EQ(host.asked.find(R"({"task":"Add a login page","messages":[{"number":0,"role":"user",)"
                              R"("text":"We need a login page)"),
              0u)
        << host.asked;
    EXPECT_NE(host.asked.find(R"(},{"number":1,"role":"assistant","text":"The page could)"),
              std::string::npos);
    EXPECT_EQ(accp_packet_warnings(packet.get()), 0u);
}

// Items replace the findings of the rules. Without items, the packet is the same as without an
// extractor.
// An extractor may send away what it gets.
TEST(PacketExtractor, GetsNoSecrets) {
    const std::string key = "ghp_ab12CD34ef56GH78ij90KL12mn34OP56qr78";
    for (const int64_t redacts : {1, 0}) {
        Host host = {R"({"items":[]})", ACCP_OK, {}, nullptr};
        accp_config *made = nullptr;
        ASSERT_EQ(accp_config_new(&made, nullptr), ACCP_OK);
        const std::unique_ptr<accp_config, FreeHostConfig> config(made);
        accp_hooks hooks = {};
        hooks.size = sizeof hooks;
        hooks.user = &host;
        hooks.extract = extract;
        ASSERT_EQ(accp_config_set_hooks(made, &hooks, nullptr), ACCP_OK);
        ASSERT_EQ(accp_config_set_rule(made, ACCP_RULE_REDACT_SECRETS, redacts, nullptr), ACCP_OK);
        accp_packet *held = nullptr;
        ASSERT_EQ(accp_packet_new(made, &held, nullptr), ACCP_OK);
        const Packet packet(held);
        ASSERT_EQ(generate(packet, "Use " + key, "User: Mine is \"" + key + "\".\n",
                           ACCP_PACKET_DEEP, 800, ACCP_INTERFACE_SPEAKERS),
                  ACCP_OK);
        const std::string shown = redacts ? "[redacted:github-token]" : key;
        EXPECT_EQ(host.asked, R"({"task":"Use )" + shown +
                                  R"(","messages":[{"number":0,"role":"user","text":"Mine is \")" +
                                  shown + R"(\"."}]})");
    }
}

TEST(PacketExtractor, ReplacesTheRules) {
    Host host = {R"({"items":[]})", ACCP_OK, {}, nullptr};
    const Packet with = new_packet_of(host), without = new_packet();
    ASSERT_EQ(make_told(with), ACCP_OK);
    ASSERT_EQ(make_told(without), ACCP_OK);
    const std::string prompt = printed(without, accp_packet_print_prompt);
    EXPECT_EQ(printed(with, accp_packet_print_prompt), prompt);
    EXPECT_EQ(printed(without, accp_packet_print_json).find("extractor"), std::string::npos);
    EXPECT_NE(prompt.find("Do not use any cookie"), std::string::npos);
    host.answer = R"({"items":[{"kind":"decision","text":"PyJWT is what","message":1}]})";
    ASSERT_EQ(make_told(with), ACCP_OK);
    EXPECT_EQ(printed(with, accp_packet_print_prompt).find("Do not use any cookie"),
              std::string::npos);
}

struct HostFault {
    const char *answer;
    accp_status status, expected;
    const char *message;
    uint64_t offset;
};
const HostFault kHostFaults[] = {
    {"", ACCP_ERR_IO, ACCP_ERR_IO, "the extractor has failed", 0},
    {"the model is asleep", ACCP_ERR_IO, ACCP_ERR_IO, "the extractor: the model is asleep", 0},
    {"two\nlines", ACCP_E5001, ACCP_E5001, "the extractor has failed", 0},
    {"", ACCP_HELD, ACCP_E9999, nullptr, 0},
    {"", ACCP_OK, ACCP_ERR_CORRUPT, "the extractor's answer is not JSON, or is too large", 0},
    {"none", ACCP_OK, ACCP_ERR_CORRUPT, nullptr, 0},
    {"[]", ACCP_OK, ACCP_ERR_CORRUPT, R"(the extractor's answer is not {"items":[...]})", 0},
    {R"({"items":{}})", ACCP_OK, ACCP_ERR_CORRUPT, nullptr, 0},
    {R"({"items":[3]})", ACCP_OK, ACCP_ERR_CORRUPT, "an item of the extractor is not an object",
     10},
    {R"({"items":[{"kind":"decision","text":"x","message":0},{"kind":"wish","message":0}]})",
     ACCP_OK, ACCP_ERR_CORRUPT, "an item's kind must be constraint, decision, failure or question",
     53},
    {R"({"items":[{"kind":"decision","text":["x"],"message":0}]})", ACCP_OK, ACCP_ERR_CORRUPT,
     "an item's kind, text, who and reason must be strings", 10},
    {R"({"items":[{"kind":"decision","text":"x"}]})", ACCP_OK, ACCP_ERR_CORRUPT,
     "an item's message must be the number of a message", 10},
    {R"({"items":[{"kind":"decision","text":"x","message":"0"}]})", ACCP_OK, ACCP_ERR_CORRUPT,
     nullptr, 10},
    {R"({"items":[{"kind":"decision","text":"x","message":0,"who":"me"}]})", ACCP_OK,
     ACCP_ERR_CORRUPT, "an item's who must be user or assistant", 10},
};

TEST(PacketExtractor, FailsAsTheHostDoes) {
    for (const HostFault &each : kHostFaults) {
        SCOPED_TRACE(each.answer);
        Host host = {each.answer, each.status, {}, nullptr};
        const Packet packet = new_packet_of(host);
        accp_error error = {};
        EXPECT_EQ(make_told(packet, &error), each.expected);
        if (each.message) {
            EXPECT_STREQ(error.message, each.message);
        }
        EXPECT_EQ(error.offset, each.offset);
        EXPECT_EQ(accp_packet_checksum(packet.get()).len, 0u);
        EXPECT_EQ(accp_packet_warnings(packet.get()), 0u);
    }
}

TEST(PacketExtractor, BoundsItsItems) {
    std::string items = R"({"kind":"decision","text":"x","message":0})";
    Host host = {R"({"items":[)", ACCP_OK, {}, nullptr};
    for (int i = 0; i < 1024; ++i) host.answer += items + ",";
    host.answer += items + "]}";
    const Packet packet = new_packet_of(host);
    accp_error error = {};
    EXPECT_EQ(make_told(packet, &error), ACCP_ERR_CORRUPT);
    EXPECT_EQ(error.had, 1025u);
    EXPECT_EQ(error.limit, 1024u);
}

// The inner call is refused; the outer call fails with its error.
TEST(PacketExtractor, MayNotUseItsPacket) {
    Host host;
    const Packet packet = new_packet_of(host);
    host.uses = packet.get();
    EXPECT_EQ(make_told(packet), ACCP_ERR_BUSY);
    host.uses = nullptr;
    host.answer = R"({"items":[]})";
    EXPECT_EQ(make_told(packet), ACCP_OK);
}

// The extractor is not called for code alone.
TEST(PacketExtractor, IsAskedOfConversations) {
    Host host;
    const Packet packet = new_packet_of(host);
    accp_packet_code *made = nullptr;
    ASSERT_EQ(accp_packet_code_new(nullptr, &made, nullptr), ACCP_OK);
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"t", 1};
    request.depth = ACCP_PACKET_STANDARD;
    request.code = made;
    EXPECT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_OK);
    EXPECT_TRUE(host.asked.empty());
    accp_packet_code_free(made);
}

// Returns whether it is part of the conversation, or several parts joined by "; " like reasons.
bool is_said(std::string text) {
    static const std::string kSaid = on_one_line(kHostTalk);
    for (size_t at = 0; at != std::string::npos;) {
        if (kSaid.find(text) != std::string::npos) return true;
        at = text.find("; ");
        if (at == std::string::npos || kSaid.find(text.substr(0, at)) == std::string::npos)
            return false;
        text.erase(0, at + 2);
    }
    return false;
}

// For any reply of a host, with true and false quotes of any length, kind and speaker, the packet
// contains only text of the conversation.
TEST(PacketExtractor, InventsNothing) {
    std::mt19937 random(7);
    const auto below = [&](size_t end) { return random() % end; };
    const char *kinds[] = {"constraint", "decision", "failure", "question"};
    const auto quote = [&] {
        const size_t at = below(kHostTalk.size());
        std::string text = kHostTalk.substr(at, 1 + below(60));
        if (below(4) == 0) text[below(text.size())] = 'z';
        return accp_ref::write_json(accp_ref::Json::string(text));
    };
    size_t taken = 0;
    for (int i = 0; i < 300; ++i) {
        Host host = {R"({"items":[)", ACCP_OK, {}, nullptr};
        for (size_t n = below(6); n != 0; --n)
            host.answer += std::string(R"({"kind":")") + kinds[below(4)] + R"(","text":)" +
                           quote() + R"(,"reason":)" + quote() + R"(,"message":)" +
                           std::to_string(below(6)) + R"(,"reason_message":)" +
                           std::to_string(below(6)) + (n == 1 ? "}" : "},");
        host.answer += "]}";
        const Packet packet = new_packet_of(host);
        ASSERT_EQ(make_told(packet, nullptr, 5000), ACCP_OK) << host.answer;
        taken += accp_packet_warnings(packet.get()) == 0;
        const accp_ref::Json json =
            accp_ref::parse_json(printed(packet, accp_packet_print_json)).value();
        const accp_ref::Json &context = *json.find("context");
        for (const char *list : {"constraints", "decisions", "failed_attempts", "open_questions"}) {
            const accp_ref::Json *items = context.find(list);
            for (const accp_ref::Json &item :
                 items ? items->items : std::vector<accp_ref::Json>()) {
                EXPECT_TRUE(item.text.empty() || is_said(item.text)) << item.text;
                for (const auto &[name, value] : item.members) {
                    EXPECT_TRUE(name == "made_by" || is_said(value.text)) << value.text;
                }
            }
        }
    }
    EXPECT_GT(taken, 50u);
}

}  // namespace
