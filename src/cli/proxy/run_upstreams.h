// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The upstreams of accp proxy run: the addresses that the agent would call without the proxy.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/proxy/known_agents.h"

namespace cli {

struct RunUpstreams {
    std::vector<std::string> options;  // each NAME=URL
    // Names of upstreams whose addresses have no /v1 at the place where most have one.
    std::set<std::string> without_v1;

    // Returns the address that replaces an address of the agent. `base`: that of the proxy. Each
    // upstream has a path of its own, so that no call reaches another one.
    std::string address(const AgentAddress &of, const std::string &base) const;
};

// Reads the environment and the agent's configuration, except for upstreams that --upstream names.
// Throws Failure if they contradict each other, or have an address that the proxy cannot replace.
RunUpstreams choose_upstreams(const Arguments &arguments);

}  // namespace cli
