// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The cluster as a back end of stores: the table of accp/store_backend.h.
#pragma once

#include <memory>

#include "scale/cluster.h"

namespace scale {

// A gateway's process from the view of its stores: after it was killed it sends no more requests.
struct Caller {
    size_t number = 0;
    bool is_dead = false;
};

const accp_store_backend &store_table();

// Returns the `user` of the table; its `close` deletes it.
void *new_store_user(Cluster &cluster, std::shared_ptr<const Caller> caller);

}  // namespace scale
