// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The structs of accp_engine and accp_session.
#pragma once

#include "accp/context.h"
#include "base/handle.h"
#include "base/random.h"
#include "capi/guard.h"
#include "capi/host_hooks.h"
#include "capi/token_handles.h"
#include "session/engine.h"
#include "store/handle.h"

struct accp_engine {
    explicit accp_engine(const accp::Settings &from) : settings(from), engine(from) {}

    // Returns the key for the mids of a session. It is random for each opened session, so that
    // nobody can predict the mids, unless the rule sets a seed.
    accp::PermutationKey mid_key(const char *id, size_t id_len) const {
        if (!engine.seed) return {accp::random_secret(), accp::random_secret()};
        return {accp::seeded_hash(id, id_len, engine.seed), engine.seed};
    }

    accp::Settings settings;
    accp::session::Engine engine;
    accp_hooks hooks = {};
    accp::capi::HostColdStore cold;
    accp::capi::HostResolver resolver;
    accp_store *store = nullptr;      // shared
    accp_store *own_store = nullptr;  // if none was given
    accp::capi::TokenizerRef tokenizer;
    std::atomic<uint32_t> owners{1};  // sessions included
};

namespace accp::capi {
struct SessionTasks;  // session_call.h

void drop_engine(accp_engine *engine) noexcept;  // releases one share; the last one ends it
}  // namespace accp::capi

struct accp_session {
    explicit accp_session(accp_engine &of)
        : settings(of.engine.settings),
          owner(accp::retain_handle(&of)),
          engine(&of.engine),
          hooks(&of.hooks),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          session(memory, of.engine.rules, of.engine.hooks),
          metrics(of.engine.metrics),
          out(memory),
          blocks(memory) {}

    const accp::Settings &settings;
    accp_engine *owner;  // shared: it lives as long as its sessions
    accp::capi::HandleUses uses;
    accp::session::Engine *engine;
    const accp_hooks *hooks;
    accp::Memory memory;
    accp::session::Session session;
    accp::session::MetricsShare metrics;
    accp::Buffer<char> out;
    accp::Buffer<accp_context_block> blocks;    // of the text in `out`
    uint32_t delivery_warnings = 0;             // of the last returned message
    accp::capi::SessionTasks *tasks = nullptr;  // NULL unless accp_session_set_panes() was called
    bool busy = false;                          // a call runs, and perhaps a callback in it
};

namespace accp::capi {

void end_session(accp_session *session) noexcept;

// Keeps a session alive until the end of a call: a callback may close it.
using SessionUse = HandleUse<accp_session, end_session>;

}  // namespace accp::capi
