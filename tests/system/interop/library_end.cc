// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See library_end.h.
#include "interop/library_end.h"

namespace accp_interop {

using namespace accp_ref;

namespace {

constexpr size_t kConfirmEach = 8;

accp_sessions::Handle<accp_registry> bare_registry() {
    accp_registry *made = nullptr;
    EXPECT_EQ(accp_registry_new("{}", 2, ACCP_PROFILE_NONE, nullptr, &made, nullptr), ACCP_OK);
    return accp_sessions::Handle<accp_registry>(made);
}

// The rows of the table in docs/interop.md.
void set_rules(accp_test::Config &config, const LibraryRules &rules) {
    config.extensions(ACCP_EXT_NONE)
        .rule(ACCP_RULE_BY_SENDER, 1)
        .rule(ACCP_RULE_PARTS, 0)
        .rule(ACCP_RULE_MERGES, 0)
        .rule(ACCP_RULE_SHARES_STORE, 0)
        .rule(ACCP_RULE_NAMES_SESSION, 0)
        .rule(ACCP_RULE_MAX_TOKENS, 240)
        .rule(ACCP_RULE_DIALECT, rules.examples ? ACCP_COMPAT : ACCP_STRICT)
        .rule(ACCP_RULE_LOOSE_MID, rules.examples)
        .registry(bare_registry().get())
        .own_agent(rules.agent);
}

const std::string &text_at(const Json &object, std::string_view key) {
    static const std::string kNone;
    const Json *found = object.find(key);
    return found ? found->text : kNone;
}

}  // namespace

LibraryEnd::LibraryEnd(const LibraryRules &rules)
    : rules_(rules), store_(accp_sessions::open_store()) {
    accp_test::Config config;
    set_rules(config, rules);
    config.store(store_.get()).rule(ACCP_RULE_SEED, 1);  // so that a failure can be repeated
    engine_ = accp_sessions::open_engine(config);
    session_ = accp_sessions::open_session(engine_.get());
}

bool LibraryEnd::say(const Json &message, const std::string &cid, int64_t ttl, int64_t now) {
    Json whole = message;
    Json meta = Json::object({});
    if (!cid.empty()) meta.members.emplace_back("cid", Json::string(cid));
    if (ttl) meta.members.emplace_back("ttl", Json::number(std::to_string(ttl)));
    whole.members.emplace_back("meta", meta);
    if (!send(whole, now)) return false;
    said_.push_back({message, cid, ttl ? now + ttl : 0});
    return true;
}

bool LibraryEnd::put(const std::string &intent, const std::string &operation, const Json &payload,
                     const std::string &cid, int64_t now) {
    const Json meta = Json::object({{"cid", Json::string(cid)}});
    Json message = Json::object({{"agent", Json::string(rules_.agent)},
                                 {"intent", Json::string(intent)},
                                 {"operation", Json::string(operation)},
                                 {"payload", payload}});
    if (!cid.empty()) message.members.emplace_back("meta", meta);
    return send(message, now);
}

bool LibraryEnd::send(const Json &message, int64_t now) {
    const std::string json = write_json(message);
    accp_text frame = {};
    accp_error error = {};
    refusal_ =
        accp_session_send(session_.get(), json.data(), json.size(), now * 1000, &frame, &error);
    if (refusal_ == ACCP_OK) keep(accp_test::string_of(frame));
    return refusal_ == ACCP_OK;
}

void LibraryEnd::keep(const std::string &frame) {
    bool answers = false;
    outbox_.add(mid_of(frame, answers), frame);
}

void LibraryEnd::end_chain(const std::string &cid) {
    cancelled_.insert(cid);
    outbox_.expect_no_answer(cid);
}

bool LibraryEnd::cancel(const std::string &cid, int64_t now) {
    end_chain(cid);
    return put("cancel", "chain", Json::object({}), cid, now);
}

// accp_session_send_state() would send the first state as a whole, which the specification does not
// define. So each change is sent as a delta.
bool LibraryEnd::change_state(const Json &delta, int64_t now) {
    int64_t version = 0;
    accp_session_state(session_.get(), &version);
    return put(
        "sync", "state",
        Json::object({{"version", Json::number(std::to_string(version + 1))}, {"delta", delta}}),
        "", now);
}

std::map<std::string, Json> LibraryEnd::state() const {
    const auto state = parse_json(accp_sessions::state_of(session_.get()));
    std::map<std::string, Json> members;
    if (state)
        for (const auto &member : state->members) members[member.first] = member.second;
    return members;
}

// Returns the mid that an error frame for this frame names; empty if the frame has no mid.
std::string LibraryEnd::mid_of(const std::string &frame, bool &answers) const {
    accp_test::Config config;
    config.rule(ACCP_RULE_DIALECT, rules_.examples ? ACCP_COMPAT : ACCP_STRICT);
    accp_frame *parsed = nullptr;
    if (accp_frame_new(config.get(), &parsed, nullptr) != ACCP_OK) return {};
    accp_envelope envelope = {};
    std::string mid;
    if (accp_frame_parse(parsed, frame.data(), frame.size(), nullptr) == ACCP_OK &&
        accp_frame_envelope(parsed, &envelope, nullptr) == ACCP_OK)
        mid = accp_test::string_of(envelope.mid);
    accp_frame_free(parsed);
    const std::string header = frame.substr(0, frame.find('{'));
    answers = header.find(">ack:") != std::string::npos ||
              header.find(">fail:error") != std::string::npos;
    return mid;
}

void LibraryEnd::hear(const std::string &frame, int64_t now) {
    const accp_status status = accp_sessions::receive_from(
        session_.get(), rules_.peer, ACCP_ORIGIN_UNTRUSTED, frame, now * 1000);
    bool answers = false;
    const std::string mid = mid_of(frame, answers);
    if (status == ACCP_DROPPED) ++refusals_["dropped"];
    else if (status == ACCP_E3002 && (answers || !told_repeats_.insert(mid).second)) say_taken(now);
    else if (!answers && status != ACCP_OK && status != ACCP_HELD) answer(status, mid, now);
    take_deliveries(now);
}

void LibraryEnd::answer(accp_status code, const std::string &cid, int64_t now) {
    ++refusals_[accp_status_code_name(code)];
    if (code == ACCP_E1001) return;  // without a mid an error frame is not possible
    const bool retry = accp_status_is_retryable(code);
    put("fail", "error",
        Json::object({{"code", Json::string(accp_status_code_name(code))},
                      {"msg", Json::string(accp_status_name(code))},
                      {"retry", Json{retry ? JsonKind::kTrue : JsonKind::kFalse, {}, {}, {}}},
                      {"schema", Json::string("ER")}}),
        cid, now);
}

void LibraryEnd::take_deliveries(int64_t now) {
    for (const accp_sessions::Delivered &one : accp_sessions::drain(session_.get())) {
        if (one.status == ACCP_OK) take(one, now);
        else if (one.status == ACCP_DROPPED) ++refusals_["dropped"];
        else answer(one.status, one.mid, now);
    }
}

void LibraryEnd::take(const accp_sessions::Delivered &one, int64_t now) {
    const auto whole = parse_json(one.json);
    ASSERT_TRUE(whole.has_value()) << one.json;
    const std::string &intent = text_at(*whole, "intent"),
                      &operation = text_at(*whole, "operation");
    const Json &payload = *whole->find("payload"), &meta = *whole->find("meta");
    if (intent == "ack") return outbox_.confirm_up_to(one.cid);
    if (intent != "cancel") taken_ = one.mid;  // a cancel is delivered ahead of a gap
    if (intent == "fail" && operation == "error") return take_error(payload, one.cid);
    if (++unconfirmed_ >= kConfirmEach) say_taken(now);
    if (intent == "cancel") {
        end_chain(one.cid);
        put("ack", "chain", Json::object({}), one.cid, now);
    } else if (intent != "sync") {
        const std::string ttl = text_at(meta, "ttl");
        const int64_t expires = ttl.empty() ? 0 : std::stoll(text_at(meta, "ts")) + std::stoll(ttl);
        const Json message = Json::object({{"agent", *whole->find("agent")},
                                           {"intent", *whole->find("intent")},
                                           {"operation", *whole->find("operation")},
                                           {"payload", payload}});
        heard_.push_back({message, one.cid, expires});
    }
}

void LibraryEnd::take_error(const Json &payload, const std::string &cid) {
    if (text_at(payload, "code") == "E3002") outbox_.confirm(cid);
    if (text_at(payload, "code") == "E3003") outbox_.send_again();
}

// One `ack` confirms several frames: a frame is accepted only after all before it. An earlier `ack`
// is sent again as the same frame; a new frame for each repeat would never end.
void LibraryEnd::say_taken(int64_t now) {
    unconfirmed_ = 0;
    if (told_taken_ == taken_) return outbox_.send_ack_again();
    told_taken_ = taken_;
    put("ack", "frame", Json::object({}), taken_, now);
}

}  // namespace accp_interop
