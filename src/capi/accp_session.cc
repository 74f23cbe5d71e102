// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/session.h: sessions.
#include "accp/session.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/session_handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr const char *kNotDurable =
    "taken, and not yet durable, as another process writes or memory is short: accp_session_sync() "
    "until it succeeds";
constexpr const char *kSessionBusy =
    "a function of the host's may not call the session that it was called by";

// A call that works on a session with a scratch, and answers nothing but a status.
template <class Work>
accp_status act(accp_session *session, accp_error *err, Work work) noexcept {
    if (!session) return capi::refuse(err, capi::kNoHandle);
    if (session->busy) return capi::report(fail(ACCP_ERR_BUSY, 0, kSessionBusy), err);
    session->busy = true;
    const uint64_t taken = session->session.taken();
    accp_status status = capi::guard(err, [&] {
        session::ScratchLoan scratch(*session->engine);
        return session->session.judged(work(*scratch));
    });
    // What was taken is not to be done again: only its durability failed.
    if ((status == ACCP_ERR_BUSY || status == ACCP_ERR_NOMEM) && session->session.taken() != taken)
        status = capi::report(fail(ACCP_ERR_IO, 0, kNotDurable), err);
    // What failed halfway is undone at once, so that questions are answered rightly too; where that
    // fails as well, the next call does it.
    if (session->session.is_stale())
        guard(nullptr,
              [&] { return session->session.refresh(*session::ScratchLoan(*session->engine)); });
    session->busy = false;
    return status;
}

// Tells the log of a message, or of a refusal. It cannot fail what it tells of: where there is no
// memory for a line there is none.
void tell(session::Engine &engine, session::Scratch &scratch, int32_t direction,
          const Status &status, std::string_view json) {
    scratch.log.hook = engine.hooks.log;
    scratch.log.user = engine.hooks.user;
    capi::guard(nullptr, [&] {
        if (status.failed()) scratch.log.tell(direction, status);
        else scratch.log.tell(direction, json, view_of(engine.redacted));
        return Status{};
    });
}

// Of a frame that came in: what is new in the queue from `place` on, and the answer.
void tell_received(accp_session *session, size_t place, const accp_error &answer) {
    if (!session || !session->engine->hooks.log) return;
    act(session, nullptr, [&](session::Scratch &scratch) {
        const session::Deliveries &all = session->session.deliveries();
        for (size_t i = place; i < all.size(); ++i) {
            const session::Delivery one = all.at(i);
            tell(*session->engine, scratch, ACCP_RECEIVED, fail(one.status, 0, one.reason),
                 one.json);
        }
        if (answer.code != ACCP_OK && answer.code != ACCP_HELD)
            tell(*session->engine, scratch, ACCP_RECEIVED,
                 fail(answer.code, answer.offset, answer.message), {});
        return Status{};
    });
}

// One that answers a text, which it appends to session->out.
template <class Work>
accp_status answer(accp_session *session, accp_text *out, accp_error *err, Work work) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    accp_status status = act(session, err, [&](session::Scratch &scratch) {
        session->out.recycle(0);
        return work(scratch, session->out);
    });
    if (status != ACCP_OK && status != ACCP_ERR_IO) return status;
    hand_out(session->out, out);
    return status;
}

// One that makes a frame, and leaves its message in scratch.json.
template <class Work>
accp_status make_frame(accp_session *session, accp_text *out, accp_error *err, Work work) noexcept {
    const size_t queued = session ? session->session.deliveries().size() : 0;
    accp_status status =
        answer(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
            Status status = work(scratch, to);
            if (session->engine->hooks.log && (status.failed() || !to.empty()))
                tell(*session->engine, scratch, ACCP_SENT, status,
                     {scratch.json.data(), scratch.json.size()});
            return status;
        });
    if (session && session->session.deliveries().size() > queued)
        tell_received(session, queued, {});
    return status;
}

bool own_text(const accp_session *session, const char *text) {
    return session && capi::lies_in(text, session->out);
}

std::string_view view(const char *text, size_t len) { return {text ? text : "", len}; }

}  // namespace

