// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes a checkpoint: some units of a context become smaller, once, and stand from then on as they
// are. Specification 5.3, in its order: what was said is frozen (the state that is folded), its
// facts and its lines go into the checkpoint, the rest is with the caller (cold), its name stays.
#pragma once

#include <optional>

#include "context/scratch.h"
#include "context/shrink.h"

namespace accp::context {

// Units to be made one checkpoint: [first, last). Those from `last` to `told` stay open, and are in
// what the host is told of it alone.
struct FoldOrder {
    size_t first, last, told;
    uint32_t id;  // of the checkpoint: the next, or that of one that takes an older one in
    CheckpointCause cause;
    uint32_t max;  // tokens of it
};

class Folder {
public:
    static constexpr uint32_t kReferenceTokens = 16;  // room for the line that names a checkpoint

    // All are borrowed; the scratch's arena is not reset.
    Folder(ContextScratch &scratch, const ContextOptions &options, const ContextHooks &hooks)
        : scratch_(scratch), options_(options), hooks_(hooks) {}

    // Makes `to` what `from` is with these units in a checkpoint.
    Status fold(const ContextState &from, const FoldOrder &order, ContextState &to);
    // Makes every open unit one of a checkpoint. The text stays as it is. Where memory runs out,
    // only counts have changed.
    Status close_whole(CheckpointCause cause, ContextState &state);

private:
    std::string_view copied(std::string_view text);
    NameSet &names(const ContextState &to);
    LineSet &above(const ContextState &to);
    Status count(std::string_view text, uint32_t &tokens);
    Status add(UnitKind kind, std::string_view text, ContextState &to);
    Status add_legend(ContextState &to);
    void collect_facts(const FoldOrder &order, Buffer<char> &before, Buffer<char> &later);
    Status count_facts(const FoldOrder &order, std::string_view lines, uint32_t &tokens);
    Status add_facts(const FoldOrder &order, uint64_t last, ContextState &to);
    Status add_summary(std::string_view hot, ContextState &to);
    Status add_lines(const FoldOrder &order, ContextState &to);
    Status add_line(const Unit &unit, std::string_view text, uint32_t max, uint64_t room,
                    ContextState &to);
    Status add_reference(uint64_t number, ContextState &to);
    Status add_open(size_t first, ContextState &to);
    Status note(const FoldOrder &order, uint64_t first, size_t begin, ContextState &to);
    Status sum_up(uint64_t first, CheckpointNote &note);

    // Beside the line that names the checkpoint.
    // Is any of these units data from outside?
    static bool has_untrusted(const ContextState &state, size_t begin, size_t end) {
        for (; begin < end; ++begin)
            if (state.units[begin].untrusted) return true;
        return false;
    }
    uint64_t room_left() const {
        const uint64_t used = filled_ + kReferenceTokens;
        return max_ > used ? max_ - used : 0;
    }

    ContextScratch &scratch_;
    const ContextOptions &options_;
    const ContextHooks &hooks_;
    const ContextState *from_ = nullptr;  // what is folded
    // Of what is folded, and of what is written so far: made when they are needed.
    std::optional<NameSet> names_;
    std::optional<LineSet> above_;
    uint32_t id_ = 0, max_ = 0;
    uint64_t filled_ = 0;     // tokens of the checkpoint so far
    bool untrusted_ = false;  // something of what is folded is
};

}  // namespace accp::context
