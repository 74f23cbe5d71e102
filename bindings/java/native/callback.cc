// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See callback.h and upcall.h.
#include "upcall.h"

namespace accp_java {

JavaVM *vm;
jmethodID call_method;

bool load_callbacks(JNIEnv *env) {
    if (env->GetJavaVM(&vm) != JNI_OK) return false;
    jclass type = env->FindClass("org/libaccp/internal/Callback");
    call_method = type ? env->GetMethodID(type, "call", "(I[[B[J)[B") : nullptr;
    return call_method;
}

bool EnvelopeIn::take(JNIEnv *env, jobjectArray texts, jlongArray numbers) {
    jlong given[4];
    env->GetLongArrayRegion(numbers, 0, 4, given);
    accp_text *into[4] = {&envelope_.mid, &envelope_.cid, &envelope_.aid, &envelope_.sid};
    for (jsize i = 0; i < 4; ++i) {
        jobject text = env->GetObjectArrayElement(texts, i);
        if (!texts_[i].take(env, text)) return false;
        env->DeleteLocalRef(text);
        *into[i] = texts_[i].view();
    }
    envelope_.fields = static_cast<uint32_t>(given[0]);
    envelope_.seq = given[1];
    envelope_.ts = given[2];
    envelope_.ttl = given[3];
    return true;
}

}  // namespace accp_java

using namespace accp_java;

// A Java object that the library may call: a global reference until its owner frees it.
ACCP_NATIVE(jlong, callbackNew)(JNIEnv *env, jclass, jobject target) {
    return static_cast<jlong>(reinterpret_cast<intptr_t>(env->NewGlobalRef(target)));
}
ACCP_NATIVE(void, callbackFree)(JNIEnv *env, jclass, jlong target) {
    env->DeleteGlobalRef(handle<_jobject>(target));
}
