// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages of one gateway reach the other one once and in order, or both are notified of the loss.
#include "server/hub/peer_links.h"

#include <gtest/gtest.h>

#include "peer_net.h"
#include "unit.h"

namespace {

using server::PeerEvent;
using server::PeerNote;

PeerNote note(const std::string &text) {
    PeerNote made;
    made.kind = PeerNote::Kind::kHear;
    made.text = text;
    return made;
}

TEST(PeerNote, IsWhatWasPrinted) {
    PeerNote every;
    every.session = "s \"1\"\n";
    every.agent = "dev";
    every.text = "@a>req:x{k:\"ü\"}";
    every.agents = "a,b";
    every.trace = "00-1";
    every.connection = UINT64_MAX;
    every.status = -3;
    every.is_trusted = every.may_write = every.sees_all = every.is_last = true;
    for (int kind = 0; kind < PeerNote::kKinds; ++kind) {
        every.kind = static_cast<PeerNote::Kind>(kind);
        const server::PeerMessage head{"gw1", "3", "4", 7, {}};
        server::PeerMessage read;
        ASSERT_TRUE(server::read_message(
            server::print_message(head, server::print_note(every) + "," + server::print_note({})),
            read));
        EXPECT_EQ(read.from, "gw1");
        EXPECT_EQ(read.link, "3");
        EXPECT_EQ(read.heard, "4");
        EXPECT_EQ(read.number, 7u);
        ASSERT_EQ(read.notes.size(), 2u);
        EXPECT_EQ(server::print_note(read.notes[0]), server::print_note(every));
        EXPECT_EQ(read.notes[0].session, every.session);
        EXPECT_EQ(read.notes[0].text, every.text);
        EXPECT_EQ(read.notes[0].connection, every.connection);
        EXPECT_EQ(read.notes[0].status, every.status);
        EXPECT_TRUE(read.notes[0].is_trusted && read.notes[0].may_write && read.notes[0].sees_all &&
                    read.notes[0].is_last);
        EXPECT_EQ(read.notes[1].kind, PeerNote::Kind::kPost);
        EXPECT_FALSE(read.notes[1].is_trusted);
    }
}

TEST(PeerNote, WhatIsNoMessageIsNone) {
    for (const char *text :
         {"", "{", "[]", "{}", R"({"from":"a","link":"1"})",
          R"({"from":"a","link":"1","number":-1,"notes":[]})",
          R"({"from":"a","link":"1","number":1,"notes":[{"kind":"other"}]})",
          R"({"from":"a","link":"1","number":1,"notes":[{}]})",
          R"({"from":"a","link":"1","number":1,"notes":[{"kind":"post","connection":"x"}]})",
          R"({"from":"a","link":"1","number":1,"notes":[{"kind":"post","more":1}]})",
          R"({"from":"a","link":"1","number":1,"notes":[{"kind":"post","text":1}]})"}) {
        server::PeerMessage read;
        EXPECT_FALSE(server::read_message(text, read)) << text;
    }
}

TEST(PeerNote, AMessageThatWasChangedIsAnotherOrNone) {
    accp_unit::Random random(5);
    PeerNote said = note("@a>req:x{k:\"\\u00fc\"}");
    said.session = "s";
    const std::string whole =
        server::print_message({"gw1", "3", "4", 7, {}}, server::print_note(said));
    size_t read_count = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = whole;
        for (uint64_t changes = 1 + random.next() % 3; changes; --changes)
            text[random.next() % text.size()] = static_cast<char>(random.next() % 256);
        server::PeerMessage read;
        read_count += server::read_message(text, read);
    }
    EXPECT_GT(read_count, 100u);
    EXPECT_LT(read_count, 20'000u);
}

// Two gateways that exchange messages all the time, over a bus that loses some.
class Talk {
public:
    explicit Talk(uint64_t seed, unsigned loses_of_thousand)
        : random_(seed), loses_often_(loses_of_thousand != 0) {
        net_.loses = [this, loses_of_thousand] {
            return loses_ && random_.next() % 1000 < loses_of_thousand;
        };
    }

