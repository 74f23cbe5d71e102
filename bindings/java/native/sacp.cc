// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Verdicts of SACP, what goes to others, and its versions.
#include "structs.h"

using namespace accp_java;

// numbers of a verdict: answer, code, byte, number of needs.
ACCP_NATIVE(jobjectArray, sacpVerdict)(JNIEnv *env, jclass, jlong sacp, jlongArray numbers) {
    accp_verdict verdict = {};
    accp_error error = {};
    const accp_status status = accp_sacp_verdict(handle<accp_sacp>(sacp), &verdict, &error);
    return give(env, status, error, {verdict.details, verdict.step},
                {verdict.answer, verdict.code, static_cast<jlong>(verdict.byte),
                 static_cast<jlong>(verdict.need_count)},
                numbers);
}

// texts: message, and the receiver's role, formatters, msg_id.
ACCP_NATIVE(jbyteArray, sacpCompose)(JNIEnv *env, jclass, jlong sacp, jobjectArray texts) {
    TextsIn<4> given;
    if (!given.take(env, texts)) return nullptr;
    const accp_sacp_receiver to = {given[1], given[2], given[3]};
    accp_text out = {};
    accp_error error = {};
    const accp_status status =
        accp_sacp_compose(handle<accp_sacp>(sacp), given[0].text, given[0].len, &to, &out, &error);
    return give_text(env, status, error, out);
}

// texts: message, msg_id, sender, recipient.
ACCP_NATIVE(jbyteArray, sacpTo10)
(JNIEnv *env, jclass, jlong sacp, jobjectArray texts, jlong now_ms) {
    TextsIn<4> given;
    if (!given.take(env, texts)) return nullptr;
    const accp_sacp_sender sender = {given[1], given[2], given[3], now_ms};
    accp_text out = {};
    accp_error error = {};
    const accp_status status = accp_sacp_to_1_0(handle<accp_sacp>(sacp), given[0].text,
                                                given[0].len, &sender, &out, &error);
    return give_text(env, status, error, out);
}
