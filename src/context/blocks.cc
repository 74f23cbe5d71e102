// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See blocks.h: a context as blocks.
#include "context/blocks.h"

#include <algorithm>

#include "context/context.h"
#include "context/scratch.h"

namespace accp::context {

// The first unit that changes when a model has been called once more, as far as prices say.
size_t Context::first_to_change() {
    const size_t count = state_.units.size();
    if (!options_.price_write) return count;
    Undo undo(state_);
    ++state_.calls;
    state_.read = static_cast<uint32_t>(count);
    const Arena::Mark mark = scratch_->arena.mark();
    const size_t first = Retention(state_, options_, scratch_->arena).decide(false).first;
    scratch_->arena.rewind(mark);
    return std::min(count, first);
}

BlockKind Context::kind_of(size_t unit) const {
    if (unit < state_.pinned) return BlockKind::kPinned;
    if (unit < state_.open) return BlockKind::kClosed;
    return unit + 1 < state_.units.size() ? BlockKind::kOpen : BlockKind::kNewest;
}

// Adds a unit to the block that it is in.
void Context::add_unit(size_t unit, std::string_view text, Buffer<Block> &blocks,
                       Buffer<char> &out) const {
    const Unit &of = state_.units[unit];
    const BlockKind kind = kind_of(unit);
    const uint32_t checkpoint = kind == BlockKind::kClosed ? of.checkpoint : 0;
    const size_t made = blocks.size();
    if (!made || blocks[made - 1].kind != kind || blocks[made - 1].checkpoint != checkpoint) {
        Block block;
        block.kind = kind;
        block.checkpoint = checkpoint;
        block.first = unit;
        block.begin = out.size();
        blocks.push(block);
    }
    Block &block = blocks[blocks.size() - 1];
    out.append(text);
    block.last = unit + 1;
    block.end = out.size();
    block.tokens += of.tokens;
    block.since = std::max(block.since, of.number);
}

Status Context::blocks(uint64_t budget, Buffer<Block> &blocks, Buffer<char> &out) {
    Selection selection;
    Status status = select(budget, selection);
    if (status.failed()) return status;
    blocks.clear();
    out.clear();
    const size_t count = state_.units.size();
    for (size_t i = 0; i < state_.pinned; ++i) add_unit(i, state_.text_of(i), blocks, out);
    if (selection.left_out) {
        Block gap;
        gap.kind = BlockKind::kGap;
        gap.first = gap.last = selection.first;
        gap.begin = out.size();
        write_gap(selection, out);
        gap.end = out.size();
        status = this->count(out.view().substr(gap.begin), gap.tokens);
        if (status.failed()) return status;
        blocks.push(gap);
    }
    for (size_t i = selection.first; i < count; ++i)
        add_unit(i, selection.newest.empty() ? state_.text_of(i) : selection.newest, blocks, out);
    if (!selection.newest.empty()) {
        Block &newest = blocks[blocks.size() - 1];
        newest.is_cut = true;
        status = this->count(selection.newest, newest.tokens);
    }
    const size_t changes = first_to_change();
    const bool whole = selection.first == state_.pinned;
    for (Block &block : blocks)
        block.is_stable = block.last <= changes && (whole || block.kind == BlockKind::kPinned);
    return status;
}

}  // namespace accp::context
