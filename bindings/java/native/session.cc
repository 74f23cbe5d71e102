// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions: what gives more than a text.
#include "structs.h"

using namespace accp_java;

// numbers: status, seq. Texts: message, reason. Null where there is no more.
ACCP_NATIVE(jobjectArray, sessionNext)(JNIEnv *env, jclass, jlong session, jlongArray numbers) {
    accp_delivery delivery = {};
    if (!accp_session_next(handle<accp_session>(session), &delivery)) return nullptr;
    const char *reason = delivery.reason ? delivery.reason : "";
    return give(env, ACCP_OK, {}, {delivery.message, {reason, std::strlen(reason)}},
                {delivery.status, delivery.seq, delivery.origin}, numbers);
}

// numbers: kind, time.
ACCP_NATIVE(jbyteArray, sessionRecord)
(JNIEnv *env, jclass, jlong session, jlong number, jlongArray numbers) {
    int32_t kind = 0;
    jlong fields[2] = {};
    int64_t time_ms = 0;
    accp_error error = {};
    const char *out = nullptr;
    size_t len = 0;
    accp_status status =
        accp_session_record(handle<accp_session>(session), static_cast<uint64_t>(number), &kind,
                            &time_ms, &out, &len, &error);
    if (is_failure(status)) return give_text(env, status, error, nullptr, 0);
    fields[0] = kind;
    fields[1] = time_ms;
    env->SetLongArrayRegion(numbers, 0, 2, fields);
    return to_bytes(env, out ? out : "", len);
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
    const char *out = nullptr;
    size_t len = 0;
    uint64_t tokens = 0;
    accp_error error = {};
    accp_status status =
        accp_session_context(handle<accp_session>(session), static_cast<uint64_t>(budget_tokens),
                             &out, &len, &tokens, &error);
    if (is_failure(status)) return give_text(env, status, error, nullptr, 0);
    auto field = static_cast<jlong>(tokens);
    env->SetLongArrayRegion(numbers, 0, 1, &field);
    return to_bytes(env, out, len);
}
