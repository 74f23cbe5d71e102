// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Registries of agents, and plans that need agents.
#include "structs.h"

using namespace accp_java;

namespace {

// Returns a text and a number; or throws and returns null.
jbyteArray give_answer(JNIEnv *env, accp_status status, const accp_error &error, int32_t number,
                       accp_text out, jlongArray answer) {
    const jlong wide = number;
    env->SetLongArrayRegion(answer, 0, 1, &wide);
    return give_text(env, status, error, out);
}

}  // namespace

// number: of the entry that was refused.
ACCP_NATIVE(void, agentsLoad)
(JNIEnv *env, jclass, jlong agents, jobject text, jlongArray number) {
    TextIn view;
    if (!view.take(env, text)) return;
    accp_error error = {};
    if (accp_capabilities_register_all(handle<accp_capabilities>(agents), view.text(), view.len(),
                                       &error) == ACCP_OK)
        return;
    const jlong record = error.record;
    env->SetLongArrayRegion(number, 0, 1, &record);
    raise(env, error);
}

// texts: name, entry. numbers: match, the score's bits, successes, outcomes. null after the last.
ACCP_NATIVE(jobjectArray, agentsFound)
(JNIEnv *env, jclass, jlong agents, jlong number, jlongArray numbers) {
    accp_found_agent found = {};
    if (accp_capabilities_found(handle<accp_capabilities>(agents), static_cast<size_t>(number),
                                &found, nullptr) != ACCP_OK)
        return nullptr;
    jlong score = 0;
    static_assert(sizeof score == sizeof found.score);
    std::memcpy(&score, &found.score, sizeof score);
    return give(env, ACCP_OK, {}, {found.name, found.entry},
                {found.match, score, static_cast<jlong>(found.successes),
                 static_cast<jlong>(found.outcomes)},
                numbers);
}

ACCP_NATIVE(jbyteArray, agentsCheckPlan)
(JNIEnv *env, jclass, jlong agents, jlong sacp, jobject text, jint reading, jlong now_ms,
 jlongArray answer) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    int32_t number = 0;
    accp_text out = {};
    accp_error error = {};
    const accp_status status = accp_capabilities_check_plan(
        handle<accp_capabilities>(agents), handle<accp_sacp>(sacp), view.text(), view.len(), now_ms,
        reading, &out, &number, &error);
    return give_answer(env, status, error, number, out, answer);
}

// texts: message, msg_id. round: previous rounds and the maximum.
ACCP_NATIVE(jbyteArray, agentsRequest)
(JNIEnv *env, jclass, jlong agents, jlong sacp, jobjectArray texts, jint reading, jlong now_ms,
 jintArray round, jlongArray answer) {
    TextsIn<2> given;
    if (!given.take(env, texts)) return nullptr;
    jint rounds[2];
    env->GetIntArrayRegion(round, 0, 2, rounds);
    const accp_spawn_round asked = {static_cast<uint32_t>(rounds[0]),
                                    static_cast<uint32_t>(rounds[1]), given[1]};
    int32_t number = 0;
    accp_text out = {};
    accp_error error = {};
    const accp_status status = accp_capabilities_request_agents(
        handle<accp_capabilities>(agents), handle<accp_sacp>(sacp), given[0].text, given[0].len,
        now_ms, reading, &asked, &out, &number, &error);
    return give_answer(env, status, error, number, out, answer);
}

// texts: request, msg_id.
ACCP_NATIVE(jbyteArray, agentsSpawn)
(JNIEnv *env, jclass, jlong agents, jlong sacp, jobjectArray texts, jboolean allow,
 jlong lease_until_ms) {
    TextsIn<2> given;
    if (!given.take(env, texts)) return nullptr;
    const accp_spawn_rules rules = {allow, 0, lease_until_ms, given[1]};
    accp_text out = {};
    accp_error error = {};
    const accp_status status =
        accp_capabilities_spawn(handle<accp_capabilities>(agents), handle<accp_sacp>(sacp),
                                given[0].text, given[0].len, &rules, &out, &error);
    return give_text(env, status, error, out);
}
