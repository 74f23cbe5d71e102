// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What takes or gives a struct: its texts as byte[][], its numbers into a long[] of the caller's, in the order of the C face.
#include <cstddef>
#include <iterator>

#include "callback.h"

using namespace accp_java;

namespace {

// Answers a struct; or throws, and answers null.
template <size_t Texts, size_t Numbers>
jobjectArray give(JNIEnv *env, accp_status status, const accp_error &error, const accp_text (&texts)[Texts], const jlong (&fields)[Numbers],
                  jlongArray numbers) {
    if (is_failure(status)) {
        raise(env, error);
        return nullptr;
    }
    env->SetLongArrayRegion(numbers, 0, Numbers, fields);
    return env->ExceptionCheck() ? nullptr : to_texts(env, texts, Texts);
}

jbyteArray give_text(JNIEnv *env, accp_status status, const accp_error &error, const char *out, size_t len) {
    if (!is_failure(status)) return to_bytes(env, out, len);
    raise(env, error);
    return nullptr;
}

// A byte[][] that comes in.
template <size_t Count>
class TextsIn {
  public:
    bool take(JNIEnv *env, jobjectArray texts) {
        for (size_t i = 0; i < Count; ++i) {
            jobject text = env->GetObjectArrayElement(texts, static_cast<jsize>(i));
            if (env->ExceptionCheck() || !texts_[i].take(env, text)) return false;
            env->DeleteLocalRef(text);
        }
        return true;
    }
    accp_text operator[](size_t i) const { return texts_[i].view(); }

  private:
    TextIn texts_[Count];
};

}  // namespace

ACCP_NATIVE(void, codecSetEnvelope)(JNIEnv *env, jclass, jlong codec, jobjectArray texts, jlongArray numbers) {
    EnvelopeIn envelope;
    if (texts && !envelope.take(env, texts, numbers)) return;
    accp_error error = {};
    if (accp_codec_set_envelope(handle<accp_codec>(codec), texts ? envelope.get() : nullptr, &error) != ACCP_OK) raise(env, error);
}

ACCP_NATIVE(jbyteArray, codecRetry)(JNIEnv *env, jclass, jlong codec, jobject frame, jobjectArray texts, jlongArray numbers) {
    TextIn view;
    EnvelopeIn envelope;
    if (!view.take(env, frame) || !envelope.take(env, texts, numbers)) return nullptr;
    accp_error error = {};
    const char *out = nullptr;
    size_t len = 0;
    accp_status status = accp_codec_retry(handle<accp_codec>(codec), view.text(), view.len(), envelope.get(), &out, &len, &error);
    return give_text(env, status, error, out, len);
}

ACCP_NATIVE(jobjectArray, registrySchema)(JNIEnv *env, jclass, jlong registry, jint index, jlongArray numbers) {
    accp_schema schema = {};
    accp_error error = {};
    accp_status status = accp_registry_schema(handle<accp_registry>(registry), static_cast<uint32_t>(index), &schema, &error);
    return give(env, status, error, {schema.name, schema.code}, {schema.version, schema.field_count, schema.built_in}, numbers);
}

ACCP_NATIVE(jobjectArray, registryField)(JNIEnv *env, jclass, jlong registry, jint index, jint field_index, jlongArray numbers) {
    accp_field field = {};
    accp_error error = {};
    accp_status status =
        accp_registry_field(handle<accp_registry>(registry), static_cast<uint32_t>(index), static_cast<uint32_t>(field_index), &field, &error);
    return give(env, status, error, {field.name, field.wire, field.default_json}, {field.type, field.required}, numbers);
}

// What makes `from` into `to`, as JSON.
ACCP_NATIVE(jbyteArray, registryDiff)(JNIEnv *env, jclass, jlong from, jlong to) {
    accp_value *value = nullptr;
    accp_error error = {};
    const char *out = nullptr;
    size_t len = 0;
    accp_status status = accp_value_new(nullptr, &value, &error);
    if (status == ACCP_OK) status = accp_registry_diff(handle<accp_registry>(from), handle<accp_registry>(to), value, &error);
    if (status == ACCP_OK) status = accp_json_print(value, &out, &len, &error);
    jbyteArray made = give_text(env, status, error, out, len);
    accp_value_free(value);
    return made;
}

