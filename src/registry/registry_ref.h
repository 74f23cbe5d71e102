// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry with shared ownership: sessions, codecs, a negotiation and the caller may own it, on
// any thread. Only the number of owners changes.
#pragma once

#include "base/handle.h"
#include "registry/registry.h"

struct accp_registry {
    explicit accp_registry(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          registry(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp::registry::Registry registry;
    uint32_t profiles = 0;  // the profiles that were requested
    std::atomic<uint32_t> owners{1};
};

namespace accp::registry {

// A reference that owns a registry. Copying shares the ownership.
class RegistryRef {
public:
    RegistryRef() = default;
    explicit RegistryRef(accp_registry *owned) : held_(owned) {}
    RegistryRef(const RegistryRef &other) : held_(share(other.held_)) {}
    RegistryRef &operator=(RegistryRef other) {
        accp_registry *mine = held_;
        held_ = other.held_;
        other.held_ = mine;
        return *this;
    }
    ~RegistryRef() { drop(held_); }

    static accp_registry *share(const accp_registry *held) { return retain_handle(held); }
    static void drop(accp_registry *held) { release_handle(held); }

    accp_registry *get() const { return held_; }
    accp_registry *release() {
        accp_registry *held = held_;
        held_ = nullptr;
        return held;
    }
    const Registry &operator*() const { return held_->registry; }
    const Registry *operator->() const { return &held_->registry; }
    explicit operator bool() const { return held_ != nullptr; }

private:
    accp_registry *held_ = nullptr;
};

// Creates a registry from a document and profiles. `out` only changes on success.
Status make_registry(const Settings &settings, uint32_t profiles, std::string_view text,
                     RegistryRef &out);

}  // namespace accp::registry
