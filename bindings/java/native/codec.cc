// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The codec, its error frames, registries and tokens: functions with structs.
#include "structs.h"

using namespace accp_java;

ACCP_NATIVE(void, codecSetEnvelope)
(JNIEnv *env, jclass, jlong codec, jobjectArray texts, jlongArray numbers) {
    EnvelopeIn envelope;
    if (texts && !envelope.take(env, texts, numbers)) return;
    accp_error error = {};
    if (accp_codec_set_envelope(handle<accp_codec>(codec), texts ? envelope.get() : nullptr,
                                &error) != ACCP_OK)
        raise(env, error);
}

ACCP_NATIVE(jbyteArray, codecRetry)
(JNIEnv *env, jclass, jlong codec, jobject frame, jobjectArray texts, jlongArray numbers) {
    TextIn view;
    EnvelopeIn envelope;
    if (!view.take(env, frame) || !envelope.take(env, texts, numbers)) return nullptr;
    accp_error error = {};
    accp_text out = {};
    accp_status status = accp_codec_retry(handle<accp_codec>(codec), view.text(), view.len(),
                                          envelope.get(), &out, &error);
    return give_text(env, status, error, out);
}

// texts: document, canonical, hash. numbers: version, schemas.
ACCP_NATIVE(jobjectArray, registryDescribe)
(JNIEnv *env, jclass, jlong registry, jlongArray numbers) {
    accp_registry_info info = {};
    accp_error error = {};
    accp_status status = accp_registry_describe(handle<accp_registry>(registry), &info, &error);
    return give(env, status, error, {info.text, info.canonical, info.hash},
                {info.version, info.schema_count}, numbers);
}

ACCP_NATIVE(jobjectArray, registrySchema)
(JNIEnv *env, jclass, jlong registry, jint index, jlongArray numbers) {
    accp_schema schema = {};
    accp_error error = {};
    accp_status status = accp_registry_schema(handle<accp_registry>(registry),
                                              static_cast<uint32_t>(index), &schema, &error);
    return give(env, status, error, {schema.name, schema.code},
                {schema.version, schema.field_count, schema.built_in}, numbers);
}

ACCP_NATIVE(jobjectArray, registryField)
(JNIEnv *env, jclass, jlong registry, jint index, jint field_index, jlongArray numbers) {
    accp_field field = {};
    accp_error error = {};
    accp_status status =
        accp_registry_field(handle<accp_registry>(registry), static_cast<uint32_t>(index),
                            static_cast<uint32_t>(field_index), &field, &error);
    return give(env, status, error, {field.name, field.wire, field.default_json},
                {field.type, field.required}, numbers);
}

// Returns the changes from `from` to `to` as JSON.
ACCP_NATIVE(jbyteArray, registryDiff)(JNIEnv *env, jclass, jlong from, jlong to) {
    accp_value *value = nullptr;
    accp_error error = {};
    accp_text out = {};
    accp_status status = accp_value_new(nullptr, &value, &error);
    if (status == ACCP_OK)
        status = accp_registry_diff(handle<accp_registry>(from), handle<accp_registry>(to), value,
                                    &error);
    if (status == ACCP_OK) status = accp_value_print_json(value, &out, &error);
    jbyteArray made = give_text(env, status, error, out);
    accp_value_free(value);
    return made;
}

// texts: agent, message, detail, source, cid.
ACCP_NATIVE(jbyteArray, codecEncodeFailure)
(JNIEnv *env, jclass, jlong codec, jint code, jobjectArray texts) {
    TextsIn<5> given;
    if (!given.take(env, texts)) return nullptr;
    accp_failure failure = {code, 0, given[0], given[1], given[2], given[3], given[4]};
    accp_error error = {};
    accp_text out = {};
    accp_status status =
        accp_codec_encode_failure(handle<accp_codec>(codec), &failure, &out, &error);
    return give_text(env, status, error, out);
}

// For the last decoded frame. numbers: code, retry.
ACCP_NATIVE(jobjectArray, codecFailure)(JNIEnv *env, jclass, jlong codec, jlongArray numbers) {
    accp_failure read = {};
    accp_error error = {};
    accp_status status = accp_codec_failure(handle<accp_codec>(codec), &read, &error);
    return give(env, status, error, {read.agent, read.message, read.detail, read.source, read.cid},
                {read.code, read.retry}, numbers);
}

ACCP_NATIVE(jintArray, counterEncode)(JNIEnv *env, jclass, jlong counter, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    const uint32_t *ids = nullptr;
    size_t count = 0;
    accp_error error = {};
    if (accp_counter_encode(handle<accp_counter>(counter), view.text(), view.len(), &ids, &count,
                            &error) != ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    jintArray made = env->NewIntArray(static_cast<jsize>(count));
    if (made)
        env->SetIntArrayRegion(made, 0, static_cast<jsize>(count),
                               reinterpret_cast<const jint *>(ids));
    return made;
}

ACCP_NATIVE(jbyteArray, counterDecode)(JNIEnv *env, jclass, jlong counter, jintArray ids) {
    jint *given = env->GetIntArrayElements(ids, nullptr);
    if (!given) return nullptr;
    accp_error error = {};
    accp_text out = {};
    auto count = static_cast<size_t>(env->GetArrayLength(ids));
    accp_status status = accp_counter_decode(
        handle<accp_counter>(counter), reinterpret_cast<uint32_t *>(given), count, &out, &error);
    jbyteArray made = give_text(env, status, error, out);
    env->ReleaseIntArrayElements(ids, given, JNI_ABORT);
    return made;
}
