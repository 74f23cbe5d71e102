// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random plans against the slow model: results in any order, late, twice and for other calls,
// timeouts, and death at any record. Every plan must end as in the model. ACCP_PLANS sets their
// number, ACCP_PLAN_SEED the first seed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "sacp/run/random_plan.h"
#include "sacp/run/scripted.h"

using namespace accp;
using namespace accp_test;
using sacp::Effect;
using sacp::Reception;

namespace {

uint64_t from_environment(const char *name, uint64_t otherwise) {
    const char *given = std::getenv(name);
    return given ? std::strtoull(given, nullptr, 10) : otherwise;
}

struct ModelLibrary {
    ModelLibrary() : library(memory) {
        sacp::Verdict verdict(memory);
        EXPECT_TRUE(library.read(kModelLibrary, UINT32_MAX, verdict)) << verdict.details();
    }
    Memory memory{private_allocator(), UINT64_MAX};
    sacp::Library library;
};

// Runs a plan in a process that dies now and then.
class Driven {
public:
    Driven(RandomPlan &plan, const sacp::Library &library, uint64_t seed, uint32_t deaths)
        : plan_(plan), library_(library), random_(seed), deaths_(deaths) {}

    // Every tool is an agent that gets messages and replies to them.
    void use_agents() { by_agents_ = true; }

    // Runs to the end, or cancels before event number `cancel`.
    void run(uint32_t cancel = UINT32_MAX) {
        make();
        run_->start("id " + std::to_string(random_.next()), now_);
        for (uint32_t events = 0; !ended_; ++events) {
            ASSERT_LT(events, 100000u) << "it does not end";
            if (!take_effects()) continue;  // it died
            if (ended_) break;
            if (events == cancel) return cancel_it();
            happen();
            if (::testing::Test::HasFatalFailure()) return;
        }
        Buffer<char> trace(*memory_);
        run_->write_trace(trace);
        traced = accp_unit::text_of(trace);
        ended_with = final();
        EXPECT_EQ(run_->next(now_).kind, Effect::kNone);
        EXPECT_EQ(run_->calls(), 0u);
    }

    std::string traced, ended_with;
    uint32_t called = 0;

private:
    struct Call {
        uint64_t number;
        std::string path, tool, key;
        uint32_t tries;
        uint64_t due;
        std::string params = {}, request = {};  // empty: no message, because it is a join
    };

    void make() {
        run_.reset();
        memory_ = std::make_unique<Memory>(private_allocator(), UINT64_MAX);
        run_ = std::make_unique<sacp::Run>(*memory_);
        sacp::Verdict verdict(*memory_);
        ASSERT_TRUE(run_->policy().read(plan_.policy(), UINT32_MAX, verdict));
        ASSERT_TRUE(run_->read(plan_.message.json(), UINT32_MAX, library_, true, verdict))
            << verdict.details() << "\n"
            << plan_.message.json();
    }

    // Returns false if the process died and resumed.
    bool take_effects() {
        for (;;) {
            const Effect effect = run_->next(now_);
            if (effect.kind == Effect::kNone) return true;
            if (effect.kind == Effect::kEnded) return ended_ = true;
            if (effect.kind == Effect::kCall) {
                EXPECT_FALSE(run_->ended());
                ++called;
                calls_.push_back({effect.call, std::string(effect.path), std::string(effect.tool),
                                  std::string(effect.key), tries_[std::string(effect.path)],
                                  effect.due});
                EXPECT_LE(calls_.size(), plan_.max_parallel());
                check_key(calls_.back());
                if (by_agents_) ask(effect);
            }
            if (effect.kind == Effect::kStop) forget(effect.call);
            if (effect.kind != Effect::kRecord) continue;
            // before or after the record is durable
            const bool dies = deaths_ && !random_.below(deaths_);
            if (!dies || random_.below(2)) keep(effect.text);
            if (dies) return die(), false;
        }
    }

    void keep(std::string_view record) {
        records_.emplace_back(record);
        Json json(record);
        const uint32_t step = json.find("step");
        if (step) ++tries_[std::string(json.tree().string(step))];
    }

