// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Appends messages. All changes of an append are made in a draft, which replaces the state at the
// end, so a failure changes nothing.
#include "context/context.h"

#include <algorithm>
#include <atomic>

#include "context/facts.h"
#include "context/scratch.h"
#include "frame/message/message.h"

namespace accp::context {

namespace {

CheckpointCause cause_of(const message::Message &message) {
    return message.intent == "done"  ? CheckpointCause::kDone
           : message.intent == "esc" ? CheckpointCause::kHandoff
                                     : CheckpointCause::kAsked;
}

// The result of a tool does not end a task.
bool asks_for_checkpoint(const message::Message &message) {
    return (message.intent == "done" && message.operation != "tool") || message.intent == "esc" ||
           message.intent == "comp";
}

}  // namespace

uint64_t Context::new_text_id() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

Context::Context(Memory &memory, ContextScratch &scratch, const ContextOptions &options,
                 const ContextHooks &hooks)
    : memory_(memory),
      scratch_(&scratch),
      options_(options),
      hooks_(hooks),
      state_(memory),
      text_id_(new_text_id()) {}

bool Context::pins(const message::Message &message, Source source) const {
    if (!options_.pinned_max || message.untrusted || state_.pinned < state_.units.size())
        return false;
    for (const Unit &unit : state_.units)
        if (unit.source == Source::kTask) return false;
    return source == Source::kGuide || source == Source::kTask;
}

// Cannot fail, because reserve() was called.
void Context::take(ContextState &state, const Arriving &message) const {
    state.add(message.unit, message.text, scratch_->hidden.view());
    if (message.now_ms) state.newest_ms = message.now_ms;
    state.facts.append(scratch_->records);
    ++state.messages;
    state.history += message.history;
    const Unit &unit = state.units[state.units.size() - 1];
    if (message.pins) {
        state.pinned = state.open = static_cast<uint32_t>(state.units.size());
        state.pinned_tokens += unit.tokens;
    } else {
        state.open_tokens += unit.tokens;
    }
}

// Returns whether a model was called for this message, with all messages before it. It was for an
// act. Before the first act agents only talk, and each message may be a model's.
bool Context::is_read(const message::Message &message, Source source) const {
    if (source == Source::kAct) return true;
    return !state_.acted && source != Source::kGuide && message.operation != "tool";
}

Status Context::append(const message::Message &message, uint64_t number, uint64_t now_ms) {
    if (Status named =
            message::check_names(message.agent, message.intent, message.operation, SIZE_MAX);
        named.failed())
        return named;
    ContextScratch &scratch = *scratch_;
    scratch.begin();
    Arriving arriving;
    Status status = write(message, arriving);
    if (status.failed()) return status;
    Unit &unit = arriving.unit;
    unit.number = number;
    unit.source = source_of(message);
    unit.untrusted = message.untrusted;
    unit.media = std::min<uint64_t>(count_media(message), Unit::kMaxMedia);
    unit.words = message.operation != "tool";
    arriving.now_ms = now_ms;
    arriving.pins = pins(message, unit.source);
    scratch.records.clear();
    if (!arriving.pins) unit.stated = write_facts(message, number, scratch.facts, scratch.records);
    Undo undo(state_);
    const bool is_call = is_read(message, unit.source);
    if (is_call) {
        ++state_.calls;
        state_.acted = state_.acted || unit.source == Source::kAct;
        state_.read = static_cast<uint32_t>(state_.units.size());
        if (now_ms != state_.called_ms) state_.asked_ms = state_.newest_ms;
        if (now_ms) state_.called_ms = now_ms;
    }
    unit.call = state_.calls;
    const ContextState *now = &state_;
    status = options_.price_write ? evict_before(arriving, is_call, now_ms, now)
                                  : fold_before(arriving, now);
    if (status.ok()) status = arrive(*now, arriving);
    if (status.failed()) return status;
    const bool asked = !arriving.pins && asks_for_checkpoint(message);
    const uint64_t hot = now->hot_tokens() + unit.tokens;
    const bool due = !arriving.pins && !options_.price_write && hot > options_.hot_due;
    ContextState &to = now == &state_ ? state_ : scratch.drafts[now != &scratch.drafts[0]];
    to.reserve(arriving.text.size(), scratch.hidden.size(), scratch.records.size());
    take(to, arriving);
    if (asked) status = close(cause_of(message), to, now);
    else if (due) status = close(CheckpointCause::kFull, to, now);
    if (status.failed()) return status;
    commit(now);
    undo.take();
    tell();
    return {};
}

void Context::commit(const ContextState *now) {
    if (now == &state_) return;
    size_t units = 0;
    const size_t both = std::min(state_.units.size(), now->units.size());
    while (units < both && state_.units[units].end <= sent_bytes_ &&
           state_.text_of(units) == now->text_of(units))
        ++units;
    state_.assign_tightly(*now, memory_);
    text_id_ = new_text_id();
    sent_bytes_ = state_.begin(units);
    sent_tokens_ = state_.tokens(0, units);
}

Context::Price Context::charge(uint64_t tokens) {
    constexpr uint64_t kPlain = 1000;
    const uint64_t write = options_.price_write ? options_.price_write : kPlain,
                   cached = options_.price_write ? options_.price_cached : kPlain;
    auto price = [&](uint64_t all, uint64_t known) {
        known = std::min(all, known);
        return cached * known + write * (all - known);
    };
    const bool is_whole = shown_ == &state_;
    const size_t units = is_whole ? state_.units.size() : state_.pinned;
    const uint64_t front = is_whole ? state_.all_tokens() : state_.pinned_tokens;
    const uint64_t known = std::min(front, sent_tokens_);
    const Price out = {price(tokens, known), price(state_.history, sent_history_),
                       std::min(tokens, known)};
    sent_bytes_ = state_.begin(units);
    sent_tokens_ = front;
    sent_history_ = state_.history;
    return out;
}

Status Context::checkpoint() {
    if (!has_open()) return {};
    scratch_->begin();
    const ContextState *now = &state_;
    Undo undo(state_);
    Status status = close(CheckpointCause::kPhase, state_, now);
    if (status.failed()) return status;
    commit(now);
    undo.take();
    tell();
    return {};
}

Status Context::restore(const char *state, size_t len) {
    ContextState read(scratch_->memory);
    Status status = read_state({state, len}, options_, read);
    if (status.failed()) return status;
    read.sum_tokens();
    state_.assign_tightly(read, memory_);
    text_id_ = new_text_id();
    return {};
}

}  // namespace accp::context
