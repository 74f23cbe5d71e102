// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Store names, and the shared libraries of store back ends (include/accp/store_backend.h).
#pragma once

#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/bus.h"
#include "accp/store_backend.h"

namespace host {

// Loads the library `file` for good and returns its function that opens stores. `file` is a path,
// or a name for the loader. Throws Failure if the library cannot be loaded or has no such function.
accp_store_opener load_backend(const std::string &file);
// The same for a bus between gateways. Returns nullptr if the library has none.
accp_bus_opener load_bus(const std::string &file);

// Returns the bus between gateways of the store with this name; nullptr if only one gateway can use
// the store.
accp_bus_opener bus_of_store(std::string_view name);

// Is it the name of a store, not a path? "sqlite:PATH", "memory:", "nats://…".
bool is_store_name(std::string_view name);

}  // namespace host
