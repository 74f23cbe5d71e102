// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Where in a store the log of a registry of agents lies. It begins as the session
// "accp.capabilities". When it is written anew it goes on in another session,
// "accp.capabilities.GENERATION.RANDOM"; the state of the session "accp.capabilities.log" names the
// one that counts, and the older ones are taken out.
#pragma once

#include "store/store.h"

namespace accp::plan {

constexpr std::string_view kCapabilitiesSession = "accp.capabilities";
constexpr std::string_view kCapabilitiesHead = "accp.capabilities.log";

class CapabilityLogs {
public:
    // store: nullptr: nothing is asked of it.
    CapabilityLogs(store::Store *store, Memory &memory)
        : store_(store), batch_(memory), text_(memory), names_(memory) {}

    // The session that counts, as far as the head knows: it may have been ended by a record that
    // names the next one.
    Status find(Buffer<char> &name);
    // A name for the session after this one, which nobody else makes.
    void make_name(std::string_view before, Buffer<char> &name);
    // Lets the head name this session, unless it names a later one.
    Status point_to(std::string_view name);
    // Takes out all sessions up to the generation of this one, but for itself. To be called by
    // whoever ended the one before it: nobody else can make one of these generations count.
    Status erase_older(std::string_view name);

    static uint64_t generation_of(std::string_view name);

private:
    Status point_once(std::string_view name);

    store::Store *store_;
    store::StoreBatch batch_;
    Buffer<char> text_, names_;
};

}  // namespace accp::plan