    void die() {
        calls_.clear();
        replies_.clear();  // if its record was lost too, the reply counts again
        if (records_.empty()) {
            make();
            return run_->start("id " + std::to_string(random_.next()), now_);
        }
        make();
        for (size_t i = 0; i < records_.size(); ++i) {
            if (!random_.below(
                    50)) {  // a record that is not the next one is refused without effect
                const std::string torn = records_[i].substr(0, random_.below(records_[i].size()));
                EXPECT_EQ(run_->replay(torn), Reception::kRefused);
                if (i) {
                    EXPECT_EQ(run_->replay(records_[random_.below(i)]), Reception::kRefused);
                }
            }
            ASSERT_EQ(run_->replay(records_[i]), Reception::kAccepted) << records_[i];
        }
    }

    std::string final() {
        Buffer<char> out(*memory_);
        run_->write_final(out);
        return accp_unit::text_of(out);
    }

    // Only stops may follow, and a run that resumes from the log has also ended.
    void cancel_it() {
        run_->cancel(++now_);
        std::set<uint64_t> going_on;
        for (const Call &call : calls_) going_on.insert(call.number);
        for (;;) {
            const Effect effect = run_->next(now_);
            ASSERT_NE(effect.kind, Effect::kCall);
            ASSERT_NE(effect.kind, Effect::kNone);
            if (effect.kind == Effect::kEnded) break;
            if (effect.kind == Effect::kStop) {
                EXPECT_EQ(going_on.erase(effect.call), 1u);
            }
            if (effect.kind == Effect::kRecord) keep(effect.text);
        }
        EXPECT_TRUE(going_on.empty());
        for (const Call &call : calls_)
            EXPECT_EQ(run_->complete(call.number, {}, "1", now_), Reception::kLate);
        ended_with = final();
        die();
        EXPECT_EQ(run_->next(now_).kind, Effect::kEnded);
        EXPECT_EQ(final(), ended_with);
    }

    // The key is the same for each try of a tool for a step, and unique otherwise.
    void check_key(const Call &call) {
        const std::string whose = call.path + " " + call.tool;
        if (records_.empty()) return;
        const auto known = keys_.find(whose);
        if (known != keys_.end()) {
            EXPECT_EQ(known->second, call.key);
        } else {
            keys_[whose] = call.key;
            EXPECT_TRUE(seen_.insert(call.key).second) << "a key twice";
        }
    }

    // The agent of a tool has the name of the tool.
    void ask(const Effect &effect) {
        Call &call = calls_.back();
        call.params = effect.text;
        Buffer<char> out(*memory_);
        const sacp::RequestStatus made = run_->write_request(call.number, {call.tool, ""}, out);
        ASSERT_EQ(made, effect.verb == "join" ? sacp::RequestStatus::kJoin
                                              : sacp::RequestStatus::kWritten);
        if (effect.verb == "join") return;
        call.request = accp_unit::text_of(out);
        Json json(call.request);
        const std::string id(json.tree().string(json.find("msg_id"))),
            whose = call.path + " " + call.tool + " " + std::to_string(call.tries);
        if (records_.empty()) return;
        const auto known = ids_.emplace(whose, id);
        EXPECT_EQ(known.first->second, id) << whose;
    }

    // The reply of an agent that runs the request as its own plan with the same call.
    std::string reply_of(const Call &call, const Brought &brought) {
        Json json(call.request);
        const std::string id = json.json(json.find("msg_id"));
        if (brought.kind == Brought::kNoAgent)
            return R"({"status":"ERR","code":"NO_AGENT","details":"d","reply_to":)" + id + "}";
        if (brought.kind == Brought::kFailed && random_.below(2))
            return R"({"status":"REQ_CLARIFY","need":["x"],"reply_to":)" + id + "}";
        sacp::Run agent(*memory_);
        sacp::Verdict verdict(*memory_);
        EXPECT_TRUE(agent.policy().read(R"({"retries":0,"fallback":false})", 99, verdict));
        EXPECT_TRUE(agent.read(call.request, UINT32_MAX, library_, true, verdict) &&
                    verdict.valid())
            << call.request;
        agent.start("agent", now_);
        Effect effect = agent.next(now_);
        while (effect.kind == Effect::kRecord) effect = agent.next(now_);
        EXPECT_EQ(effect.text, call.params) << call.request;
        EXPECT_EQ(effect.tool, call.tool);
        if (brought.kind == Brought::kOk)
            agent.complete(effect.call, {}, brought.value.json(), now_);
        else agent.fail(effect.call, {}, sacp::Outcome::kToolFailed, "no", now_);
        Buffer<char> out(*memory_);
        agent.write_reply("r", out);
        return accp_unit::text_of(out);
    }

