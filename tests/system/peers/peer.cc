// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See peer.h.
#include "peers/peer.h"

namespace accp_peers {

using namespace accp_sessions;

namespace {

constexpr size_t kMaxUnheard = 40;  // of the 64 frames in the window

Handle<accp_registry> make_registry(const Setup &setup, const accp_config *config) {
    const std::string document = setup.schemas ? kDocument : "{}";
    accp_registry *made = nullptr;
    accp_error error = {};
    if (accp_registry_new(document.data(), document.size(), ACCP_PROFILE_NONE, config, &made,
                          &error) != ACCP_OK)
        stop(std::string("no registry: ") + error.message);
    return Handle<accp_registry>(made);
}

}  // namespace

accp_status Peer::resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
    const Peer &peer = *static_cast<Peer *>(user);
    return accp_session_resolve(peer.other_->session(), ref, ref_len, nullptr, 0, peer.now, json,
                                nullptr);
}

void Peer::open(accp_store *store, Peer &other) {
    other_ = &other;
    EngineConfig config(store);
    const std::pair<int32_t, int64_t> rules[] = {
        {ACCP_RULE_DIALECT, setup_.compat ? ACCP_COMPAT : ACCP_STRICT},
        {ACCP_RULE_BY_SENDER, setup_.by_sender},
        {ACCP_RULE_SHARES_STORE, setup_.by_reference},
        {ACCP_RULE_PARTS, setup_.parts},
        {ACCP_RULE_MERGES, setup_.merges},
        {ACCP_RULE_MAX_TOKENS, setup_.parts ? 240 : 0},
        {ACCP_RULE_DURABLE, 0},
        // longer than any gap between the honest sides, shorter than those of the third one
        {ACCP_RULE_GAP_MS, 60'000},
        {ACCP_RULE_SEED, agent_ == "planner" ? 1 : 1000000}};
    for (const auto &rule : rules) config.rule(rule.first, rule.second);
    accp_hooks hooks = accp_test::hooks_for(this);
    if (setup_.by_reference) hooks.resolve = &Peer::resolve;
    config.hooks(hooks).own_agent(agent_).untrusted("mallory");
    config.registry(make_registry(setup_, config.get()).get());
    engine_ = open_engine(config);
    if (!engine_) stop("no engine");
    reopen();
}

void Peer::reopen() {
    session_.reset();
    session_ = open_session(engine_.get(), "of " + agent_);
    if (!session_) stop(agent_ + "'s session cannot be opened");
}

// With one common sequence the sides take turns: both must have received everything.
bool Peer::may_say() const {
    const size_t heard = other_->heard_ ? said_[other_->heard_ - 1].end : 0;
    if (!setup_.by_sender) return has_heard_all() && other_->has_heard_all();
    return frames_.size() - heard < kMaxUnheard;
}

std::vector<std::string> Peer::unheard() const {
    const size_t heard = other_->heard_ ? said_[other_->heard_ - 1].end : 0;
    return {frames_.begin() + static_cast<long>(heard), frames_.end()};
}

void Peer::keep(const std::string &frames, const std::string &expected) {
    for (size_t at = 0; at < frames.size();) {
        const size_t end = std::min(frames.find('\n', at), frames.size());
        frames_.push_back(frames.substr(at, end - at));
        at = end + 1;
    }
    said_.push_back({expected, frames_.size()});
}

void Peer::say() {
    const Said said = random_message(agent_, setup_, dice_);
    const std::string frames = send(session_.get(), said.json, now);
    if (frames[0] != '@') stop(agent_ + " cannot say: " + frames + "\n" + said.json);
    keep(frames, canonical(said.expected));
}

void Peer::say_state() {
    const std::string state = random_state(dice_);
    const std::string frames = text_of([&](accp_text *out, accp_error *err) {
        return accp_session_send_state(session_.get(), agent_.data(), agent_.size(), state.data(),
                                       state.size(), now, out, err);
    });
    if (frames.empty()) return;  // nothing has changed
    if (frames[0] != '@') stop(agent_ + " cannot say its state: " + frames + "\n" + state);
    keep(frames, "");
}

void Peer::expect_known(accp_status status, const std::string &frame) const {
    if (status >= 0 && std::string(accp_status_code_name(status)) != "") return;
    stop(agent_ + " answers " + accp_status_name(status) + " to\n" + frame);
}

void Peer::hear(const std::string &frame) {
    const std::string &from = other_->agent_;
    accp_error error = {};
    const accp_status status =
        receive_from(session_.get(), from, ACCP_ORIGIN_TRUSTED, frame, now, &error);
    const bool cut = status == ACCP_E1001;
    const bool order =
        status == ACCP_OK || status == ACCP_HELD || status == ACCP_E3002 || status == ACCP_E3003;
    if (!cut && !order)
        stop(agent_ + " refuses an honest frame: " + accp_status_code_name(status) + " " +
             error.message + "\n" + frame);
    take_deliveries();
}

accp_status Peer::hear_stranger(const std::string &frame, const std::string &agents) {
    const accp_status status =
        receive_from(session_.get(), agents, ACCP_ORIGIN_UNTRUSTED, frame, now);
    expect_known(status, frame);
    take_deliveries();
    return status;
}

void Peer::take_deliveries() {
    for (accp_delivery one; accp_session_next_delivery(session_.get(), &one);) {
        expect_known(one.status, "a delivery");
        if (one.status == ACCP_OK) take_message(one);
    }
}

void Peer::take_message(const accp_delivery &one) {
    const std::string json(one.message.text, one.message.len);
    if (json.rfind(R"({"agent":"mallory")", 0) == 0) {
        if (one.origin != ACCP_ORIGIN_UNTRUSTED)
            stop("what a stranger says is not marked: " + json);
        return;
    }
    if (json.rfind(R"({"agent":")" + other_->agent_ + "\"", 0) != 0)
        stop(agent_ + " hears an agent that it should not: " + json);
    if (has_heard_all()) stop(agent_ + " hears what was never said: " + json);
    const std::string &expected = other_->said_[heard_++].expected;
    if (expected.empty() || canonical(without_envelope(json)) == expected) return;
    stop(agent_ + " hears another text:\n" + canonical(without_envelope(json)) +
         "\nthan was said:\n" + expected);
}

