// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The native figures of the benchmark: each a loop over all texts inside one JNI call, through the
// same library and in the same process.
#include <jni.h>

#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"

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

accp_config *keeping_refs() {
    accp_config *config = nullptr;
    accp_config_new(&config, nullptr);
    accp_config_set_rule(config, ACCP_RULE_KEEP_REFS, 1, nullptr);
    return config;
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
    accp_config *config = keeping_refs();
    accp_codec *codec = nullptr;
    accp_codec_new(config, &codec, nullptr);
    jlong sum = each(env, all, starts, [&](const char *text, size_t len) {
        accp_text out = {};
        return accp_codec_decode(codec, text, len, &out, nullptr) == ACCP_OK
                   ? static_cast<jlong>(out.len)
                   : jlong{-1};
    });
    accp_codec_free(codec);
    accp_config_free(config);
    return sum;
}

extern "C" JNIEXPORT jlong JNICALL Java_Bench_nativeBatch(JNIEnv *env, jclass, jbyteArray all,
                                                          jintArray starts) {
    accp_config *config = keeping_refs();
    accp_batch *batch = nullptr;
    accp_batch_new(config, &batch, nullptr);
    jlong sum = each(env, all, starts, [&](const char *text, size_t len) {
        if (accp_batch_decode(batch, text, len, nullptr) != ACCP_OK) return jlong{-1};
        size_t count = 0;
        const accp_record *records = accp_batch_records(batch, &count);
        jlong read = 0;
        for (size_t i = 0; i < count; ++i) read += static_cast<jlong>(records[i].len);
        return read;
    });
    accp_batch_free(batch);
    accp_config_free(config);
    return sum;
}
