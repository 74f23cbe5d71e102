// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_panes.
#pragma once

#include "accp/panes.h"
#include "base/handle.h"
#include "capi/guard.h"
#include "packet/panes/panes.h"
#include "store/handle.h"

struct accp_panes {
    // The arguments of the constructor.
    struct Source {
        const accp::Settings &settings;
        accp_store *store;
    };

    explicit accp_panes(const Source &from)
        : settings(from.settings),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          store(accp::store::share_store(from.store)),
          panes(store->store, memory),
          feedback(memory),
          out(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp::capi::HandleUses uses;
    accp_store *store;
    accp::packet::Panes panes;
    accp::packet::Feedback feedback;
    accp::Buffer<char> out;
};

namespace accp::capi {

constexpr const char *kNoPane = "a pane is a number from 0 to 9999";
constexpr const char *kNoWay = "no such way of reading or writing";

// Fails if the handle is NULL or a call works with it.
inline accp_status check_idle(const accp_panes *panes, accp_error *err) noexcept {
    return panes ? check_unused(*panes, err) : refuse(err, kNoHandle);
}

inline bool is_pane(int64_t pane) { return pane >= 0 && pane <= packet::kMaxPane; }
inline bool is_file(int64_t pane) { return pane == packet::kShared || is_pane(pane); }

}  // namespace accp::capi
