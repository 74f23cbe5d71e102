// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames, values and batches. Whatever needs a text beyond one call of the C face does all its calls here, over the one copy of the text; so
// Java crosses once a frame and once a batch, and no view into a Java array is left behind.
#include <initializer_list>

#include "callback.h"

using namespace accp_java;

namespace {

// One part of an answer: bytes, laid one behind another.
struct Piece {
    const void *bytes;
    size_t len;
};

jbyteArray join(JNIEnv *env, std::initializer_list<Piece> pieces) {
    size_t total = 0;
    for (const Piece &piece : pieces) total += piece.len;
    if (total > INT32_MAX) {
        raise(env, ACCP_ERR_SPACE, "the answer is longer than a Java array may be");
        return nullptr;
    }
    jbyteArray made = env->NewByteArray(static_cast<jsize>(total));
    if (!made) return nullptr;
    jbyte small[4096];  // short pieces are put together here: a call into the JVM costs more than copying them twice
    bool gather = pieces.size() > 1 && total <= sizeof small;
    size_t at = 0;
    for (const Piece &piece : pieces) {
        if (gather) std::memcpy(small + at, piece.bytes, piece.len);
        else env->SetByteArrayRegion(made, static_cast<jsize>(at), static_cast<jsize>(piece.len), static_cast<const jbyte *>(piece.bytes));
        at += piece.len;
    }
    if (gather) env->SetByteArrayRegion(made, 0, static_cast<jsize>(total), small);
    return made;
}

// A value as Java keeps it: its nodes, then its text.
struct Packed {
    explicit Packed(const accp_value *value) {
        size_t count = 0;
        nodes.bytes = accp_value_nodes(value, &count);
        nodes.len = count * sizeof(accp_node);
        text.bytes = accp_value_text(value, &text.len);
    }
    jint size() const { return static_cast<jint>(nodes.len + text.len); }
    Piece nodes, text;
};

bool parse(JNIEnv *env, accp_frame *frame, jobject text, TextIn &view) {
    accp_error error = {};
    if (!view.take(env, text)) return false;
    if (accp_frame_parse(frame, view.text(), view.len(), &error) == ACCP_OK) return true;
    raise(env, error);
    return false;
}

}  // namespace

ACCP_NATIVE(jbyteArray, frameParse)(JNIEnv *env, jclass, jlong frame, jobject text) {
    TextIn view;
    if (!parse(env, handle<accp_frame>(frame), text, view)) return nullptr;
    size_t count = 0;
    const accp_node *nodes = accp_frame_nodes(handle<accp_frame>(frame), &count);
    return join(env, {{nodes, count * sizeof(accp_node)}});
}

ACCP_NATIVE(jbyteArray, framePrint)(JNIEnv *env, jclass, jlong frame, jobject text) {
    TextIn view;
    if (!parse(env, handle<accp_frame>(frame), text, view)) return nullptr;
    const char *out = nullptr;
    size_t len = 0;
    accp_error error = {};
    if (accp_frame_print(handle<accp_frame>(frame), &out, &len, &error) == ACCP_OK) return to_bytes(env, out, len);
    raise(env, error);
    return nullptr;
}

ACCP_NATIVE(jbyteArray, frameDecode)(JNIEnv *env, jclass, jlong frame, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    const char *out = nullptr;
    size_t len = 0;
    accp_error error = {};
    if (accp_frame_decode(handle<accp_frame>(frame), view.text(), view.len(), &out, &len, &error) == ACCP_OK) return to_bytes(env, out, len);
    raise(env, error);
    return nullptr;
}

// A message in one answer: five lengths (agent, intent, operation, payload, meta), then as many bytes. No meta: length 0.
ACCP_NATIVE(jbyteArray, frameMessage)(JNIEnv *env, jclass, jlong frame, jlong payload, jlong meta, jobject text) {
    TextIn view;
    auto *parsed = handle<accp_frame>(frame);
    if (!parse(env, parsed, text, view)) return nullptr;
    size_t count = 0;
    const accp_node *nodes = accp_frame_nodes(parsed, &count);
    bool has_meta = nodes[3].next < count;
    accp_error error = {};
    if (accp_frame_payload(parsed, handle<accp_value>(payload), &error) != ACCP_OK ||
        (has_meta && accp_frame_meta(parsed, handle<accp_value>(meta), &error) != ACCP_OK)) {
        raise(env, error);
        return nullptr;
    }
    Packed first(handle<accp_value>(payload)), second(handle<accp_value>(has_meta ? meta : 0));
    if (!has_meta) second.nodes = second.text = {"", 0};
    jint lengths[5] = {static_cast<jint>(nodes[0].len), static_cast<jint>(nodes[1].len), static_cast<jint>(nodes[2].len), first.size(), second.size()};
    const char *from = view.text();
    return join(env, {{lengths, sizeof lengths}, {from + nodes[0].offset, nodes[0].len}, {from + nodes[1].offset, nodes[1].len},
                      {from + nodes[2].offset, nodes[2].len}, first.nodes, first.text, second.nodes, second.text});
}

