// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The engine and the slow model agree after every operation of random streams: frames in every
// state of order, time, chain and schema, deltas, refs, clock steps, and reopened sessions.
// ACCP_MODEL_STEPS sets the number of operations.
#include <cstdlib>
#include <random>

#include "session/session_model.h"
#include "session/sessions.h"

using namespace accp_sessions;
using accp_session_model::Frame;
using accp_session_model::Model;

namespace {

class Script {
public:
    Script(uint64_t seed, bool by_sender) : random_(seed), store_(open_store()) {
        model_.id = "s";
        model_.by_sender = by_sender;
        EngineConfig config(store_.get());
        config.rule(ACCP_RULE_DEADLINE_MS, model_.timeout_ms);
        // messages in parts by the rule, or because both sides are of this engine
        if (seed % 2) config.rule(ACCP_RULE_PARTS, 1);
        else flags_ = ACCP_SESSION_LOCAL;
        engine_ = open_engine(config.rule(ACCP_RULE_BY_SENDER, by_sender));
        session_ = open_session(engine_.get(), "s", flags_);
    }

    int stopped() const { return stopped_; }
    int answered() const { return answered_; }

    void run(int steps) {
        for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
            switch (one_of(20)) {
                case 0: now_ += static_cast<int64_t>(one_of(8000)); break;
                case 1: put_value(); break;
                case 2: ask(); break;
                case 3: reopen(); break;
                case 4: checkpoint(); break;
                case 5: ask_the_other_side(); break;
                case 6:
                    ASSERT_EQ(accp_session_expire(session_.get(), now_, nullptr), ACCP_OK);
                    model_.expire(now_);
                    break;
                case 7: abandon(); break;
                default: take(); break;
            }
            compare();
        }
    }

private:
    uint64_t one_of(uint64_t count) { return random_() % count; }
    bool chance(uint64_t in) { return one_of(in) == 0; }
    std::string pick(std::initializer_list<const char *> from) {
        return *(from.begin() + one_of(from.size()));
    }

    void take() {
        Frame frame = chance(12) && !sent_.empty() ? sent_[one_of(sent_.size())] : make();
        accp_error error = {};
        accp_status wanted = model_.receive(frame, now_);
        accp_status got = receive(session_.get(), frame.text, now_, &error);
        ASSERT_EQ(got, wanted) << frame.text << " " << (error.message ? error.message : "");
        if (sent_.size() < 200) sent_.push_back(frame);
        else sent_[one_of(200)] = frame;
    }

    Frame make() {
        Frame frame;
        frame.agent = pick({"a", "a", "c", "d"});
        const int64_t next = model_.next(frame.agent);
        frame.intent = chance(40)
                           ? "please"
                           : pick({"req", "req", "done", "wait", "ack", "cancel", "sync", "sync"});
        frame.operation = frame.intent == "sync" ? "state" : "plan";
        std::string digits = std::to_string(++counter_);
        frame.mid = chance(40) ? "abc" : "b" + std::string(11 - digits.size(), '0') + digits;
        // perhaps of another agent
        if (chance(12) && !sent_.empty()) frame.mid = sent_[one_of(sent_.size())].mid;
        frame.seq = chance(3) ? next + static_cast<int64_t>(one_of(5)) - 1 : next;
        if (chance(60)) frame.seq = next + 60 + static_cast<int64_t>(one_of(10));
        if (chance(200)) frame.seq = INT64_MAX - 2 + static_cast<int64_t>(one_of(2));
        frame.ts = now_ / 1000 - static_cast<int64_t>(one_of(4));
        if (chance(50)) frame.ts += 400;
        if (chance(8)) frame.ttl = 1 + static_cast<int64_t>(one_of(4));
        if (chance(2)) frame.cid = "c" + std::to_string(one_of(6) + counter_ / 40);
        if (chance(3) && !sent_.empty()) frame.aid = sent_[one_of(sent_.size())].mid;
        if (chance(20)) frame.sid = pick({"s", "other"});
        if (frame.intent == "req" && chance(3)) {
            frame.cid = "p" + std::to_string(one_of(3) + counter_ / 200);
            frame.parts = 2 + static_cast<int>(one_of(2));
            frame.part = static_cast<int>(one_of(static_cast<uint64_t>(frame.parts)));
        }
        write(frame);
        return frame;
    }