    // A result that does not match a call has no effect at any time.
    void answer_falsely(const Call &call) {
        Buffer<char> before(*memory_), after(*memory_);
        run_->write_trace(before);
        const uint32_t calls = run_->calls();
        const std::string reply = reply_of(call, {Brought::kOk, {}});
        std::string other = reply;
        const size_t id = other.find("\"reply_to\":\"") + 12;
        other[id + random_.below(other.find('"', id) - id)] = 'g';  // no digit of any id
        EXPECT_EQ(run_->receive("ANOTHER", reply, now_), Reception::kWrongSender);
        EXPECT_EQ(run_->receive(call.tool, other, now_), Reception::kLate) << other;
        EXPECT_EQ(run_->receive(call.tool, reply.substr(0, random_.below(reply.size())), now_),
                  Reception::kRefused);
        for (const std::string &old : replies_)
            EXPECT_EQ(run_->receive({}, old, now_), Reception::kLate) << old;
        run_->write_trace(after);
        EXPECT_EQ(before.view(), after.view());
        EXPECT_EQ(run_->calls(), calls);
        EXPECT_FALSE(run_->has_records());
    }

    void forget(uint64_t number) {
        for (size_t i = 0; i < calls_.size(); ++i)
            if (calls_[i].number == number) calls_.erase(calls_.begin() + static_cast<long>(i));
    }

    void happen() {
        if (calls_.empty()) {
            ASSERT_NE(run_->due(), sacp::kNever) << plan_.message.json();
            run_->tick(now_ = run_->due());
            return;
        }
        const Call call = calls_[random_.below(calls_.size())];
        const Brought brought = plan_.rules.call(call.path, call.tool, call.tries);
        now_ += random_.below(20);
        if (!random_.below(10)) {
            EXPECT_EQ(run_->complete(call.number, "ANOTHER", "1", now_), Reception::kWrongSender);
        }
        if (brought.kind == Brought::kTimeout) {
            // only if no other call has to complete first
            for (const Call &other : calls_)
                if (plan_.rules.call(other.path, other.tool, other.tries).kind != Brought::kTimeout)
                    return answer(other);
            run_->tick(now_ = run_->due());
            if (now_ >= call.due) {
                EXPECT_EQ(run_->complete(call.number, {}, "1", now_), Reception::kLate);
                if (!call.request.empty()) {
                    replies_.push_back(reply_of(call, {Brought::kOk, {}}));
                    EXPECT_EQ(run_->receive(call.tool, replies_.back(), now_), Reception::kLate);
                }
            }
            return;
        }
        answer(call);
    }

    void answer(const Call call) {
        const Brought brought = plan_.rules.call(call.path, call.tool, call.tries);
        const bool by_message = !call.request.empty();
        if (by_message && !random_.below(10)) answer_falsely(call);
        const std::string reply = by_message ? reply_of(call, brought) : std::string();
        if (by_message) replies_.push_back(reply);
        const auto tell = [&] {
            if (by_message) return run_->receive(call.tool, reply, now_);
            return brought.kind == Brought::kOk
                       ? run_->complete(call.number, call.tool, brought.value.json(), now_)
                       : run_->fail(call.number, call.tool,
                                    brought.kind == Brought::kNoAgent ? sacp::Outcome::kNoAgent
                                                                      : sacp::Outcome::kToolFailed,
                                    "because", now_);
        };
        forget(call.number);
        EXPECT_EQ(tell(), Reception::kAccepted);
        if (!random_.below(10)) {
            EXPECT_EQ(tell(), Reception::kLate);
        }
    }

