// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Verdicts of SACP.
#include "structs.h"

using namespace accp_java;

// numbers of a verdict: answer, code, byte, how much is missing.
ACCP_NATIVE(jobjectArray, sacpVerdict)(JNIEnv *env, jclass, jlong sacp, jlongArray numbers) {
    accp_verdict verdict = {};
    accp_error error = {};
    const accp_status status = accp_sacp_verdict(handle<accp_sacp>(sacp), &verdict, &error);
    return give(env, status, error, {verdict.details, verdict.step},
                {verdict.answer, verdict.code, static_cast<jlong>(verdict.byte),
                 static_cast<jlong>(verdict.need_count)},
                numbers);
}
