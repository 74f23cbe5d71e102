// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The part of a tool's result that a call requests. A call requests it by the arguments
// "_max_tokens", "_lines" and "_query", which the wrap adds to the tool, or by "accp/bound" in its
// _meta. The wrapped server sees neither.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace server {

struct CallBound {
    uint64_t max_tokens = 0;   // of each text; 0: the default of the rules
    std::string lines, query;  // as for the tool resolve; empty: everything

    bool is_part() const { return !lines.empty() || !query.empty(); }
};

// Returns which of the three arguments the wrap may add to a tool, one bit each. Existing arguments
// of the same names are kept. Returns 0 if the tool's schema may not allow further arguments.
unsigned added_bounds(std::string_view tool);
// Adds these arguments to the schema of a tool.
std::string with_bounds(std::string_view tool, unsigned bounds);
// Adds a description of the arguments to the tool resolve.
std::string with_bound_descriptions(std::string_view resolve_tool);

// Removes the bounds from the params of tools/call (compact JSON) and reads them into `out`.
// Returns the error; empty: none.
std::string extract_bound(std::string &params, unsigned bounds, CallBound &out);

}  // namespace server