ACCP_NATIVE(jobjectArray, frameEnvelope)(JNIEnv *env, jclass, jlong frame, jobject text, jlongArray numbers) {
    TextIn view;
    if (!parse(env, handle<accp_frame>(frame), text, view)) return nullptr;
    accp_envelope envelope = {};
    accp_error error = {};
    if (accp_frame_envelope(handle<accp_frame>(frame), &envelope, &error) != ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    jlong read[4] = {static_cast<jlong>(envelope.fields), envelope.seq, envelope.ts, envelope.ttl};
    env->SetLongArrayRegion(numbers, 0, 4, read);
    accp_text texts[4] = {envelope.mid, envelope.cid, envelope.aid, envelope.sid};
    return env->ExceptionCheck() ? nullptr : to_texts(env, texts, 4);
}

// texts null: no envelope.
ACCP_NATIVE(void, frameSetEnvelope)(JNIEnv *env, jclass, jlong frame, jobjectArray texts, jlongArray numbers) {
    EnvelopeIn envelope;
    if (texts && !envelope.take(env, texts, numbers)) return;
    accp_error error = {};
    if (accp_frame_set_envelope(handle<accp_frame>(frame), texts ? envelope.get() : nullptr, &error) != ACCP_OK) raise(env, error);
}

ACCP_NATIVE(jbyteArray, midFormat)(JNIEnv *env, jclass, jint letter, jint issuer, jlong counter) {
    char buf[12];
    accp_error error = {};
    if (accp_mid_format(static_cast<uint32_t>(letter), static_cast<uint32_t>(issuer), static_cast<uint64_t>(counter), buf, &error) == ACCP_OK)
        return to_bytes(env, buf, sizeof buf);
    raise(env, error);
    return nullptr;
}

// Takes in a frame of the peer, parsed for the call.
ACCP_NATIVE(void, negotiationReceive)(JNIEnv *env, jclass, jlong negotiation, jlong frame, jobject text) {
    TextIn view;
    if (!parse(env, handle<accp_frame>(frame), text, view)) return;
    accp_error error = {};
    if (accp_negotiation_receive(handle<accp_negotiation>(negotiation), handle<accp_frame>(frame), &error) != ACCP_OK) raise(env, error);
}

// kind 0: parse, 1: encode, 2: decode. The records as they lie in memory (6 numbers each), and the nodes or the text.
ACCP_NATIVE(jobjectArray, batch)(JNIEnv *env, jclass, jlong handle_number, jint kind, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    auto *batch = handle<accp_batch>(handle_number);
    accp_error error = {};
    auto run = kind == 0 ? accp_batch_parse : kind == 1 ? accp_batch_encode : accp_batch_decode;
    if (run(batch, view.text(), view.len(), &error) != ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    size_t count = 0, len = 0;
    const accp_record *records = accp_batch_records(batch, &count);
    jlongArray numbers = to_longs(env, records, count * sizeof *records);
    jbyteArray bytes = nullptr;
    if (kind == 0) {
        const accp_node *nodes = accp_batch_nodes(batch, &len);
        bytes = numbers ? join(env, {{nodes, len * sizeof *nodes}}) : nullptr;
    } else {
        const char *out = accp_batch_text(batch, &len);
        bytes = numbers ? join(env, {{out, len}}) : nullptr;
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
    if (accp_json_parse(handle<accp_value>(value), view.text(), view.len(), &error) != ACCP_OK) {
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
    const char *out = nullptr;
    size_t len = 0;
    if (accp_json_parse(handle<accp_value>(value), view.text(), view.len(), &error) == ACCP_OK &&
        accp_value_hash_form(handle<accp_value>(value), &out, &len, &error) == ACCP_OK)
        return to_bytes(env, out, len);
    raise(env, error);
    return nullptr;
}

// A frame to its message under a codec, as the value that its JSON is; null where it is held.
ACCP_NATIVE(jbyteArray, codecDecodeMessage)(JNIEnv *env, jclass, jlong codec, jlong value, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    accp_error error = {};
    const char *out = nullptr;
    size_t len = 0;
    accp_status status = accp_codec_decode(handle<accp_codec>(codec), view.text(), view.len(), &out, &len, &error);
    if (status == ACCP_HELD) return nullptr;
    if (status == ACCP_OK && accp_json_parse(handle<accp_value>(value), out, len, &error) == ACCP_OK) {
        Packed packed(handle<accp_value>(value));
        return join(env, {packed.nodes, packed.text});
    }
    raise(env, error);
    return nullptr;
}

ACCP_NATIVE(jlong, valueNew)(JNIEnv *env, jclass, jlong options) {
    accp_value *made = nullptr;
    accp_error error = {};
    if (accp_value_new(handle<accp_options>(options), &made, &error) != ACCP_OK) raise(env, error);
    return static_cast<jlong>(reinterpret_cast<intptr_t>(made));
}
ACCP_NATIVE(void, valueFree)(JNIEnv *, jclass, jlong value) { accp_value_free(handle<accp_value>(value)); }
