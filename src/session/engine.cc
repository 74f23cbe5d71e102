// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/engine.h"

#include <new>

namespace accp::session {

Settings Engine::session_settings(Settings settings) {
    settings.abbreviate = false;
    settings.keep_refs = true;
    return settings;
}

Engine::~Engine() {
    while (free_) {
        Slot *next = free_->next;
        free_->~Slot();
        memory.release(free_, sizeof(Slot));
        free_ = next;
    }
}

Engine::Slot::Slot(Engine &engine)
    : memory(engine.settings.allocator, engine.settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
      scratch(memory, engine.settings) {
    scratch.codec.coder.ignored.append(codec::kUntrustedName.data(), codec::kUntrustedName.size());
    scratch.codec.setup.hooks = engine.rules.codec_hooks;
    scratch.registry_cache = &engine.registry_cache;
    scratch.counter.open(*engine.tokenizer, engine.settings.token_cache);
}

Engine::Slot *Engine::borrow() {
    std::lock_guard<std::mutex> guard(lock_);  // also protects `memory` when a scratch is created
    Slot *slot = take_or_make();
    if (slot->registry.get() != registry.get()) slot->registry = registry;
    slot->scratch.set_registry(*slot->registry);
    return slot;
}

Engine::Slot *Engine::take_or_make() {
    if (Slot *slot = free_) {
        free_ = slot->next;
        return slot;
    }
    struct Allocation {
        Memory &memory;
        void *held;
        ~Allocation() { memory.release(held, sizeof(Slot)); }
    } room = {memory, memory.allocate(sizeof(Slot))};
    auto *slot = new (room.held) Slot(*this);
    room.held = nullptr;
    return slot;
}

void Engine::give_back(Slot *slot) {
    std::lock_guard<std::mutex> guard(lock_);
    slot->next = free_;
    free_ = slot;
}

}  // namespace accp::session
