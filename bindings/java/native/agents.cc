// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Registries of agents.
#include "structs.h"

using namespace accp_java;

// number: of the entry that was refused.
ACCP_NATIVE(void, agentsLoad)
(JNIEnv *env, jclass, jlong agents, jobject text, jlongArray number) {
    TextIn view;
    if (!view.take(env, text)) return;
    accp_error error = {};
    if (accp_capabilities_load(handle<accp_capabilities>(agents), view.text(), view.len(),
                               &error) == ACCP_OK)
        return;
    const jlong record = error.record;
    env->SetLongArrayRegion(number, 0, 1, &record);
    raise(env, error);
}

// texts: name, entry. numbers: match, the score's bits, successes, outcomes. null beyond the last.
ACCP_NATIVE(jobjectArray, agentsFound)
(JNIEnv *env, jclass, jlong agents, jlong number, jlongArray numbers) {
    accp_found_agent found = {};
    if (!accp_capabilities_found(handle<accp_capabilities>(agents), static_cast<size_t>(number),
                                 &found))
        return nullptr;
    jlong score = 0;
    static_assert(sizeof score == sizeof found.score);
    std::memcpy(&score, &found.score, sizeof score);
    return give(env, ACCP_OK, {}, {found.name, found.entry},
                {found.match, score, static_cast<jlong>(found.successes),
                 static_cast<jlong>(found.outcomes)},
                numbers);
}
