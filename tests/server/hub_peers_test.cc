// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Hubs with one store. Each forwards what belongs to a session that another hub has opened.
#include <algorithm>

#include "hub_place.h"
#include "peer_net.h"
#include "unit.h"

namespace {

using hub_test::answer;
using hub_test::frame;
using hub_test::Place;

class Gateways {
public:
    explicit Gateways(size_t count) {
        for (size_t i = 0; i < count; ++i) start();
    }
    ~Gateways() {
        while (!all_.empty()) all_.pop_back();  // the store belongs to the first one
    }

    // Starts another gateway and returns its number.
    size_t start() {
        accp_store *store = all_.empty() ? nullptr : all_[0]->place.store();
        all_.push_back(std::make_unique<Gateway>(net_, "gw" + std::to_string(all_.size()), store));
        all_.back()->place.now = now_;
        return all_.size() - 1;
    }
    // Simulates kill -9: the gateway neither sends nor receives any more.
    void kill(size_t number) {
        all_[number]->is_alive = false;
        net_.remove("gw" + std::to_string(number));
    }
    Place &operator[](size_t number) { return all_[number]->place; }
    bool is_alive(size_t number) const { return all_[number]->is_alive; }
    size_t count() const { return all_.size(); }
    hub_test::PeerNet &net() { return net_; }

    // Lets time pass. All gateways except `but` do their work.
    void pass(int64_t ms, size_t but = SIZE_MAX) {
        for (int64_t left = ms; left >= 0; left -= 100) {
            now_ += std::min<int64_t>(left, 100);
            for (int round = 0; round < 4; ++round)
                for (size_t i = 0; i < all_.size(); ++i) {
                    all_[i]->place.now = now_;
                    if (all_[i]->is_alive && i != but) all_[i]->place.turn();
                }
            if (!left) break;
        }
    }
    std::string post(size_t at, uint64_t connection, const std::string &text) {
        std::string told = all_[at]->place.post(connection, text);
        pass(0);
        return told + all_[at]->place.take(connection);
    }
    void join(size_t at, uint64_t connection, const std::string &agent) {
        all_[at]->place.join(connection, agent);
        pass(0);
    }

private:
    struct Gateway {
        Gateway(hub_test::PeerNet &net, const std::string &name, accp_store *store)
            : bus(net, name), place(Place::defaults(), store) {
            place.hub->join_gateways(bus);
        }
        hub_test::NetBus bus;
        Place place;
        bool is_alive = true;
    };

