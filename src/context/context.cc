// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context.h: messages in, the budget, the state. What an append changes is made beside the
// state and put in its place at the end, so that a failure leaves no trace.
#include "context/context.h"

#include <algorithm>

#include "base/random.h"
#include "context/cut.h"
#include "context/learn.h"
#include "context/scratch.h"
#include "context/weights.h"
#include "message/names.h"
#include "message/write.h"
#include "value/json_writer.h"

namespace accp::context {

namespace {

// beyond it a context is shorter whatever the history is
constexpr uint64_t kCountedHistory = 1 << 14;
constexpr uint32_t kReferenceTokens = 16;  // room for the line that names a checkpoint

CheckpointCause cause_of(const message::Message &message) {
    return message.intent == "done"  ? CheckpointCause::kDone
           : message.intent == "esc" ? CheckpointCause::kHandoff
                                     : CheckpointCause::kAsked;
}

bool asks_for_checkpoint(const message::Message &message) {
    return message.intent == "done" || message.intent == "esc" || message.intent == "comp";
}

// The newest request of an agent in hot: what the next result answers.
std::string_view last_act(const ContextState &state, size_t before) {
    for (size_t i = before; i-- > 0;)
        if (state.entries[i].source == Source::kAct) return state.text(i);
    return {};
}

// What a request in hot will need beside the result that comes now.
uint32_t act_room(const ContextState &state, uint32_t room) {
    if (!state.entries.size() || state.entries[state.entries.size() - 1].source != Source::kAct)
        return 0;
    return std::min({state.entries[state.entries.size() - 1].tokens, kActRoom, room / 4});
}

}  // namespace

Context::Context(Memory &memory, ContextScratch &scratch, const ContextOptions &options,
                 const ContextHooks &hooks)
    : memory_(memory),
      scratch_(&scratch),
      options_(options),
      hooks_(hooks),
      seed_(random_seed()),
      state_(memory),
      view_(memory) {}

Status Context::count(std::string_view text, uint64_t &tokens) const {
    return scratch_->counter.count(text, UINT64_MAX, tokens);
}

// The message as it stands in hot while it is whole, its tokens, and what it adds to the history.
Status Context::write(const message::Message &message, uint64_t &tokens, uint64_t &history) {
    Buffer<char> &text = scratch_->message, &json = scratch_->json;
    text.recycle(kKeptBytes);
    write_message(message, scratch_->memory, scratch_->arena, seed_, text);
    Status status = count({text.data(), text.size()}, tokens);
    history = tokens;
    if (status.failed() || state_.history >= kCountedHistory) return status;
    json.recycle(kKeptBytes);
    message::open_json(message.agent, message.intent, message.operation, json);
    value::write_json(message.tree, message.payload, json);
    json.push('}');
    uint64_t json_tokens = 0;
    status = count({json.data(), json.size()}, json_tokens);
    history = json_tokens;
    if (status.failed() || tokens <= json_tokens) return status;
    text.clear();
    write_json_message(message, scratch_->memory, text);
    return count({text.data(), text.size()}, tokens);
}

Status Context::cut(std::string_view text, std::string_view ref, uint32_t max, uint32_t number,
                    const ContextState &state, Buffer<char> &out, uint64_t &tokens) {
    out.clear();
    const Cut cut = {text, last_act(state, state.entries.size()), ref, max, number};
    Status status = cut_message(cut, state.warm, scratch_->counter, scratch_->arena, out, tokens);
    if (out.size() <= kMaxHotBytes) return status;
    out.clear();  // tokens of very many bytes each
    tokens = 0;
    return max > 8 ? this->cut(text, ref, max / 2, number, state, out, tokens) : status;
}

Status Context::append(const message::Message &message, std::string_view ref) {
    if (ref.size() > kMaxRefBytes)
        return fail(ACCP_ERR_ARG, kMaxRefBytes, "a ref has at most 64 bytes");
    if (Status named =
            message::check_names(message.agent, message.intent, message.operation, SIZE_MAX);
        named.failed())
        return named;
    ContextScratch &scratch = *scratch_;
    scratch.arena.reset();
    uint64_t tokens = 0, history = 0;
    Status status = write(message, tokens, history);
    if (status.failed()) return status;
    HotEntry entry;
    entry.number = static_cast<uint32_t>(state_.messages + 1);
    entry.source = source_of(message);
    entry.stated = !has_text(message);
    const uint32_t room = options_.hot_due - kReferenceTokens;
    const bool is_long = tokens > room || scratch.message.size() > kMaxHotBytes;
    const std::string_view whole(scratch.message.data(), scratch.message.size());
    if (is_long)
        status = cut(whole, ref, room - act_room(state_, room), entry.number, state_, scratch.cut,
                     tokens);
    if (status.failed()) return status;
    const std::string_view kept =
        is_long ? std::string_view(scratch.cut.data(), scratch.cut.size()) : whole;
    entry.tokens = static_cast<uint32_t>(tokens);
    scratch.facts.clear();
    if (entry.source != Source::kAct || entry.stated)
        write_facts(message, entry.number, scratch.memory, scratch.arena, seed_, scratch.facts);
    const uint64_t hot = state_.hot_tokens() + tokens;
    const bool asked = asks_for_checkpoint(message);
    auto take = [&](ContextState &state) {
        // from here on nothing fails
        state.reserve(kept.size(), ref.size(), scratch.facts.size());
        state.add(entry, kept, ref);
        state.facts.append(scratch.facts);
        state.messages = entry.number;
        state.history += history;
    };
    if (!is_long && !asked && hot <= options_.hot_due) {
        take(state_);
        return {};
    }
    ContextState &draft = scratch.draft.state;
    scratch.draft.begin(state_);
    if (hot > options_.hot_max)
        status = close(CheckpointCause::kFull, options_.hot_max - tokens, {});
    if (status.failed()) return status;
    take(draft);
    if (asked) status = close(cause_of(message), options_.hot_due, whole);
    else if (is_long || draft.hot_tokens() > options_.hot_due)
        status = close(CheckpointCause::kFull, options_.hot_due, whole);
    if (status.ok()) commit();
    return status;
}

Status Context::use(TokenUse &out) const {
    uint64_t warm_used = 0;
    const uint32_t last = state_.base.checkpoint;
    for (uint32_t id = last > options_.retained ? last - options_.retained + 1 : 1; id <= last;
         ++id) {
        uint64_t tokens = 0;
        Status status = count(warm(id), tokens);
        if (status.failed()) return status;
        warm_used += tokens;
    }
    const uint64_t hot_used = state_.hot_tokens();
    out = {hot_used,
           options_.hot_max,
           warm_used,
           options_.warm_max(),
           hot_used + warm_used,
           options_.total_max()};
    return {};
}

std::string_view Context::warm(uint32_t id) const {
    uint32_t order[kMaxWarmItems];
    uint32_t count = 0;
    for (uint32_t i = 0; i < state_.warm.items.size(); ++i)
        if (state_.warm.items[i].checkpoint == slot_of(id)) order[count++] = i;
    view_.clear();
    view_.reserve(1);
    if (!id || id > state_.base.checkpoint || id + options_.retained <= state_.base.checkpoint)
        return {};
    write_items(state_.warm, order, count, view_);
    return {view_.data(), view_.size()};
}

std::string_view Context::hot() const { return {state_.hot.data(), state_.hot.size()}; }

void Context::save(Buffer<char> &out) const { write_state(state_, options_, out); }

Status Context::restore(const char *state, size_t len) {
    ContextState read(scratch_->memory);
    Status status = read_state(state, len, options_, read);
    if (status.failed()) return status;
    state_.assign_tightly(read, memory_);
    return {};
}

}  // namespace accp::context
