// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/hub/frames.h"

#include "server/library/failure.h"
#include "server/library/handles.h"

namespace server {
namespace {

uint32_t find_either(const accp_frame *frame, std::string_view key, std::string_view other) {
    constexpr uint32_t kPayload = 3;
    const uint32_t node = accp_frame_find(frame, kPayload, key.data(), key.size());
    return node ? node : accp_frame_find(frame, kPayload, other.data(), other.size());
}

std::string_view trace_of(const accp_frame *frame, const host::Tree &tree) {
    constexpr std::string_view kTrace = "traceparent";
    const uint32_t metadata = tree.nodes[3].next;
    const uint32_t node =
        metadata < tree.count ? accp_frame_find(frame, metadata, kTrace.data(), kTrace.size()) : 0;
    return node && tree.nodes[node].kind == ACCP_STRING ? tree.raw(node) : std::string_view();
}

constexpr int kHttpBad = 400, kHttpInternal = 500, kHttpUnavailable = 503;

accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

class NegotiationSide {
public:
    NegotiationSide(const std::string &agent, const accp_config *config)
        : frame_(host::new_frame(config)) {
        accp_error err = {};
        accp_negotiation *made = nullptr;
        host::check(accp_negotiation_new(agent.data(), agent.size(), config, &made, &err), err);
        held_.reset(made);
    }
    std::vector<std::string> next_frames() {
        std::vector<std::string> frames;
        accp_error err = {};
        for (accp_text text = {};;) {
            host::check(accp_negotiation_next_frame(held_.get(), &text, &err), err);
            if (text.len == 0) return frames;
            frames.emplace_back(host::to_view(text));
        }
    }
    void receive(const std::string &text) {
        accp_error err = {};
        host::check(accp_frame_parse(frame_.get(), text.data(), text.size(), &err), err);
        host::check(accp_negotiation_receive(held_.get(), frame_.get(), &err), err);
    }

private:
    struct EndNegotiation {
        void operator()(accp_negotiation *held) const { accp_negotiation_free(held); }
    };
    host::Handle<accp_frame> frame_;
    std::unique_ptr<accp_negotiation, EndNegotiation> held_;
};

host::Handle<accp_config> bare_config() {
    host::Handle<accp_config> config = host::new_config();
    accp_error err = {};
    accp_registry *registry = nullptr;
    host::check(accp_registry_new("", 0, ACCP_PROFILE_ALL, nullptr, &registry, &err), err);
    const host::Handle<accp_registry> held(registry);
    host::check(accp_config_set_registry(config.get(), registry, &err), err);
    return config;
}

// Does the frame describe the registry, and not the progress of the negotiation?
bool describes_registry(const std::string &frame) {
    const std::string_view body = std::string_view(frame).substr(frame.find('{') + 1);
    return !body.starts_with("get:") && !body.starts_with("ok:");
}

}  // namespace

accp_status FrameReader::read(std::string_view text, FrameFacts &out, accp_error &err) {
    accp_status status = accp_frame_parse(frame_.get(), text.data(), text.size(), &err);
    accp_envelope envelope = {};
    if (status == ACCP_OK) status = accp_frame_envelope(frame_.get(), &envelope, &err);
    if (status != ACCP_OK) return status;
    const host::Tree tree = host::tree_of(frame_.get());
    out = {tree.raw(0), tree.raw(1), tree.raw(2), {}, {}, {}, {}, false};
    out.mid = host::to_view(envelope.mid);
    out.cid = host::to_view(envelope.cid);
    out.sid = host::to_view(envelope.sid);
    out.trace = trace_of(frame_.get(), tree);
    if (const uint32_t who = find_either(frame_.get(), "who", "target")) out.target = plain(who);
    if (!out.is_chunk()) return ACCP_OK;
    const uint32_t last = find_either(frame_.get(), "done", "is_final");
    out.is_final = last && tree.nodes[last].kind == ACCP_BOOL &&
                   (tree.nodes[last].flags & ACCP_NODE_TRUE) != 0;
    return ACCP_OK;
}

// Returns a name without escapes, without the quotes of q1, and without its @.
std::string_view FrameReader::plain(uint32_t node) {
    const host::Tree tree = host::tree_of(frame_.get());
    if (tree.nodes[node].kind != ACCP_STRING) return {};
    size_t length = 0;
    target_.resize(tree.nodes[node].len);
    if (accp_frame_string(frame_.get(), node, target_.data(), target_.size(), &length, nullptr) !=
        ACCP_OK)
        return {};
    std::string_view name(target_.data(), length);
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
        name = name.substr(1, name.size() - 2);
    if (name.starts_with('@')) name.remove_prefix(1);
    return name;
}

accp_status wire_code(accp_status status) {
    switch (status) {
        case ACCP_ERR_IO:
        case ACCP_ERR_BUSY:
        case ACCP_ERR_CLOSED: return ACCP_E3001;
        case ACCP_ERR_ARG: return ACCP_E1004;  // an invalid session id
        default: return status < ACCP_E1001 ? ACCP_E9999 : status;
    }
}

int http_status(accp_status status) {
    if (status > 0 || status == ACCP_ERR_ARG) return kHttpBad;
    return status == ACCP_ERR_CORRUPT ? kHttpInternal : kHttpUnavailable;
}

HubFrames::HubFrames(std::string agent, accp_config *config, const accp_registry *registry)
    : agent_(std::move(agent)) {
    accp_config_set_registry(config, registry, nullptr);
    codec_ = host::new_codec(config);
}

std::string HubFrames::meta(std::string_view cid, int64_t now_ms) {
    std::string out = "[mid:" + mids_.next() + ",seq:0,ts:" + std::to_string(now_ms / 1000);
    if (!cid.empty()) out.append(",cid:").append(cid);
    return out + "]";
}

std::string HubFrames::with_meta(std::string_view frame, int64_t now_ms) {
    return std::string(frame) + meta({}, now_ms);
}

std::string HubFrames::beat(std::string_view intent, std::string_view cid, int64_t now_ms) {
    return "@" + agent_ + ">" + std::string(intent) + ":hb{}" + meta(cid, now_ms);
}

std::string HubFrames::error(const accp_error &err, std::string_view cid, int64_t now_ms) {
    std::string message = host::message_of(err);
    if (err.code == ACCP_E1001) message.insert(0, "byte " + std::to_string(err.offset) + ": ");
    return error(err.code, message, cid, now_ms);
}

std::string HubFrames::error(accp_status code, std::string_view message, std::string_view cid,
                             int64_t now_ms) {
    const std::string mid = mids_.next();
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    envelope.mid = text_of(mid);
    envelope.ts = now_ms / 1000;
    accp_failure failure = {};
    failure.code = wire_code(code);
    failure.agent = text_of(agent_);
    failure.message = text_of(message);
    if (http_status(code) != kHttpBad) failure.detail = text_of(accp_status_name(code));
    failure.cid = text_of(cid);
    accp_text out = {};
    accp_error err = {};
    if (accp_codec_set_envelope(codec_.get(), &envelope, &err) != ACCP_OK ||
        accp_codec_encode_failure(codec_.get(), &failure, &out, &err) != ACCP_OK) {
        failure.cid = {};  // this cid fits no frame
        failure.message = text_of(accp_status_meaning(code));
        if (accp_codec_encode_failure(codec_.get(), &failure, &out, &err) != ACCP_OK)
            throw host::Failure("an error frame: " + host::message_of(err));
    }
    return std::string(host::to_view(out));
}

Negotiation::Negotiation(std::string_view agent, const accp_config *config,
                         std::string_view registry_hash)
    : registry_hash_(registry_hash) {
    accp_negotiation *made = nullptr;
    accp_error err = {};
    if (accp_negotiation_new(agent.data(), agent.size(), config, &made, &err) != ACCP_OK)
        throw host::Failure("the negotiation: " + host::message_of(err));
    negotiation_.reset(made);
}

accp_status Negotiation::receive(const accp_frame *frame, accp_error &err) {
    return accp_negotiation_receive(negotiation_.get(), frame, &err);
}

std::vector<std::string> Negotiation::take_frames() {
    std::vector<std::string> frames;
    accp_error err = {};
    for (accp_text text = {};;) {
        if (accp_negotiation_next_frame(negotiation_.get(), &text, &err) != ACCP_OK)
            throw host::Failure("the negotiation: " + host::message_of(err));
        if (text.len == 0) return frames;
        frames.emplace_back(text.text, text.len);
    }
}

bool Negotiation::is_agreed() const {
    const accp_agreement now = agreement();
    if (now.state == ACCP_NEGOTIATION_BARE) return true;
    return now.state == ACCP_NEGOTIATION_AGREED &&
           host::to_view(host::info_of(now.registry).hash) == registry_hash_;
}

accp_agreement Negotiation::agreement() const {
    accp_agreement out = {};
    accp_negotiation_agreement(negotiation_.get(), &out, nullptr);
    return out;
}

// Runs both sides of a negotiation; the peer is simulated.
std::vector<std::string> registry_frames(const std::string &agent, const accp_config *config) {
    NegotiationSide ours(agent, config), peer("peer", bare_config().get());
    std::vector<std::string> all;
    for (bool is_over = false; !is_over;) {
        is_over = true;
        for (const std::string &frame : ours.next_frames()) {
            if (describes_registry(frame)) all.push_back(frame);
            peer.receive(frame);
            is_over = false;
        }
        for (const std::string &frame : peer.next_frames()) {
            ours.receive(frame);
            is_over = false;
        }
    }
    return all;
}

}  // namespace server
