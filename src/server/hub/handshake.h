// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A hub's side of the negotiation with which each connection begins (specification 6.4).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/hub/frame_reader.h"

namespace server {

class Handshake {
public:
    // `config`: what the hub has; its registry is the one that must come out. Throws Failure.
    Handshake(std::string_view agent, const accp_config *config, std::string_view registry_hash);

    // A frame sync:registry that `frame` has parsed. Not ACCP_OK: `err` says what is wrong with it.
    accp_status hear(const accp_frame *frame, accp_error &err);
    // What is to be said now: frames without metadata.
    std::vector<std::string> take_frames();

    bool is_open() const { return state() == ACCP_NEGOTIATION_OPEN; }
    // Is what came out good for this hub? A peer without a registry is: frames go on as they are.
    bool is_agreed() const;

private:
    struct Free {
        void operator()(accp_negotiation *held) const { accp_negotiation_free(held); }
    };
    accp_agreement agreement() const;
    int32_t state() const { return agreement().state; }

    std::unique_ptr<accp_negotiation, Free> negotiation_;
    std::string registry_hash_;
};

}  // namespace server
