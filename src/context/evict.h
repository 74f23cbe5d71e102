// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a context without the evicted pages. The text before the first evicted page does not
// change. The text after it is written again: a line that only an evicted page had comes back in a
// later message that has it too, and a line that an earlier message has is left out.
#pragma once

#include "context/pages.h"
#include "context/scratch.h"

namespace accp::context {

class Evictor {
public:
    // Borrows the scratch. Its arena is not reset.
    explicit Evictor(ContextScratch &scratch) : scratch_(scratch) {}

    // Sets `to` to the state `from` without these pages, and sets the sums of its tokens.
    Status evict(const ContextState &from, const Eviction &eviction, ContextState &to);

private:
    Status add_line(const Unit &unit, std::string_view shown, std::string_view hidden,
                    ContextState &to);
    Status add_range(const ContextState &from, size_t first, size_t last, ContextState &to);
    Status add_kept(const Unit &unit, std::string_view text, std::string_view hidden,
                    bool leaves_out, LineSet &above, LineSet &by_body, ContextState &to);

    ContextScratch &scratch_;
};

}  // namespace accp::context
