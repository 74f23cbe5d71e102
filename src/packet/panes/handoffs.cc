// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/handoffs.h"

#include <algorithm>

#include "base/pack.h"
#include "value/json_line.h"

namespace accp::packet {

namespace {

// Returns the text of a member of the payload; empty if the payload does not have it.
std::string_view text_of(const message::Message &message, std::string_view key) {
    const uint32_t node = message.find(key);
    return node && message.tree[node].kind == ACCP_STRING ? message.tree.string(node)
                                                          : std::string_view();
}

uint64_t number_of(const message::Message &message, std::string_view key, uint64_t other) {
    uint64_t number = other;
    const uint32_t node = message.find(key);
    if (!node || !value::parse_number(message.tree, node, number)) return other;
    return number;
}

// Reads a list of strings as lines. Returns false if the member is something else.
bool read_lines(const message::Message &message, std::string_view key, Memory &memory,
                Buffer<char> &out) {
    const uint32_t list = message.find(key);
    if (!list) return true;
    if (message.tree[list].kind != ACCP_ARRAY) return false;
    Buffer<char> lines(memory);
    for (uint32_t i = list + 1; i < message.tree[list].next; i = message.tree[i].next) {
        if (message.tree[i].kind != ACCP_STRING) return false;
        for (char c : message.tree.string(i))
            lines.push(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
        lines.push('\n');
    }
    return append_feedback_items(lines.view(), out).ok();
}

bool is_kind(std::string_view kind) {
    return kind.size() <= kMaxKindBytes && std::none_of(kind.begin(), kind.end(), [](char c) {
               return static_cast<unsigned char>(c) < ' ';
           });
}

}  // namespace

void Handoffs::load(std::string_view bytes) {
    next_.clear();
    next_.append(bytes);
    is_stale_ = true;
    text_.swap(next_);
    unpack();
}

void Handoffs::unpack() {
    all_.clear();
    Unpacker in(text_.view());
    while (!in.rest().empty()) {
        Handoff each;
        for (std::string_view *text : {&each.chain, &each.worker, &each.packet, &each.kind})
            *text = in.text();
        each.pane = in.number();
        each.tokens = in.number();
        each.state = static_cast<State>(std::min<uint64_t>(in.number(), 2));
        each.has_feedback = in.number() != 0;
        each.is_feedback_pending = in.number() != 0;
        each.gaps = in.text();
        each.unused = in.text();
        if (!in.ok()) break;
        all_.push(each);
    }
    if (!in.ok()) all_.clear();
    is_stale_ = false;
}

// Packs the newest handoffs that fit, and unpacks them again as views into text_.
void Handoffs::write() {
    Buffer<char> packed(memory_);
    size_t first = all_.size() - std::min(all_.size(), kMaxHandoffs);
    for (;; ++first) {
        packed.clear();
        Packer out(packed);
        for (size_t i = first; i < all_.size(); ++i) {
            const Handoff &each = all_[i];
            for (std::string_view text : {each.chain, each.worker, each.packet, each.kind})
                out.text(text);
            out.number(each.pane);
            out.number(each.tokens);
            out.number(static_cast<uint64_t>(each.state));
            out.number(each.has_feedback);
            out.number(each.is_feedback_pending);
            out.text(each.gaps);
            out.text(each.unused);
        }
        if (packed.size() <= kMaxHandoffBytes) break;
    }
    load(packed.view());
}

bool Handoffs::may_concern(std::string_view json) const {
    if (json.find(kPacketRef) != json.npos) return true;
    if (all_.empty()) return false;
    return json.find("\"done\"") != json.npos || json.find("\"fail\"") != json.npos ||
           json.find("\"ack\"") != json.npos;
}

bool Handoffs::may_concern_frame(std::string_view frame) const {
    if (frame.find(kPacketRef.substr(1)) != frame.npos) return true;
    if (all_.empty()) return false;
    return frame.find(">done:") != frame.npos || frame.find(">fail:") != frame.npos ||
           frame.find(">ack:") != frame.npos;
}

Handoffs::Handoff *Handoffs::find(std::string_view chain, std::string_view worker) {
    for (Handoff &each : all_)
        if (each.chain == chain && each.worker == worker) return &each;
    return nullptr;
}

bool Handoffs::open(const message::Message &message, std::string_view chain) {
    Handoff opened;
    opened.chain = chain;
    opened.worker = text_of(message, "to");
    opened.packet = text_of(message, "packet");
    if (opened.worker.empty() || opened.worker == message.agent ||
        !opened.packet.starts_with(kPacketRef))
        return false;
    if (is_kind(text_of(message, "kind"))) opened.kind = text_of(message, "kind");
    opened.tokens = number_of(message, "tokens", 0);
    const uint64_t pane = number_of(message, "pane", kMaxPane + 1);
    opened.pane = pane <= kMaxPane ? pane + 1 : 0;
    // a new packet in the same chain replaces the earlier one
    Handoff *const there = find(chain, opened.worker);
    if (there && there->state != State::kOpen) return false;
    is_stale_ = true;  // views into the message until it is packed
    if (there) *there = opened;
    else all_.push(opened);
    write();
    return true;
}

bool Handoffs::take_feedback(const message::Message &message, Handoff &handoff) {
    const std::string_view packet = text_of(message, "packet");
    if (message.find("packet") && packet != handoff.packet) return false;
    feedback_.clear();
    if (!read_lines(message, "gaps", memory_, feedback_.gaps) ||
        !read_lines(message, "unused", memory_, feedback_.unused))
        return false;
    is_stale_ = true;
    handoff.gaps = feedback_.gaps.view();
    handoff.unused = feedback_.unused.view();
    handoff.has_feedback = true;
    handoff.is_feedback_pending = handoff.pane != 0;
    write();
    return true;
}

bool Handoffs::observe(const message::Message &message, bool ours) {
    refresh();
    const std::string_view cid = message.meta_text("cid"),
                           chain = cid.empty() ? message.meta_text("mid") : cid;
    if (chain.empty()) return false;
    if (ours && message.find("packet") && open(message, chain)) return true;
    Handoff *const handoff = find(chain, message.agent);
    if (!handoff || handoff->state != State::kOpen) return false;
    const bool of_context = message.operation == "context";
    if (message.intent == "ack" && of_context) return take_feedback(message, *handoff);
    const bool ends = message.intent == "done" || message.intent == "fail";
    if (!ends || of_context || message.operation == "tool") return false;
    handoff->state = message.intent == "done" ? State::kDone : State::kFailed;
    write();
    return true;
}

Status Handoffs::record(const Handoff &handoff, Panes &panes, uint64_t now_ms) {
    TaskOutcome task;
    task.kind = handoff.kind;
    task.pane = static_cast<int64_t>(handoff.pane) - 1;
    task.success = handoff.state == State::kDone;
    task.context_tokens = handoff.tokens;
    task.at_ms = now_ms;
    task.gaps = handoff.gaps;
    task.unused = handoff.unused;
    const Status status = panes.record(task, handoff.has_feedback);
    // unreadable feedback must not hide the task
    return status.code > 0 && !handoff.has_feedback ? panes.record(task, true) : status;
}

bool Handoffs::report(Panes &panes, uint64_t now_ms) {
    refresh();
    bool changed = false, is_held = false;  // the lock; wait for it only once
    const auto note_result = [&](const Status &status) {
        is_held = status.code == ACCP_ERR_BUSY;
        changed = changed || status.ok();
        return status.ok();
    };
    size_t kept = 0;
    for (Handoff &each : all_) {
        if (each.is_feedback_pending && !is_held)
            each.is_feedback_pending = !note_result(
                panes.write_feedback(static_cast<int64_t>(each.pane) - 1, each.gaps, each.unused));
        const bool over = each.state != State::kOpen && !each.is_feedback_pending;
        if (is_held || !over || !note_result(record(each, panes, now_ms))) all_[kept++] = each;
    }
    all_.resize_down(kept);
    if (changed) write();
    return changed;
}

}  // namespace accp::packet
