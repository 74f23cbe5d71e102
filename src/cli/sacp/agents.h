// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registry of agents: in memory, from --registry, or in --store.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

inline int64_t seconds_to_ms(double seconds) { return std::llround(seconds * 1000); }
// The time of --now; ACCP_NO_CLOCK without it.
inline int64_t agents_now_ms(const Arguments &arguments) {
    return arguments.now_s ? seconds_to_ms(*arguments.now_s) : ACCP_NO_CLOCK;
}

// Opens the named store; returns NULL if the name is empty. `flags`: of accp_store_open(). Throws
// Failure.
Handle<accp_store> open_store(const std::string &name, uint32_t flags = 0);

// Loads a document, read from `name`. Throws a Failure with the verdict on the entry that was
// refused.
void load_agents(accp_capabilities *agents, const std::string &name, std::string_view text);

class AgentRegistry {
public:
    // `store`: NULL for a registry in memory.
    AgentRegistry(Handle<accp_store> store, const accp_config *config);
    // Opens --store and loads the agents of --registry into it. For a query without --registry the
    // store must exist. Throws Failure.
    AgentRegistry(const Arguments &arguments, const accp_config *config);

    accp_capabilities *get() const { return registry_.get(); }

    accp_status load(std::string_view json, accp_error &err);
    // Each appends {"answer":…} or {"verdict":…}.
    accp_status query(std::string_view json, const Arguments &arguments, int64_t now_ms,
                      std::string &out, accp_error &err);
    accp_status add(std::string_view json, std::string &out, accp_error &err);
    // Appends the verdict and returns ACCP_OK. Returns `status` if there is no verdict on a
    // failure.
    accp_status append_verdict(accp_status status, std::string &out);

private:
    Handle<accp_store> store_;
    Handle<accp_capabilities> registry_;
};

}  // namespace cli
