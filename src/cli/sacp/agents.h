// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registry of agents that actions of accp sacp ask: in memory, of --registry, or in --store.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

inline int64_t seconds_to_ms(double seconds) { return std::llround(seconds * 1000); }
// The time of --now; without it there is no clock.
inline int64_t agents_now_ms(const Arguments &arguments) {
    return arguments.now_s ? seconds_to_ms(*arguments.now_s) : ACCP_NO_CLOCK;
}

// The store of --store; none where nothing is named. `flags`: of accp_store_open(). Throws Failure.
Handle<accp_store> open_store(const std::string &named, uint32_t flags = 0);

// Reads the document `text`, of `name`. Throws Failure, which has the verdict of the entry that was
// refused.
void load_agents(accp_capabilities *agents, const std::string &name, std::string_view text);

class Agents {
public:
    // In memory, or in a store.
    Agents(Handle<accp_store> store, const accp_config *config);
    // Those of --store, which must be there for a query without --registry, and of --registry,
    // which are put into it. Throws Failure.
    Agents(const Arguments &arguments, const accp_config *config);

    accp_capabilities *get() const { return held_.get(); }

    accp_status load(std::string_view json, accp_error &err);
    // Each appends an answer, which may be a verdict.
    accp_status ask(std::string_view json, const Arguments &arguments, int64_t now_ms,
                    std::string &out, accp_error &err);
    accp_status add(std::string_view json, std::string &out, accp_error &err);
    // A verdict is an answer; any other failure is one.
    accp_status tell_verdict(accp_status status, std::string &out);

private:
    Handle<accp_store> store_;
    Handle<accp_capabilities> held_;
};

}  // namespace cli