extern "C" {

accp_status accp_session_open(accp_engine *engine, const char *id, size_t id_len, uint32_t flags,
                              accp_session **out, accp_error *err) noexcept {
    if (!engine || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(id, id_len)) return capi::refuse(err, capi::kNoText);
    if (flags & ~uint32_t{ACCP_SESSION_READ_ONLY}) return capi::refuse(err, "no such flag");
    return capi::guard(err, [&] {
        Held<accp_session> made(make_handle<accp_session>(engine->settings, engine->engine));
        session::ScratchLoan scratch(engine->engine);
        session::Session &session = made->session;
        Status status = session.judged(session.open(*engine->engine.store, view(id, id_len),
                                                    !(flags & ACCP_SESSION_READ_ONLY),
                                                    engine->mid_key(id, id_len), *scratch));
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_session_close(accp_session *session) noexcept { end_handle(session); }

accp_status accp_session_end(accp_session *session, int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return act(session, err,
               [&](session::Scratch &scratch) { return session->session.end(now_ms, scratch); });
}

static accp_status receive(accp_session *session, const session::Peer &peer, const char *text,
                           size_t text_len, int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    accp_error answer = {}, released = {};
    const size_t queued = session ? session->session.deliveries().size() : 0;
    accp_status status = act(session, &answer, [&](session::Scratch &scratch) {
        return session->session.receive(view(text, text_len), peer, now_ms, scratch);
    });
    if (status >= 0 && session->session.has_ready())
        act(session, &released, [&](session::Scratch &scratch) {
            return session->session.release_waiting(now_ms, scratch);
        });
    tell_received(session, queued, answer);
    if (released.code == ACCP_ERR_IO) answer = released;
    return capi::report(fail(answer.code, answer.offset, answer.message), err);
}

accp_status accp_session_receive(accp_session *session, const char *text, size_t text_len,
                                 const accp_peer *peer, int64_t now_ms, accp_error *err) noexcept {
    if (!peer) return receive(session, {}, text, text_len, now_ms, err);
    if (!capi::is_text(peer->agents.text, peer->agents.len))
        return capi::refuse(err, capi::kNoText);
    if (!is_origin(peer->origin)) return capi::refuse(err, capi::kNoOrigin);
    const session::Peer from = {to_view(peer->agents), peer->origin == ACCP_ORIGIN_UNTRUSTED};
    return receive(session, from, text, text_len, now_ms, err);
}

int accp_session_next_delivery(accp_session *session, accp_delivery *out) noexcept {
    session::Delivery delivered;
    if (!session || !out || session->busy || !session->session.next(delivered)) return 0;
    const int32_t origin = delivered.untrusted ? ACCP_ORIGIN_UNTRUSTED : ACCP_ORIGIN_TRUSTED;
    *out = {delivered.status,       origin,
            delivered.seq,          to_text(delivered.json),
            to_text(delivered.mid), to_text(delivered.cid),
            delivered.reason};
    return 1;
}

int accp_session_is_cancelled(const accp_session *session, const char *cid,
                              size_t cid_len) noexcept {
    return session && capi::is_text(cid, cid_len) &&
           session->session.is_cancelled(view(cid, cid_len));
}

accp_status accp_session_send(accp_session *session, const char *text, size_t text_len,
                              int64_t now_ms, accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (own_text(session, text)) return capi::refuse(err, capi::kOwnText);
    return make_frame(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session->session.send(view(text, text_len), now_ms, scratch, to);
    });
}

accp_status accp_session_expire(accp_session *session, int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return act(session, err,
               [&](session::Scratch &scratch) { return session->session.expire(now_ms, scratch); });
}

int64_t accp_session_next_deadline(const accp_session *session) noexcept {
    return session ? session->session.next_deadline() : INT64_MAX;
}

accp_status accp_session_retry(accp_session *session, uint64_t record, int64_t now_ms,
                               accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return make_frame(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session->session.retry(record, now_ms, scratch, to);
    });
}

accp_status accp_session_remove_parts(accp_session *session, const char *cid, size_t cid_len,
                                      int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.abandon(view(cid, cid_len), now_ms, scratch);
    });
}

accp_status accp_session_append(accp_session *session, const char *text, size_t text_len,
                                int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.append(view(text, text_len), now_ms, scratch);
    });
}

accp_status accp_session_checkpoint(accp_session *session, int64_t now_ms,
                                    accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.checkpoint(now_ms, scratch);
    });
}

accp_status accp_session_context(accp_session *session, uint64_t budget_tokens, accp_text *out,
                                 uint64_t *tokens_out, accp_error *err) noexcept {
    uint64_t tokens = 0;
    accp_status status =
        answer(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
            return session->session.context(budget_tokens, scratch, to, tokens);
        });
    if (status == ACCP_OK && tokens_out) *tokens_out = tokens;
    return status;
}

