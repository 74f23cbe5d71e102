// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Streams, chunks, deadlines and packets.
#include "structs.h"

using namespace accp_java;

namespace {

// numbers of a part: chunks, state.
jobjectArray give_part(JNIEnv *env, accp_status status, const accp_error &error,
                       const accp_stream_part &part, jlongArray numbers) {
    return give(env, status, error, {part.data, part.whole}, {part.chunks, part.state}, numbers);
}

}  // namespace

ACCP_NATIVE(jobjectArray, streamAdd)
(JNIEnv *env, jclass, jlong stream, jobject cid, jobject data, jlong index, jlong total,
 jboolean is_final, jlongArray numbers) {
    TextIn id, text;
    if (!id.take(env, cid) || !text.take(env, data)) return nullptr;
    accp_chunk chunk = {id.view(), text.view(), index, total, is_final, 0};
    accp_stream_part part = {};
    accp_error error = {};
    accp_status status = accp_stream_add(handle<accp_stream>(stream), &chunk, &part, &error);
    return give_part(env, status, error, part, numbers);
}

ACCP_NATIVE(jobjectArray, streamEnd)
(JNIEnv *env, jclass, jlong stream, jobject cid, jlongArray numbers) {
    TextIn id;
    if (!id.take(env, cid)) return nullptr;
    accp_stream_part part = {};
    accp_error error = {};
    accp_status status =
        accp_stream_end(handle<accp_stream>(stream), id.text(), id.len(), &part, &error);
    return give_part(env, status, error, part, numbers);
}

ACCP_NATIVE(jobjectArray, streamReceive)
(JNIEnv *env, jclass, jlong stream, jobject message, jlongArray numbers) {
    TextIn text;
    if (!text.take(env, message)) return nullptr;
    accp_stream_part part = {};
    accp_error error = {};
    accp_status status =
        accp_stream_receive(handle<accp_stream>(stream), text.text(), text.len(), &part, &error);
    return give_part(env, status, error, part, numbers);
}

// Where a text is to be cut: the ends of all its pieces.
ACCP_NATIVE(jlongArray, chunkEnds)(JNIEnv *env, jclass, jobject text, jint max_bytes) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    size_t room = view.len() / (max_bytes > 0 ? static_cast<size_t>(max_bytes) : 1) * 4 + 16,
           count = 0;
    auto *ends = static_cast<jlong *>(std::malloc(room * sizeof(jlong)));
    accp_chunk chunk = {};
    jlong end = 0;
    accp_error error = {};
    accp_status status = ends ? ACCP_OK : ACCP_ERR_NOMEM;
    while (status == ACCP_OK && !chunk.is_final) {
        status = accp_chunk_next(view.text(), view.len(), static_cast<uint32_t>(max_bytes), &chunk,
                                 &error);
        if (status == ACCP_OK && count == room) {
            auto *more = static_cast<jlong *>(std::realloc(ends, 2 * room * sizeof(jlong)));
            if (!more) status = ACCP_ERR_NOMEM;
            else ends = more, room *= 2;
        }
        // pieces lie one after another
        if (status == ACCP_OK) ends[count++] = end += static_cast<jlong>(chunk.data.len);
    }
    jlongArray made = nullptr;
    if (status == ACCP_OK) made = to_longs(env, ends, count * sizeof(jlong));
    else if (status == ACCP_ERR_NOMEM) raise(env, status, "out of memory");
    else raise(env, error);
    std::free(ends);
    return made;
}

// texts: agent, operation, cid, data.
ACCP_NATIVE(jbyteArray, codecEncodeChunk)
(JNIEnv *env, jclass, jlong codec, jobjectArray texts, jlong index, jlong total,
 jboolean is_final) {
    TextsIn<4> given;
    if (!given.take(env, texts)) return nullptr;
    accp_chunk chunk = {given[2], given[3], index, total, is_final, 0};
    accp_error error = {};
    accp_text out = {};
    accp_status status = accp_codec_encode_chunk(handle<accp_codec>(codec), given[0], given[1],
                                                 &chunk, &out, &error);
    return give_text(env, status, error, out);
}

// texts: task, conversation, creator. From a session if it is not null.
ACCP_NATIVE(void, packetGenerate)
(JNIEnv *env, jclass, jlong packet, jlong session, jlong code, jobjectArray texts, jint form,
 jint depth, jlong budget_tokens, jlong now_ms, jint options) {
    TextsIn<4> given;
    if (!given.take(env, texts)) return;
    accp_packet_request request = {sizeof request,
                                   given[0],
                                   given[1],
                                   form,
                                   depth,
                                   static_cast<uint64_t>(budget_tokens),
                                   given[2],
                                   now_ms,
                                   handle<accp_packet_code>(code),
                                   given[3],
                                   static_cast<uint32_t>(options)};
    accp_error error = {};
    const accp_status status =
        session ? accp_session_generate_packet(handle<accp_session>(session), &request,
                                               handle<accp_packet>(packet), &error)
                : accp_packet_generate(handle<accp_packet>(packet), &request, &error);
    if (status != ACCP_OK) raise(env, error);
}

// Empty if none has passed.
ACCP_NATIVE(jbyteArray, deadlineExpire)(JNIEnv *env, jclass, jlong deadline, jlong now_ms) {
    accp_text cid = {};
    accp_error error = {};
    accp_status status =
        accp_deadline_expire(handle<accp_deadline>(deadline), now_ms, &cid, &error);
    return give_text(env, status, error, cid);
}
