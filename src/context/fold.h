// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes a checkpoint. With prices it only names messages that stay as they are. Under the rules of
// the specification some units of a context become smaller, once, and then stay as they are.
// Specification 5.3, in its order: what was said is frozen (the state that is folded), its facts
// and its lines go into the checkpoint, the rest is with the caller (cold), its name stays.
#pragma once

#include "context/scratch.h"

namespace accp::context {

// Units to be made one checkpoint: [first, last). Those from `last` to `told` stay open, and are
// only in what the host is told of it.
struct FoldOrder {
    size_t first, last, told;
    uint32_t id;  // of the checkpoint: the next, or that of one that takes an older one in
    CheckpointCause cause;
};

class Folder {
public:
    static constexpr uint32_t kReferenceTokens = 16;  // room for the line that names a checkpoint

    // All are borrowed; the scratch's arena is not reset.
    Folder(ContextScratch &scratch, const ContextOptions &options, const ContextHooks &hooks)
        : scratch_(scratch), options_(options), hooks_(hooks) {}

    // Makes `to` what `from` is with these units in a checkpoint.
    Status fold(const ContextState &from, const FoldOrder &order, ContextState &to);
    // Makes every open unit one of a checkpoint. The text stays as it is. If memory runs out, only
    // counts have changed.
    Status close_whole(CheckpointCause cause, ContextState &state);

private:
    Status count(std::string_view text, uint32_t &tokens);
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

    // Is any of these units data from outside?
    static bool has_untrusted(const ContextState &state, size_t begin, size_t end) {
        for (; begin < end; ++begin)
            if (state.units[begin].untrusted) return true;
        return false;
    }
    // Tokens that the checkpoint may still have, beside the line that names it.
    uint64_t room_left() const {
        const uint64_t used = filled_ + kReferenceTokens;
        return options_.checkpoint_max > used ? options_.checkpoint_max - used : 0;
    }

    ContextScratch &scratch_;
    const ContextOptions &options_;
    const ContextHooks &hooks_;
    const ContextState *from_ = nullptr;  // what is folded
    uint32_t id_ = 0;
    uint64_t filled_ = 0;     // tokens of the checkpoint so far
    bool untrusted_ = false;  // something of what is folded is
};

}  // namespace accp::context
