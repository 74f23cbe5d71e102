// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts, failures, and what is looked up once, when the JVM loads the library.
#include "accp_jni.h"

#include <cinttypes>
#include <cstdio>

#include "pieces.h"

namespace accp_java {

namespace {

jclass byte_array_class, error_class;
jmethodID make_error;
jclass bytes_class;  // byte[] as an element

jclass keep_class(JNIEnv *env, const char *name) {
    jclass found = env->FindClass(name);
    if (!found) return nullptr;
    auto kept = static_cast<jclass>(env->NewGlobalRef(found));
    env->DeleteLocalRef(found);
    return kept;
}

bool load(JNIEnv *env) {
    byte_array_class = bytes_class = keep_class(env, "[B");
    error_class = keep_class(env, "org/libaccp/AccpException");
    if (!byte_array_class || !error_class) return false;
    make_error = env->GetStaticMethodID(error_class, "of", "(IJ[B)Lorg/libaccp/AccpException;");
    return make_error && load_callbacks(env);
}

}  // namespace

void raise(JNIEnv *env, const accp_error &error) {
    if (env->ExceptionCheck()) return;
    const char *text = error.message;
    char with_numbers[1024];
    if (text && error.limit) {
        const char *form = error.code == ACCP_E3003 ? "%s (came %" PRIu64 ", awaited %" PRIu64 ")"
                                                    : "%s (%" PRIu64 " of %" PRIu64 ")";
        std::snprintf(with_numbers, sizeof with_numbers, form, text, error.had, error.limit);
        text = with_numbers;
    }
    jbyteArray message = to_bytes(env, text, text ? std::strlen(text) : 0);
    if (env->ExceptionCheck()) return;
    jobject made =
        env->CallStaticObjectMethod(error_class, make_error, static_cast<jint>(error.code),
                                    static_cast<jlong>(error.offset), message);
    if (!env->ExceptionCheck() && made) env->Throw(static_cast<jthrowable>(made));
}

void raise(JNIEnv *env, accp_status status, const char *message) {
    raise(env, accp_error{status, 0, 0, message, 0, 0});
}

jbyteArray to_bytes(JNIEnv *env, const char *text, size_t len) {
    if (!text || env->ExceptionCheck()) return nullptr;
    if (len > INT32_MAX) {
        raise(env, ACCP_ERR_SPACE, "the answer is longer than a Java array may be");
        return nullptr;
    }
    jbyteArray made = env->NewByteArray(static_cast<jsize>(len));
    if (made)
        env->SetByteArrayRegion(made, 0, static_cast<jsize>(len),
                                reinterpret_cast<const jbyte *>(text));
    return made;
}

jbyteArray join(JNIEnv *env, std::initializer_list<Piece> pieces) {
    size_t total = 0;
    for (const Piece &piece : pieces) total += piece.len;
    if (total > INT32_MAX) {
        raise(env, ACCP_ERR_SPACE, "the answer is longer than a Java array may be");
        return nullptr;
    }
    jbyteArray made = env->NewByteArray(static_cast<jsize>(total));
    if (!made) return nullptr;
    // short pieces are joined here: a call into the JVM costs more than copying them twice
    jbyte small[4096];
    bool gather = pieces.size() > 1 && total <= sizeof small;
    size_t at = 0;
    for (const Piece &piece : pieces) {
        if (gather) std::memcpy(small + at, piece.bytes, piece.len);
        else
            env->SetByteArrayRegion(made, static_cast<jsize>(at), static_cast<jsize>(piece.len),
                                    static_cast<const jbyte *>(piece.bytes));
        at += piece.len;
    }
    if (gather) env->SetByteArrayRegion(made, 0, static_cast<jsize>(total), small);
    return made;
}

jlongArray to_longs(JNIEnv *env, const void *fields, size_t bytes) {
    if (env->ExceptionCheck()) return nullptr;
    auto count = static_cast<jsize>(bytes / sizeof(jlong));
    jlongArray made = env->NewLongArray(count);
    if (made) env->SetLongArrayRegion(made, 0, count, static_cast<const jlong *>(fields));
    return made;
}

jobjectArray to_texts(JNIEnv *env, const accp_text *texts, jsize count) {
    jobjectArray made = env->NewObjectArray(count, bytes_class, nullptr);
    for (jsize i = 0; made && i < count; ++i) {
        jbyteArray text = to_bytes(env, texts[i]);
        if (!text) return nullptr;
        env->SetObjectArrayElement(made, i, text);
        env->DeleteLocalRef(text);
    }
    return made;
}

bool is_byte_array(JNIEnv *env, jobject object) {
    return env->IsInstanceOf(object, byte_array_class);
}

bool TextIn::take(JNIEnv *env, jobject object) {
    if (!object) return true;
    if (!is_byte_array(env, object)) {
        text_ = static_cast<const char *>(env->GetDirectBufferAddress(object));
        jlong capacity = env->GetDirectBufferCapacity(object);
        if (!text_ || capacity < 0) {
            raise(env, ACCP_ERR_ARG, "neither a byte[] nor a direct ByteBuffer");
            return false;
        }
        len_ = static_cast<size_t>(capacity);
        return true;
    }
    auto array = static_cast<jbyteArray>(object);
    jsize length = env->GetArrayLength(array);
    char *into = stack_;
    if (static_cast<size_t>(length) > sizeof stack_ &&
        !(into = heap_ = static_cast<char *>(std::malloc(static_cast<size_t>(length))))) {
        raise(env, ACCP_ERR_NOMEM, "out of memory");
        return false;
    }
    env->GetByteArrayRegion(array, 0, length, reinterpret_cast<jbyte *>(into));
    text_ = into;
    len_ = static_cast<size_t>(length);
    return true;
}

}  // namespace accp_java

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *) {
    JNIEnv *env = nullptr;
    if (vm->GetEnv(reinterpret_cast<void **>(&env), JNI_VERSION_10) != JNI_OK) return JNI_ERR;
    if (accp_abi_version() != ACCP_ABI_VERSION) {
        jclass error = env->FindClass("java/lang/UnsatisfiedLinkError");
        if (error)
            env->ThrowNew(error, "libaccp.so.1 has another ABI than this package was built for");
        return JNI_ERR;
    }
    return accp_java::load(env) ? JNI_VERSION_10 : JNI_ERR;
}
