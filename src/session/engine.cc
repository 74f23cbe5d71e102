// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See engine.h.
#include "session/engine.h"

#include <new>

namespace accp::session {

Settings Engine::of_sessions(Settings settings) {
    settings.abbreviate = false;
    settings.keep_refs = true;
    return settings;
}

Engine::~Engine() {
    while (free_) {
        Place *next = free_->next;
        free_->~Place();
        memory.release(free_, sizeof(Place));
        free_ = next;
    }
}

Engine::Place::Place(Engine &engine)
    : memory(engine.settings.allocator, engine.settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
      scratch(memory, engine.settings) {
    scratch.codec.coder.ignored.append(codec::kUntrustedName.data(), codec::kUntrustedName.size());
    scratch.codec.setup.hooks = engine.rules.checks;
    scratch.registries = &engine.known;
    scratch.counter.open(*engine.tokenizer, engine.settings.token_cache);
}

Engine::Place *Engine::borrow() {
    std::lock_guard<std::mutex> guard(lock_);  // for `memory` too, where a scratch is to be made
    Place *place = take_or_make();
    if (place->registry.get() != registry.get()) place->registry = registry;
    place->scratch.set_registry(*place->registry);
    return place;
}

Engine::Place *Engine::take_or_make() {
    if (Place *place = free_) {
        free_ = place->next;
        return place;
    }
    struct Room {
        Memory &memory;
        void *held;
        ~Room() { memory.release(held, sizeof(Place)); }
    } room = {memory, memory.allocate(sizeof(Place))};
    auto *place = new (room.held) Place(*this);
    room.held = nullptr;
    return place;
}

void Engine::give_back(Place *place) {
    std::lock_guard<std::mutex> guard(lock_);
    place->next = free_;
    free_ = place;
}

}  // namespace accp::session
