// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry with its own memory, for unit tests.
#pragma once

#include <string>

#include "registry/registry.h"
#include "unit.h"

namespace accp_unit {

constexpr uint32_t kAllProfiles = 31;

struct Loaded : Room {
    explicit Loaded(std::string_view text = {}, uint32_t profiles = kAllProfiles)
        : status(registry.load(text, profiles, {16 << 20, 1024})) {}

    accp::registry::Registry registry{memory};
    accp::Status status;
};

// "OK", or the code and the byte: "E1004 at 12".
inline std::string verdict(const accp::Status &status) {
    return status.ok() ? "OK"
                       : "E" + std::to_string(status.code) + " at " + std::to_string(status.offset);
}

}  // namespace accp_unit
