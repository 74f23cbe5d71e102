// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry as frames sync:registry, for those who are told it and are not asked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/library/handles.h"

namespace server {

// What `agent` says in a negotiation to a peer that knows the built-in schemas and no others: who
// it is, and what the registry of `config` has beyond them. Without metadata. Throws Failure.
std::vector<std::string> registry_frames(const std::string &agent, const accp_config *config);

}  // namespace server
