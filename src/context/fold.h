// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes a checkpoint. With prices a checkpoint only names messages, which stay as they are. Under
// the rules of the specification some units of a context become smaller, once, and then stay as
// they are. The steps are those of specification 5.3: the state that is folded is frozen, its facts
// and lines go into the checkpoint, the caller has the rest (cold), and a name remains.
#pragma once

#include "context/scratch.h"

namespace accp::context {

// The units of a checkpoint: [first, last). The units from `last` to `told` stay open; the report
// to the host includes them.
struct FoldOrder {
    size_t first, last, told;
    uint32_t id;  // of the checkpoint: a new one, or that of the newer one of two that are merged
    CheckpointCause cause;
};

class Folder {
public:
    static constexpr uint32_t kReferenceTokens = 16;  // reserved for the name of a checkpoint

    // All are borrowed; the scratch's arena is not reset.
    Folder(ContextScratch &scratch, const ContextOptions &options, const ContextHooks &hooks)
        : scratch_(scratch), options_(options), hooks_(hooks) {}

    // Sets `to` to the state `from` with these units in a checkpoint.
    Status fold(const ContextState &from, const FoldOrder &order, ContextState &to);
    // Puts all open units into a checkpoint. The text does not change. If memory runs out, only
    // counts have changed.
    Status close_whole(CheckpointCause cause, ContextState &state);

private:
    Status add(UnitKind kind, std::string_view text, ContextState &to);
    void collect_facts(const FoldOrder &order, Buffer<char> &before, Buffer<char> &later);
    Status count_facts(const FoldOrder &order, std::string_view lines, uint32_t &tokens);
    Status add_facts(const FoldOrder &order, uint64_t last, ContextState &to);
    Status add_summary(std::string_view hot, ContextState &to);
    Status add_lines(const FoldOrder &order, ContextState &to);
    Status add_line(const Unit &unit, std::string_view text, uint32_t max, uint64_t room,
                    ContextState &to);
    Status add_reference(uint64_t number, ContextState &to);
    Status note(const FoldOrder &order, uint64_t first, size_t begin, ContextState &to);
    Status sum_up(uint64_t first, CheckpointNote &note);

    // Returns whether one of these units is untrusted.
    static bool has_untrusted(const ContextState &state, size_t begin, size_t end) {
        for (; begin < end; ++begin)
            if (state.units[begin].untrusted) return true;
        return false;
    }
    // Returns the tokens that the checkpoint may still add, besides the line that names it.
    uint64_t room_left() const {
        const uint64_t used = filled_ + kReferenceTokens;
        return options_.checkpoint_max > used ? options_.checkpoint_max - used : 0;
    }

    ContextScratch &scratch_;
    const ContextOptions &options_;
    const ContextHooks &hooks_;
    const ContextState *from_ = nullptr;
    uint32_t id_ = 0;
    uint64_t filled_ = 0;     // tokens of the checkpoint so far
    bool untrusted_ = false;  // one of its units is
};

}  // namespace accp::context