accp_status accp_session_budget(accp_session *session, accp_budget *out, accp_error *err) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    return act(session, err, [&](session::Scratch &scratch) {
        context::TokenUse use = {};
        Status status = session->session.budget(scratch, use);
        if (status.ok())
            *out = {use.hot_used, use.hot_max,    use.warm_used,
                    use.warm_max, use.total_used, use.total_max};
        return status;
    });
}

uint32_t accp_session_newest_checkpoint(const accp_session *session) noexcept {
    return session ? session->session.checkpoints() : 0;
}

uint64_t accp_session_record_count(const accp_session *session) noexcept {
    return session ? session->session.last_record() : 0;
}

accp_status accp_session_record(accp_session *session, uint64_t number, accp_log_record *out,
                                accp_error *err) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    return act(session, err, [&](session::Scratch &scratch) {
        session::Record record;
        session->out.recycle(0);
        Status status = session->session.record(number, scratch, session->out, record);
        if (status.ok())
            *out = {static_cast<unsigned char>(record.kind), 0,
                    static_cast<int64_t>(record.time_ms), to_text(record.text)};
        return status;
    });
}

accp_status accp_session_resolve(accp_session *session, const char *ref, size_t ref_len,
                                 const char *owner, size_t owner_len, int64_t now_ms,
                                 accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(ref, ref_len) || !capi::is_text(owner, owner_len))
        return capi::refuse(err, capi::kNoText);
    if (own_text(session, ref) || own_text(session, owner))
        return capi::refuse(err, capi::kOwnText);
    return answer(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        session::Session &from = session->session;
        return owner_len ? from.resolve_of(view(owner, owner_len), view(ref, ref_len), now_ms,
                                           scratch, to)
                         : from.resolve(view(ref, ref_len), now_ms, scratch, to);
    });
}

accp_status accp_session_put(accp_session *session, const char *ref, size_t ref_len,
                             const char *text, size_t text_len, int64_t expires_ms,
                             accp_error *err) noexcept {
    if (!capi::is_text(ref, ref_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    if (expires_ms < 0) return capi::refuse(err, "a time is not negative");
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.put(view(ref, ref_len), view(text, text_len), expires_ms, scratch);
    });
}

accp_status accp_session_remove(accp_session *session, const char *ref, size_t ref_len,
                                accp_error *err) noexcept {
    if (!capi::is_text(ref, ref_len)) return capi::refuse(err, capi::kNoText);
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.erase(view(ref, ref_len), scratch);
    });
}

accp_status accp_session_add_grant(accp_session *session, const char *grantee, size_t grantee_len,
                                   const char *prefix, size_t prefix_len, int64_t expires_ms,
                                   accp_error *err) noexcept {
    if (!capi::is_text(grantee, grantee_len) || !capi::is_text(prefix, prefix_len))
        return capi::refuse(err, capi::kNoText);
    if (expires_ms < 0) return capi::refuse(err, "a time is not negative");
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.grant(view(grantee, grantee_len), view(prefix, prefix_len),
                                      expires_ms, scratch);
    });
}

accp_status accp_session_remove_grant(accp_session *session, const char *grantee,
                                      size_t grantee_len, const char *prefix, size_t prefix_len,
                                      accp_error *err) noexcept {
    if (!capi::is_text(grantee, grantee_len) || !capi::is_text(prefix, prefix_len))
        return capi::refuse(err, capi::kNoText);
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.revoke(view(grantee, grantee_len), view(prefix, prefix_len),
                                       scratch);
    });
}

accp_status accp_session_send_state(accp_session *session, const char *agent, size_t agent_len,
                                    const char *text, size_t text_len, int64_t now_ms,
                                    accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(agent, agent_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    if (own_text(session, text) || own_text(session, agent))
        return capi::refuse(err, capi::kOwnText);
    return make_frame(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session->session.send_state(view(agent, agent_len), view(text, text_len), now_ms,
                                           scratch, to);
    });
}

accp_text accp_session_state(const accp_session *session, int64_t *version_out) noexcept {
    if (version_out) *version_out = 0;
    if (!session) return {};
    const session::SharedState &state = session->session.state();
    if (version_out) *version_out = state.version();
    return {state.json().data(), state.json().size()};
}

accp_status accp_session_sync(accp_session *session, accp_error *err) noexcept {
    if (!session) return capi::refuse(err, capi::kNoHandle);
    if (session->busy) return capi::report(fail(ACCP_ERR_BUSY, 0, kSessionBusy), err);
    return capi::guard(err, [&] { return session->session.sync(); });
}

}  // extern "C"
