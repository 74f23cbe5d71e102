// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One call into Java.
#pragma once

#include <initializer_list>
#include <string>

#include "callback.h"

namespace accp_java {

extern JavaVM *vm;
extern jmethodID call_method;

// A text for the library is a view until the next callback on this thread.
struct Answer {
    std::string text;
    std::string envelope_texts[4];
};
inline thread_local Answer answer;

// The environment of this thread, or null for a thread that is not Java's.
inline JNIEnv *environment() {
    JNIEnv *env = nullptr;
    return vm->GetEnv(reinterpret_cast<void **>(&env), JNI_VERSION_10) == JNI_OK ? env : nullptr;
}

// One call: the local references that it needs go with the frame.
class Call {
public:
    Call(void *target, CallbackKind kind, std::initializer_list<accp_text> texts,
         std::initializer_list<jlong> numbers)
        : env_(environment()) {
        if (!env_) return;
        if (env_->PushLocalFrame(16) != JNI_OK) {
            env_->ExceptionClear();
            return;
        }
        framed_ = true;
        texts_ = to_texts(env_, texts.begin(), static_cast<jsize>(texts.size()));
        if (texts_) numbers_ = to_longs(env_, numbers.begin(), numbers.size() * sizeof(jlong));
        if (numbers_)
            text_ = static_cast<jbyteArray>(env_->CallObjectMethod(
                static_cast<jobject>(target), call_method, kind, texts_, numbers_));
        if (env_->ExceptionCheck()) env_->ExceptionClear();
        else if (numbers_) status_ = number(0);
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;
    ~Call() {
        if (framed_) env_->PopLocalFrame(nullptr);
    }

    jlong status() const { return status_; }

    jlong number(jsize index) const {
        jlong found = 0;
        env_->GetLongArrayRegion(numbers_, index, 1, &found);
        return found;
    }

    // Copies the result into `into`; false if there is none.
    bool copy(std::string &into) const { return copy(text_, into); }
    bool copy_text(jsize index, std::string &into) const {
        return copy(static_cast<jbyteArray>(env_->GetObjectArrayElement(texts_, index)), into);
    }

private:
    bool copy(jbyteArray from, std::string &into) const {
        into.clear();
        if (!from) return false;
        into.resize(static_cast<size_t>(env_->GetArrayLength(from)));
        env_->GetByteArrayRegion(from, 0, static_cast<jsize>(into.size()),
                                 reinterpret_cast<jbyte *>(into.data()));
        return true;
    }

    JNIEnv *env_;
    bool framed_ = false;
    jlong status_ = ACCP_ERR_NOMEM;
    jobjectArray texts_ = nullptr;
    jlongArray numbers_ = nullptr;
    jbyteArray text_ = nullptr;
};

// No exception of C++ may cross either: std::string can run out of memory.
template <class Body>
accp_status guarded(Body body) noexcept {
    try {
        return static_cast<accp_status>(body());
    } catch (...) {
        return ACCP_ERR_NOMEM;
    }
}

}  // namespace accp_java