    RandomPlan &plan_;
    const sacp::Library &library_;
    accp_unit::Random random_;
    uint32_t deaths_;  // one in so many records; 0: none
    uint64_t now_ = 1000;
    std::unique_ptr<Memory> memory_;
    std::unique_ptr<sacp::Run> run_;
    std::vector<Call> calls_;
    std::vector<std::string> records_;
    std::map<std::string, uint32_t> tries_;
    std::map<std::string, std::string> keys_;
    std::set<std::string> seen_;
    std::map<std::string, std::string> ids_;
    std::vector<std::string> replies_;  // accepted or too late
    bool ended_ = false;
    bool by_agents_ = false;
};

TEST(RandomPlans, EndAsTheModelSays) {
    ModelLibrary known;
    const uint64_t first = from_environment("ACCP_PLAN_SEED", 1),
                   count = from_environment("ACCP_PLANS", ACCP_SANITIZED ? 500 : 5000);
    for (uint64_t seed = first; seed < first + count; ++seed) {
        RandomPlan plan(seed);
        SlowModel model(plan.rules);
        model.run(plan.message);
        Driven driven(plan, known.library, seed,
                      static_cast<uint32_t>(seed % 4 ? seed % 4 * 2 - 1 : 0));
        driven.run();
        ASSERT_FALSE(::testing::Test::HasFailure()) << seed << " " << plan.message.json();
        ASSERT_EQ(driven.traced, model.trace) << seed << " " << plan.message.json();
        ASSERT_EQ(driven.ended_with, model.final) << seed << " " << plan.message.json();
    }
}

TEST(RandomPlans, EndTheSameWhereEveryToolIsAnAgent) {
    ModelLibrary known;
    const uint64_t count = from_environment("ACCP_PLANS", ACCP_SANITIZED ? 200 : 1500);
    for (uint64_t seed = 1; seed < 1 + count; ++seed) {
        RandomPlan plan(seed);
        SlowModel model(plan.rules);
        model.run(plan.message);
        Driven driven(plan, known.library, seed,
                      static_cast<uint32_t>(seed % 4 ? seed % 4 * 2 - 1 : 0));
        driven.use_agents();
        driven.run();
        ASSERT_FALSE(::testing::Test::HasFailure()) << seed << " " << plan.message.json();
        ASSERT_EQ(driven.traced, model.trace) << seed << " " << plan.message.json();
        ASSERT_EQ(driven.ended_with, model.final) << seed << " " << plan.message.json();
    }
}

TEST(RandomPlans, CancelStopsWithinOneEvent) {
    ModelLibrary known;
    for (uint64_t seed = 1; seed < (ACCP_SANITIZED ? 200 : 2000); ++seed) {
        RandomPlan plan(seed);
        Driven driven(plan, known.library, seed, seed % 2 ? 0 : 3);
        driven.run(static_cast<uint32_t>(seed % 7));
        ASSERT_FALSE(::testing::Test::HasFailure()) << seed << " " << plan.message.json();
    }
}

TEST(RandomPlans, CallNothingInADryRun) {
    ModelLibrary known;
    for (uint64_t seed = 1; seed < (ACCP_SANITIZED ? 200 : 2000); ++seed) {
        RandomPlan plan(seed);
        for (auto &[name, value] : plan.message.items)
            if (name == "test_mode") value.kind = 't';
        if (!plan.message.find("test_mode")) plan.message.set("test_mode", {'t', {}, {}});
        SlowModel model(plan.rules);
        model.run(plan.message);
        Driven driven(plan, known.library, seed, 0);
        driven.run();
        ASSERT_EQ(driven.called, 0u);
        ASSERT_EQ(driven.traced, model.trace) << seed << " " << plan.message.json();
        ASSERT_EQ(driven.ended_with, model.final) << seed << " " << plan.message.json();
    }
}

}  // namespace
