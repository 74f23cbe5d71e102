// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames. A function that needs a text for several calls of the C API does them all here with one
// copy of the text, so Java crosses once per frame and no view into a Java array remains.
#include "pieces.h"

using namespace accp_java;

namespace {

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
    accp_text out = {};
    accp_error error = {};
    if (accp_frame_print(handle<accp_frame>(frame), &out, &error) == ACCP_OK)
        return to_bytes(env, out);
    raise(env, error);
    return nullptr;
}

// A message in one result: five lengths (agent, intent, operation, payload, meta), then the bytes.
// Without meta its length is 0.
ACCP_NATIVE(jbyteArray, frameMessage)
(JNIEnv *env, jclass, jlong frame, jlong payload, jlong meta, jobject text) {
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
    jint lengths[5] = {static_cast<jint>(nodes[0].len), static_cast<jint>(nodes[1].len),
                       static_cast<jint>(nodes[2].len), first.size(), second.size()};
    const char *from = view.text();
    return join(env, {{lengths, sizeof lengths},
                      {from + nodes[0].offset, nodes[0].len},
                      {from + nodes[1].offset, nodes[1].len},
                      {from + nodes[2].offset, nodes[2].len},
                      first.nodes,
                      first.text,
                      second.nodes,
                      second.text});
}

ACCP_NATIVE(jobjectArray, frameEnvelope)
(JNIEnv *env, jclass, jlong frame, jobject text, jlongArray numbers) {
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

ACCP_NATIVE(jbyteArray, midFormat)(JNIEnv *env, jclass, jint letter, jint issuer, jlong counter) {
    char buf[12];
    accp_error error = {};
    if (accp_mid_format(static_cast<uint32_t>(letter), static_cast<uint32_t>(issuer),
                        static_cast<uint64_t>(counter), buf, &error) == ACCP_OK)
        return to_bytes(env, buf, sizeof buf);
    raise(env, error);
    return nullptr;
}

ACCP_NATIVE(jbyteArray, traceparent)(JNIEnv *env, jclass, jobject cid, jobject mid) {
    TextIn chain, frame;
    if (!chain.take(env, cid) || !frame.take(env, mid)) return nullptr;
    char buf[56];
    accp_error error = {};
    if (accp_traceparent_format(chain.text(), chain.len(), frame.text(), frame.len(), buf,
                                &error) == ACCP_OK)
        return to_bytes(env, buf, sizeof buf - 1);
    raise(env, error);
    return nullptr;
}

// Receives a frame of the peer, parsed for the call.
ACCP_NATIVE(void, negotiationReceive)
(JNIEnv *env, jclass, jlong negotiation, jlong frame, jobject text) {
    TextIn view;
    if (!parse(env, handle<accp_frame>(frame), text, view)) return;
    accp_error error = {};
    if (accp_negotiation_receive(handle<accp_negotiation>(negotiation), handle<accp_frame>(frame),
                                 &error) != ACCP_OK)
        raise(env, error);
}

// registry: 0 for none.
ACCP_NATIVE(void, configSetAgreement)
(JNIEnv *env, jclass, jlong config, jint state, jint extensions, jint features, jlong registry) {
    accp_agreement agreed = {};
    agreed.state = state;
    agreed.extensions = static_cast<uint32_t>(extensions);
    agreed.features = static_cast<uint32_t>(features);
    agreed.registry = handle<accp_registry>(registry);
    accp_error error = {};
    if (accp_config_set_agreement(handle<accp_config>(config), &agreed, &error) != ACCP_OK)
        raise(env, error);
}

// numbers: state, extensions, features, and two registries with an owner more each, or 0.
ACCP_NATIVE(jbyteArray, negotiationAgreement)
(JNIEnv *env, jclass, jlong negotiation, jlongArray numbers) {
    accp_agreement agreed = {};
    accp_error error = {};
    if (accp_negotiation_agreement(handle<accp_negotiation>(negotiation), &agreed, &error) !=
        ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    jbyteArray tokenizer = to_bytes(env, agreed.peer_tokenizer);
    if (!tokenizer) return nullptr;
    auto shared = [](const accp_registry *registry) {
        return static_cast<jlong>(reinterpret_cast<intptr_t>(accp_registry_share(registry)));
    };
    jlong fields[5] = {agreed.state, agreed.extensions, agreed.features, shared(agreed.registry),
                       shared(agreed.peer)};
    env->SetLongArrayRegion(numbers, 0, 5, fields);
    return tokenizer;
}
