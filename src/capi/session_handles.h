// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What stands behind accp_engine and accp_session.
#pragma once

#include "base/handle.h"
#include "base/random.h"
#include "session/engine.h"
#include "store/shared.h"

struct accp_engine {
    explicit accp_engine(const accp::Settings &from) : settings(from), engine(from) {}

    uint64_t seed_of(const char *id, size_t id_len) const {
        return engine.seed ? accp::seeded_hash(id, id_len, engine.seed) : accp::random_seed();
    }

    accp::Settings settings;
    accp::Engine engine;
    accp_store *store = nullptr;              // shared
    accp_store *own_store = nullptr;          // where none was given
    accp_tokenizer *own_tokenizer = nullptr;  // the same
};

struct accp_session {
    explicit accp_session(accp::Engine &of)
        : settings(of.settings),
          engine(&of),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          session(memory, of.rules, of.hooks),
          out(memory) {}

    const accp::Settings &settings;
    accp::Engine *engine;
    accp::Memory memory;
    accp::Session session;
    accp::Buffer<char> out;
    bool busy = false;  // a call runs, and perhaps a function of the host's in it
};
