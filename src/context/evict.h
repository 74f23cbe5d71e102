// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a context whose pages are evicted. Before the first evicted page nothing changes. After it
// the text is written anew: lines that an evicted page had come back in a later message that has
// them too, and lines that an earlier message has are left out.
#pragma once

#include "context/retention.h"
#include "context/scratch.h"

namespace accp::context {

class LineSet;

class Evictor {
public:
    // Borrows the scratch. Its arena is not reset.
    explicit Evictor(ContextScratch &scratch) : scratch_(scratch) {}

    // Makes `to` what `from` is without these pages. The sums of its tokens are set.
    Status evict(const ContextState &from, const Eviction &eviction, ContextState &to);

private:
    Status add_stub(const Unit &unit, std::string_view text, ContextState &to);
    Status add_kept(const Unit &unit, std::string_view text, std::string_view hidden,
                    bool leaves_out, LineSet &above, LineSet &by_body, ContextState &to);
    Status count(std::string_view text, uint32_t &tokens);

    ContextScratch &scratch_;
};

}  // namespace accp::context
