// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes space for messages, closes units in checkpoints, and merges old checkpoints.
#include <algorithm>

#include "base/limits.h"
#include "context/context.h"
#include "context/evict.h"
#include "context/fold.h"

namespace accp::context {

namespace {

// Returns the first unit that stays open after a checkpoint. The newest stays open, and the one
// before it if there is space (specification 5.1). All stay open if they are the whole history.
size_t survivors(const ContextState &state, const ContextOptions &options) {
    const uint64_t room = options.hot_due - Folder::kReferenceTokens;
    const size_t count = state.units.size();
    if (!state.open && state.all_tokens() <= room) return 0;
    size_t first = count - (count > state.open);
    if (first > state.open && state.tokens(first - 1, count) <= room) --first;
    return first;
}

}  // namespace

ContextState &Context::draft_beside(const ContextState *now) {
    return now == &scratch_->drafts[0] ? scratch_->drafts[1] : scratch_->drafts[0];
}

bool Context::is_cold(uint64_t now_ms) const {
    const uint64_t since = now_ms == state_.called_ms ? state_.asked_ms : state_.called_ms;
    return options_.cache_ttl_ms && since && now_ms > since &&
           now_ms - since > options_.cache_ttl_ms;
}

Status Context::evict(const Eviction &eviction, const ContextState *&now) {
    if (!eviction.any()) return {};
    ContextState &draft = draft_beside(now);
    Status status = Evictor(*scratch_).evict(*now, eviction, draft);
    now = &draft;
    return status;
}

Status Context::fold(const FoldOrder &order, const ContextState *&now) {
    ContextState &draft = draft_beside(now);
    Status status = Folder(*scratch_, options_, hooks_).fold(*now, order, draft);
    now = &draft;
    return status;
}

bool Context::has_room(const ContextState &state, const Arriving &message) const {
    const bool is_priced = options_.price_write;
    const uint64_t used = is_priced ? state.all_tokens() - state.pinned_tokens : state.hot_tokens();
    return used + std::min(message.unit.tokens, options_.newest_max) <= options_.hot_max &&
           state.text.size() + std::min(message.text.size(), kMaxNewestBytes) <= kMaxContextBytes &&
           state.hidden.size() <= kMaxHiddenBytes;
}

// Evicts the pages that pay, if a model was called or the cache is cold. Then evicts more until the
// message has room.
Status Context::evict_before(const Arriving &message, bool is_call, uint64_t now_ms,
                             const ContextState *&now) {
    Status status;
    if (is_call || is_cold(now_ms))
        status = evict(Pages(*now, options_, scratch_->arena).by_price(!is_call), now);
    // Lines that come back take space again, so it may need more than one eviction. The last one
    // leaves only the pinned messages.
    for (uint64_t quarters = 3; status.ok() && !message.pins && !has_room(*now, message);
         --quarters) {
        const uint64_t open = now->all_tokens() - now->pinned_tokens,
                       room = std::min(open, uint64_t{options_.hot_max}) * quarters / 4;
        status = evict(Pages(*now, options_, scratch_->arena)
                           .for_room(now->units.size(), now->pinned_tokens + room),
                       now);
        if (!quarters) break;
    }
    return status;
}

// Folds messages if hot has no space for the new one.
Status Context::fold_before(const Arriving &message, const ContextState *&now) {
    if (now->open == now->units.size() || message.pins || has_room(*now, message)) return {};
    const bool is_large =
        now->text.size() + std::min(message.text.size(), kMaxNewestBytes) > kMaxContextBytes;
    const FoldOrder order = {is_large ? now->pinned : now->open, now->units.size(),
                             now->units.size(), now->checkpoint + 1, CheckpointCause::kFull};
    Status status = fold(order, now);
    return status.ok() ? merge_oldest(now) : status;
}

// Makes a checkpoint of the open units. With prices it is made in `state` itself.
Status Context::close(CheckpointCause cause, ContextState &state, const ContextState *&now) {
    now = &state;
    if (options_.price_write) {
        Status status = Folder(*scratch_, options_, hooks_).close_whole(cause, state);
        return status.ok() ? merge_oldest(now) : status;
    }
    const size_t first = survivors(state, options_), count = state.units.size();
    if (cause == CheckpointCause::kFull && first <= state.open) return {};
    const size_t told = cause == CheckpointCause::kFull ? first : count;
    Status status = fold(
        {state.open, std::max<size_t>(first, state.open), told, state.checkpoint + 1, cause}, now);
    return status.ok() ? merge_oldest(now) : status;
}

// Counts the checkpoints of a state, and finds the end of the two oldest.
Context::Checkpoints Context::checkpoints_of(const ContextState &state) {
    Checkpoints found;
    found.second_end = state.open;
    for (size_t i = state.pinned; i < state.open; ++i) {
        if (i > state.pinned && state.units[i].checkpoint == state.units[i - 1].checkpoint)
            continue;
        ++found.count;
        if (found.count == 2) found.second = state.units[i].checkpoint;
        if (found.count == 3) found.second_end = i;
    }
    return found;
}

// Merges the two oldest checkpoints while there are more than the rule `retained` allows. With
// prices only their name changes.
Status Context::merge_oldest(const ContextState *&now) {
    for (;;) {
        const Checkpoints found = checkpoints_of(*now);
        if (found.count <= options_.retained) return {};
        if (options_.price_write) {
            auto *units = const_cast<Unit *>(now->units.data());
            for (size_t i = now->pinned; i < found.second_end; ++i)
                units[i].checkpoint = found.second;
            continue;
        }
        Status status = fold(
            {now->pinned, found.second_end, found.second_end, found.second, CheckpointCause::kFull},
            now);
        if (status.failed()) return status;
    }
}

}  // namespace accp::context