    void write(Frame &frame) {
        std::string payload =
            (frame.parts ? "n" + std::to_string(counter_) : "n") + ":" + std::to_string(counter_);
        if (frame.intent == "sync") payload = state_change(frame);
        if (frame.intent == "cancel") {
            frame.cancels =
                frame.cid.empty() ? "c" + std::to_string(one_of(6) + counter_ / 40) : frame.cid;
            if (frame.cid.empty()) payload += "|cid:" + frame.cancels;
        }
        if (!frame.parts && chance(15)) {
            frame.ref = pick({"warm.k1", "hot.k2", "cold.k3", "ctx.k1"});
            payload += "|r:$" + frame.ref;
        }
        if (chance(25)) {
            payload += "|schema:ZZ";
            frame.fault = ACCP_E1003;
        }
        frame.text = "@" + frame.agent + ">" + frame.intent + ":" + frame.operation + "{" +
                     payload + "}[mid:" + frame.mid + ",seq:" + std::to_string(frame.seq) +
                     ",ts:" + std::to_string(frame.ts);
        for (auto &[name, value] : {std::pair<const char *, const std::string &>{"cid", frame.cid},
                                    {"aid", frame.aid},
                                    {"sid", frame.sid}})
            if (!value.empty()) frame.text += std::string(",") + name + ":" + value;
        if (frame.ttl) frame.text += ",ttl:" + std::to_string(frame.ttl);
        if (frame.parts)
            frame.text +=
                ",fi:" + std::to_string(frame.part) + ",ft:" + std::to_string(frame.parts);
        frame.text += "]";
    }

    std::string state_change(Frame &frame) {
        frame.whole = chance(4);
        if (frame.whole && chance(20)) frame.seq = next_far(frame);
        frame.version = std::max<int64_t>(
            1, model_.version + 1 + (chance(6) ? static_cast<int64_t>(one_of(3)) - 1 : 0));
        if (frame.whole && chance(20)) frame.version += chance(2) ? 65536 : INT64_MAX / 2;
        std::string members;
        for (uint64_t n = one_of(4); n; --n) {
            std::string key = "k" + std::to_string(one_of(9));
            if (frame.set.count(key) || frame.removed.count(key)) continue;
            const bool remove = !frame.whole && chance(3);
            if (remove) frame.removed.insert(key);
            else frame.set[key] = static_cast<int>(one_of(100));
            members += (members.empty() ? "" : ",") + key + ":" +
                       (remove ? "~" : std::to_string(frame.set[key]));
        }
        return "v:" + std::to_string(frame.version) + "|" + (frame.whole ? "state" : "delta") +
               ":{" + members + "}";
    }

    int64_t next_far(const Frame &frame) {
        return model_.next(frame.agent) +
               (chance(2) ? 65530 + static_cast<int64_t>(one_of(10)) : INT64_MAX / 2);
    }

