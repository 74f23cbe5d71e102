// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a session goes by: the rules of an engine's config, and the host's hooks.
#pragma once

#include "accp/hooks.h"
#include "codec/hooks.h"
#include "context/context.h"
#include "delivery/inbox.h"
#include "session/agents.h"
#include "session/cold.h"

namespace accp::codec {
class RefResolver;
}

namespace accp::session {

struct SessionRules {
    delivery::InboxRules inbox;
    context::ContextOptions context;
    uint64_t max_tokens = kMaxFrameTokens;  // of a frame that goes out; 0: any number
    // of mids, where several send in one session (accp_mid_format)
    uint32_t issuer = 0;
    bool shares_store = false;   // the peer resolves refs: long values go to the store
    bool parts = false;          // both sides take messages in parts
    bool refuses_parts = false;  // the host, or an agreement, has said that they do not
    // both sides named m1: rows of the shared state go as the cells that changed
    bool merges = false;
    bool names_session = false;  // frames carry the sid
    // a session goes on under the registry that it was written under last
    bool pins_registry = false;
    bool waits_for_agreement = false;  // no frame is taken or sent: no registry is agreed
    // in which a request of ours is answered; 0: it waits for ever
    uint64_t deadline_ms = 0;
    // a call that changes something returns when it is durable; else sync() says when
    bool durable = true;
    // who resolves refs of frames that the session has not
    codec::RefResolver *elsewhere = nullptr;
    // who keeps the values of the cold tier; NULL: the store
    ColdStore *cold = nullptr;
    // what a message is held against when it comes in or goes out, and not when it is read again
    codec::CodecHooks checks;

    Status check_agreed() const {
        return waits_for_agreement
                   ? fail(ACCP_E1003, 0,
                          "no registry is agreed with the other side yet, as rule "
                          "require_registry asks: negotiate, and give the config the agreement")
                   : Status{};
    }
};

// The host's, of every session of an engine; include/accp/hooks.h has their rules.
struct SessionHooks {
    accp_summarise_function summarise = nullptr;
    accp_log_function log = nullptr;
    void *user = nullptr;
    const AgentRules *agents = nullptr;

    bool is_untrusted(std::string_view agent) const {
        return agents && agents->untrusted.has(agent);
    }
};

}  // namespace accp::session
