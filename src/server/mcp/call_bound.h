// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How much of a tool's result a call wants, as it says itself: by arguments that the wrap adds to
// the tool, "_max_tokens", "_lines" and "_query", or by "accp/bound" in its _meta. The server that
// has the tool sees nothing of either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace server {

struct CallBound {
    uint64_t max_tokens = 0;   // of each text; 0: as the rules have it
    std::string lines, query;  // as of the tool resolve; empty: all of it

    bool is_part() const { return !lines.empty() || !query.empty(); }
};

// Which of the three arguments a tool has of us, a bit each: its own of the same names stay its
// own. None where arguments beside those of its schema need not be all there is to it.
unsigned added_bounds(std::string_view tool);
// The tool with these in its schema.
std::string with_bounds(std::string_view tool, unsigned bounds);
// The tool resolve, whose description says of the others what they take.
std::string with_bound_descriptions(std::string_view resolve_tool);

// Of params of tools/call, compact, to a tool with such bounds: takes them out. What is wrong with
// them; empty: nothing.
std::string extract_bound(std::string &params, unsigned bounds, CallBound &out);

}  // namespace server
