// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A back end of stores in a library of its own (include/accp/store_backend.h), loaded.
#pragma once

#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/bus.h"
#include "accp/store_backend.h"

namespace host {

// The function that opens places of the library `file`, which stays loaded for good: a path, or a
// name that the loader looks for. Failure: it cannot be loaded, or has no such function.
accp_store_opener load_backend(const std::string &file);
// The same of a bus between gateways; nullptr: the library has none.
accp_bus_opener load_bus(const std::string &file);

// Reads the name of a store. accp_store_open() opens each kind of store that is named here.

// How gateways of the store of this name reach each other; nullptr: it is one gateway's alone.
accp_bus_opener bus_of_store(std::string_view name);

// Is it a name of a store, and no path? "sqlite:PATH", "memory:", "nats://…".
bool is_store_name(std::string_view name);

}  // namespace host
