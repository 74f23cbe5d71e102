// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a new message as a context has it: without lines that the context already has, and cut if
// it is too long.
#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "context/context.h"
#include "context/cut.h"
#include "context/lines.h"
#include "context/scratch.h"
#include "frame/message/json.h"
#include "value/json_writer.h"

namespace accp::context {

namespace {

// beyond this no decision depends on the history
constexpr uint64_t kCountedHistory = 1 << 14;
constexpr uint32_t kRefTokens = 16;  // reserved for the line that names the whole message
constexpr uint32_t kMinRoom = 16;    // tokens, for the lines of a cut message
constexpr size_t kMinKnown = 4096;   // bytes that a text may grow before its lines are read again
constexpr size_t kMinRepeats = 256;  // bytes; shorter messages are not searched for known lines

// Returns the size of the header of a message, up to its operation.
size_t head_bytes(std::string_view text) {
    const size_t agent = text.find(' ', text[0] == '@' ? 0 : kUntrustedHead.size());
    return std::min(text.find_first_of(" \n", agent + 1), text.size());
}

}  // namespace

// Writes the whole message, and sets its tokens and those that it adds to the history.
Status Context::write(const message::Message &said, Arriving &out) {
    const message::Message message = without_call_id(said, scratch_->arena);
    Buffer<char> &text = scratch_->message, &json = scratch_->json;
    text.recycle(kKeptBytes);
    write_message(message, scratch_->memory, scratch_->arena, scratch_->seed, text);
    uint32_t tokens = 0;
    Status status = scratch_->count(text.view(), tokens);
    out.history = tokens;
    if (status.ok() && state_.history < kCountedHistory) {
        json.recycle(kKeptBytes);
        message::open_json(message.agent, message.intent, message.operation, json);
        value::write_json(message.tree, message.payload, json);
        json.push('}');
        uint32_t json_tokens = 0;
        status = scratch_->count(json.view(), json_tokens);
        out.history = json_tokens;
        if (status.ok() && tokens > json_tokens && !has_text(message)) {
            text.clear();
            write_json_message(message, scratch_->memory, text);
            status = scratch_->count(text.view(), tokens);
        }
    }
    out.unit.tokens = out.unit.whole = tokens;
    out.text = text.view();
    return status;
}

// Shortens a long message (cut.h), and appends its ref.
Status Context::cut(uint32_t max, Arriving &out) {
    ContextScratch &scratch = *scratch_;
    const std::string_view text = out.text;
    char ref[40] = "\xE2\x80\xA6 $cold.m";
    char *end = std::to_chars(ref + 11, ref + sizeof ref - 1, out.unit.number).ptr;
    *end++ = '\n';
    const std::string_view last(ref, static_cast<size_t>(end - ref));
    uint32_t tokens = 0;
    Status status;
    for (uint32_t room = max - std::min(max, kRefTokens);; room = room * 15 / 16) {
        scratch.cut.clear();
        status = cut_message(text, room, 0, scratch.arena, scratch.counter, scratch.cut);
        scratch.cut.append(last);
        if (status.ok()) status = scratch_->count(scratch.cut.view(), tokens);
        if (status.failed()) return status;
        if (tokens <= max && scratch.cut.size() <= kMaxNewestBytes) break;
        if (room >= kMinRoom) continue;
        scratch.cut.clear();  // the header and the ref always have space
        scratch.cut.append(text.substr(0, head_bytes(text)));
        scratch.cut.append("\n");
        scratch.cut.append(last);
        status = scratch_->count(scratch.cut.view(), tokens);
        if (status.failed()) return status;
        break;
    }
    out.text = scratch.cut.view();
    out.unit.tokens = tokens;
    out.unit.cut = true;
    return {};
}

// Returns the lines of the state's text. Those of the context that was used last are kept.
const LineSet &Context::lines_of(const ContextState &state) {
    KnownLines &known = scratch_->known;
    const uint64_t id = &state == &state_ ? text_id_ : new_text_id();
    const bool is_known = known.text_id == id && known.set;
    known.text_id = 0;  // in case memory runs out
    if (!is_known || known.max_bytes < state.text.size()) {
        known.set.reset();
        known.arena.reset();
        known.max_bytes = state.text.size() * 5 / 4 + kMinKnown;
        known.set.emplace(known.arena, state.text, known.max_bytes);
    }
    known.set->update();
    known.text_id = id;
    return *known.set;
}

// Leaves known lines out of a result or of long words. A short history is sent as it is.
Status Context::leave_out_known(const ContextState &state, Arriving &out) {
    ContextScratch &scratch = *scratch_;
    Unit &unit = out.unit;
    const bool is_short =
        state.all_tokens() + unit.tokens + options_.host_tokens <= options_.whole_max;
    const bool has_lines = out.text.find('\n') + 1 < out.text.size();  // after the first
    scratch.hidden.clear();
    if (out.pins || !options_.price_write || !has_lines || out.text.size() < kMinRepeats) return {};
    if (is_short || !Pages::can_have_gaps(unit)) return {};
    scratch.shown.clear();
    leave_out(out.text, lines_of(state), nullptr, scratch.shown, scratch.hidden);
    if (!scratch.hidden.size()) return {};
    out.text = scratch.shown.view();
    return scratch_->count(out.text, unit.tokens);
}

// Prepares the message for its place after `state`: leaves out known lines, and cuts it.
Status Context::arrive(const ContextState &state, Arriving &out) {
    ContextScratch &scratch = *scratch_;
    const uint32_t max = out.pins ? options_.pinned_max : options_.newest_max;
    Status status = leave_out_known(state, out);
    if (status.failed()) return status;
    if (out.unit.tokens <= max && out.text.size() <= kMaxNewestBytes) return {};
    scratch.hidden.clear();  // the cut text has no gap that can be filled
    return cut(max, out);
}

}  // namespace accp::context
