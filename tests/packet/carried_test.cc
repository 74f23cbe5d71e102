// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Context packets between two sides: one stores a packet and names it in a frame, the other
// requests and reads it.
#include <gtest/gtest.h>

#include <regex>

#include "packet/made_packets.h"
#include "session/sessions.h"

namespace {

using namespace accp_sessions;
using accp_packets::new_packet;
using accp_packets::Packet;
using accp_packets::printed;

// Two sides, each with a store of its own. The resolver of each side reads from the other's
// session, unless a test replaces it.
struct PacketSide {
    static accp_status resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
        auto *side = static_cast<PacketSide *>(user);
        ++side->asked;
        if (!side->forged.empty()) {
            *json = {side->forged.data(), side->forged.size()};
            return ACCP_OK;
        }
        if (!side->other) return ACCP_E2001;
        return accp_session_resolve(side->other->session.get(), ref, ref_len, nullptr, 0, kNow,
                                    json, nullptr);
    }

    explicit PacketSide(const std::string &id) {
        accp_hooks hooks = {};
        hooks.size = sizeof hooks;
        hooks.resolve = &PacketSide::resolve;
        hooks.user = this;
        config.hooks(hooks).rule(ACCP_RULE_PARTS, 1);
        engine = open_engine(config);
        session = open_session(engine.get(), id);
    }

    Handle<accp_store> store = open_store();
    EngineConfig config{store.get()};
    Handle<accp_engine> engine;
    Handle<accp_session> session;
    PacketSide *other = nullptr;
    std::string forged;
    int asked = 0;
};

std::string send_packet(accp_session *session, const Packet &packet, const std::string &json) {
    return text_of([&](accp_text *out, accp_error *err) {
        return accp_session_send_packet(session, json.data(), json.size(), packet.get(), kNow, out,
                                        err);
    });
}
std::string keep_in(accp_session *session, const Packet &packet) {
    return text_of([&](accp_text *out, accp_error *err) {
        return accp_session_put_packet(session, packet.get(), out, err);
    });
}
std::string answer_packet(accp_session *session, const std::string &request) {
    return text_of([&](accp_text *out, accp_error *err) {
        return accp_session_reply_packet(session, request.data(), request.size(), "orchestrator",
                                         12, kNow, out, err);
    });
}
// Returns the prompt of the packet that the message carries, or the error.
std::string read_carried(accp_session *session, const std::string &message) {
    const Packet packet = new_packet();
    accp_error error = {};
    const accp_status status = accp_session_read_packet(session, message.data(), message.size(),
                                                        kNow, packet.get(), &error);
    if (status == ACCP_OK) return printed(packet, accp_packet_print_prompt);
    EXPECT_EQ(accp_packet_checksum(packet.get()).len, 0u);
    return std::string(accp_status_code_name(status)) + ": " + error.message;
}

std::string message_of(const std::string &what, const std::string &payload,
                       const std::string &more = {}) {
    const size_t colon = what.find(':'), at = what.find('>');
    return R"({"agent":")" + what.substr(0, at) + R"(","intent":")" +
           what.substr(at + 1, colon - at - 1) + R"(","operation":")" + what.substr(colon + 1) +
           R"(","payload":)" + payload + more + "}";
}

Packet jwt_packet() {
    return accp_packets::read_context(accp_packets::kJwtContext, accp_packets::kJwtTask,
                                      accp_packets::kJwtGoal);
}
std::string digits_of(const Packet &packet) {
    return accp_test::string_of(accp_packet_checksum(packet.get())).substr(7);
}
std::string ref_of(const Packet &packet) { return "$cold.packet_" + digits_of(packet); }

// Receives a frame and returns its message.
std::string receive_one(accp_session *session, const std::string &frames) {
    for (size_t at = 0; at <= frames.size();) {  // chunks yield it with the last one
        const size_t end = std::min(frames.find('\n', at), frames.size());
        EXPECT_EQ(receive(session, frames.substr(at, end - at)), ACCP_OK) << frames;
        at = end + 1;
    }
    const auto all = drain(session);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? "" : all[0].json;
}

struct TwoSides {
    TwoSides() {
        orchestrator.other = &worker;
        worker.other = &orchestrator;
    }
    accp_session *here() const { return orchestrator.session.get(); }
    accp_session *there() const { return worker.session.get(); }
    // Announces a packet to the worker and returns the message.
    std::string announce(const Packet &packet) {
        const std::string frame =
            send_packet(here(), packet, message_of("orchestrator>sync:context", R"({"to":"dev"})"));
        return receive_one(there(), frame);
    }

    PacketSide orchestrator{"one"}, worker{"two"};
};

