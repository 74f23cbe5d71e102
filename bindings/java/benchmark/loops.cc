// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The native figures of the benchmark: each a loop over all texts inside one JNI call, through the
// same library and in the same process.
#include <jni.h>

#include <vector>

#include "accp/accp.h"

namespace {

// Calls `one` for every text; texts lie one after another, text i from starts[i] to starts[i + 1].
template <class One>
jlong each(JNIEnv *env, jbyteArray all, jintArray starts, One one) {
    std::vector<char> text(static_cast<size_t>(env->GetArrayLength(all)));
    std::vector<jint> at(static_cast<size_t>(env->GetArrayLength(starts)));
    env->GetByteArrayRegion(all, 0, static_cast<jsize>(text.size()),
                            reinterpret_cast<jbyte *>(text.data()));
    env->GetIntArrayRegion(starts, 0, static_cast<jsize>(at.size()), at.data());
    jlong sum = 0;
    for (size_t i = 0; i + 1 < at.size(); ++i)
        sum += one(text.data() + at[i], static_cast<size_t>(at[i + 1] - at[i]));
    return sum;
}

}  // namespace

extern "C" JNIEXPORT jlong JNICALL Java_Bench_nativeParse(JNIEnv *env, jclass, jbyteArray all,
                                                          jintArray starts) {
    accp_frame *frame = nullptr;
    accp_frame_new(nullptr, &frame, nullptr);
    jlong sum = each(env, all, starts, [&](const char *text, size_t len) {
        if (accp_frame_parse(frame, text, len, nullptr) != ACCP_OK) return jlong{-1};
        size_t count = 0;
        const accp_node *nodes = accp_frame_nodes(frame, &count);
        jlong read = 0;
        for (size_t i = 0; i < count; ++i) read += nodes[i].kind + nodes[i].len;
        return read;
    });
    accp_frame_free(frame);
    return sum;
}

extern "C" JNIEXPORT jlong JNICALL Java_Bench_nativeDecode(JNIEnv *env, jclass, jbyteArray all,
                                                           jintArray starts) {
    accp_options *options = nullptr;
    accp_options_new(&options, nullptr);
    accp_options_set_keep_refs(options, 1, nullptr);
    accp_frame *frame = nullptr;
    accp_frame_new(options, &frame, nullptr);
    jlong sum = each(env, all, starts, [&](const char *text, size_t len) {
        const char *out = nullptr;
        size_t out_len = 0;
        return accp_frame_decode(frame, text, len, &out, &out_len, nullptr) == ACCP_OK
                   ? static_cast<jlong>(out_len)
                   : jlong{-1};
    });
    accp_frame_free(frame);
    accp_options_free(options);
    return sum;
}

extern "C" JNIEXPORT jlong JNICALL Java_Bench_nativeBatch(JNIEnv *env, jclass, jbyteArray all,
                                                          jintArray starts) {
    accp_options *options = nullptr;
    accp_options_new(&options, nullptr);
    accp_options_set_keep_refs(options, 1, nullptr);
    accp_batch *batch = nullptr;
    accp_batch_new(options, &batch, nullptr);
    jlong sum = each(env, all, starts, [&](const char *text, size_t len) {
        if (accp_batch_decode(batch, text, len, nullptr) != ACCP_OK) return jlong{-1};
        size_t count = 0;
        const accp_record *records = accp_batch_records(batch, &count);
        jlong read = 0;
        for (size_t i = 0; i < count; ++i) read += static_cast<jlong>(records[i].len);
        return read;
    });
    accp_batch_free(batch);
    accp_options_free(options);
    return sum;
}
