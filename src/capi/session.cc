// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/session.h: sessions.
#include "accp/session.h"

#include "capi/config_handle.h"
#include "capi/handles.h"
#include "capi/session_call.h"

using namespace accp;
using namespace accp::capi;

void accp::capi::end_session(accp_session *session) noexcept {
    if (!session) return;
    accp_engine *engine = session->owner;
    end_tasks(session);
    destroy_handle(session);
    drop_engine(engine);
}

extern "C" {

accp_status accp_session_open(accp_engine *engine, const char *id, size_t id_len, uint32_t flags,
                              accp_session **out, accp_error *err) noexcept {
    if (!engine || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(id, id_len)) return capi::refuse(err, capi::kNoText);
    if (flags & ~uint32_t{ACCP_SESSION_READ_ONLY | ACCP_SESSION_LOCAL})
        return capi::refuse(err, "no such flag");
    const bool local = flags & ACCP_SESSION_LOCAL;
    if (local && engine->engine.rules.refuses_parts)
        return capi::refuse(err, "the rule parts, or an agreement, says: no messages in parts");
    if (local && !engine->settings.has(ACCP_EXT_Q1)) return capi::refuse(err, kPartsNeedQ1);
    return capi::guard(err, [&] {
        Held<accp_session, end_session> made(make_handle<accp_session>(engine->settings, *engine));
        session::ScratchLoan scratch(engine->engine);
        session::Session &session = made->session;
        session.driver.local = local;
        Status status = session.driver.check_owner(
            session.open(*engine->engine.store, to_view(id, id_len),
                         !(flags & ACCP_SESSION_READ_ONLY), engine->mid_key(id, id_len), *scratch));
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_session_close(accp_session *session) noexcept {
    free_handle<accp_session, end_session>(session);
}

accp_status accp_session_end(accp_session *session, int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.end(now_ms, scratch);
    });
}

// Releases frames that waited, if their turn or time has come.
static accp_status release(accp_session *session, int64_t now_ms, accp_error *err) noexcept {
    if (!session->session.inflow.has_due(now_ms)) return ACCP_OK;
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.inflow.release_waiting(now_ms, scratch);
    });
}

// The same after a frame was received. `is_stored`: ERR_IO may replace the answer to that frame,
// because its record is in the log.
static void release_after(accp_session *session, bool is_stored, int64_t now_ms,
                          accp_error &answer) noexcept {
    const uint64_t commits = session->session.driver.commits();
    accp_error released = {};
    if (release(session, now_ms, &released) != ACCP_ERR_IO) return;
    if (is_stored) answer = released;
    else if (session->session.driver.commits() != commits)
        capi::report(fail(ACCP_ERR_BUSY, 0, kOnlyEarlier), &answer);
}

static accp_status receive(accp_session *session, const session::Peer &peer, const char *text,
                           size_t text_len, int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    const SessionUse use(session);
    accp_error answer = {};
    const size_t queued = session ? session->session.deliveries.size() : 0;
    const std::string_view frame = to_view(text, text_len);
    const uint64_t own = session ? session->session.driver.own_commits() : 0;
    const accp_status status =
        call_session(session, &answer,
                     [&](session::Scratch &scratch) {
                         return session->session.inflow.receive(frame, peer, now_ms, scratch);
                     },
                     {CallSubject::kReceived, frame});
    if (status >= 0)
        release_after(session, session->session.driver.own_commits() != own, now_ms, answer);
    log_received(session, queued, answer);
    note_received(session, queued, now_ms);
    if (!session) return capi::report(status_of(answer), err);
    count_received(*session, text_len, answer.code);
    const Status kept = check_kept(*session);
    return capi::report(kept.ok() ? status_of(answer) : kept, err);
}

accp_status accp_session_receive(accp_session *session, const char *text, size_t text_len,
                                 int64_t now_ms, const accp_peer *peer, accp_error *err) noexcept {
    session::Peer from;
    if (accp_status status = read_peer(peer, from, err)) return status;
    return receive(session, from, text, text_len, now_ms, err);
}

int accp_session_next_delivery(accp_session *session, accp_delivery *out) noexcept {
    session::Delivery delivered;
    if (!session || !out || session->busy || !session->session.deliveries.next(delivered)) return 0;
    const int32_t origin = delivered.untrusted ? ACCP_ORIGIN_UNTRUSTED : ACCP_ORIGIN_TRUSTED;
    *out = {delivered.status,       origin,
            delivered.seq,          to_text(delivered.json),
            to_text(delivered.mid), to_text(delivered.cid),
            delivered.reason};
    session->delivery_warnings = delivered.warnings;
    return 1;
}