TEST(SessionPackets, AnnouncedAndRead) {
    TwoSides sides;
    const Packet packet = jwt_packet();
    const std::string said = sides.announce(packet);
    EXPECT_NE(
        said.find(R"("payload":{"to":"dev","packet":")" + ref_of(packet) + R"(","tokens":)" +
                  std::to_string(accp_packet_tokens(packet.get())) + R"(,"layers":{"codebase":)"),
        std::string::npos)
        << said;
    EXPECT_EQ(sides.worker.asked, 0) << "a name alone brings nothing along";
    EXPECT_LT(context(sides.there()).find(ref_of(packet)), std::string::npos);
    EXPECT_EQ(read_carried(sides.there(), said), printed(packet, accp_packet_print_prompt));
    EXPECT_EQ(sides.worker.asked, 1);
    // The side that announced it reads it too, without a request.
    EXPECT_EQ(read_carried(sides.here(), said), printed(packet, accp_packet_print_prompt));
    EXPECT_EQ(sides.orchestrator.asked, 0);
}

// An esc, and a req that delegates a task, can carry a packet too. It may be stored twice.
TEST(SessionPackets, AnyMessageCarriesOne) {
    TwoSides sides;
    const Packet packet = jwt_packet();
    for (const char *what : {"orchestrator>esc:approval", "orchestrator>req:implement"}) {
        const std::string said =
            receive_one(sides.there(), send_packet(sides.here(), packet, message_of(what, "{}")));
        EXPECT_NE(said.find(R"("payload":{"packet":"$cold.packet_)"), std::string::npos) << said;
        EXPECT_EQ(read_carried(sides.there(), said), printed(packet, accp_packet_print_prompt));
    }
}

// It is in no context and costs none of its tokens. A reopened session still has it.
TEST(SessionPackets, StandsInNoContext) {
    OneSession one;
    const Packet packet = jwt_packet();
    const std::string before = context(one.session.get());
    const std::string members = keep_in(one.session.get(), packet);
    EXPECT_EQ(context(one.session.get()), before);
    one.reopen();
    const std::string said = message_of("a>sync:context", members);
    EXPECT_EQ(read_carried(one.session.get(), said), printed(packet, accp_packet_print_prompt));
    accp_text text = {};
    ASSERT_EQ(accp_packet_print_layers(packet.get(), ACCP_PACKET_DECISIONS, &text, nullptr),
              ACCP_OK);
    EXPECT_EQ(accp_ref::parse_json(
                  resolve(one.session.get(), "$warm.packet_" + digits_of(packet) + ".decisions"))
                  ->text,
              accp_test::string_of(text));
    // Other callers cannot write there.
    for (const char *tier : {"cold.packet_", "warm.packet_"})
        EXPECT_EQ(put(one.session.get(), tier + digits_of(packet), "1"), ACCP_E1004);
    EXPECT_EQ(put(one.session.get(), "cold.packet_1", "1"), ACCP_OK) << "no packet's name";
}

TEST(SessionPackets, AWorkerAsksForLayers) {
    TwoSides sides;
    const Packet packet = jwt_packet();
    sides.announce(packet);
    const struct {
        std::string layers;
        uint32_t bits;
    } cases[] = {{R"(["goals"])", ACCP_PACKET_GOALS},
                 {R"(["history"])", ACCP_PACKET_HISTORY},
                 {R"(["decisions","codebase"])", ACCP_PACKET_DECISIONS | ACCP_PACKET_CODEBASE}};
    for (const auto &each : cases) {
        const std::string asked = receive_one(
            sides.here(),
            send(sides.there(),
                 message_of("dev>qry:context", R"({"packet":")" + ref_of(packet) +
                                                   R"(","layers":)" + each.layers + "}")));
        const std::string said = receive_one(sides.there(), answer_packet(sides.here(), asked));
        const auto json = accp_ref::parse_json(said);
        EXPECT_EQ(json->find("intent")->text + ":" + json->find("operation")->text, "done:context");
        accp_text text = {};
        ASSERT_EQ(accp_packet_print_layers(packet.get(), each.bits, &text, nullptr), ACCP_OK);
        EXPECT_EQ(json->find("payload")->find("content")->text, accp_test::string_of(text));
    }
}

// A worker without access to the other side's store gets the whole packet in the reply.
TEST(SessionPackets, AllOfItInTheAnswer) {
    TwoSides sides;
    sides.worker.other = nullptr;
    const Packet packet = jwt_packet();
    const std::string said = sides.announce(packet);
    EXPECT_EQ(read_carried(sides.there(), said),
              "E2001: the packet is not in reach: ask for it by a qry of operation context");
    const std::string asked = receive_one(
        sides.here(), send(sides.there(), message_of("dev>qry:context",
                                                     R"({"packet":")" + ref_of(packet) + "\"}")));
    const std::string answer = receive_one(sides.there(), answer_packet(sides.here(), asked));
    EXPECT_EQ(read_carried(sides.there(), answer), printed(packet, accp_packet_print_prompt));
    // An altered packet is rejected.
    std::string other = answer;
    other.replace(other.find("RS256"), 5, "HS256");
    EXPECT_EQ(read_carried(sides.there(), other), "E1001: checksum mismatch");
    other = answer;
    other = std::regex_replace(other, std::regex(R"("checksum":"[^"]*",)"), "");
    EXPECT_EQ(read_carried(sides.there(), other), "E1001: no checksum");
}

// The peer has another packet under this name.
TEST(SessionPackets, AnotherPacketUnderTheName) {
    TwoSides sides;
    const Packet packet = jwt_packet(), other = accp_packets::read_context("", "Another");
    const std::string said = sides.announce(packet);
    accp_packet_seal(other.get(), nullptr);
    const struct {
        std::string forged, told;
    } cases[] = {
        {printed(other, accp_packet_print_json),
         "E1001: checksum mismatch: there is another packet under this name"},
        {R"("a text")", "E1001: not a mapping"},
        {R"({"version":1})", "E1001: missing created"},
        {"{",
         "E1001: not yaml: a value is missing here, or a bracket is not closed; a text that begins "
         "with a "
         "mark of YAML needs quotes"},
        {"[" + std::string(300'000, ' ') + "]", "E1001: too large"},
        {"\"\xFF\"", "E1004: not utf-8"},
    };
    for (const auto &each : cases) {
        sides.worker.forged = each.forged;
        EXPECT_EQ(read_carried(sides.there(), said), each.told);
    }
    // A broken seal, as in a file.
    std::string broken = printed(packet, accp_packet_print_json);
    broken.replace(broken.find("RS256"), 5, "HS256");
    sides.worker.forged = broken;
    EXPECT_EQ(read_carried(sides.there(), said), "E1001: checksum mismatch");
}

TEST(SessionPackets, MessagesWithoutOne) {
    OneSession one;
    const std::string digits(64, 'a');
    for (const std::string &payload :
         {std::string("{}"), std::string(R"({"packet":1})"), std::string(R"({"packet":"x"})"),
          R"({"packet":"$cold.packet_)" + digits.substr(1) + "\"}",
          R"({"packet":"$hot.packet_)" + digits + "\"}",
          R"({"packet":"$cold.packet_)" + std::string(64, 'A') + "\"}",
          R"({"packet":"$cold.packet_)" + digits + ".goals\"}", std::string("\"text\"")})
        EXPECT_EQ(read_carried(one.session.get(), message_of("a>sync:context", payload)),
                  "E1001: the message carries no packet")
            << payload;
    EXPECT_EQ(read_carried(one.session.get(), "[]").substr(0, 5), "E1001");
    EXPECT_EQ(
        read_carried(one.session.get(),
                     message_of("a>sync:context", R"({"packet":"$cold.packet_)" + digits + "\"}"))
            .substr(0, 5),
        "E2001");
}

