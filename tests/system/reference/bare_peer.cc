// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See bare_peer.h.
#include "reference/bare_peer.h"

namespace accp_ref {
namespace {

const std::set<std::string> kIntents = {"req",  "done", "fail", "wait",   "esc",    "comp",
                                        "sync", "qry",  "ack",  "cancel", "stream", "end"};
constexpr size_t kConfirmEach = 8;

// The names of the errors that this peer sends (3.6).
std::string name_of(const std::string &code) {
    if (code == "E1002") return "INVALID_INTENT";
    if (code == "E3002") return "DUPLICATE";
    return "SEQUENCE_GAP";
}

// Neither is answered with an error, otherwise two peers would never stop. A repeat of one shows
// that the other side waits for an `ack`.
bool is_answer(const Frame &frame) {
    return frame.intent == "ack" || (frame.intent == "fail" && frame.operation == "error");
}

bool read_number(const Frame &frame, const std::string &name, int64_t &out) {
    const std::string text = field_of(frame, name);
    if (text.empty()) return true;
    if (!is_integer(text) || text.size() > 18 || text[0] == '-') return false;
    out = std::stoll(text);
    return true;
}

}  // namespace

std::string BarePeer::metadata(const std::string &cid, int64_t ttl, int64_t now) {
    const bool loose = rules_.spelling == Spelling::kExamples;
    if (loose) {
        mid_ = "m" + std::to_string(next_to_say_);
    } else {
        mid_.clear();
        while (mid_.size() < 12) mid_ += random_.pick("0123456789abcdef");
    }
    std::string out = "mid:" + mid_ + ",seq:" + std::to_string(next_to_say_);
    if (!loose || ttl) out += ",ts:" + std::to_string(now);  // most examples have none
    if (!cid.empty()) out += ",cid:" + cid;
    if (ttl) out += ",ttl:" + std::to_string(ttl);
    return out;
}

bool BarePeer::say(const Json &message, const std::string &cid, int64_t ttl, int64_t now) {
    if (cancelled_.count(cid)) return false;
    const auto frame = write_bare(message, metadata(cid, ttl, now), rules_.spelling);
    if (!frame) return false;
    ++next_to_say_;
    outbox_.add(mid_, *frame);
    said_.push_back({message, cid, ttl ? now + ttl : 0});
    return true;
}

// Sends a message that belongs to the protocol, not to the conversation.
bool BarePeer::put(const std::string &intent, const std::string &operation, const Json &payload,
                   const std::string &cid, int64_t now) {
    const Json message = Json::object({{"agent", Json::string(rules_.agent)},
                                       {"intent", Json::string(intent)},
                                       {"operation", Json::string(operation)},
                                       {"payload", payload}});
    const auto frame = write_bare(message, metadata(cid, 0, now), rules_.spelling);
    if (!frame) return false;
    ++next_to_say_;
    outbox_.add(mid_, *frame);
    return true;
}

void BarePeer::end_chain(const std::string &cid) {
    cancelled_.insert(cid);
    outbox_.expect_no_answer(cid);
}

bool BarePeer::cancel(const std::string &cid, int64_t now) {
    end_chain(cid);
    return put("cancel", "chain", Json::object({}), cid, now);
}

bool BarePeer::change_state(const Json &delta, int64_t now) {
    const Json payload = Json::object(
        {{"version", Json::number(std::to_string(state_version_ + 1))}, {"delta", delta}});
    if (!put("sync", "state", payload, "", now)) return false;
    ++state_version_;
    for (const auto &member : delta.members) {
        state_.erase(member.first);
        if (member.second.kind != JsonKind::kNull) state_[member.first] = member.second;
    }
    return true;
}

void BarePeer::answer(const std::string &code, const std::string &cid, int64_t now) {
    ++refusals_[code];
    if (code == "E1001") return;  // without a mid an error frame is not possible
    say_error(code, cid, now);
}

void BarePeer::say_error(const std::string &code, const std::string &cid, int64_t now) {
    const bool retry = code == "E3003";
    const Json payload =
        Json::object({{"code", Json::string(code)},
                      {"msg", Json::string(name_of(code))},
                      {"retry", Json{retry ? JsonKind::kTrue : JsonKind::kFalse, {}, {}, {}}},
                      {"schema", Json::string("ER")}});
    put("fail", "error", payload, cid, now);
}

bool BarePeer::is_well_formed(const std::string &mid) const {
    return mid.size() == 12 && mid.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool BarePeer::read_envelope(const Frame &frame, int64_t now, Envelope &out) const {
    out.mid = field_of(frame, "mid");
    out.cid = field_of(frame, "cid");
    out.ts = now;
    return is_well_formed(out.mid) && !field_of(frame, "seq").empty() &&
           read_number(frame, "seq", out.seq) && read_number(frame, "ts", out.ts) &&
           read_number(frame, "ttl", out.ttl);
}

void BarePeer::hear(const std::string &text, int64_t now) {
    const Parsed parsed = parse_frame(text);
    if (!parsed.frame) return answer("E1001", "", now);
    const Frame &frame = *parsed.frame;
    Envelope envelope;
    if (!read_envelope(frame, now, envelope)) return answer("E1001", "", now);
    if (!kIntents.count(frame.intent)) return answer("E1002", envelope.mid, now);
    // Dropped without a reply (3.7.5). Its number counts as used, otherwise the gap would never
    // close.
    if (envelope.ttl && now > envelope.ts + envelope.ttl && envelope.seq != next_to_hear_)
        return drop();
    if (seen_.count(envelope.mid)) {
        ++refusals_["E3002"];
        const bool first = !is_answer(frame) && told_repeats_.insert(envelope.mid).second;
        return first ? say_error("E3002", envelope.mid, now) : say_taken(now);
    }
    queue(frame, envelope, now);
}

void BarePeer::queue(const Frame &frame, const Envelope &envelope, int64_t now) {
    const int64_t last = next_to_hear_ + static_cast<int64_t>(rules_.window);
    if (envelope.seq < next_to_hear_) return answer("E3003", envelope.mid, now);
    if (envelope.seq > next_to_hear_ && told_gap_ != next_to_hear_) {
        told_gap_ = next_to_hear_;
        answer("E3003", envelope.mid, now);
    }
    if (envelope.seq > last) return;
    seen_.insert(envelope.mid);
    waiting_[envelope.seq] = {frame, envelope};
    while (!waiting_.empty() && waiting_.begin()->first == next_to_hear_) {
        const auto first = waiting_.begin()->second;
        waiting_.erase(waiting_.begin());
        ++next_to_hear_;
        take(first.first, first.second, now);
    }
}

void BarePeer::take(const Frame &frame, const Envelope &envelope, int64_t now) {
    if (frame.intent != "ack") taken_ = envelope.mid;
    if (!is_answer(frame) && ++unconfirmed_ >= kConfirmEach) say_taken(now);
    if (envelope.ttl && now > envelope.ts + envelope.ttl) return drop();
    if (cancelled_.count(envelope.cid) && !is_answer(frame)) return drop();
    handle(frame, envelope, now);
}

void BarePeer::handle(const Frame &frame, const Envelope &envelope, int64_t now) {
    if (frame.intent == "ack") return outbox_.confirm_up_to(envelope.cid);
    if (is_answer(frame)) return handle_error(frame, envelope.cid);
    if (frame.intent == "sync" && frame.operation == "state")
        return apply_state(frame, envelope.mid, now);
    if (frame.intent != "cancel") {
        heard_.push_back(
            {read_bare(frame), envelope.cid, envelope.ttl ? envelope.ts + envelope.ttl : 0});
        return;
    }
    end_chain(envelope.cid);
    put("ack", "chain", Json::object({}), envelope.cid, now);
}

void BarePeer::handle_error(const Frame &frame, const std::string &cid) {
    const Json message = read_bare(frame);
    const Json *code = message.find("payload")->find("code");
    if (!code) return;
    if (code->text == "E3002") outbox_.confirm(cid);
    if (code->text == "E3003") outbox_.send_again();
}

void BarePeer::apply_state(const Frame &frame, const std::string &mid, int64_t now) {
    const Json message = read_bare(frame);
    const Json *version = message.find("payload")->find("version"),
               *delta = message.find("payload")->find("delta");
    if (!version || version->text != std::to_string(state_version_ + 1) || !delta)
        return answer("E3003", mid, now);
    ++state_version_;
    for (const auto &member : delta->members) {
        state_.erase(member.first);
        if (member.second.kind != JsonKind::kNull) state_[member.first] = member.second;
    }
}

// One `ack` confirms several frames: a frame is accepted only after all before it. An earlier `ack`
// is sent again as the same frame; a new frame for each repeat would never end.
void BarePeer::say_taken(int64_t now) {
    unconfirmed_ = 0;
    if (told_taken_ == taken_) return outbox_.send_ack_again();
    told_taken_ = taken_;
    put("ack", "frame", Json::object({}), taken_, now);
}

}  // namespace accp_ref
