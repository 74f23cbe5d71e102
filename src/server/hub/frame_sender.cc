// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/hub/frame_sender.h"

#include "server/library/failure.h"

namespace server {
namespace {

constexpr size_t kMaxCounts = 16'384;

accp_text view_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

FrameSender::FrameSender(Hub &hub, accp_config *config, const accp_registry *registry) : hub_(hub) {
    accp_config_set_registry(config, registry, nullptr);
    codec_ = host::new_codec(config);
}

template <typename Make>
accp_status FrameSender::attempt(const Grant &grant, const Header &place, int64_t now_ms,
                                 SentFrame &out, accp_error &err, Make make) {
    constexpr int kMaxTries = 4;
    if (next_.size() >= kMaxCounts) next_.clear();
    std::string key(place.session);
    key.append(1, '\0').append(place.agent);
    int64_t &next = next_.try_emplace(std::move(key), 1).first->second;
    std::string frame;
    for (int tries = 1;; ++tries) {
        out.mid = next_mid();
        accp_status status = make(next, frame);
        if (status == ACCP_OK)
            status = hub_.receive(grant, place.session, frame, now_ms, out.record, err);
        if (status == ACCP_OK) ++next;
        const auto awaited = static_cast<int64_t>(err.limit);
        const bool is_behind = status == ACCP_E3003 && awaited != next;
        if (tries == kMaxTries || (!is_behind && status != ACCP_E3002)) return status;
        if (is_behind) next = awaited;
    }
}

accp_status FrameSender::say(const Grant &grant, const Header &place, std::string_view message,
                             int64_t now_ms, SentFrame &out, accp_error &err) {
    return attempt(grant, place, now_ms, out, err, [&](int64_t seq, std::string &frame) {
        return encode(place, message, seq, now_ms, out, frame, err);
    });
}

accp_status FrameSender::complete(const Grant &grant, const Header &place, std::string_view text,
                                  int64_t now_ms, SentFrame &out, accp_error &err) {
    return attempt(grant, place, now_ms, out, err, [&](int64_t seq, std::string &frame) {
        frame.assign(text).append("[mid:").append(out.mid);
        frame.append(",seq:").append(std::to_string(seq));
        frame.append(",ts:").append(std::to_string(now_ms / 1000));
        if (!place.cid.empty()) frame.append(",cid:").append(place.cid);
        if (!place.aid.empty()) frame.append(",aid:").append(place.aid);
        frame += ']';
        return accp_status{ACCP_OK};
    });
}

accp_status FrameSender::encode(const Header &place, std::string_view message, int64_t seq,
                                int64_t now_ms, const SentFrame &said, std::string &frame,
                                accp_error &err) {
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS | ACCP_ENVELOPE_SID;
    envelope.mid = view_of(said.mid);
    envelope.seq = seq;
    envelope.ts = now_ms / 1000;
    envelope.sid = view_of(place.session);
    if (!place.cid.empty()) {
        envelope.fields |= ACCP_ENVELOPE_CID;
        envelope.cid = view_of(place.cid);
    }
    if (!place.aid.empty()) {
        envelope.fields |= ACCP_ENVELOPE_AID;
        envelope.aid = view_of(place.aid);
    }
    accp_text out = {};
    accp_status status = accp_codec_set_envelope(codec_.get(), &envelope, &err);
    if (status == ACCP_OK)
        status = accp_codec_encode(codec_.get(), message.data(), message.size(), &out, &err);
    if (status == ACCP_OK) frame = host::to_view(out);
    return status;
}

}  // namespace server
