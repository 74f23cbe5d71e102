// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Functions with structs: texts as byte[][], numbers in a long[] of the caller, in the order of the
// C API.
#pragma once

#include "callback.h"

namespace accp_java {

// Returns a struct; or throws and returns null.
template <size_t Texts, size_t Numbers>
jobjectArray give(JNIEnv *env, accp_status status, const accp_error &error,
                  const accp_text (&texts)[Texts], const jlong (&fields)[Numbers],
                  jlongArray numbers) {
    if (is_failure(status)) {
        raise(env, error);
        return nullptr;
    }
    env->SetLongArrayRegion(numbers, 0, Numbers, fields);
    return env->ExceptionCheck() ? nullptr : to_texts(env, texts, Texts);
}

// Returns a text; or throws and returns null.
inline jbyteArray give_text(JNIEnv *env, accp_status status, const accp_error &error,
                            accp_text out) {
    if (is_failure(status)) raise(env, error);
    return status == ACCP_OK ? to_bytes(env, out) : nullptr;
}

// A byte[][] that comes in.
template <size_t Count>
class TextsIn {
public:
    bool take(JNIEnv *env, jobjectArray texts) {
        for (size_t i = 0; i < Count; ++i) {
            jobject text = env->GetObjectArrayElement(texts, static_cast<jsize>(i));
            if (env->ExceptionCheck() || !texts_[i].take(env, text)) return false;
            env->DeleteLocalRef(text);
        }
        return true;
    }
    accp_text operator[](size_t i) const { return texts_[i].view(); }

private:
    TextIn texts_[Count];
};

}  // namespace accp_java