    // Sends a request, or one of them again.
    void ask_the_other_side() {
        const std::string cid = chance(4) ? "" : "c" + std::to_string(one_of(6) + counter_ / 40);
        const std::string json = R"({"agent":"b","intent":"req","operation":"plan","payload":{})" +
                                 (cid.empty() ? "}" : R"(,"meta":{"cid":")" + cid + "\"}}");
        const bool again = chance(3) && !asked_.empty();
        const auto &[record, chain] =
            again ? asked_[one_of(asked_.size())] : std::pair<uint64_t, std::string>{0, cid};
        std::string frame = again ? text_of([&, record = record](accp_text *out, accp_error *err) {
            return accp_session_retry(session_.get(), record, now_, out, err);
        })
                                  : send(session_.get(), json, now_);
        const bool sent = frame[0] == '@';
        const std::string mid = sent ? frame.substr(frame.find("mid:") + 4, 12) : "", named = chain;
        const accp_status wanted = model_.ask("b", mid, named, static_cast<int64_t>(record), now_);
        ASSERT_EQ(sent ? "OK" : frame, accp_status_code_name(wanted));
        stopped_ += wanted == ACCP_DROPPED;
        answered_ += wanted == ACCP_ERR_ARG;
        if (!sent) return;
        asked_.emplace_back(static_cast<uint64_t>(model_.records), named.empty() ? mid : named);
    }

    void put_value() {
        std::string ref = pick({"warm.k1", "hot.k2", "cold.k3", "ctx.k1"}),
                    json = std::to_string(one_of(1000));
        if (chance(4)) {
            ASSERT_EQ(accp_session_remove(session_.get(), ref.data(), ref.size(), nullptr),
                      ACCP_OK);
            model_.values.erase(ref);
            return;
        }
        int64_t expires = chance(2) ? now_ + static_cast<int64_t>(one_of(20'000)) : 0;
        ASSERT_EQ(put(session_.get(), ref, json, expires), ACCP_OK);
        model_.values[ref] = {json, expires};
    }

    void ask() {
        std::string ref = pick({"warm.k1", "hot.k2", "cold.k3", "ctx.k1", "warm.none", "tepid.k1"}),
                    wanted;
        accp_status status = model_.resolve(ref, now_, &wanted);
        EXPECT_EQ(resolve(session_.get(), ref, now_),
                  status == ACCP_OK ? wanted : accp_status_code_name(status))
            << ref;
    }

    void reopen() {
        compare();
        std::string before = context(session_.get());
        session_ = open_session(engine_.get(), "s", flags_);
        model_.reopen();
        EXPECT_EQ(context(session_.get()), before) << "what a model is given outlives the handle";
    }

    void abandon() {
        const std::string cid = "p" + std::to_string(one_of(3) + counter_ / 200);
        ASSERT_EQ(accp_session_remove_parts(session_.get(), cid.data(), cid.size(), now_, nullptr),
                  ACCP_OK);
        model_.records += model_.abandon(cid);
    }

    void checkpoint() {
        const uint32_t before = accp_session_newest_checkpoint(session_.get());
        ASSERT_EQ(accp_session_checkpoint(session_.get(), now_, nullptr), ACCP_OK);
        const uint32_t made = accp_session_newest_checkpoint(session_.get()) - before;
        ASSERT_LE(made, 1u);
        // without a new message there is no record
        model_.records += made;
    }

    void compare() {
        ASSERT_EQ(accp_session_record_count(session_.get()), static_cast<uint64_t>(model_.records));
        std::vector<Delivered> got = drain(session_.get());
        ASSERT_EQ(got.size(), model_.delivered.size());
        for (size_t i = 0; i < got.size(); ++i) {
            EXPECT_EQ(got[i].status, model_.delivered[i].status);
            EXPECT_EQ(got[i].seq, model_.delivered[i].seq);
        }
        model_.delivered.clear();
        ASSERT_EQ(accp_session_next_deadline(session_.get()), model_.next_deadline());
        int64_t version = 0;
        accp_session_state(session_.get(), &version);
        ASSERT_EQ(version, model_.version);
        ASSERT_EQ(sorted(state_of(session_.get())), model_.state_json());
        accp_budget budget;
        ASSERT_EQ(accp_session_budget(session_.get(), &budget, nullptr), ACCP_OK);
        EXPECT_LE(budget.hot_used, 500u);
        EXPECT_LE(budget.warm_used, budget.warm_max);
    }

    static std::string sorted(const std::string &json) {
        accp_value *value = nullptr;
        accp_text out = {};
        EXPECT_EQ(accp_value_new(nullptr, &value, nullptr), ACCP_OK);
        EXPECT_EQ(accp_value_parse_json(value, json.data(), json.size(), nullptr), ACCP_OK);
        EXPECT_EQ(accp_value_print_hash_form(value, &out, nullptr), ACCP_OK);
        std::string text(out.text, out.len);
        accp_value_free(value);
        return text;
    }

    std::mt19937_64 random_;
    Handle<accp_store> store_;
    Handle<accp_engine> engine_;
    uint32_t flags_ = 0;
    Handle<accp_session> session_;
    Model model_;
    int64_t now_ = kNow;
    uint64_t counter_ = 0;
    int stopped_ = 0;   // requests that could no longer be sent
    int answered_ = 0;  // or may not be sent again
    std::vector<Frame> sent_;
    std::vector<std::pair<uint64_t, std::string>> asked_;  // records of requests, and their chains
};

TEST(SessionModel, AgreesAfterEveryOperation) {
    const char *steps = std::getenv("ACCP_MODEL_STEPS");
    const int total = steps ? std::atoi(steps) : ACCP_SANITIZED ? 10'000 : 40'000;
    int stopped = 0, answered = 0;
    for (int done = 0, seed = 1; done < total && !HasFailure(); done += 2000, ++seed) {
        SCOPED_TRACE(seed);
        Script script(static_cast<uint64_t>(seed), seed % 3 != 0);
        script.run(2000);
        stopped += script.stopped();
        answered += script.answered();
    }
    EXPECT_GT(answered, 0) << "no request of ours had been answered";
    EXPECT_GT(stopped, 0) << "no request of ours was of a chain that was cancelled";
}

}  // namespace
