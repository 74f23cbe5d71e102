// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context.h: closing a checkpoint, and what of hot survives it.
#include <algorithm>

#include "base/utf8.h"
#include "context/context.h"
#include "context/learn.h"
#include "context/scratch.h"
#include "context/untrusted_text.h"
#include "context/weights.h"

namespace accp::context {

namespace {

constexpr uint32_t kMinParent = 40;

}  // namespace

Status Context::checkpoint() {
    if (state_.messages == state_.base.messages) return {};
    scratch_->arena.reset();
    scratch_->draft.begin(state_);
    Status status = close(CheckpointCause::kPhase, options_.hot_due, {});
    if (status.ok()) commit();
    return status;
}

// Into scratch.summary: the host's own, as any text is written.
void Context::ask_for_summary(std::string_view hot) {
    Buffer<char> &text = scratch_->parent, &summary = scratch_->summary;
    summary.clear();
    if (!hooks_.summarise) return;
    text.clear();
    const bool made = hooks_.summarise(hot, options_.summary_max, text, hooks_.user);
    const std::string_view own(text.data(), made ? text.size() : 0);
    if (own.empty() || own.size() > kMaxWarmText ||
        valid_utf8_prefix(own.data(), own.size()) < own.size())
        return;
    if (own[0] != '@' && own.find("\n@") == own.npos) write_untrusted(own, summary);
}

// Specification 5.3, in its order: hot is frozen (it is what `state` has), facts and the summary go
// to warm, hot begins anew. What is cold is with the caller already. `whole`: the newest message
// uncut, where it is at hand.
Status Context::close(CheckpointCause cause, uint64_t room, std::string_view whole) {
    ContextState &state = scratch_->draft.state;
    const uint64_t first = state.base.messages + 1;
    const uint32_t id = state.base.checkpoint + 1;
    ask_for_summary({state.hot.data(), state.hot.size()});
    uint64_t tokens = 0;
    Status status = learn(id, whole, state, tokens);
    if (status.failed()) return status;
    state.base.checkpoint = id;
    note(cause, first, static_cast<uint32_t>(tokens));
    status = survive(room, state);
    if (status.failed()) return status;
    state.base.messages = state.messages;
    state.base.history = state.history;
    state.base.entries = static_cast<uint32_t>(state.entries.size());
    state.base.tokens = state.hot_tokens();
    return {};
}

Status Context::learn(uint32_t id, std::string_view whole, ContextState &state, uint64_t &tokens) {
    const size_t count = state.entries.size();
    const auto now = static_cast<uint32_t>(state.messages);
    const uint64_t changed = make_room(state.warm, scratch_->arena, now);
    state.warm.reserve();
    Learner learner(state.warm, *scratch_, options_, now, changed);
    auto closed = [&](size_t i) -> Closed {
        const std::string_view text = i + 1 == count && whole.data() ? whole : state.text(i);
        return {text, state.entries[i].number, state.entries[i].source,
                text.substr(0, kUntrustedHead.size()) == kUntrustedHead};
    };
    for (size_t i = 0; i < count; ++i)
        if (!state.entries[i].closed) learner.name(closed(i));
    learner.facts({state.facts.data(), state.facts.size()});
    const bool own = learner.summary({scratch_->summary.data(), scratch_->summary.size()});
    for (size_t i = 0; !own && i < count; ++i)
        if (!state.entries[i].closed && !state.entries[i].stated) learner.line(closed(i));
    state.facts.clear();
    Status status = learner.pack(id);
    const uint32_t first = id > options_.retained ? id - options_.retained + 1 : 1;
    if (status.ok() && first > 1) learner.retire(first, id);
    if (status.ok()) status = learner.finish(first, id, tokens);
    if (status.ok()) state.warm.sweep();
    return status;
}

// Hot after a checkpoint: its reference, the newest message, and the one before it as far as there
// is room (specification 5.1).
Status Context::survive(uint64_t room, ContextState &state) {
    ContextState &next = scratch_->next;
    next.clear_hot();
    char name[32] = "$warm.ckpt_";
    size_t len = 11;
    char digits[12];
    size_t at = sizeof digits;
    for (uint32_t n = state.base.checkpoint; n || at == sizeof digits; n /= 10)
        digits[--at] = static_cast<char>('0' + n % 10);
    while (at < sizeof digits) name[len++] = digits[at++];
    name[len++] = '\n';
    uint64_t tokens = 0;
    Status status = this->count({name, len}, tokens);
    if (status.failed()) return status;
    next.reference_end = static_cast<uint32_t>(len);
    next.reference_tokens = static_cast<uint32_t>(tokens);
    next.hot.append(name, len);
    room = std::min<uint64_t>(room, options_.hot_due);
    room -= std::min(room, tokens);
    const size_t count = state.entries.size();
    const bool fits = count <= kMaxSurvivors &&
                      state.hot_tokens() - state.reference_tokens <= room &&
                      state.hot.size() <= kMaxHotBytes;
    if (fits && count == state.messages) {  // the whole history: nothing is to be saved yet
        for (size_t i = 0; i < count; ++i) {
            HotEntry entry = state.entries[i];
            entry.closed = true;
            next.add(entry, state.text(i), state.ref(i));
        }
    } else {
        status = keep_newest(room, state, next);
        if (status.failed()) return status;
    }
    state.hot.swap(next.hot);
    state.refs.swap(next.refs);
    state.entries.swap(next.entries);
    state.reference_end = next.reference_end;
    state.reference_tokens = next.reference_tokens;
    return {};
}

// The newest message, and the one before it as far as there is room (specification 5.1).
Status Context::keep_newest(uint64_t room, const ContextState &state, ContextState &next) {
    const size_t count = state.entries.size();
    Status status;
    Buffer<char> &newest = scratch_->newest, &parent = scratch_->parent;
    auto keep = [&](size_t i, uint64_t max, Buffer<char> &text, HotEntry &entry) -> Status {
        text.clear();
        entry = state.entries[i];
        entry.closed = true;
        std::string_view old = state.text(i);
        if (entry.tokens <= max) {
            text.append(old);
            return {};
        }
        uint64_t cut_tokens = 0;
        Status failed = max < kMinParent ? Status{}
                                         : cut(old, state.ref(i), static_cast<uint32_t>(max),
                                               entry.number, state, text, cut_tokens);
        entry.tokens = static_cast<uint32_t>(cut_tokens);
        return failed;
    };
    HotEntry last, before;
    if (count) status = keep(count - 1, room, newest, last);
    room -= std::min<uint64_t>(room, last.tokens);
    if (status.ok() && count > 1) {
        if (state.entries[count - 2].source == Source::kResult)
            room = std::min<uint64_t>(room, kParentTokens);
        status = keep(count - 2, room, parent, before);
    }
    if (status.failed()) return status;
    if (before.tokens) next.add(before, {parent.data(), parent.size()}, state.ref(count - 2));
    if (last.tokens) next.add(last, {newest.data(), newest.size()}, state.ref(count - 1));
    return {};
}

}  // namespace accp::context