uint32_t accp_session_delivery_warnings(const accp_session *session) noexcept {
    return session ? session->delivery_warnings : 0;
}

int accp_session_is_cancelled(const accp_session *session, const char *cid,
                              size_t cid_len) noexcept {
    return session && capi::is_text(cid, cid_len) &&
           session->session.core().pending.chains.has(to_view(cid, cid_len));
}

accp_status accp_session_send(accp_session *session, const char *text, size_t text_len,
                              int64_t now_ms, accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (is_own_text(session, text)) return capi::refuse(err, capi::kOwnText);
    return make_frame(session, now_ms, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session->session.outflow.send(to_view(text, text_len), now_ms, scratch, to);
    });
}

accp_status accp_session_reply(accp_session *session, const char *request, size_t request_len,
                               const char *text, size_t text_len, int64_t now_ms, accp_text *out,
                               accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(request, request_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    if (is_own_text(session, request, text)) return capi::refuse(err, capi::kOwnText);
    return make_frame(session, now_ms, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session->session.outflow.reply(to_view(request, request_len),
                                              to_view(text, text_len), now_ms, scratch, to);
    });
}

accp_status accp_session_outcome(const accp_session *session, accp_outcome *out,
                                 accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(session, err)) return status;
    *out = session->session.outflow.outcome();
    return ACCP_OK;
}

accp_status accp_session_expire(accp_session *session, int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (accp_status status = check_idle(session, err)) return status;
    const SessionUse use(session);
    const size_t queued = session->session.deliveries.size();
    const accp_status status = release(session, now_ms, err);
    log_received(session, queued, {});
    note_received(session, queued, now_ms);
    if (status != ACCP_OK) return status;
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.outflow.expire(now_ms, scratch);
    });
}

int64_t accp_session_next_deadline(const accp_session *session) noexcept {
    return session ? session->session.next_deadline() : INT64_MAX;
}

accp_status accp_session_retry(accp_session *session, uint64_t record, int64_t now_ms,
                               accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return make_frame(session, now_ms, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session->session.outflow.retry(record, now_ms, scratch, to);
    });
}

accp_status accp_session_remove_parts(accp_session *session, const char *cid, size_t cid_len,
                                      int64_t now_ms, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.inflow.remove_parts(to_view(cid, cid_len), now_ms, scratch);
    });
}

accp_status accp_session_append(accp_session *session, const char *text, size_t text_len,
                                int64_t now_ms, accp_error *err) noexcept {
    return accp_session_append_from(session, text, text_len, now_ms, nullptr, err);
}

accp_status accp_session_append_from(accp_session *session, const char *text, size_t text_len,
                                     int64_t now_ms, const accp_peer *peer,
                                     accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    session::Peer from;
    if (accp_status status = read_peer(peer, from, err)) return status;
    const SessionUse use(session);
    const std::string_view message = to_view(text, text_len);
    const accp_status status = call_session(
        session, err,
        [&](session::Scratch &scratch) {
            return session->session.append(message, peer ? &from : nullptr, now_ms, scratch);
        },
        {CallSubject::kAppended, message});
    if (status == ACCP_OK) note_message(session, message, !peer, now_ms);
    return status;
}

accp_status accp_session_checkpoint(accp_session *session, int64_t now_ms,
                                    accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.checkpoint(now_ms, scratch);
    });
}

accp_status accp_session_context(accp_session *session, uint64_t budget_tokens, accp_text *out,
                                 uint64_t *tokens_out, accp_error *err) noexcept {
    return make_context(session, out, tokens_out, err,
                        [&](session::Scratch &scratch, Buffer<char> &to, uint64_t &tokens) {
                            return session->session.context(budget_tokens, scratch, to, tokens);
                        });
}

accp_status accp_session_budget(accp_session *session, accp_budget *out, accp_error *err) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    context::TokenUse use = {};
    const accp_status status = call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.budget(scratch, use);
    });
    if (status == ACCP_OK)
        *out = {use.hot_used, use.hot_max,    use.warm_used,
                use.warm_max, use.total_used, use.total_max};
    return status;
}

uint32_t accp_session_newest_checkpoint(const accp_session *session) noexcept {
    return session ? session->session.core().context.checkpoints() : 0;
}