void Peer::look() {
    const std::string before = context(session_.get());
    if (before.size() < 6 && before[0] == 'E') stop(agent_ + " has no context: " + before);
    reopen();
    if (context(session_.get()) != before)
        stop(agent_ + " has another context after it was opened anew");
    const uint64_t records = accp_session_record_count(session_.get());
    if (!records) return;
    const std::string found = accp_sessions::resolve(
        session_.get(), "cold.m" + std::to_string(1 + dice_.below(records)), now);
    if (found != "E2001" && found[0] != '{') stop(agent_ + " cannot look a record up: " + found);
}

// Stops the test with the frame that does not get through, and the error for it.
void Peer::stop_deaf() {
    const std::string &from = other_->agent_, frame = other_->unheard().front();
    accp_error error = {};
    receive_from(session_.get(), from, ACCP_ORIGIN_TRUSTED, frame, now, &error);
    stop(agent_ + " has heard " + std::to_string(heard_) + " of " +
         std::to_string(other_->said_.size()) + " messages; then " +
         accp_status_code_name(error.code) + " " + (error.message ? error.message : "") + "\n" +
         frame);
}

void Peer::check_at_rest() {
    if (!has_heard_all()) stop_deaf();
    look();
    if (setup_.states &&
        canonical(state_of(session_.get())) != canonical(state_of(other_->session())))
        stop("the shared states differ:\n" + state_of(session_.get()) + "\n" +
             state_of(other_->session()));
}

}  // namespace accp_peers