// texts: agent, message, detail, source, cid.
ACCP_NATIVE(jbyteArray, failureEncode)(JNIEnv *env, jclass, jlong codec, jint code, jobjectArray texts) {
    TextsIn<5> given;
    if (!given.take(env, texts)) return nullptr;
    accp_failure failure = {code, 0, given[0], given[1], given[2], given[3], given[4]};
    accp_error error = {};
    const char *out = nullptr;
    size_t len = 0;
    accp_status status = accp_failure_encode(handle<accp_codec>(codec), &failure, &out, &len, &error);
    return give_text(env, status, error, out, len);
}

// numbers: code, retry.
ACCP_NATIVE(jobjectArray, failureDecode)(JNIEnv *env, jclass, jlong codec, jobject frame, jlongArray numbers) {
    TextIn view;
    if (!view.take(env, frame)) return nullptr;
    accp_failure read = {};
    accp_error error = {};
    accp_status status = accp_failure_decode(handle<accp_codec>(codec), view.text(), view.len(), &read, &error);
    return give(env, status, error, {read.agent, read.message, read.detail, read.source, read.cid}, {read.code, read.retry}, numbers);
}

namespace {

// numbers of a part: chunks, state.
jobjectArray give_part(JNIEnv *env, accp_status status, const accp_error &error, const accp_stream_part &part, jlongArray numbers) {
    return give(env, status, error, {part.data, part.whole}, {part.chunks, part.state}, numbers);
}

}  // namespace

ACCP_NATIVE(jobjectArray, streamAdd)(JNIEnv *env, jclass, jlong stream, jobject cid, jobject data, jlong index, jlong total, jboolean is_final, jlongArray numbers) {
    TextIn id, text;
    if (!id.take(env, cid) || !text.take(env, data)) return nullptr;
    accp_chunk chunk = {id.view(), text.view(), index, total, is_final, 0};
    accp_stream_part part = {};
    accp_error error = {};
    accp_status status = accp_stream_add(handle<accp_stream>(stream), &chunk, &part, &error);
    return give_part(env, status, error, part, numbers);
}

ACCP_NATIVE(jobjectArray, streamEnd)(JNIEnv *env, jclass, jlong stream, jobject cid, jlongArray numbers) {
    TextIn id;
    if (!id.take(env, cid)) return nullptr;
    accp_stream_part part = {};
    accp_error error = {};
    accp_status status = accp_stream_end(handle<accp_stream>(stream), id.text(), id.len(), &part, &error);
    return give_part(env, status, error, part, numbers);
}

ACCP_NATIVE(jobjectArray, streamReceive)(JNIEnv *env, jclass, jlong stream, jobject message, jlongArray numbers) {
    TextIn text;
    if (!text.take(env, message)) return nullptr;
    accp_stream_part part = {};
    accp_error error = {};
    accp_status status = accp_stream_receive(handle<accp_stream>(stream), text.text(), text.len(), &part, &error);
    return give_part(env, status, error, part, numbers);
}

// Where a text is to be cut: the ends of all its pieces.
ACCP_NATIVE(jlongArray, chunkEnds)(JNIEnv *env, jclass, jobject text, jint most_bytes) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    size_t room = view.len() / (most_bytes > 0 ? static_cast<size_t>(most_bytes) : 1) * 4 + 16, count = 0;
    auto *ends = static_cast<jlong *>(std::malloc(room * sizeof(jlong)));
    accp_chunk chunk = {};
    jlong end = 0;
    accp_error error = {};
    accp_status status = ends ? ACCP_OK : ACCP_ERR_NOMEM;
    while (status == ACCP_OK && !chunk.is_final) {
        status = accp_chunk_next(view.text(), view.len(), static_cast<uint32_t>(most_bytes), &chunk, &error);
        if (status == ACCP_OK && count == room) {
            auto *more = static_cast<jlong *>(std::realloc(ends, 2 * room * sizeof(jlong)));
            if (!more) status = ACCP_ERR_NOMEM;
            else ends = more, room *= 2;
        }
        if (status == ACCP_OK) ends[count++] = end += static_cast<jlong>(chunk.data.len);  // pieces lie one behind another
    }
    jlongArray made = nullptr;
    if (status == ACCP_OK) made = to_longs(env, ends, count * sizeof(jlong));
    else if (status == ACCP_ERR_NOMEM) raise(env, status, "out of memory");
    else raise(env, error);
    std::free(ends);
    return made;
}

// texts: agent, operation, cid, data.
ACCP_NATIVE(jbyteArray, chunkEncode)(JNIEnv *env, jclass, jlong codec, jobjectArray texts, jlong index, jlong total, jboolean is_final) {
    TextsIn<4> given;
    if (!given.take(env, texts)) return nullptr;
    accp_chunk chunk = {given[2], given[3], index, total, is_final, 0};
    accp_error error = {};
    const char *out = nullptr;
    size_t len = 0;
    accp_status status = accp_chunk_encode(handle<accp_codec>(codec), given[0], given[1], &chunk, &out, &len, &error);
    return give_text(env, status, error, out, len);
}