TEST(SessionPackets, Refusals) {
    OneSession one;
    accp_session *session = one.session.get();
    const Packet packet = jwt_packet(), empty = new_packet();
    EXPECT_EQ(keep_in(session, empty), "ERR_ARG");
    EXPECT_EQ(send_packet(session, empty, message_of("a>sync:context", "{}")), "ERR_ARG");
    for (const char *payload :
         {R"("text")", R"({"packet":1})", R"({"tokens":1})", R"({"layers":1})"})
        EXPECT_EQ(send_packet(session, packet, message_of("a>sync:context", payload)), "E1004");
    EXPECT_EQ(send_packet(session, packet, "{}"), "E1001");
    EXPECT_EQ(resolve(session, ref_of(packet)), "E2001") << "a refused message keeps nothing";
    keep_in(session, packet);
    const std::string ref = ref_of(packet);
    const struct {
        std::string request, told;
    } asked[] = {
        {message_of("dev>qry:context", "{}"), "ERR_ARG"},
        {message_of("dev>req:context", R"({"packet":")" + ref + "\"}"), "ERR_ARG"},
        {message_of("dev>qry:other", R"({"packet":")" + ref + "\"}"), "ERR_ARG"},
        {message_of("dev>qry:context", R"({"packet":")" + ref + R"(","layers":"goals"})"),
         "ERR_ARG"},
        {message_of("dev>qry:context", R"({"packet":")" + ref + R"(","layers":["../x"]})",
                    R"(,"meta":{"mid":"a00000000001","seq":1,"ts":1})"),
         "E1004"},
        {message_of("dev>qry:context", R"({"packet":"$cold.packet_)" + std::string(64, '0') + "\"}",
                    R"(,"meta":{"mid":"a00000000001","seq":1,"ts":1})"),
         "E2001"},
        {message_of("dev>qry:context", R"({"packet":"$cold.m1"})"), "ERR_ARG"},
        {"nothing", "E1001"},
    };
    for (const auto &each : asked)
        EXPECT_EQ(answer_packet(session, each.request), each.told) << each.request;
}

// A file of 40 KB exceeds the limit of a packet once each item is an object.
TEST(SessionPackets, TooLarge) {
    OneSession one;
    std::string items = "x";
    for (int i = 0; i < 20'000; ++i) items += ",x";
    const Packet packet = accp_packets::read_context("  decisions: [" + items + "]\n");
    EXPECT_EQ(keep_in(one.session.get(), packet), "E1001");
    EXPECT_EQ(resolve(one.session.get(), ref_of(packet)), "E2001");
}

}  // namespace
