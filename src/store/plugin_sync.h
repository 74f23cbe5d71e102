// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What several sessions over a host's back end have queued, written as one call of its table.
#pragma once

#include "store/lane.h"
#include "store/plugin_backend.h"

namespace accp::store {

// Lanes of one place, whose locks the caller has. What is written of one does not depend on the
// others; the answer is the first failure.
Status write_lanes(PluginPlace &place, Memory &memory, const Buffer<StoreLane *> &lanes);

}  // namespace accp::store