    hub_test::PeerNet net_;
    std::vector<std::unique_ptr<Gateway>> all_;
    int64_t now_ = 1'794'000'000'000;
};

// plan sends a request at one gateway, and dev, connection 1 of another one, answers it.
void expect_answer(Gateways &all, size_t asks, size_t answers, int seq) {
    constexpr uint64_t kAsking = 11;
    const std::string asked = frame("@plan>req:dev{task:x}", seq);
    EXPECT_EQ(all.post(asks, kAsking, asked), "");
    EXPECT_EQ(all[answers].take(1), asked + "\n");
    const std::string answered = answer("@dev>done:dev{ok:true}", 1, asked);
    all[answers].say(1, answered);
    all.pass(0);
    EXPECT_EQ(all[asks].take(kAsking), "200 " + answered);
}

TEST(HubPeers, AFrameGoesToAnAgentAtAnotherGatewayByteForByte) {
    Gateways all(2);
    const std::string first = frame("@plan>comp:begin{n:1}", 1);
    EXPECT_EQ(all.post(0, 10, first), "204 ");
    all.join(1, 1, "dev");
    EXPECT_EQ(all[1].take(1), first + "\n");
    expect_answer(all, 0, 1, 2);
}

TEST(HubPeers, ARequestAtAnotherGatewayWaitsForItsAnswer) {
    Gateways all(2);
    all.join(0, 1, "dev");
    expect_answer(all, 1, 0, 1);
    EXPECT_TRUE(
        hub_test::holds(all.post(1, 12, frame("@plan>req:dev{}", 9)), "400 @hub>fail:error"));
}

TEST(HubPeers, WhoLooksAtASessionOfAnotherGatewayLeavesItThere) {
    Gateways all(2);
    all.join(0, 1, "dev");
    EXPECT_EQ(all.post(0, 10, frame("@plan>comp:begin{n:1}", 1)), "204 ");
    for (uint64_t told = 1; told < 3; ++told) {
        uint64_t passed = 0;
        accp_error err = {};
        accp_session *seen = all[1].hub->open_view("s", all[1].now, passed, err);
        ASSERT_NE(seen, nullptr);
        EXPECT_EQ(passed, told);
        EXPECT_EQ(accp_session_record_count(seen), told);
        all.pass(1000);
        all[0].take(1);
        const std::string more = frame("@plan>comp:more{n:2}", 2);
        EXPECT_EQ(all.post(0, 10 + told, more).substr(0, 3), told == 1 ? "204" : "400");
    }
    EXPECT_EQ(all[0].take(1), "");
    EXPECT_NE(all[0].pool().find("s"), nullptr);
    EXPECT_EQ(all[1].pool().find("s"), nullptr);
}

TEST(HubPeers, WhatIsRefusedThereIsRefusedHere) {
    Gateways all(2);
    all.join(0, 1, "dev");
    server::Grant grant = *Place::anybody();
    grant.agents = "other";
    all[1].hub->post(10, grant, "s", frame("@plan>comp:x{n:1}", 1), all[1].now);
    all.pass(0);
    EXPECT_TRUE(hub_test::holds(all[1].take(10), "400 @hub>fail:error{code:E5001"));
    grant.may_write = false;
    all[1].hub->post(11, grant, "s", frame("@other>comp:x{n:1}", 1), all[1].now);
    all.pass(0);
    EXPECT_TRUE(hub_test::holds(all[1].take(11), "400 @hub>fail:error{code:E5001"));
}

TEST(HubPeers, AConfirmedFrameIsNotSentAgain) {
    Gateways all(2);
    const std::string first = frame("@plan>comp:begin{n:1}", 1);
    all.post(0, 10, first);
    all.join(1, 1, "dev");
    EXPECT_EQ(all[1].take(1), first + "\n");
    ASSERT_FALSE(all[1].pings[1].empty());
    all[1].hub->pong(1, all[1].pings[1]);
    all[1].hub->drained(1);
    all[1].hub->leave(1);
    all.pass(1200);
    all.join(1, 2, "dev");
    EXPECT_EQ(all[1].take(2), "");
    all[1].hub->leave(2);
    all.kill(0);
    all.pass(0);
    all.join(1, 3, "dev");  // the other gateway has the session now
    EXPECT_EQ(all[1].take(3), "");
}

TEST(HubPeers, WhenAGatewayDiesAnotherHasItsSessionsWithinTwoSeconds) {
    Gateways all(3);
    const std::string first = frame("@plan>comp:x{n:1}", 1), second = frame("@plan>comp:x{n:2}", 2);
    all.post(0, 10, first);
    all.join(1, 1, "dev");
    all[1].take(1);
    all.kill(0);
    all.pass(2000);
    EXPECT_EQ(all[1].take(1), "closed 1012");
    all[1].hub->leave(1);
    EXPECT_EQ(all.post(2, 11, second), "204 ");  // not yet aware of the death
    all.join(1, 2, "dev");
    EXPECT_EQ(all[1].take(2), first + "\n" + second + "\n");
}

TEST(HubPeers, AWaitingRequestIsToldWhenTheOtherGatewayDies) {
    Gateways all(2);
    all.join(0, 1, "dev");
    const std::string asked = frame("@plan>req:dev{task:x}", 1);
    EXPECT_EQ(all.post(1, 10, asked), "");
    all.pass(1000);
    all.kill(0);
    all.pass(2000);
    EXPECT_TRUE(hub_test::holds(all[1].take(10), "503 @hub>fail:error"));
    all.join(1, 2, "dev");
    EXPECT_EQ(all[1].take(2), asked + "\n");  // the request was stored
}

TEST(HubPeers, WhoTakesASessionByHandIsFoundByTheAgentsOfTheOther) {
    Gateways all(2);
    const std::string first = frame("@plan>comp:x{n:1}", 1);
    all.post(0, 10, first);
    all.join(0, 1, "dev");
    all[0].take(1);
    accp_error err = {};
    ASSERT_TRUE(all[1].pool().open("s", err));  // a tool of MCP does the same
    all.pass(200);
    EXPECT_EQ(all[0].take(1), "closed 1012");
    all[0].hub->leave(1);
    all.join(0, 2, "dev");
    EXPECT_EQ(all[0].take(2), first + "\n");
    const std::string second = frame("@plan>comp:x{n:2}", 2);
    EXPECT_EQ(all.post(1, 11, second), "204 ");
    EXPECT_EQ(all[0].take(2), second + "\n");
}

TEST(HubPeers, AGatewayThatStoodStillFindsThatItsSessionsAreTaken) {
    Gateways all(2);
    const std::string first = frame("@plan>comp:x{n:1}", 1), second = frame("@plan>comp:x{n:2}", 2);
    all.post(0, 10, first);
    all.join(0, 1, "qa");
    all[0].take(1);
    all.join(1, 1, "dev");
    all.pass(600);
    all.pass(2000, 0);
    EXPECT_EQ(all[1].take(1), first + "\nclosed 1012");
    all[1].hub->leave(1);
    EXPECT_EQ(all.post(1, 11, second), "204 ");
    all.pass(300);
    EXPECT_EQ(all[0].take(1), "closed 1012");
    all[0].hub->leave(1);
    all.join(0, 2, "qa");
    EXPECT_EQ(all[0].take(2), first + "\n" + second + "\n");
}

TEST(HubPeers, WhoEndsTellsThoseThatWait) {
    Gateways all(2);
    all.join(0, 1, "dev");
    all.join(1, 1, "qa");
    EXPECT_EQ(all.post(1, 10, frame("@plan>req:dev{task:x}", 1)), "");
    all[0].hub->shut_down(all[0].now);
    all.pass(0);
    EXPECT_TRUE(hub_test::holds(all[1].take(10), "503 @hub>fail:error"));
    EXPECT_TRUE(hub_test::holds(all[1].take(1), "closed 1001"));
    Gateways others(2);
    others.join(0, 1, "dev");
    EXPECT_EQ(others.post(1, 10, frame("@plan>req:dev{task:x}", 1)), "");
    others[1].hub->shut_down(others[1].now);
    others.pass(0);
    EXPECT_TRUE(hub_test::holds(others[1].take(10), "503 @hub>fail:error"));
}

// The notice arrives in the turn that should have made the accepted frame durable.
TEST(HubPeers, WhatIsTakenWhenASessionGoesElsewhereIsToldSo) {
    Gateways all(2);
    all.post(0, 10, frame("@plan>comp:x{n:1}", 1));
    all[0].hub->post(11, *Place::anybody(), {}, frame("@plan>comp:x{n:2}", 2), all[0].now);
    accp_error err = {};
    ASSERT_TRUE(all[1].pool().open("s", err));  // a tool of MCP does the same
    all[1].turn();
    all.pass(200);
    EXPECT_TRUE(hub_test::holds(all[0].take(11), "503 @hub>fail:error"));
    const std::string told = all.post(0, 12, frame("@plan>comp:x{n:2}", 2));
    EXPECT_TRUE(told == "204 " || hub_test::holds(told, "code:E3002")) << told;
}

// A client can put any bytes into a pong.
TEST(HubPeers, APongThatIsNoTextEndsNobodysConnection) {
    Gateways all(2);
    all.join(0, 1, "dev");
    all.join(1, 1, "qa");
    all[1].hub->pong(1, "\xFF\xFE");
    all.pass(300);
    EXPECT_EQ(all[1].take(1), "");
    expect_answer(all, 1, 0, 1);
}

// Agents at any of three gateways, compared with a list of the acknowledged frames. Gateways die,
// pause, and lose messages to each other.
class PeersModel {
public:
    explicit PeersModel(uint64_t seed) : random_(seed) {
        all_.net().loses = [this] { return loses_ && random_.next() % 200 == 0; };
    }

