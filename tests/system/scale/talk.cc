// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/talk.h"

#include <algorithm>
#include <utility>

namespace scale {

Talk::Talk(Simulation &simulation, Model &model, const Frames &frames, Site &site,
           const TalkRules &rules)
    : simulation_(simulation),
      model_(model),
      frames_(frames),
      site_(site),
      rules_(rules),
      zipf_(rules.sessions, rules.exponent) {}

void Talk::begin(Nanos until) {
    until_ = until;
    last_heard_ = simulation_.now();
    for (unsigned i = 0; i < rules_.hot_agents; ++i) want(0, rules_.agents + i);
    arrive(until);
}

void Talk::arrive(Nanos until) {
    const double mean = 1e9 / rules_.rate;
    simulation_.after(static_cast<Nanos>(simulation_.random().exponential(mean)), [this, until] {
        if (simulation_.now() >= until) return;
        const auto session = static_cast<uint32_t>(zipf_.next(simulation_.random()));
        want(session, static_cast<unsigned>(simulation_.random().below(rules_.agents)));
        arrive(until);
    });
}

void Talk::want(uint32_t session, unsigned agent) {
    const auto [at, is_new] = speaking_.try_emplace(key_of(session, agent));
    if (is_new) say(session, agent, simulation_.now(), at->second);
    else at->second.waiting.push_back(simulation_.now());
}

void Talk::say(uint32_t session, unsigned agent, Nanos wanted, Speaking &to) {
    Said said;
    said.session = session;
    said.agent = static_cast<uint16_t>(agent);
    said.seq = ++seqs_[key_of(session, agent)];
    said.wanted = wanted;
    said.sent = simulation_.now();
    to.frame = model_.add(said);
    to.tries = 0;
    send(key_of(session, agent));
}

std::string Talk::say_first(uint32_t session) {
    Said said;
    said.session = session;
    said.seq = ++seqs_[key_of(session, 0)];
    said.acknowledged = 0;
    return frames_.text(model_.add(said), 0, said.seq, 0);
}

// Returns twice the time after each try, up to a limit, with a random part to spread the load.
Nanos Talk::backed_off(Nanos time, unsigned tries) {
    const Nanos longer = time << std::min(tries - 1, 5u);
    return longer + static_cast<Nanos>(simulation_.random().part() * static_cast<double>(longer));
}

// Sends to the gateway of the session, and after three tries to others.
void Talk::send(uint64_t key) {
    constexpr unsigned kTries = 3;
    Speaking &speaking = speaking_.at(key);
    const Said &said = model_[speaking.frame];
    const uint64_t round = speaking.round = ++rounds_, frame = speaking.frame;
    repeated_ += speaking.tries != 0;
    Request request;
    request.session = said.session;
    request.frame = frame;
    request.text = frames_.text(frame, said.agent, said.seq, said.sent);
    request.answer = [this, key, frame](Verdict verdict, accp_status status) {
        hear(key, frame, verdict, status);
    };
    const size_t skip = speaking.tries >= kTries ? speaking.tries - kTries + 1 : 0;
    ++speaking.tries;
    site_.send(std::move(request), skip % site_.size());
    simulation_.after(backed_off(rules_.patience, speaking.tries), [this, key, round] {
        const auto found = speaking_.find(key);
        if (found != speaking_.end() && found->second.round == round) send(key);
    });
}

void Talk::hear(uint64_t key, uint64_t frame, Verdict verdict, accp_status status) {
    const auto found = speaking_.find(key);
    if (found == speaking_.end() || found->second.frame != frame) return;  // a repeated reply
    if (verdict == Verdict::kWrong) {                                      // this agent stops
        model_.find_fault(std::string("a frame is refused: ") + accp_status_code_name(status),
                          session_name(model_[frame].session));
        speaking_.erase(found);
        return;
    }
    if (verdict == Verdict::kTaken) return end(key, found->second);
    clock_refusals_ += verdict == Verdict::kClock;
    const uint64_t round = found->second.round = ++rounds_;
    simulation_.after(backed_off(rules_.pause, found->second.tries), [this, key, round] {
        const auto still = speaking_.find(key);
        if (still != speaking_.end() && still->second.round == round) send(key);
    });
}

void Talk::end(uint64_t key, Speaking &speaking) {
    const Nanos now = simulation_.now();
    Said &said = model_[speaking.frame];
    said.acknowledged = now;
    simulation_.note(mix(speaking.frame) + static_cast<uint64_t>(now));
    took_.add(now - said.wanted);
    if (now <= until_) longest_silence_ = std::max(longest_silence_, now - last_heard_);
    last_heard_ = now;
    const uint32_t session = said.session;
    const unsigned agent = said.agent;
    if (agent >= rules_.agents) {
        ++hot_;
        if (now < until_) return say(session, agent, now, speaking);
    }
    if (speaking.waiting.empty()) {
        speaking_.erase(key);
        return;
    }
    const Nanos wanted = speaking.waiting.front();
    speaking.waiting.erase(speaking.waiting.begin());
    say(session, agent, wanted, speaking);
}

}  // namespace scale
