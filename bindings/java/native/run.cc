// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs of plans: functions with structs.
#include "structs.h"

using namespace accp_java;

// texts: message, library, policy, session.
ACCP_NATIVE(jlong, runNew)
(JNIEnv *env, jclass, jobjectArray texts, jint flags, jlong store, jlong now_ms, jlong config) {
    TextsIn<4> given;
    if (!given.take(env, texts)) return 0;
    const accp_run_request request = {sizeof request,
                                      given[0],
                                      given[1],
                                      given[2],
                                      static_cast<uint32_t>(flags),
                                      handle<accp_store>(store),
                                      given[3],
                                      now_ms};
    accp_run *made = nullptr;
    accp_error error = {};
    if (accp_run_new(&request, handle<accp_config>(config), &made, &error) != ACCP_OK)
        raise(env, error);
    return static_cast<jlong>(reinterpret_cast<intptr_t>(made));
}

// texts: path, verb, tool, text, key. numbers: kind, step, call, when it is due.
ACCP_NATIVE(jobjectArray, runNext)
(JNIEnv *env, jclass, jlong run, jlong now_ms, jlongArray numbers) {
    accp_run_effect effect = {};
    accp_error error = {};
    const accp_status status = accp_run_next(handle<accp_run>(run), now_ms, &effect, &error);
    return give(
        env, status, error, {effect.path, effect.verb, effect.tool, effect.text, effect.key},
        {effect.kind, jlong{effect.step}, static_cast<jlong>(effect.call), jlong{effect.due_ms}},
        numbers);
}

// texts: path, verb, tool. numbers: kind, state, tries.
ACCP_NATIVE(jobjectArray, runStep)
(JNIEnv *env, jclass, jlong run, jint number, jlongArray numbers) {
    accp_run_step step = {};
    accp_error error = {};
    const accp_status status =
        accp_run_step_at(handle<accp_run>(run), static_cast<uint32_t>(number), &step, &error);
    return give(env, status, error, {step.path, step.verb, step.tool},
                {step.kind, step.state, jlong{step.tries}}, numbers);
}
