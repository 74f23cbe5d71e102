// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What gaps are about, and which part of a packet was unused, by rules: words of what workers
// write. What no rule knows is "other".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"

namespace accp::panes {

struct GapRule {
    std::string_view name;
    std::string_view phrases;  // text::has_phrase()
    int32_t depth;             // accp_packet_depth: the first that may have it
};
constexpr int kGapKinds = 13;  // with "other", the last
const GapRule &gap_rule(int kind);
// The first rule that the text is of.
int gap_kind(std::string_view text, Memory &memory);

constexpr int kSections = 13;  // with "other", the last
constexpr int kFailedAttempts = 8;
std::string_view section_name(int section);
// Does a text name this section of a packet? "other": it names none.
bool names_section(std::string_view text, int section);

}  // namespace accp::panes
