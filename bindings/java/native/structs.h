// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What takes or gives a struct: its texts as byte[][], its numbers into a long[] of the caller's,
// in the order of the C face.
#pragma once

#include "callback.h"

namespace accp_java {

// Answers a struct; or throws, and answers null.
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

// Answers a text; or throws, and answers null.
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
