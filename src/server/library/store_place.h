// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the name of a store. accp_store_open() opens each kind of store that is named here.
#pragma once

#include <string_view>

#include "accp/accp.h"
#include "accp/bus.h"

namespace host {

// How gateways of the store of this name reach each other; nullptr: it is one gateway's alone.
accp_bus_opener bus_of_store(std::string_view name);

// Is it a name of a store, and no path? "sqlite:PATH", "memory:", "nats://…".
bool is_store_name(std::string_view name);

}  // namespace host