uint64_t accp_session_record_count(const accp_session *session) noexcept {
    return session ? session->session.last_record() : 0;
}

accp_status accp_session_record(accp_session *session, uint64_t number, accp_log_record *out,
                                accp_error *err) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    session::Record record;
    const accp_status status = call_session(session, err, [&](session::Scratch &scratch) {
        session->out.recycle(0);
        return session->session.record(number, scratch, session->out, record);
    });
    if (status == ACCP_OK)
        *out = {static_cast<unsigned char>(record.kind), 0, static_cast<int64_t>(record.time_ms),
                to_text(record.text)};
    return status;
}

accp_status accp_session_share_registry(accp_session *session, uint64_t record, accp_registry **out,
                                        accp_error *err) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const SessionUse use(session);
    registry::RegistryRef found;
    const accp_status status = call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.driver.find_registry(record, scratch, found);
    });
    if (status == ACCP_OK) *out = (found ? found : session->engine->share_registry()).release();
    return status;
}

accp_status accp_session_resolve(accp_session *session, const char *ref, size_t ref_len,
                                 const char *owner, size_t owner_len, int64_t now_ms,
                                 accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(ref, ref_len) || !capi::is_text(owner, owner_len))
        return capi::refuse(err, capi::kNoText);
    if (is_own_text(session, ref, owner)) return capi::refuse(err, capi::kOwnText);
    return return_text(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        session::OwnRefs &from = session->session.refs;
        return owner_len ? from.resolve_of(to_view(owner, owner_len), to_view(ref, ref_len), now_ms,
                                           scratch, to)
                         : from.resolve(to_view(ref, ref_len), now_ms, scratch, to);
    });
}

accp_status accp_session_put(accp_session *session, const char *ref, size_t ref_len,
                             const char *text, size_t text_len, int64_t expires_ms,
                             accp_error *err) noexcept {
    if (!capi::is_text(ref, ref_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    if (expires_ms < 0) return capi::refuse(err, "a time must not be negative");
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.refs.put(to_view(ref, ref_len), to_view(text, text_len), expires_ms,
                                         scratch);
    });
}

accp_status accp_session_remove(accp_session *session, const char *ref, size_t ref_len,
                                accp_error *err) noexcept {
    if (!capi::is_text(ref, ref_len)) return capi::refuse(err, capi::kNoText);
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.refs.erase(to_view(ref, ref_len), scratch);
    });
}

accp_status accp_session_add_grant(accp_session *session, const char *grantee, size_t grantee_len,
                                   const char *prefix, size_t prefix_len, int64_t expires_ms,
                                   accp_error *err) noexcept {
    if (!capi::is_text(grantee, grantee_len) || !capi::is_text(prefix, prefix_len))
        return capi::refuse(err, capi::kNoText);
    if (expires_ms < 0) return capi::refuse(err, "a time must not be negative");
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.refs.grant(to_view(grantee, grantee_len),
                                           to_view(prefix, prefix_len), expires_ms, scratch);
    });
}

accp_status accp_session_remove_grant(accp_session *session, const char *grantee,
                                      size_t grantee_len, const char *prefix, size_t prefix_len,
                                      accp_error *err) noexcept {
    if (!capi::is_text(grantee, grantee_len) || !capi::is_text(prefix, prefix_len))
        return capi::refuse(err, capi::kNoText);
    return call_session(session, err, [&](session::Scratch &scratch) {
        return session->session.refs.revoke(to_view(grantee, grantee_len),
                                            to_view(prefix, prefix_len), scratch);
    });
}

accp_status accp_session_send_state(accp_session *session, const char *agent, size_t agent_len,
                                    const char *text, size_t text_len, int64_t now_ms,
                                    accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(agent, agent_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    if (is_own_text(session, text, agent)) return capi::refuse(err, capi::kOwnText);
    return make_frame(session, now_ms, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session->session.outflow.send_state(to_view(agent, agent_len),
                                                   to_view(text, text_len), now_ms, scratch, to);
    });
}

accp_text accp_session_state(const accp_session *session, int64_t *version_out) noexcept {
    if (version_out) *version_out = 0;
    if (!session) return {};
    const session::SharedState &state = session->session.core().state;
    if (version_out) *version_out = state.version();
    return to_text(state.json());
}

accp_status accp_session_sync(accp_session *session, accp_error *err) noexcept {
    if (accp_status status = check_idle(session, err)) return status;
    return capi::guard(err, [&] { return session->session.driver.sync(); });
}

}  // extern "C"
