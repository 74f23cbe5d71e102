// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every allocation of every call that stores a packet in a session, or reads one, fails: once, and
// permanently from there on. The call must return ACCP_ERR_NOMEM and store no message. The same
// call must then succeed as without the failure.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "fault/injector.h"
#include "packet/made_packets.h"
#include "session/sessions.h"

namespace {

using namespace accp_fault;
using namespace accp_sessions;
using accp_packets::Packet;

const std::string kAnnounce =
    R"({"agent":"orchestrator","intent":"sync","operation":"context","payload":{"to":"dev"}})";

struct World {
    World() {
        accp_test::Config config;
        config.allocator(allocator()).rule(ACCP_RULE_SHARES_STORE, 1).rule(ACCP_RULE_SEED, 7);
        engine = open_engine(config);
        session = open_session(engine.get());
        fresh = open_session(engine.get(), "fresh");
        packet = made(config);
        read = made(config);
        const std::string text =
            "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: o\n"
            "target_task: t\ncontext:\n  goal: g\n" +
            std::string(accp_packets::kJwtContext);
        EXPECT_EQ(accp_packet_parse(packet.get(), text.data(), text.size(), 0, nullptr), ACCP_OK);
        accp_text out = {};
        EXPECT_EQ(accp_session_put_packet(session.get(), packet.get(), &out, nullptr), ACCP_OK);
        const std::string members = accp_test::string_of(out);
        carrying = kAnnounce;
        carrying.replace(carrying.find(R"({"to":"dev"})"), 12, members);
        const std::string ref = members.substr(0, members.find(','));
        request = R"({"agent":"dev","intent":"qry","operation":"context","payload":)" + ref +
                  R"(,"layers":["decisions"]},"meta":{"cid":"c1","mid":"b00000000001","seq":1}})";
    }
    static Packet made(const accp_test::Config &config) {
        accp_packet *packet = nullptr;
        EXPECT_EQ(accp_packet_new(config.get(), &packet, nullptr), ACCP_OK);
        return Packet(packet);
    }

    Handle<accp_engine> engine;
    Handle<accp_session> session, fresh;  // the first one has the packet
    Packet packet, read;
    std::string carrying, request;

    uint64_t records() const {
        return accp_session_record_count(session.get()) + accp_session_record_count(fresh.get());
    }
};

// Only calls of the C face, because allocations of the test itself would fail too.
struct Call {
    const char *name;
    accp_status (*run)(World &world, accp_text *out);
};

const Call kCalls[] = {
    {"Put",
     [](World &w, accp_text *out) {
         return accp_session_put_packet(w.fresh.get(), w.packet.get(), out, nullptr);
     }},
    {"Send",
     [](World &w, accp_text *out) {
         return accp_session_send_packet(w.fresh.get(), kAnnounce.data(), kAnnounce.size(),
                                         w.packet.get(), kNow, out, nullptr);
     }},
    {"Read",
     [](World &w, accp_text *out) {
         const accp_status status = accp_session_read_packet(
             w.session.get(), w.carrying.data(), w.carrying.size(), kNow, w.read.get(), nullptr);
         return status == ACCP_OK ? accp_packet_print_json(w.read.get(), out, nullptr) : status;
     }},
    {"Answer",
     [](World &w, accp_text *out) {
         return accp_session_reply_packet(w.session.get(), w.request.data(), w.request.size(), "o",
                                          1, kNow, out, nullptr);
     }},
};

// Replaces mids, because they begin with a random number.
std::string without_mid(const accp_text &text) {
    return std::regex_replace(accp_test::string_of(text), std::regex("mid:[a-z][0-9]{11}"), "mid");
}

class PacketMemory : public testing::TestWithParam<Call> {};

TEST_P(PacketMemory, FailsAtEveryAllocation) {
    const Call &call = GetParam();
    std::string wanted;
    uint64_t calls = 0, records = 0;
    {
        World world;
        accp_text out = {};
        arm(kNever, false);
        ASSERT_EQ(call.run(world, &out), ACCP_OK);
        calls = disarm();
        wanted = without_mid(out);
        records = world.records();
    }
    ASSERT_GT(calls, 0u);
    for (uint64_t first = 0; first < calls; ++first) {
        for (bool for_ever : {false, true}) {
            SCOPED_TRACE(first);
            World world;
            const uint64_t before = world.records();
            accp_text out = {};
            arm(first, for_ever);
            const accp_status status = call.run(world, &out);
            disarm();
            ASSERT_EQ(status, ACCP_ERR_NOMEM);
            ASSERT_EQ(out.len, 0u);
            ASSERT_EQ(world.records(), before);
            ASSERT_EQ(call.run(world, &out), ACCP_OK);
            ASSERT_EQ(without_mid(out), wanted);
            ASSERT_EQ(world.records(), records);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Calls, PacketMemory, testing::ValuesIn(kCalls),
                         [](const testing::TestParamInfo<Call> &info) { return info.param.name; });

}  // namespace