// Null where none has passed.
ACCP_NATIVE(jbyteArray, deadlineExpire)(JNIEnv *env, jclass, jlong deadline, jlong now) {
    accp_text cid = {};
    accp_error error = {};
    accp_status status = accp_deadline_expire(handle<accp_deadline>(deadline), now, &cid, &error);
    return give_text(env, status, error, cid.len ? cid.text : nullptr, cid.len);
}

ACCP_NATIVE(jintArray, counterEncode)(JNIEnv *env, jclass, jlong counter, jobject text) {
    TextIn view;
    if (!view.take(env, text)) return nullptr;
    const uint32_t *ids = nullptr;
    size_t count = 0;
    accp_error error = {};
    if (accp_counter_encode(handle<accp_counter>(counter), view.text(), view.len(), &ids, &count, &error) != ACCP_OK) {
        raise(env, error);
        return nullptr;
    }
    jintArray made = env->NewIntArray(static_cast<jsize>(count));
    if (made) env->SetIntArrayRegion(made, 0, static_cast<jsize>(count), reinterpret_cast<const jint *>(ids));
    return made;
}

ACCP_NATIVE(jbyteArray, counterDecode)(JNIEnv *env, jclass, jlong counter, jintArray ids) {
    jint *given = env->GetIntArrayElements(ids, nullptr);
    if (!given) return nullptr;
    accp_error error = {};
    const char *out = nullptr;
    size_t len = 0;
    auto count = static_cast<size_t>(env->GetArrayLength(ids));
    accp_status status = accp_counter_decode(handle<accp_counter>(counter), reinterpret_cast<uint32_t *>(given), count, &out, &len, &error);
    jbyteArray made = give_text(env, status, error, out, len);
    env->ReleaseIntArrayElements(ids, given, JNI_ABORT);
    return made;
}

// numbers: status, seq. Texts: message, reason. Null where there is no more.
ACCP_NATIVE(jobjectArray, sessionNext)(JNIEnv *env, jclass, jlong session, jlongArray numbers) {
    accp_delivery delivery = {};
    if (!accp_session_next(handle<accp_session>(session), &delivery)) return nullptr;
    const char *reason = delivery.reason ? delivery.reason : "";
    return give(env, ACCP_OK, {}, {delivery.message, {reason, std::strlen(reason)}}, {delivery.status, delivery.seq}, numbers);
}

// numbers: kind, time.
ACCP_NATIVE(jbyteArray, sessionRecord)(JNIEnv *env, jclass, jlong session, jlong number, jlongArray numbers) {
    int32_t kind = 0;
    jlong fields[2] = {};
    int64_t time_ms = 0;
    accp_error error = {};
    const char *out = nullptr;
    size_t len = 0;
    accp_status status = accp_session_record(handle<accp_session>(session), static_cast<uint64_t>(number), &kind, &time_ms, &out, &len, &error);
    if (is_failure(status)) return give_text(env, status, error, nullptr, 0);
    fields[0] = kind;
    fields[1] = time_ms;
    env->SetLongArrayRegion(numbers, 0, 2, fields);
    return to_bytes(env, out ? out : "", len);
}

// numbers: version.
ACCP_NATIVE(jbyteArray, sessionState)(JNIEnv *env, jclass, jlong session, jlongArray numbers) {
    int64_t version = 0;
    accp_text state = accp_session_state(handle<accp_session>(session), &version);
    jlong field = version;
    env->SetLongArrayRegion(numbers, 0, 1, &field);
    return to_bytes(env, state);
}

// numbers: tokens.
ACCP_NATIVE(jbyteArray, sessionContext)(JNIEnv *env, jclass, jlong session, jlong budget_tokens, jlongArray numbers) {
    const char *out = nullptr;
    size_t len = 0;
    uint64_t tokens = 0;
    accp_error error = {};
    accp_status status = accp_session_context(handle<accp_session>(session), static_cast<uint64_t>(budget_tokens), &out, &len, &tokens, &error);
    if (is_failure(status)) return give_text(env, status, error, nullptr, 0);
    auto field = static_cast<jlong>(tokens);
    env->SetLongArrayRegion(numbers, 0, 1, &field);
    return to_bytes(env, out, len);
}
