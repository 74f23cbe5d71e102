// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A store that cannot be read or written for a while, and sessions that another process takes over.
// No acknowledged frame is lost, and nobody waits without end.
#include <unistd.h>

#include <filesystem>

#include "hub_place.h"
#include "peer_net.h"
#include "server/mcp/server.h"

namespace {

using hub_test::answer;
using hub_test::frame;
using hub_test::holds;
using hub_test::Place;

bool is_out = false;
const accp_store_backend *outage_table = nullptr;

accp_status write_unless_out(accp_store_write *writes, size_t count, accp_error *err, void *user) {
    return is_out ? ACCP_ERR_IO : outage_table->write(writes, count, err, user);
}

accp_status records_unless_out(accp_text session, uint64_t first, uint64_t last,
                               int32_t newest_first, accp_store_entry_function give, void *context,
                               accp_error *err, void *user) {
    return is_out ? ACCP_ERR_IO
                  : outage_table->records(session, first, last, newest_first, give, context, err,
                                          user);
}

// The example's back end keeps its places, so each test has another one.
std::string new_outage() {
    static int count = 0;
    return "outage" + std::to_string(++count);
}

// Lets time pass in steps of 100 ms.
void pass_time(Place &place, int64_t ms) {
    for (int64_t left = ms; left > 0; left -= 100) {
        place.now += 100;
        place.turn();
    }
}

class HubUnreadable : public testing::Test {
protected:
    HubUnreadable() : place_(Place::defaults(), table_.store()) {}
    ~HubUnreadable() override { is_out = false; }

    // Sends frames of plan, and returns them one to a line.
    std::string say(int from, int to) {
        std::string said;
        for (int n = from; n <= to; ++n) {
            const std::string one = frame("@plan>comp:a{n:1}", n);
            EXPECT_EQ(place_.post(100 + static_cast<uint64_t>(n), one), "204 ");
            said += one + "\n";
        }
        return said;
    }

    const hub_test::OtherTable table_{new_outage(), outage_table, &accp_store_backend::records,
                                      &records_unless_out};
    Place place_;
};

TEST_F(HubUnreadable, WhatCannotBeReadNowIsSentLaterAndInOrder) {
    const std::string before = say(1, 5);
    is_out = true;
    place_.join(1, "dev");
    EXPECT_EQ(place_.take(1), "");
    EXPECT_EQ(place_.hub->failure_reason(), "the store cannot be read");
    const std::string after = say(6, 6);
    pass_time(place_, 1000);
    EXPECT_EQ(place_.take(1), "");
    is_out = false;
    pass_time(place_, 1000);
    EXPECT_EQ(place_.take(1), before + after);
    EXPECT_EQ(place_.hub->failure_reason(), "");
}

TEST_F(HubUnreadable, AReplyThatCannotBeReadNowIsGivenLater) {
    const std::string asked = frame("@plan>req:dev{n:1}", 1, ",cid:c00000000001");
    place_.post(10, asked);
    EXPECT_EQ(place_.post(11, frame("@dev>done:dev{}", 1, ",cid:c00000000001")), "204 ");
    EXPECT_TRUE(holds(place_.take(10), "@dev>done:dev"));
    place_.post(12, frame("@qa>comp:a{}", 1));  // another record than the reply was read last
    is_out = true;
    EXPECT_EQ(place_.post(13, frame("@plan>req:dev{n:1}", 2, ",cid:c00000000001")), "");
    is_out = false;
    pass_time(place_, 1000);
    EXPECT_TRUE(holds(place_.take(13), "@dev>done:dev"));
}

TEST_F(HubUnreadable, ASessionIsOpenedOnlyIfItsLogCanBeRead) {
    const std::string before = say(1, 2);
    Place other(Place::defaults(), table_.store());
    is_out = true;
    const std::string told = other.post(1, frame("@plan>comp:a{n:1}", 3));
    EXPECT_TRUE(told.starts_with("503 ")) << told;
    is_out = false;
    other.join(2, "dev");
    EXPECT_EQ(other.take(2), before);
}

class HubUnwritable : public testing::Test {
protected:
    HubUnwritable() : place_(Place::defaults(), table_.store()) {}
    ~HubUnwritable() override { is_out = false; }

