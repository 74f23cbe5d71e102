// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/blocks.h"

#include <algorithm>

#include "context/context.h"
#include "context/scratch.h"

namespace accp::context {

// Returns the first unit that prices would change at the next call of the model.
size_t Context::first_to_change() {
    const size_t count = state_.units.size();
    if (!options_.price_write) return count;
    const NextCall next(state_);
    const Arena::Mark mark = scratch_->arena.mark();
    const size_t first = Pages(state_, options_, scratch_->arena).by_price(false).first;
    scratch_->arena.rewind(mark);
    return std::min(count, first);
}

BlockKind Context::kind_of(size_t unit) const {
    const ContextState &state = *shown_;
    if (unit < state.pinned) return BlockKind::kPinned;
    if (state.units[unit].kind == UnitKind::kRange) return BlockKind::kGap;
    if (unit < state.open) return BlockKind::kClosed;
    return unit + 1 < state.units.size() ? BlockKind::kOpen : BlockKind::kNewest;
}

// Adds a unit to the last block, or to a new one if it belongs to another block.
void Context::add_unit(size_t unit, Buffer<Block> &blocks, Buffer<char> &out) const {
    const Unit &of = shown_->units[unit];
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
    out.append(shown_->text_of(unit));
    block.last = unit + 1;
    block.end = out.size();
    block.tokens += of.tokens;
    if (kind != BlockKind::kGap) block.since = std::max(block.since, of.number);
}

Status Context::blocks(uint64_t budget, Buffer<Block> &blocks, Buffer<char> &out) {
    Status status = fit(budget);
    if (status.failed()) return status;
    blocks.clear();
    out.clear();
    const size_t count = shown_->units.size();
    for (size_t i = 0; i < count; ++i) add_unit(i, blocks, out);
    const bool is_whole = shown_ == &state_;
    const size_t changes = first_to_change();
    for (Block &block : blocks)
        block.is_stable = block.last <= changes && (is_whole || block.kind == BlockKind::kPinned);
    return status;
}

}  // namespace accp::context