    void step() {
        now_ += static_cast<int64_t>(random_.next() % 200);
        Side &side = sides_[random_.next() % 2];
        for (int i = random_.next() % 60 == 0 && loses_often_ ? 20 : 0; i; --i) {
            now_ += 100;  // the other one makes no progress
            hear(side);
            side.links.flush(now_);
        }
        if (loses_often_ && random_.next() % 50 == 0)
            net_.miss(side.bus.self(), other(side).bus.self());
        if (random_.next() % 3) hear(side);
        for (uint64_t count = random_.next() % 4; count; --count)
            side.links.queue(other(side).bus.self(),
                             note(std::to_string(side.epoch) + "." + std::to_string(++side.said)),
                             now_);
        side.links.flush(now_);
    }
    // From here on nothing is lost, so each new message arrives.
    void finish() {
        loses_ = false;
        for (int i = 0; i < 40; ++i) step_both();
        for (Side &side : sides_) {
            const uint64_t before = other(side).heard_all;
            side.links.queue(other(side).bus.self(), note("0.0"), now_);
            side.links.flush(now_);
            hear(other(side));
            EXPECT_EQ(other(side).heard_all, before + 1);
        }
    }
    uint64_t heard() const { return sides_[0].heard_all + sides_[1].heard_all; }
    uint64_t lost() const { return sides_[0].epoch + sides_[1].epoch; }

private:
    struct Side {
        hub_test::NetBus bus;
        server::PeerLinks links{bus, [](const std::string &) { return true; }};
        uint64_t epoch = 0, said = 0;       // sent messages; each loss ends an epoch
        uint64_t last_epoch = 0, last = 0;  // received in its own epoch
        uint64_t heard_all = 0;
    };
    Side &other(const Side &side) { return &side == &sides_[0] ? sides_[1] : sides_[0]; }
    void step_both() {
        now_ += 100;
        for (Side &side : sides_) {
            hear(side);
            side.links.flush(now_);
        }
    }
    void hear(Side &side) {
        for (const PeerEvent &event : side.links.receive(now_)) {
            if (event.kind == PeerEvent::Kind::kSuspect) continue;
            if (event.kind != PeerEvent::Kind::kNote) {
                ++side.epoch;
                side.said = side.last = side.last_epoch = 0;
                continue;
            }
            ++side.heard_all;
            const uint64_t epoch = std::strtoull(event.note.text.c_str(), nullptr, 10);
            const uint64_t number =
                std::strtoull(event.note.text.c_str() + event.note.text.find('.') + 1, nullptr, 10);
            if (!number) continue;
            // between two detected losses it receives one epoch of the other, from its beginning
            EXPECT_EQ(number, side.last + 1) << event.note.text;
            EXPECT_TRUE(!side.last || epoch == side.last_epoch) << event.note.text;
            side.last = number;
            side.last_epoch = epoch;
        }
    }

    accp_unit::Random random_;
    bool loses_ = true, loses_often_;
    int64_t now_ = 1'794'000'000'000;
    hub_test::PeerNet net_;
    Side sides_[2] = {{{net_, "one"}}, {{net_, "two"}}};
};

TEST(PeerLinks, WhatIsLostIsKnownToBoth) {
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        Talk talk(seed, 30);
        for (int i = 0; i < 400; ++i) talk.step();
        talk.finish();
        EXPECT_GT(talk.heard(), 100u);
        EXPECT_GT(talk.lost(), 0u);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(PeerLinks, NothingIsLostByAnHonestBus) {
    Talk talk(1, 0);
    for (int i = 0; i < 1000; ++i) talk.step();
    talk.finish();
    EXPECT_EQ(talk.lost(), 0u);
}

struct Pair {
    hub_test::PeerNet net;
    hub_test::NetBus one{net, "one"};
    std::unique_ptr<hub_test::NetBus> two = std::make_unique<hub_test::NetBus>(net, "two");
    bool needed = true;
    server::PeerLinks links{one, [this](const std::string &) { return needed; }};
    server::PeerLinks theirs{*two, [this](const std::string &) { return needed; }};
    int64_t now = 1'794'000'000'000;

    void beat(bool both = true) {
        now += 200;
        events = links.receive(now);
        links.flush(now);
        if (!both) return;
        theirs.receive(now);
        theirs.flush(now);
    }
    std::vector<PeerEvent> events;
};

TEST(PeerLinks, WhoIsGoneIsKnownByTheNextMessage) {
    Pair pair;
    pair.links.queue("two", note("x"), pair.now);
    for (int i = 0; i < 4; ++i) pair.beat();
    pair.two.reset();
    for (int i = 0; i < 4 && pair.events.empty(); ++i) pair.beat(false);
    ASSERT_EQ(pair.events.size(), 1u);
    EXPECT_EQ(pair.events[0].kind, PeerEvent::Kind::kGone);
    EXPECT_FALSE(pair.events[0].has_received_nothing);
    EXPECT_TRUE(pair.links.is_gone("two"));
}

TEST(PeerLinks, WhatNobodyGotIsSaidToBeSo) {
    Pair pair;
    pair.two.reset();
    pair.links.queue("two", note("x"), pair.now);
    pair.beat(false);
    pair.beat(false);
    ASSERT_EQ(pair.events.size(), 1u);
    EXPECT_EQ(pair.events[0].kind, PeerEvent::Kind::kGone);
    EXPECT_TRUE(pair.events[0].has_received_nothing);
}

TEST(PeerLinks, WhoIsSilentIsGoneAndComesBack) {
    Pair pair;
    pair.links.queue("two", note("x"), pair.now);
    for (int i = 0; i < 4; ++i) pair.beat();
    const int64_t began = pair.now;
    while (pair.events.empty()) pair.beat(false);
    EXPECT_EQ(pair.events[0].kind, PeerEvent::Kind::kGone);
    EXPECT_LE(pair.now - began, 2000);
    pair.now += 200;
    const std::vector<PeerEvent> theirs = pair.theirs.receive(pair.now);
    ASSERT_FALSE(theirs.empty());  // it was suspended
    EXPECT_EQ(theirs[0].kind, PeerEvent::Kind::kSuspect);
    pair.theirs.queue("one", note("y"), pair.now);
    pair.theirs.flush(pair.now);
    pair.beat();
    EXPECT_FALSE(pair.links.is_gone("two"));
}

TEST(PeerLinks, WhoIsNotNeededIsForgottenAndNotGone) {
    Pair pair;
    pair.needed = false;
    pair.links.queue("two", note("x"), pair.now);
    for (int i = 0; i < 30; ++i) {
        pair.beat();
        EXPECT_TRUE(pair.events.empty());
    }
    EXPECT_EQ(pair.links.count() + pair.theirs.count(), 0u);
    EXPECT_FALSE(pair.links.is_gone("two") || pair.theirs.is_gone("one"));
}

}  // namespace
