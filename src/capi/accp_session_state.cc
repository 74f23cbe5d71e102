// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/session.h: sessions, what they keep: contexts, the log, refs, the shared state.
#include "accp/session.h"

#include "capi/session_call.h"

using namespace accp;
using namespace accp::capi;

extern "C" {

accp_status accp_session_checkpoint(accp_session *session, int64_t now_ms,
                                    accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return act(session, err, [&](session::Scratch &scratch) {
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
    const accp_status status = act(session, err, [&](session::Scratch &scratch) {
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
    const accp_status status = act(session, err, [&](session::Scratch &scratch) {
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
    const accp_status status = act(session, err, [&](session::Scratch &scratch) {
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
    if (own_text(session, ref, owner)) return capi::refuse(err, capi::kOwnText);
    return answer(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
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
    if (expires_ms < 0) return capi::refuse(err, "a time is not negative");
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.refs.put(to_view(ref, ref_len), to_view(text, text_len), expires_ms,
                                         scratch);
    });
}

accp_status accp_session_remove(accp_session *session, const char *ref, size_t ref_len,
                                accp_error *err) noexcept {
    if (!capi::is_text(ref, ref_len)) return capi::refuse(err, capi::kNoText);
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.refs.erase(to_view(ref, ref_len), scratch);
    });
}

accp_status accp_session_add_grant(accp_session *session, const char *grantee, size_t grantee_len,
                                   const char *prefix, size_t prefix_len, int64_t expires_ms,
                                   accp_error *err) noexcept {
    if (!capi::is_text(grantee, grantee_len) || !capi::is_text(prefix, prefix_len))
        return capi::refuse(err, capi::kNoText);
    if (expires_ms < 0) return capi::refuse(err, "a time is not negative");
    return act(session, err, [&](session::Scratch &scratch) {
        return session->session.refs.grant(to_view(grantee, grantee_len),
                                           to_view(prefix, prefix_len), expires_ms, scratch);
    });
}

accp_status accp_session_remove_grant(accp_session *session, const char *grantee,
                                      size_t grantee_len, const char *prefix, size_t prefix_len,
                                      accp_error *err) noexcept {
    if (!capi::is_text(grantee, grantee_len) || !capi::is_text(prefix, prefix_len))
        return capi::refuse(err, capi::kNoText);
    return act(session, err, [&](session::Scratch &scratch) {
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
    if (own_text(session, text, agent)) return capi::refuse(err, capi::kOwnText);
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
