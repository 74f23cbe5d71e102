// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A hub under random agents, compared with a slow and simple model: a list of all frames, from
// which the frames for each agent follow.
#include <algorithm>
#include <set>

#include "hub_place.h"
#include "unit.h"

namespace {

constexpr const char *kAgents[] = {"anna", "bert", "cleo", "dora"};
constexpr size_t kAgentCount = std::size(kAgents);

struct Said {
    std::string frame, by, to;  // to: empty: all agents
};

class Model {
public:
    explicit Model(uint64_t seed) : random_(seed) { place_ = std::make_unique<hub_test::Place>(); }

    void step() {
        switch (random_.next() % 12) {
            case 0: return come();
            case 1: return go();
            case 2: return wait();
            case 3: return confirm();
            case 4: return restart();
            default: return speak();
        }
    }

    // All agents reconnect and read until nothing is left.
    void finish() {
        for (size_t agent = 0; agent < kAgentCount; ++agent) {
            if (!at_[agent]) join(agent);
            for (int i = 0; i < 200; ++i) {
                const size_t before = got_[agent].size();
                place_->hub->drained(at_[agent]);
                place_->turn();
                hear(agent);
                if (got_[agent].size() == before) break;
            }
            check(agent);
        }
        place_->now += 25'100;
        place_->turn();
        take_answers();
        EXPECT_EQ(answered_.size(), asked_);
    }

private:
    void join(size_t agent) {
        at_[agent] = ++connections_;
        place_->join(at_[agent], kAgents[agent]);
        hear(agent);
    }
    void come() {
        const size_t agent = random_.next() % kAgentCount;
        if (!at_[agent]) join(agent);
    }
    void go() {
        const size_t agent = random_.next() % kAgentCount;
        if (!at_[agent]) return;
        place_->hub->leave(at_[agent]);
        at_[agent] = 0;
    }
    void wait() {
        place_->now += static_cast<int64_t>(random_.next() % 30'000);
        place_->turn();
        for (size_t agent = 0; agent < kAgentCount; ++agent) {
            if (!at_[agent]) continue;
            const std::string pong = std::string("@") + kAgents[agent] +
                                     ">pong:hb{}[mid:a00000000001,seq:0,ts:1794000000]";
            place_->say(at_[agent], pong);  // otherwise the hub would close its connection
            hear(agent);
        }
        take_answers();
    }
    void confirm() {
        for (size_t agent = 0; agent < kAgentCount; ++agent) {
            if (!at_[agent] || random_.next() % 2) continue;
            place_->hub->pong(at_[agent], place_->pings[at_[agent]]);
            place_->hub->drained(at_[agent]);
            place_->turn();
            hear(agent);
        }
    }
    // Starts another hub on the same store. Waiting requests are forgotten.
    void restart() {
        if (random_.next() % 8) return;
        for (size_t agent = 0; agent < kAgentCount; ++agent) at_[agent] = 0;
        asked_ -= waiting_.size();
        waiting_.clear();
        place_->turn();
        const int64_t now = place_->now;
        old_.push_back(std::move(place_));
        place_ =
            std::make_unique<hub_test::Place>(hub_test::Place::defaults(), old_.front()->store());
        place_->now = now;
    }

    void speak() {
        const size_t by = random_.next() % kAgentCount, to = random_.next() % kAgentCount;
        const bool by_http = !at_[by] || random_.next() % 2;
        std::string text = std::string("@") + kAgents[by], more, addressee;
        const Said *question = random_.next() % 2 ? find_question(by) : nullptr;
        bool waits = false;
        if (question) {
            text += ">done:work{n:1}";
            more = ",cid:" + hub_test::mid_of(question->frame);
            addressee = question->by;
        } else if (random_.next() % 2 && to != by) {
            text += std::string(">req:work{who:") + kAgents[to] + "}";
            addressee = kAgents[to];
            waits = by_http;
        } else {
            text += ">comp:part{n:2}";
        }
        const std::string frame = hub_test::frame(text, ++counts_[by], more);
        said_.push_back({frame, kAgents[by], addressee});
        if (waits) {
            waiting_[++connections_] = frame;
            ++asked_;
        }
        const uint64_t connection = by_http && !waits ? ++connections_
                                    : waits           ? connections_
                                                      : at_[by];
        if (by_http) {
            const std::string told = place_->post(connection, frame);
            if (!waits) EXPECT_EQ(told, "204 ") << frame;
            else if (!told.empty()) end_of_request(connection, told);
        } else {
            place_->say(at_[by], frame);
        }
        for (size_t agent = 0; agent < kAgentCount; ++agent) hear(agent);
        take_answers();
    }

    // A request to this agent that it has not answered.
    const Said *find_question(size_t by) {
        for (const Said &one : said_) {
            const bool is_for_it =
                one.to == kAgents[by] && one.frame.find(">req:") != std::string::npos;
            if (is_for_it && done_.insert(one.frame).second) return &one;
        }
        return nullptr;
    }
    void take_answers() {
        for (auto at = waiting_.begin(); at != waiting_.end();) {
            const std::string told = place_->take(at->first);
            const uint64_t connection = at->first;
            ++at;
            if (!told.empty()) end_of_request(connection, told);
        }
    }
    void end_of_request(uint64_t connection, const std::string &told) {
        const std::string mid = hub_test::mid_of(waiting_[connection]);
        EXPECT_EQ(told.rfind("200 ", 0), 0u) << told;
        EXPECT_NE(told.find("cid:" + mid), std::string::npos) << told;
        EXPECT_TRUE(answered_.insert(connection).second);
        waiting_.erase(connection);
    }
    void hear(size_t agent) {
        if (!at_[agent]) return;
        const std::string told = place_->take(at_[agent]);
        for (size_t begin = 0, end; (end = told.find('\n', begin)) != std::string::npos;
             begin = end + 1) {
            const std::string frame = told.substr(begin, end - begin);
            if (frame[0] == '@' && frame.rfind("@hub>", 0) != 0) got_[agent].push_back(frame);
            EXPECT_EQ(frame.find("fail:error"), std::string::npos) << frame;
        }
    }
    // Checks that the agent got all frames of the model and no others. Their order, by first
    // arrival, is that of the model.
    void check(size_t agent) {
        std::vector<std::string> last, wanted;
        std::set<std::string> seen;
        for (auto at = got_[agent].rbegin(); at != got_[agent].rend(); ++at)
            if (seen.insert(*at).second) last.push_back(*at);
        std::reverse(last.begin(), last.end());
        for (const Said &one : said_)
            if (one.by != kAgents[agent] && (one.to.empty() || one.to == kAgents[agent]))
                wanted.push_back(one.frame);
        std::sort(last.begin(), last.end());
        std::vector<std::string> sorted = wanted;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(last, sorted) << kAgents[agent];
        std::vector<std::string> first;
        seen.clear();
        for (const std::string &one : got_[agent])
            if (seen.insert(one).second) first.push_back(one);
        EXPECT_EQ(first, wanted) << kAgents[agent];
    }

    accp_unit::Random random_;
    std::vector<std::unique_ptr<hub_test::Place>> old_;
    std::unique_ptr<hub_test::Place> place_;
    std::vector<Said> said_;
    std::set<std::string> done_;
    uint64_t at_[kAgentCount] = {};
    int counts_[kAgentCount] = {};
    std::vector<std::string> got_[kAgentCount];
    std::map<uint64_t, std::string> waiting_;
    std::set<uint64_t> answered_;
    uint64_t connections_ = 100;
    size_t asked_ = 0;
};

TEST(HubModel, EverybodyGetsWhatIsForThem) {
    for (uint64_t seed = 1; seed <= (ACCP_SANITIZED ? 20 : 100); ++seed) {
        SCOPED_TRACE(seed);
        Model model(seed);
        for (int i = 0; i < 300; ++i) model.step();
        model.finish();
        if (HasFailure()) return;
    }
}

}  // namespace
