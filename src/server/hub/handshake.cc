// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/hub/handshake.h"

#include "server/library/failure.h"

namespace server {

Handshake::Handshake(std::string_view agent, const accp_config *config,
                     std::string_view registry_hash)
    : registry_hash_(registry_hash) {
    accp_negotiation *made = nullptr;
    accp_error err = {};
    if (accp_negotiation_new(agent.data(), agent.size(), config, &made, &err) != ACCP_OK)
        throw host::Failure("the negotiation: " + host::message_of(err));
    negotiation_.reset(made);
}

accp_status Handshake::hear(const accp_frame *frame, accp_error &err) {
    return accp_negotiation_receive(negotiation_.get(), frame, &err);
}

std::vector<std::string> Handshake::take_frames() {
    std::vector<std::string> frames;
    accp_error err = {};
    for (accp_text text = {};;) {
        if (accp_negotiation_next_frame(negotiation_.get(), &text, &err) != ACCP_OK)
            throw host::Failure("the negotiation: " + host::message_of(err));
        if (text.len == 0) return frames;
        frames.emplace_back(text.text, text.len);
    }
}

bool Handshake::is_agreed() const {
    const accp_agreement now = agreement();
    if (now.state == ACCP_NEGOTIATION_BARE) return true;
    return now.state == ACCP_NEGOTIATION_AGREED &&
           host::to_view(host::info_of(now.registry).hash) == registry_hash_;
}

accp_agreement Handshake::agreement() const {
    accp_agreement out = {};
    accp_negotiation_agreement(negotiation_.get(), &out, nullptr);
    return out;
}

}  // namespace server
