// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Answers of the registry, and the registry itself, as JSON.
#pragma once

#include "sacp/agents/capabilities.h"

namespace accp::plan {

constexpr const char *kNoList = "A registry is a JSON array of entries";

std::string_view match_name(Match match);

// Appends [{"agent_name":…,"match":…}…], with the score where one agent is more alike than another.
void write_answer(const Buffer<Found> &found, Buffer<char> &out);
// Appends the entries, leases and all, in the order of their registration.
void write_document(const Capabilities &agents, Memory &memory, Buffer<char> &out);
}  // namespace accp::plan