    void step() {
        switch (random_.next() % 12) {
            case 0: return change_gateways();
            case 1:
                still_ = random_.next() % 4 ? SIZE_MAX : random_.next() % all_.count();
                all_.pass(static_cast<int64_t>(random_.next() % 2500), still_);
                return;
            case 2: return confirm();
            case 3: return come_again(random_.next() % kAgents);
            default: return speak(random_.next() % kAgents);
        }
    }

    void finish() {
        loses_ = false;
        for (int round = 0; round < 4; ++round) {
            all_.pass(2500);
            for (size_t agent = 0; agent < kAgents; ++agent) read(agent);
        }
        for (size_t agent = 0; agent < kAgents; ++agent) {
            if (!at_[agent].connection) come_again(agent);
            for (int i = 0; i < 50; ++i) {
                all_[at_[agent].gateway].hub->drained(at_[agent].connection);
                all_.pass(0);
                read(agent);
            }
            check(agent);
        }
    }

private:
    static constexpr size_t kAgents = 4;
    struct At {
        size_t gateway = 0;
        uint64_t connection = 0;
    };

    size_t some_gateway() {
        size_t number = random_.next() % all_.count();
        while (!all_.is_alive(number)) number = (number + 1) % all_.count();
        return number;
    }
    static std::string name(size_t agent) { return std::string(1, static_cast<char>('a' + agent)); }

