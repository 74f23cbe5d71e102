// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The part `context` of a project's configuration, as the proposal has it.
#pragma once

#include "value/yaml_reader.h"

namespace accp::panes {

struct PaneSettings {
    int32_t depth = 1;  // accp_packet_depth
    uint64_t budgets[3] = {100, 400, 800};
    bool auto_generate = true;
    bool track_efficiency = true;
    bool auto_cleanup = true;
    uint32_t lock_seconds = 10;  // how long a writer waits for another
    int64_t pane = -1;           // that of this worker; -1: not said
};

constexpr size_t kMaxConfigBytes = 64 << 10;  // people write it

// minimal, standard, deep, simple, complex; -1: none of them.
int32_t find_depth(std::string_view name);

// What the YAML text says under `context`, over `out`, which a failure leaves alone. Other members
// at the top belong to others. ACCP_E1001: no YAML; ACCP_E1004: no such setting, or no such value,
// at its byte, with its name in the message.
Status read_settings(std::string_view text, Memory &memory, PaneSettings &out);

}  // namespace accp::panes
