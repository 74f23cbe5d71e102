// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/hub/words.h"

#include "server/library/failure.h"

namespace server {
namespace {

constexpr int kHttpBad = 400, kHttpInternal = 500, kHttpUnavailable = 503;

accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

accp_status wire_code(accp_status status) {
    switch (status) {
        case ACCP_ERR_IO:
        case ACCP_ERR_BUSY:
        case ACCP_ERR_CLOSED: return ACCP_E3001;
        case ACCP_ERR_ARG: return ACCP_E1004;  // a session's id that can be none
        default: return status < ACCP_E1001 ? ACCP_E9999 : status;
    }
}

int http_status(accp_status status) {
    if (status > 0 || status == ACCP_ERR_ARG) return kHttpBad;
    return status == ACCP_ERR_CORRUPT ? kHttpInternal : kHttpUnavailable;
}

HubWords::HubWords(std::string agent, accp_config *config, const accp_registry *registry)
    : agent_(std::move(agent)) {
    accp_config_set_registry(config, registry, nullptr);
    codec_ = host::new_codec(config);
}

std::string HubWords::meta(std::string_view cid, int64_t now_ms) {
    std::string out = "[mid:" + mids_.next() + ",seq:0,ts:" + std::to_string(now_ms / 1000);
    if (!cid.empty()) out.append(",cid:").append(cid);
    return out + "]";
}

std::string HubWords::with_meta(std::string_view frame, int64_t now_ms) {
    return std::string(frame) + meta({}, now_ms);
}

std::string HubWords::beat(std::string_view intent, std::string_view cid, int64_t now_ms) {
    return "@" + agent_ + ">" + std::string(intent) + ":hb{}" + meta(cid, now_ms);
}

std::string HubWords::error(const accp_error &err, std::string_view cid, int64_t now_ms) {
    std::string message = host::message_of(err);
    if (err.code == ACCP_E1001) message.insert(0, "byte " + std::to_string(err.offset) + ": ");
    return error(err.code, message, cid, now_ms);
}

std::string HubWords::error(accp_status code, std::string_view message, std::string_view cid,
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
        failure.cid = {};  // one that no frame can carry
        failure.message = text_of(accp_status_meaning(code));
        if (accp_codec_encode_failure(codec_.get(), &failure, &out, &err) != ACCP_OK)
            throw host::Failure("an error frame: " + host::message_of(err));
    }
    return std::string(host::to_view(out));
}

}  // namespace server
