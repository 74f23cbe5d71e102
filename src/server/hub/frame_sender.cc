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
accp_status FrameSender::attempt(const Grant &grant, const Header &header, int64_t now_ms,
                                 SentFrame &out, accp_error &err, Make make) {
    constexpr int kMaxTries = 4;
    if (next_.size() >= kMaxCounts) next_.clear();
    std::string key(header.session);
    key.append(1, '\0').append(header.agent);
    int64_t &next = next_.try_emplace(std::move(key), 1).first->second;
    std::string frame;
    for (int tries = 1;; ++tries) {
        out.mid = next_mid();
        accp_status status = make(next, frame);
        if (status == ACCP_OK)
            status = hub_.receive(grant, header.session, frame, now_ms, out.record, err);
        if (status == ACCP_OK) ++next;
        const auto awaited = static_cast<int64_t>(err.limit);
        const bool is_behind = status == ACCP_E3003 && awaited != next;
        if (tries == kMaxTries || (!is_behind && status != ACCP_E3002)) return status;
        if (is_behind) next = awaited;
    }
}

accp_status FrameSender::send(const Grant &grant, const Header &header, std::string_view message,
                              int64_t now_ms, SentFrame &out, accp_error &err) {
    return attempt(grant, header, now_ms, out, err, [&](int64_t seq, std::string &frame) {
        return encode(header, message, seq, now_ms, out, frame, err);
    });
}

accp_status FrameSender::send_frame(const Grant &grant, const Header &header, std::string_view text,
                                    int64_t now_ms, SentFrame &out, accp_error &err) {
    return attempt(grant, header, now_ms, out, err, [&](int64_t seq, std::string &frame) {
        frame.assign(text).append("[mid:").append(out.mid);
        frame.append(",seq:").append(std::to_string(seq));
        frame.append(",ts:").append(std::to_string(now_ms / 1000));
        if (!header.cid.empty()) frame.append(",cid:").append(header.cid);
        if (!header.aid.empty()) frame.append(",aid:").append(header.aid);
        frame += ']';
        return accp_status{ACCP_OK};
    });
}

accp_status FrameSender::encode(const Header &header, std::string_view message, int64_t seq,
                                int64_t now_ms, const SentFrame &sent, std::string &frame,
                                accp_error &err) {
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS | ACCP_ENVELOPE_SID;
    envelope.mid = view_of(sent.mid);
    envelope.seq = seq;
    envelope.ts = now_ms / 1000;
    envelope.sid = view_of(header.session);
    if (!header.cid.empty()) {
        envelope.fields |= ACCP_ENVELOPE_CID;
        envelope.cid = view_of(header.cid);
    }
    if (!header.aid.empty()) {
        envelope.fields |= ACCP_ENVELOPE_AID;
        envelope.aid = view_of(header.aid);
    }
    accp_text out = {};
    accp_status status = accp_codec_set_envelope(codec_.get(), &envelope, &err);
    if (status == ACCP_OK)
        status = accp_codec_encode(codec_.get(), message.data(), message.size(), &out, &err);
    if (status == ACCP_OK) frame = host::to_view(out);
    return status;
}

}  // namespace server