    const std::string name_ = new_outage();
    const hub_test::OtherTable table_{name_, outage_table, &accp_store_backend::write,
                                      &write_unless_out};
    Place place_;
};

TEST_F(HubUnwritable, ARequestThatIsNotDurableIsRefusedAfterASecond) {
    place_.post(9, frame("@plan>comp:a{n:1}", 1));
    is_out = true;
    EXPECT_EQ(place_.post(10, frame("@plan>req:dev{n:1}", 2)), "");
    pass_time(place_, 1500);
    const std::string told = place_.take(10);
    EXPECT_TRUE(told.starts_with("503 ") && holds(told, "retry:true|detail:IO")) << told;
    pass_time(place_, 60'000);
    EXPECT_EQ(place_.take(10), "") << "it got one reply";
}

TEST_F(HubUnwritable, ADurableRequestEndsAtItsDeadline) {
    place_.post(10, frame("@plan>req:dev{n:1}", 1));
    is_out = true;
    place_.post(11, frame("@plan>comp:a{n:1}", 2));
    pass_time(place_, 20'000);
    EXPECT_TRUE(place_.take(11).starts_with("503 "));
    EXPECT_EQ(place_.take(10), "");
    pass_time(place_, 6000);
    EXPECT_TRUE(place_.take(10).starts_with("503 "));
    is_out = false;
    pass_time(place_, 60'000);
    EXPECT_EQ(place_.take(10), "") << "it got one reply";
}

// The frame that could not be written belongs to a session that another gateway has taken over
// since.
TEST_F(HubUnwritable, FramesAreTakenAgainAfterTheOnlyUnwrittenSessionIsLost) {
    accp_error err = {};
    const accp_store_backend *own = nullptr;
    void *user = nullptr;
    accp_store *made = nullptr;
    hub_test::check(accp_store_backend_entry(name_.data(), name_.size(), 0, &own, &user, &err),
                    err);
    hub_test::check(accp_store_open_backend(own, user, 0, nullptr, &made, &err), err);
    const host::Handle<accp_store> store(made);
    hub_test::PeerNet net;
    hub_test::NetBus bus_of_this(net, "gwA"), bus_of_other(net, "gwB");
    Place other(Place::defaults(), store.get());
    place_.hub->join_gateways(bus_of_this);
    other.hub->join_gateways(bus_of_other);
    const auto pass_both = [&](int64_t ms) {
        for (int64_t left = ms; left > 0; left -= 100) {
            pass_time(place_, 100);
            pass_time(other, 100);
        }
    };
    EXPECT_EQ(place_.post(1, frame("@plan>comp:a{n:1}", 1), "s"), "204 ");
    EXPECT_EQ(place_.post(2, frame("@plan>comp:a{n:1}", 1), "t"), "204 ");
    place_.join(5, "dev");
    is_out = true;
    net.loses = [] { return true; };
    place_.hub->post(3, *place_.anybody(), "s", frame("@plan>comp:a{n:2}", 2), place_.now);
    pass_both(1500);
    EXPECT_TRUE(place_.take(3).starts_with("503 "));
    for (uint64_t i = 10; i < 12; ++i) {
        other.hub->post(i, *other.anybody(), "s", frame("@qa>comp:b{n:1}", 1), other.now);
        pass_both(3000);
    }
    EXPECT_EQ(other.take(11), "204 ") << "the other gateway has taken the session over";
    is_out = false;
    net.loses = [] { return false; };
    place_.now += 2000;  // the loop had stood still: it looks who owns its sessions
    pass_both(2000);
    EXPECT_EQ(place_.hub->failure_reason(), "");
    EXPECT_EQ(place_.post(20, frame("@plan>comp:a{n:2}", 2), "t"), "204 ");
}

TEST(HubTakenOver, AFrameThatIsLostIsNotAcknowledgedIfMcpOpensTheSessionAgain) {
    namespace fs = std::filesystem;
    const fs::path directory =
        fs::path(testing::TempDir()) / ("accp_taken_" + std::to_string(getpid()));
    fs::create_directory(directory);
    const std::string at = "sqlite:" + (directory / "taken.db").string();
    host::Handle<accp_store> stores[2];
    for (host::Handle<accp_store> &one : stores) {
        accp_error err = {};
        accp_store *made = nullptr;
        hub_test::check(accp_store_open(at.data(), at.size(), 0, nullptr, &made, &err), err);
        one.reset(made);
    }
    Place first(Place::defaults(), stores[0].get()), second(Place::defaults(), stores[1].get());
    EXPECT_EQ(first.post(9, frame("@plan>comp:z{n:0}", 1)), "204 ");
    first.hub->post(10, *first.anybody(), "s", frame("@plan>comp:a{n:1}", 2), first.now);
    EXPECT_EQ(second.post(20, frame("@qa>comp:d{n:4}", 1)), "204 ");  // takes the session over
    server::McpTools tools(first.house());
    server::McpClient client{server::Origin(*first.anybody())};
    client.session = "s";
    server::McpServer server(tools, client);
    std::vector<std::string> out;
    server.from_client(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"session_append",)"
        R"("arguments":{"messages":[{"agent":"me","intent":"esc","operation":"note","payload":{}}]},)"
        R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
        first.now, out);
    EXPECT_TRUE(out.size() == 1 && !holds(out[0], "rror")) << (out.empty() ? "" : out[0]);
    first.turn();
    const std::string told = first.take(10);
    EXPECT_TRUE(told.starts_with("503 ")) << told;
    EXPECT_EQ(first.post(11, frame("@plan>comp:a{n:1}", 2)), "204 ");
    fs::remove_all(directory);
}

// Mids are unique for each agent, so two requests may have the same.
TEST(Hub, RequestsOfTwoAgentsWithTheSameMidBothGetTheReply) {
    const std::string end = "[mid:a00000000001,seq:1,ts:1794000000]";
    Place place;
    for (uint64_t i = 0; i < 3; ++i)
        place.join(1 + i, std::vector<std::string>{"dev", "plan", "qa"}[i]);
    place.say(2, "@plan>req:dev{n:1}" + end);
    place.say(3, "@qa>req:dev{n:2}" + end);
    place.take(2);
    place.take(3);
    place.say(1, frame("@dev>done:dev{}", 1, ",cid:a00000000001"));
    EXPECT_TRUE(holds(place.take(2), "@dev>done:dev{}"));
    EXPECT_TRUE(holds(place.take(3), "@dev>done:dev{}"));
}

}  // namespace
