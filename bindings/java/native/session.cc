// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions: what gives more than a text.
#include "structs.h"

using namespace accp_java;

// agents: the peer's, null for no peer. Answers the status.
ACCP_NATIVE(jint, sessionReceive)
(JNIEnv *env, jclass, jlong session, jobject text, jobject agents, jint origin, jlong now_ms) {
    TextIn frame, names;
    if (!frame.take(env, text) || !names.take(env, agents)) return ACCP_OK;
    accp_peer peer = {names.view(), origin, 0};
    accp_error error = {};
    accp_status status =
        accp_session_receive(handle<accp_session>(session), frame.text(), frame.len(),
                             agents ? &peer : nullptr, now_ms, &error);
    if (is_failure(status)) raise(env, error);
    return status;
}

// numbers: status, seq, origin. Texts: message, mid, cid, reason. Null where there is no more.
ACCP_NATIVE(jobjectArray, sessionNextDelivery)
(JNIEnv *env, jclass, jlong session, jlongArray numbers) {
    accp_delivery next = {};
    if (!accp_session_next_delivery(handle<accp_session>(session), &next)) return nullptr;
    accp_text reason = {next.reason, next.reason ? std::strlen(next.reason) : 0};
    return give(env, ACCP_OK, {}, {next.message, next.mid, next.cid, reason},
                {next.status, next.seq, next.origin}, numbers);
}

// numbers: kind, time.
ACCP_NATIVE(jbyteArray, sessionRecord)
(JNIEnv *env, jclass, jlong session, jlong number, jlongArray numbers) {
    accp_log_record record = {};
    accp_error error = {};
    if (accp_session_record(handle<accp_session>(session), static_cast<uint64_t>(number), &record,
                            &error) != ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    jlong fields[2] = {record.kind, record.time_ms};
    env->SetLongArrayRegion(numbers, 0, 2, fields);
    return to_bytes(env, record.text);
}

// numbers: version.
ACCP_NATIVE(jbyteArray, sessionState)(JNIEnv *env, jclass, jlong session, jlongArray numbers) {
    int64_t version = 0;
    accp_text state = accp_session_state(handle<accp_session>(session), &version);
    jlong field = version;
    env->SetLongArrayRegion(numbers, 0, 1, &field);
    return to_bytes(env, state);
}

// numbers: tokens.
ACCP_NATIVE(jbyteArray, sessionContext)
(JNIEnv *env, jclass, jlong session, jlong budget_tokens, jlongArray numbers) {
    accp_text out = {};
    uint64_t tokens = 0;
    accp_error error = {};
    accp_status status = accp_session_context(
        handle<accp_session>(session), static_cast<uint64_t>(budget_tokens), &out, &tokens, &error);
    if (status != ACCP_OK) return give_text(env, status, error, {});
    auto field = static_cast<jlong>(tokens);
    env->SetLongArrayRegion(numbers, 0, 1, &field);
    return to_bytes(env, out);
}