    void change_gateways() {
        if (random_.next() % 3) return;
        const size_t dies = some_gateway();
        if (dies == 0) return;  // it owns the store
        all_.kill(dies);
        for (At &at : at_)
            if (at.gateway == dies) at = {};
        if (all_.count() < 12) all_.start();
    }
    void come_again(size_t agent) {
        At &at = at_[agent];
        if (at.connection) all_[at.gateway].hub->leave(at.connection);
        at = {some_gateway(), ++connections_};
        all_.join(at.gateway, at.connection, name(agent));
        read(agent);
    }
    void confirm() {
        for (size_t agent = 0; agent < kAgents; ++agent) {
            const At &at = at_[agent];
            if (!at.connection || random_.next() % 2) continue;
            Place &place = all_[at.gateway];
            const std::string pong =
                "@" + name(agent) + ">pong:hb{}[mid:a00000000001,seq:0,ts:1794000000]";
            place.hub->on_frame(at.connection, pong, place.now);
            place.hub->pong(at.connection, place.pings[at.connection]);
            place.hub->drained(at.connection);
            all_.pass(0);
            read(agent);
        }
    }
    // Sends by HTTP until the frame is acknowledged.
    void speak(size_t agent) {
        const std::string text = frame("@" + name(agent) + ">comp:x{n:1}", ++counts_[agent]);
        for (int tries = 0; tries < 20; ++tries) {
            const uint64_t connection = ++connections_;
            const size_t gateway = some_gateway();
            std::string told = all_.post(gateway, connection, text);
            for (int i = 0; told.empty() && i < 40; ++i) {
                all_.pass(100);
                told = all_[gateway].take(connection);
            }
            all_[gateway].hub->leave(connection);
            EXPECT_FALSE(told.empty());
            const bool was_there = tries && hub_test::holds(told, "code:E3002");
            if (told == "204 " || was_there) {
                said_.push_back(text);
                break;
            }
            EXPECT_EQ(told.rfind("503 ", 0), 0u) << told;
            ASSERT_LT(tries, 19) << told;
        }
        for (size_t i = 0; i < kAgents; ++i) read(i);
    }
    void read(size_t agent) {
        At &at = at_[agent];
        if (!at.connection) return;
        const std::string told = all_[at.gateway].take(at.connection);
        for (size_t begin = 0, end; (end = told.find('\n', begin)) != std::string::npos;
             begin = end + 1) {
            const std::string line = told.substr(begin, end - begin);
            EXPECT_EQ(line.find("fail:error"), std::string::npos) << line;
            if (line.rfind("@hub>", 0) != 0) got_[agent].push_back(line);
        }
        if (!hub_test::holds(told, "closed ")) return;
        all_[at.gateway].hub->leave(at.connection);
        at = {};
    }
    // Checks that the agent got each frame of the others, in the order of acknowledgement.
    void check(size_t agent) {
        std::vector<std::string> first, wanted;
        for (const std::string &one : got_[agent])
            if (std::find(first.begin(), first.end(), one) == first.end()) first.push_back(one);
        for (const std::string &one : said_)
            if (one[1] != name(agent)[0]) wanted.push_back(one);
        EXPECT_EQ(first, wanted) << name(agent);
    }

    accp_unit::Random random_;
    bool loses_ = true;
    Gateways all_{3};
    At at_[kAgents];
    int counts_[kAgents] = {};
    std::vector<std::string> got_[kAgents], said_;
    size_t still_ = SIZE_MAX;
    uint64_t connections_ = 0;
};

TEST(HubPeers, WhatIsAcknowledgedComesToEverybodyInItsOrder) {
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        PeersModel model(seed);
        for (int i = 0; i < 150; ++i) {
            model.step();
            if (testing::Test::HasFailure()) return;
        }
        model.finish();
        if (testing::Test::HasFailure()) return;
    }
}

}  // namespace
