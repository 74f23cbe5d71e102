// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Events of sessions, and accp_traceparent_format() of include/accp/hooks.h.
#include "capi/session_call.h"

#include <cstring>

#include "base/sha256.h"
#include "base/text.h"
#include "session/frames.h"

using namespace accp;
using namespace accp::capi;

namespace accp::capi {

namespace {

int32_t kind_of(int32_t direction, accp_status status, bool taken) {
    if (status == ACCP_OK || (status < 0 && taken))
        return direction == ACCP_SENT ? ACCP_EVENT_SENT : ACCP_EVENT_RECEIVED;
    if (status == ACCP_HELD) return ACCP_EVENT_HELD;
    return status == ACCP_DROPPED ? ACCP_EVENT_DROPPED : ACCP_EVENT_REFUSED;
}

}  // namespace

SessionEvents::Marks SessionEvents::now() const {
    const session::Session &of = session_.session;
    const context::Context &context = of.core().context;
    return {of.deliveries.size(),   of.driver.registry_marks.bytes(), of.driver.inbox.gaps(),
            context.checkpoints(),  of.driver.own_commits(),          context.messages(),
            context.state().closed, context.history_tokens()};
}

accp_event SessionEvents::event_of(int32_t kind, accp_status status) const {
    accp_event event = {};
    event.kind = kind;
    event.status = status;
    event.session = to_text(session_.session.driver.id());
    return event;
}

void SessionEvents::report_frame(int32_t direction, std::string_view text, accp_status status,
                                 session::Scratch &scratch) {
    const bool taken = session_.session.driver.own_commits() != before_.taken;
    accp_event event = event_of(kind_of(direction, status, taken), status);
    event.direction = direction;
    event.bytes = text.size();
    (void)scratch.counter.count(text, UINT64_MAX, event.tokens);
    accp_envelope envelope = {};
    if (!text.empty() && session::read_envelope(text, scratch, envelope)) {
        event.seq = envelope.seq;
        event.agent = to_text(text.substr(1, text.find('>') - 1));
        event.mid = envelope.mid;
        event.cid = envelope.cid;
        event.aid = envelope.aid;
    }
    if (event.kind == ACCP_EVENT_RECEIVED) own_mid_ = event.mid;
    send(event);
}

// Sends the event of a delivery other than the frame that the call received.
void SessionEvents::report_delivery(const session::Delivery &one, session::Scratch &scratch) {
    const bool opens = one.status == ACCP_E3003 && one.mid.empty();
    if (one.status == ACCP_OK && one.mid == to_view(own_mid_)) return;
    accp_event event = event_of(one.status == ACCP_OK      ? ACCP_EVENT_RECEIVED
                                : one.status == ACCP_E3001 ? ACCP_EVENT_REQUEST_EXPIRED
                                : opens                    ? ACCP_EVENT_GAP_OPENED
                                                           : ACCP_EVENT_REFUSED,
                                one.status);
    opened_ += opens;
    event.direction = ACCP_RECEIVED;
    event.seq = one.seq;
    event.mid = to_text(one.mid);
    event.cid = to_text(one.cid);
    message::Message message;
    if (one.status == ACCP_OK && session::read_message(one.json, scratch, message).ok()) {
        event.agent = to_text(message.agent);
        event.aid = to_text(message.meta_text("aid"));
    }
    send(event);
}

void SessionEvents::report_sent(accp_status status, session::Scratch &scratch) {
    if (status != ACCP_OK && status != ACCP_ERR_IO)
        return report_frame(ACCP_SENT, {}, status, scratch);
    const std::string_view frames = session_.out.view();
    for (size_t at = 0; at < frames.size();) {
        const std::string_view one = frames.substr(at, frames.find('\n', at) - at);
        report_frame(ACCP_SENT, one, status, scratch);
        at += one.size() + 1;
    }
}

void SessionEvents::report_appended(std::string_view text, accp_status status) {
    const Marks after = now();
    const bool taken = after.taken != before_.taken;
    accp_event event =
        event_of(status == ACCP_OK || taken ? ACCP_EVENT_APPENDED : ACCP_EVENT_REFUSED, status);
    event.direction = ACCP_SENT;
    if (event.kind == ACCP_EVENT_APPENDED) {
        event.bytes = text.size();
        event.count = after.messages - before_.messages;
        event.tokens = after.history - before_.history;
        if (!event.count) return;  // the session already had all of them
    }
    send(event);
}

void SessionEvents::report_checkpoints(const Marks &after) {
    for (uint32_t i = before_.checkpoints; i < after.checkpoints; ++i) {
        accp_event event = event_of(ACCP_EVENT_CHECKPOINT, ACCP_OK);
        event.seq = i + 1;
        if (i + 1 == after.checkpoints) event.count = after.closed - before_.closed;
        send(event);
    }
}

void SessionEvents::report_context(uint64_t tokens, uint64_t cached) noexcept {
    if (!session_.hooks->event) return;
    const context::Context &context = session_.session.core().context;
    accp_event event = event_of(ACCP_EVENT_CONTEXT, ACCP_OK);
    event.bytes = session_.out.size();
    event.tokens = tokens;
    event.count = context.messages();
    event.history = context.history_tokens();
    event.cached = cached;
    event.written = tokens - cached;
    session_.busy = true;
    send(event);
    if (context.left_out()) {
        event = event_of(ACCP_EVENT_EVICTED, ACCP_OK);
        event.count = context.left_out();
        const uint64_t all = context.all_tokens();
        event.tokens = all > tokens ? all - tokens : 0;
        send(event);
    }
    session_.busy = false;
}

void SessionEvents::report_all(const CallSubject &subject, accp_status status) noexcept {
    capi::guard(nullptr, [&] {
        session::ScratchLoan scratch(*session_.engine);
        switch (subject.kind) {
            case CallSubject::kReceived:
                report_frame(ACCP_RECEIVED, subject.text, status, *scratch);
                break;
            case CallSubject::kSent: report_sent(status, *scratch); break;
            case CallSubject::kAppended: report_appended(subject.text, status); break;
            case CallSubject::kOther: break;
        }
        const session::Deliveries &all = session_.session.deliveries;
        for (size_t i = before_.deliveries; i < all.size(); ++i)
            report_delivery(all.at(i), *scratch);
        return Status{};
    });
    const Marks after = now();
    for (uint32_t gaps = after.gaps; gaps < before_.gaps + opened_; ++gaps)
        send(event_of(ACCP_EVENT_GAP_CLOSED, ACCP_OK));
    report_checkpoints(after);
    if (before_.marks && after.marks > before_.marks)
        send(event_of(ACCP_EVENT_REGISTRY_CHANGED, ACCP_OK));
}

}  // namespace accp::capi

extern "C" {

accp_status accp_traceparent_format(const char *cid, size_t cid_len, const char *mid,
                                    size_t mid_len, char *buf, accp_error *err) noexcept {
    if (!capi::is_text(cid, cid_len) || !capi::is_text(mid, mid_len) || !buf)
        return capi::refuse(err, capi::kNoText);
    if (!cid_len && !mid_len)
        return capi::refuse(err, "a trace is named by a cid or a mid, and both are empty");
    constexpr size_t kTraceDigits = 32, kSpanDigits = 16;
    const std::string_view chain = to_view(cid, cid_len), frame = to_view(mid, mid_len);
    const Digest trace = sha256(chain.empty() ? frame : chain), span = sha256(frame);
    size_t at = std::string_view("00-").copy(buf, 3);
    at += trace.first(kTraceDigits).copy(buf + at, kTraceDigits);
    buf[at++] = '-';
    at += span.first(kSpanDigits).copy(buf + at, kSpanDigits);
    std::memcpy(buf + at, "-01", 4);
    return ACCP_OK;
}

}  // extern "C"
