// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A library that several hold at once, on any thread. Constant but for the count of its owners.
#pragma once

#include <atomic>

#include "base/handle.h"
#include "plan/library.h"

struct accp_library {
    explicit accp_library(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          library(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp::plan::Library library;
    std::atomic<uint32_t> owners{1};
};

namespace accp::plan {

// The count of owners is all that changes, whoever asks.
inline accp_library *share(const accp_library *held) {
    auto *shared = const_cast<accp_library *>(held);
    if (shared) shared->owners.fetch_add(1, std::memory_order_relaxed);
    return shared;
}
inline void drop(accp_library *held) noexcept {
    if (held && held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) end_handle(held);
}

}  // namespace accp::plan
