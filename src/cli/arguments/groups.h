// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The options of accp context, in groups that go together.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

#include "cli/arguments/arguments.h"

namespace cli {

enum Group : uint32_t {
    kJson = 1 << 0,
    kTrust = 1 << 1,
    kSource = 1 << 2,     // of what a packet is made
    kBudget = 1 << 3,     // in tokens
    kAgent = 1 << 4,      // who speaks
    kCode = 1 << 5,       // a directory
    kPane = 1 << 6,       // whose packet, in which project
    kShared = 1 << 7,     // or what all share
    kNotShared = 1 << 8,  // which is refused with advice
    kProject = 1 << 9,
    kStore = 1 << 10,
    kRevision = 1 << 11,
    kFeedback = 1 << 12,
    kKind = 1 << 13,
    kTask = 1 << 14,
    kCompare = 1 << 15,
    kRoles = 1 << 16,
    kOf = 1 << 17,
    kLess = 1 << 18,
    kNote = 1 << 19,
    kNow = 1 << 20,
    kCounts = 1 << 21,  // the tokens of a packet
};

// Adds the options of some groups, as bits.
void add_context_groups(CLI::App &command, uint32_t groups, Arguments &out);

}  // namespace cli
