// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The shared parts of sessions of one kind: a store, a registry, a tokenizer, rules, and scratches.
// There are as many scratches as calls that run at once. Any thread may use an engine. One lock is
// held for a few instructions at the start and the end of a call.
#pragma once

#include <mutex>

#include "registry/registry_ref.h"
#include "session/metrics.h"
#include "session/registry_marks.h"
#include "session/session.h"

namespace accp::session {

class Engine {
public:
    explicit Engine(const Settings &from)
        : settings(from), memory(settings.allocator, UINT64_MAX), redacted(memory), agents(memory) {
        hooks.agents = &agents;
    }
    ~Engine();

    // Adapts settings for sessions: keys follow the registry, and refs that cannot be resolved stay
    // refs.
    static Settings session_settings(Settings settings);

    Settings settings;
    Memory memory;  // of the scratches
    store::Store *store = nullptr;
    registry::RegistryRef registry;
    RegistryCache registry_cache;  // other registries that sessions were written under
    const token::Tokenizer *tokenizer = nullptr;
    SessionRules rules;
    SessionHooks hooks;
    Buffer<char> redacted;  // names whose values are not logged, each with a NUL after it
    AgentRules agents;
    Metrics metrics;
    uint64_t seed = 0;  // of mids; 0: random for each session

    // Changes the registry for all calls that start later. `make` derives it from the current one;
    // if `make` fails, nothing changes.
    template <class Make>
    Status change_registry(Make make) {
        std::lock_guard<std::mutex> guard(lock_);
        return make(registry);
    }
    registry::RegistryRef share_registry() {
        std::lock_guard<std::mutex> guard(lock_);
        return registry;
    }

private:
    friend class ScratchLoan;
    struct Slot {
        explicit Slot(Engine &engine);
        Memory memory;
        Scratch scratch;
        registry::RegistryRef registry;  // the registry of the scratch
        Slot *next = nullptr;
    };

    Slot *borrow();
    Slot *take_or_make();
    void give_back(Slot *place);

    std::mutex lock_;
    Slot *free_ = nullptr;
};

// A scratch for the duration of a call.
class ScratchLoan {
public:
    explicit ScratchLoan(Engine &engine) : engine_(engine), slot_(engine.borrow()) {}
    ~ScratchLoan() { engine_.give_back(slot_); }
    ScratchLoan(const ScratchLoan &) = delete;
    ScratchLoan &operator=(const ScratchLoan &) = delete;
    Scratch &operator*() const { return slot_->scratch; }

private:
    Engine &engine_;
    Engine::Slot *slot_;
};

}  // namespace accp::session
