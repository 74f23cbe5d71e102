// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Batches, and values as Java keeps them: nodes and text in one array.
#include "pieces.h"

using namespace accp_java;

// kind 0: parse, 1: encode, 2: decode. The records as they lie in memory (6 numbers each), and the
// nodes or the text.
ACCP_NATIVE(jobjectArray, batch)
(JNIEnv *env, jclass, jlong handle_number, jint kind, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    auto *batch = handle<accp_batch>(handle_number);
    accp_error error = {};
    auto run = kind == 0 ? accp_batch_parse : kind == 1 ? accp_batch_encode : accp_batch_decode;
    if (run(batch, view.text(), view.len(), &error) != ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    size_t count = 0;
    const accp_record *records = accp_batch_records(batch, &count);
    jlongArray numbers = to_longs(env, records, count * sizeof *records);
    jbyteArray bytes = nullptr;
    if (kind == 0) {
        const accp_node *nodes = accp_batch_nodes(batch, &count);
        bytes = numbers ? join(env, {{nodes, count * sizeof *nodes}}) : nullptr;
    } else {
        accp_text out = accp_batch_text(batch);
        bytes = numbers ? join(env, {{out.text, out.len}}) : nullptr;
    }
    jclass object = bytes ? env->FindClass("java/lang/Object") : nullptr;
    jobjectArray made = object ? env->NewObjectArray(2, object, numbers) : nullptr;
    if (made) env->SetObjectArrayElement(made, 1, bytes);
    return made;
}

// The message of a record: static text, by its address.
ACCP_NATIVE(jbyteArray, staticText)(JNIEnv *env, jclass, jlong address) {
    const char *text = handle<const char>(address);
    return to_bytes(env, text, text ? std::strlen(text) : 0);
}

// JSON to a value in Java: nodes, then text.
ACCP_NATIVE(jbyteArray, jsonParse)(JNIEnv *env, jclass, jlong value, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    accp_error error = {};
    if (accp_value_parse_json(handle<accp_value>(value), view.text(), view.len(), &error) !=
        ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    Packed packed(handle<accp_value>(value));
    return join(env, {packed.nodes, packed.text});
}

ACCP_NATIVE(jbyteArray, jsonHashForm)(JNIEnv *env, jclass, jlong value, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    accp_error error = {};
    accp_text out = {};
    if (accp_value_parse_json(handle<accp_value>(value), view.text(), view.len(), &error) ==
            ACCP_OK &&
        accp_value_print_hash_form(handle<accp_value>(value), &out, &error) == ACCP_OK)
        return to_bytes(env, out);
    raise(env, error);
    return nullptr;
}

// Decodes a frame to its message with a codec, as a value; null if it is held.
ACCP_NATIVE(jbyteArray, codecDecodeMessage)
(JNIEnv *env, jclass, jlong codec, jlong value, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    accp_error error = {};
    accp_text out = {};
    accp_status status =
        accp_codec_decode(handle<accp_codec>(codec), view.text(), view.len(), &out, &error);
    if (status == ACCP_HELD) return nullptr;
    if (status == ACCP_OK &&
        accp_value_parse_json(handle<accp_value>(value), out.text, out.len, &error) == ACCP_OK) {
        Packed packed(handle<accp_value>(value));
        return join(env, {packed.nodes, packed.text});
    }
    raise(env, error);
    return nullptr;
}

ACCP_NATIVE(jlong, valueNew)(JNIEnv *env, jclass, jlong config) {
    accp_value *made = nullptr;
    accp_error error = {};
    if (accp_value_new(handle<accp_config>(config), &made, &error) != ACCP_OK) raise(env, error);
    return static_cast<jlong>(reinterpret_cast<intptr_t>(made));
}
ACCP_NATIVE(void, valueFree)(JNIEnv *, jclass, jlong value) {
    accp_value_free(handle<accp_value>(value));
}
