// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: requests that wait for their answer, and what else a message leaves open or
// closes.
#include "profile/retry.h"

#include "base/text.h"
#include "session/refs.h"
#include "session/session.h"

namespace accp::session {

namespace {

bool is_answer(std::string_view intent) {
    return intent == "done" || intent == "fail" || intent == "ack";
}

}  // namespace

// What a message that came or went does to chains and requests.
Status Session::apply_pending(const Record &record, uint64_t place,
                              const message::Message &message) {
    Pending &pending = live_->pending;
    const std::string_view cid = message.meta_text("cid");
    bool changed = false;
    Status status;
    if (message.intent == "cancel" && !message.chain().empty()) {
        changed = pending.chains.add(message.chain(), message.agent,
                                     record.kind != RecordKind::kReceived);
        changed = pending.requests.answer(to_text(message.chain())) || changed;
        pending.abandon(message.chain());
    }
    if (message.intent == "ack") changed = pending.chains.set_done(cid);
    if (record.kind == RecordKind::kRequest) {
        const auto timeout_ms = static_cast<int64_t>(record.timeout_ms);
        const std::string_view chain = cid.empty() ? message.meta_text("mid") : cid;
        status = pending.requests.start(
            {to_text(chain), delivery::later(static_cast<int64_t>(record.time_ms), timeout_ms),
             timeout_ms, place});
        changed = true;
    }
    if (record.kind == RecordKind::kReceived && !cid.empty() && pending.requests.waiting()) {
        if (is_answer(message.intent)) changed = pending.requests.answer(to_text(cid)) || changed;
        else if (message.intent == "wait")
            changed = pending.requests.wait(to_text(cid), static_cast<int64_t>(record.time_ms));
    }
    if (changed) pending.kept = false;
    return status;
}

// Into scratch.text, packed: what expires.
void Session::expire_until(int64_t now_ms, Scratch &scratch) {
    Packer expired(scratch.text);
    for (delivery::Deadlines::Request request; live_->pending.requests.expire(now_ms, request);) {
        live_->pending.kept = false;
        if (scratch_restores_) continue;
        expired.number(request.record);
        expired.text({request.cid.text, request.cid.len});
    }
}

Status Session::expire(int64_t now_ms, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed() || live_->pending.requests.next() >= now_ms) return status;
    ScratchUse use(*this, scratch, false);
    scratch.text.clear();
    size_t bytes = 0;
    for (uint32_t i = 0; i < live_->pending.requests.waiting(); ++i)
        bytes += live_->pending.requests[i].cid.len;
    deliveries_.reserve(live_->pending.requests.waiting(), bytes);
    status =
        keep({RecordKind::kTimeout, static_cast<uint64_t>(now_ms), live_->next_key, 0, {}, {}, {}},
             nullptr, scratch);
    if (status.failed()) return status;
    for (Unpacker expired({scratch.text.data(), scratch.text.size()}); !expired.rest().empty();) {
        const auto record = static_cast<int64_t>(expired.number());
        deliveries_.add(
            {ACCP_E3001, record, {}, {}, expired.text(), "no answer came before the deadline"});
    }
    return settle();
}

Status Session::retry(uint64_t place, int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    Buffer<char> copies(scratch.memory);
    Record record;
    status = let_pass(now_ms, scratch, {}, copies);
    if (status.ok()) status = this->record(place, scratch, scratch.text, record);
    if (status.failed()) return status;
    if (!record.is_sent())
        return fail(ACCP_ERR_ARG, 0,
                    "only a frame that went out is sent again, and of parts the last");
    accp_envelope fresh;
    delivery::MessagePart part = {};
    bool is_part = false;
    status = part_of(record.text, scratch, fresh, part, is_part);
    const size_t start = out.size();
    for (uint64_t first = place - (is_part ? part.count - 1 : 0), at = first;
         status.ok() && at <= place; ++at) {
        if (at > first) out.push('\n');
        status = again(at, static_cast<int64_t>(at - first), now_ms, scratch, out);
    }
    if (status.ok())
        status = keep_sent({out.data() + start, out.size() - start}, live_->next_key, 0,
                           record.untrusted, now_ms, scratch);
    if (status.failed()) out.resize_down(start);
    return status.ok() ? settle() : status;
}

// The frame of one record of ours once more, as the frame `ahead` after the next.
Status Session::again(uint64_t place, int64_t ahead, int64_t now_ms, Scratch &scratch,
                      Buffer<char> &out) {
    Record record;
    Frame sent;
    char mid[kMidBytes];
    uint64_t mid_word = 0;
    accp_envelope fresh;
    Status status = this->record(place, scratch, scratch.text, record);
    if (status.ok()) status = read_frame(record.text, now_ms, record.untrusted, scratch, sent);
    if (status.ok()) status = address(sent.arrival.agent, now_ms, mid, mid_word, fresh);
    if (status.failed()) return status;
    status = inbox_.may_send(sent.arrival.agent, ahead + 1);
    if (status.failed()) return status;
    inbox_.prepare();
    fresh.seq += ahead;
    value::TreeView tree = {scratch.codec.tree().nodes, record.text.data()};
    return profile::write_retry(tree, scratch.codec.node_count(), record.text.size(), fresh,
                                scratch.settings.limit(ACCP_LIMIT_KEY_BYTES), scratch.memory, out);
}

}  // namespace accp::session
