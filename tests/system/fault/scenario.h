// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the library does, one scenario after another, for tests that take its memory away. A
// scenario calls the C face and nothing else, so that every allocation while it runs is the
// library's; it may run again in the same world, and then answers the same.
#pragma once

#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"

namespace accp_fault {

// The handles of a scenario, each made when first needed, from `config`.
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

    // What the last run answered. text is a view, or nodes or records as bytes.
    accp_error error = {};
    accp_text text = {};
    // a call that failed wrote an output, or left something after that should be empty
    bool touched = false;
};

struct Scenario {
    const char *name;
    void (*configure)(accp_config *config);
    accp_status (*run)(World &world);
    accp_status expected;  // where memory never ends
};

const std::vector<Scenario> &scenarios();

}  // namespace accp_fault
