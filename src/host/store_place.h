// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Stores by their names: what the library has itself, and what a library beside it has.
#pragma once

#include <string_view>

#include "accp/accp.h"
#include "accp/bus.h"

namespace host {

// accp_store_open(), and nats://… by libaccp-nats, which is loaded then. Failure where it is not
// installed.
accp_status open_store(std::string_view name, uint32_t flags, const accp_config *config,
                       accp_store **out, accp_error *err);

// How gateways of the store of this name reach each other; nullptr: it is one gateway's alone.
accp_bus_opener bus_of_store(std::string_view name);

// Is it a name of a store, and no path? "sqlite:PATH", "memory:", "nats://…".
bool is_store_name(std::string_view name);

}  // namespace host
