// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets in a project's files.
#include "structs.h"

using namespace accp_java;

ACCP_NATIVE(jobjectArray, panesFeedback)(JNIEnv *env, jclass, jlong panes, jlong pane) {
    accp_text both[2] = {};
    accp_error error = {};
    if (accp_panes_read_feedback(handle<accp_panes>(panes), pane, &both[0], &both[1], &error) !=
        ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    return to_texts(env, both, 2);
}

// texts: kind, gaps, unused. numbers: pane, success, depth, context tokens, whole tokens, explored,
// when.
ACCP_NATIVE(void, panesRecord)
(JNIEnv *env, jclass, jlong panes, jobjectArray texts, jlongArray numbers) {
    TextsIn<3> given;
    jlong n[7] = {};
    if (!given.take(env, texts)) return;
    env->GetLongArrayRegion(numbers, 0, 7, n);
    if (env->ExceptionCheck()) return;
    const accp_pane_task task = {sizeof task,
                                 given[0],
                                 n[0],
                                 static_cast<int32_t>(n[1]),
                                 static_cast<int32_t>(n[2]),
                                 static_cast<uint64_t>(n[3]),
                                 static_cast<uint64_t>(n[4]),
                                 n[5],
                                 given[1],
                                 given[2],
                                 n[6]};
    accp_error error = {};
    if (accp_panes_record_task(handle<accp_panes>(panes), &task, &error) != ACCP_OK)
        raise(env, error);
}

// numbers: depth.
ACCP_NATIVE(jobjectArray, panesAdvise)
(JNIEnv *env, jclass, jlong panes, jobject kind, jlongArray numbers) {
    TextIn text;
    if (!text.take(env, kind)) return nullptr;
    int32_t depth = 0;
    accp_text why = {};
    accp_error error = {};
    const accp_status status =
        accp_panes_advise(handle<accp_panes>(panes), text.text(), text.len(), &depth, &why, &error);
    return give(env, status, error, {why}, {jlong{depth}}, numbers);
}
