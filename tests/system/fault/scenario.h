// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Scenarios that use the library, for tests that make its allocations fail. A scenario calls only
// the C face, so every allocation while it runs belongs to the library. A scenario may run again in
// the same world and must then give the same result.
#pragma once

#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"

namespace accp_fault {

// The handles of a scenario. Each is created from `config` when it is first needed.
struct World {
    explicit World(void (*configure)(accp_config *));
    World(const World &) = delete;
    World &operator=(const World &) = delete;
    ~World();

    accp_config *config = nullptr;
    accp_frame *frame = nullptr;
    accp_value *value = nullptr;
    accp_value *meta = nullptr;
    accp_batch *batch = nullptr;
    accp_render *render = nullptr;
    accp_tokenizer *tokenizer = nullptr;
    accp_counter *counter = nullptr;
    accp_registry *registry = nullptr;
    accp_registry *other_registry = nullptr;
    accp_negotiation *sides[2] = {};
    accp_codec *codec = nullptr;
    accp_engine *engine = nullptr;
    accp_stream *stream = nullptr;
    accp_deadline *deadline = nullptr;
    accp_packet *packet = nullptr, *old_packet = nullptr;
    accp_packet_index *packet_index = nullptr;
    accp_packet_code *code = nullptr;

    // The result of the last run. text is a view, or the bytes of nodes or records.
    accp_error error = {};
    accp_text text = {};
    // a failed call wrote an output, or left data behind
    bool touched = false;
};

struct Scenario {
    const char *name;
    void (*configure)(accp_config *config);
    accp_status (*run)(World &world);
    accp_status expected;  // if no allocation fails
};

const std::vector<Scenario> &scenarios();

}  // namespace accp_fault
