// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools of the raw layer of Java: texts in and out, and failures. Only jni.cc keeps Java
// references, from the time of loading.
#pragma once

#include <jni.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

namespace accp_java {

// HELD and DROPPED are results of receive and decode, and failures of every other call.
inline bool is_failure(accp_status status) { return status != ACCP_OK; }
inline bool is_failure_of_incoming(accp_status status) {
    return status != ACCP_OK && status != ACCP_DROPPED && status != ACCP_HELD;
}
// The failure of a call by its name; receive is in session.cc.
inline bool is_failure(accp_status status, std::string_view call) {
    return call == "accp_codec_decode" ? is_failure_of_incoming(status) : is_failure(status);
}

// Leaves an AccpException pending, unless one is already.
void raise(JNIEnv *env, const accp_error &error);
void raise(JNIEnv *env, accp_status status, const char *message);

// Makes a byte[]; null if text is NULL or an exception is pending.
jbyteArray to_bytes(JNIEnv *env, const char *text, size_t len);
inline jbyteArray to_bytes(JNIEnv *env, accp_text text) {
    return to_bytes(env, text.text ? text.text : "", text.len);
}

// A new long[] of the 8-byte fields of a struct.
jlongArray to_longs(JNIEnv *env, const void *fields, size_t bytes);

// A new byte[][], of the texts in their order.
jobjectArray to_texts(JNIEnv *env, const accp_text *texts, jsize count);

bool is_byte_array(JNIEnv *env, jobject object);

// An input text: a byte[], copied (a short one onto the stack), or a direct ByteBuffer, which is
// not copied. null is the empty text.
class TextIn {
public:
    TextIn() = default;
    TextIn(const TextIn &) = delete;
    TextIn &operator=(const TextIn &) = delete;
    ~TextIn() { std::free(heap_); }

    // False with an exception pending.
    bool take(JNIEnv *env, jobject object);

    const char *text() const { return text_; }
    size_t len() const { return len_; }
    accp_text view() const { return {text_, len_}; }

private:
    const char *text_ = "";
    size_t len_ = 0;
    char *heap_ = nullptr;
    char stack_[1024];
};

template <class T>
T *handle(jlong number) {
    return reinterpret_cast<T *>(static_cast<intptr_t>(number));
}

}  // namespace accp_java

// One native method of org.libaccp.internal.Native.
#define ACCP_NATIVE(type, name) \
    extern "C" JNIEXPORT type JNICALL Java_org_libaccp_internal_Native_##name
