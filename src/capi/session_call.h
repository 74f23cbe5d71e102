// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The common parts of calls on a session. They run one at a time, with a scratch. If a call fails
// halfway it is undone. The log hook receives each message.
#pragma once

#include "capi/guard.h"
#include "capi/session_events.h"
#include "capi/session_handles.h"
#include "capi/session_tasks.h"
#include "capi/tally.h"

namespace accp::capi {

constexpr const char *kNotDurable =
    "taken, and not yet durable, as another process writes or memory is short: call session_sync "
    "until it succeeds";
constexpr const char *kSessionBusy =
    "a function of the host's may not call the session that it was called by";

// Fails if the handle is NULL or a call works with it.
inline accp_status check_idle(const accp_session *session, accp_error *err) noexcept {
    if (!session) return capi::refuse(err, capi::kNoHandle);
    return session->busy ? capi::report(fail(ACCP_ERR_BUSY, 0, kSessionBusy), err)
                         : accp_status{ACCP_OK};
}

// Runs a call on a session with a scratch, which returns only a status.
template <class Work>
accp_status act(accp_session *session, accp_error *err, Work work,
                const CallSubject &subject = {}) noexcept {
    if (accp_status status = check_idle(session, err)) return status;
    const SessionUse use(session);
    session->busy = true;
    const Tally tally(*session);
    SessionEvents events(*session);
    const uint64_t taken = session->session.driver.commits();
    accp_status status = capi::guard(err, [&] {
        session::ScratchLoan scratch(*session->engine);
        return session->session.driver.check_owner(work(*scratch));
    });
    // The change was stored, so the host must not repeat it: only its durability failed.
    if ((status == ACCP_ERR_BUSY || status == ACCP_ERR_NOMEM) &&
        session->session.driver.commits() != taken)
        status = capi::report(fail(ACCP_ERR_IO, 0, kNotDurable), err);
    // Undo a half-done call at once, so that getters return the right values too. If that fails as
    // well, the next call does it.
    if (session->session.driver.is_stale())
        guard(nullptr, [&] {
            return session->session.driver.refresh(*session::ScratchLoan(*session->engine));
        });
    events.tell(subject, status);
    session->busy = false;
    const Status kept = check_kept(*session);
    return kept.ok() ? status : capi::report(kept, err);
}

// Logs a message or a refusal. A failure here does not fail the call: if there is no memory for the
// line, it is left out.
inline void tell(session::Engine &engine, session::Scratch &scratch, int32_t direction,
                 const Status &status, std::string_view json) {
    scratch.debug_log.hook = engine.hooks.log;
    scratch.debug_log.user = engine.hooks.user;
    capi::guard(nullptr, [&] {
        if (status.failed()) scratch.debug_log.write(direction, status);
        else scratch.debug_log.write(direction, json, engine.redacted.view());
        return Status{};
    });
}

// Logs a received frame: the new deliveries from `place` on, and a refusal if there is one.
inline void tell_received(accp_session *session, size_t place, const accp_error &answer) {
    if (!session || !session->engine->hooks.log) return;
    act(session, nullptr, [&](session::Scratch &scratch) {
        const session::Deliveries &all = session->session.deliveries;
        for (size_t i = place; i < all.size(); ++i) {
            const session::Delivery one = all.at(i);
            tell(*session->engine, scratch, ACCP_RECEIVED, fail(one.status, 0, one.reason),
                 one.json);
        }
        if (answer.code != ACCP_OK && answer.code != ACCP_HELD)
            tell(*session->engine, scratch, ACCP_RECEIVED, status_of(answer), {});
        return Status{};
    });
}

// The same for a call that returns a text, which `work` appends to session->out.
template <class Work>
accp_status answer(accp_session *session, accp_text *out, accp_error *err, Work work,
                   const CallSubject &subject = {}) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const SessionUse use(session);
    accp_status status = act(
        session, err,
        [&](session::Scratch &scratch) {
            session->out.recycle(0);
            return work(scratch, session->out);
        },
        subject);
    if (status != ACCP_OK && status != ACCP_ERR_IO) return status;
    hand_out(session->out, out);
    return status;
}

// The same for a call that makes a frame. `work` leaves its message in scratch.json.out.
template <class Work>
accp_status make_frame(accp_session *session, int64_t now_ms, accp_text *out, accp_error *err,
                       Work work) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const SessionUse use(session);
    const size_t queued = session->session.deliveries.size();
    accp_text frames = {};
    accp_status status =
        answer(session, &frames, err,
               [&](session::Scratch &scratch, Buffer<char> &to) {
                   Status status = work(scratch, to);
                   if (session->engine->hooks.log && (status.failed() || !to.empty()))
                       tell(*session->engine, scratch, ACCP_SENT, status, scratch.json.out.view());
                   return status;
               },
               {CallSubject::kSent});
    const bool made = status == ACCP_OK || status == ACCP_ERR_IO;
    count_sent(*session, made ? session->out.view() : std::string_view(), status);
    if (session->session.deliveries.size() > queued) tell_received(session, queued, {});
    note_received(session, queued, now_ms);
    if (made) note_sent(session, session->out.view(), now_ms);
    if (const Status kept = check_kept(*session); kept.failed()) return capi::report(kept, err);
    if (made) *out = frames;
    return status;
}

// Counts a new context and calls the event hook. Fails if the hook closed the session: the call
// must not return a view into it.
inline Status count_context(accp_session &session, uint64_t tokens) {
    session::MetricsShare &metrics = session.metrics;
    metrics.add(ACCP_METRIC_CONTEXTS, 1);
    metrics.add(ACCP_METRIC_CONTEXT_TOKENS, tokens);
    context::Context &context = session.session.driver.core().context;
    metrics.add(ACCP_METRIC_CONTEXT_HISTORY_TOKENS, context.history_tokens());
    const context::Context::Price price = context.charge(tokens);
    metrics.add(ACCP_METRIC_CONTEXT_PRICE, price.context);
    metrics.add(ACCP_METRIC_CONTEXT_HISTORY_PRICE, price.history);
    SessionEvents(session).tell_context(tokens, price.cached);
    return check_kept(session);
}

// Runs a call that returns a context as text. `work` also counts its tokens.
template <class Work>
accp_status make_context(accp_session *session, accp_text *out, uint64_t *tokens_out,
                         accp_error *err, Work work) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const SessionUse use(session);
    uint64_t tokens = 0;
    accp_text text = {};
    const accp_status status = answer(
        session, &text, err,
        [&](session::Scratch &scratch, Buffer<char> &to) { return work(scratch, to, tokens); });
    if (status != ACCP_OK) return status;
    const Status kept = count_context(*session, tokens);
    if (kept.failed()) return capi::report(kept, err);
    *out = text;
    if (tokens_out) *tokens_out = tokens;
    return ACCP_OK;
}

// Reads the peer of a call. Without one, `out` stays a trusted peer with any name.
inline accp_status read_peer(const accp_peer *peer, session::Peer &out, accp_error *err) noexcept {
    if (!peer) return ACCP_OK;
    if (!capi::is_text(peer->agents.text, peer->agents.len))
        return capi::refuse(err, capi::kNoText);
    if (!is_origin(peer->origin)) return capi::refuse(err, capi::kNoOrigin);
    out = {to_view(peer->agents), peer->origin == ACCP_ORIGIN_UNTRUSTED};
    return ACCP_OK;
}

template <typename... Texts>
bool own_text(const accp_session *session, Texts... texts) {
    return session && (capi::lies_in(texts, session->out) || ...);
}

}  // namespace accp::capi
