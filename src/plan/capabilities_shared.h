// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry of agents, and where a store is given all that changes it: a session of the store
// whose log has a line of JSON for each change. Whoever has the registry open, in any process,
// applies all of them in the order of the log, and so all have the same one.
//
//   {"register":ENTRY}                        an entry or a publication
//   {"deregister":NAME}
//   {"renew":NAME,"lease_until":SECONDS}
//   {"outcome":NAME,"success":BOOLEAN}
//
// A change that no longer makes sense when it is applied (its agent was taken out in between) is
// none. A log is durable before the call that wrote to it answers.
#pragma once

#include "plan/capabilities.h"
#include "store/shared_session.h"

namespace accp::plan {

constexpr std::string_view kCapabilitiesSession = "accp.capabilities";

class SharedCapabilities {
public:
    // store: nullptr: the registry is in memory alone.
    SharedCapabilities(store::Store *store, Memory &memory)
        : store_(store),
          agents_(memory),
          verdict_(memory),
          batch_(memory),
          line_(memory),
          records_(memory),
          reader_(memory),
          value_(memory) {}

    // Applies what was written since the last call. To be called before the registry is asked.
    Status follow();
    Capabilities &agents() { return agents_; }
    const Capabilities &agents() const { return agents_; }

    // What is refused, or about nobody, changes nothing and is ACCP_OK: `verdict` says it, `known`
    // is false. Of a failure after the change became durable (ACCP_ERR_NOMEM) the next follow()
    // makes up.
    Status add(value::TreeView tree, uint32_t entry, Verdict &verdict);
    Status remove(std::string_view name, bool &known);
    Status renew(std::string_view name, double lease_until, double now, bool &known);
    Status note_outcome(std::string_view name, bool success, bool &known);
    Status sweep(double now, uint64_t &swept);

private:
    Status write();
    Status read(std::string_view record);
    void apply();
    void begin_line(std::string_view change, std::string_view name);

    store::Store *store_;
    Capabilities agents_;
    Verdict verdict_;  // of what is applied
    store::StoreBatch batch_;
    Buffer<char> line_;
    store::StoreRecords records_;
    value::JsonReader reader_;
    value::Value value_;
    uint64_t next_ = 1;  // of the log, not applied yet
};

}  // namespace accp::plan
