// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "callback.h"

#include <initializer_list>
#include <string>

namespace accp_java {

namespace {

JavaVM *vm;
jmethodID call_method;

// What is handed to the library is a view until its next callback on this thread.
struct Answer {
    std::string text;
    std::string envelope_texts[4];
};
thread_local Answer answer;

JNIEnv *current() {
    JNIEnv *env = nullptr;
    return vm->GetEnv(reinterpret_cast<void **>(&env), JNI_VERSION_10) == JNI_OK ? env : nullptr;
}

// One call: the local references that it needs go with the frame.
class Call {
public:
    Call(void *target, CallbackKind kind, std::initializer_list<accp_text> texts, std::initializer_list<jlong> numbers) : env_(current()) {
        if (!env_) return;
        if (env_->PushLocalFrame(16) != JNI_OK) {
            env_->ExceptionClear();
            return;
        }
        framed_ = true;
        texts_ = to_texts(env_, texts.begin(), static_cast<jsize>(texts.size()));
        if (texts_) numbers_ = to_longs(env_, numbers.begin(), numbers.size() * sizeof(jlong));
        if (numbers_)
            text_ = static_cast<jbyteArray>(env_->CallObjectMethod(static_cast<jobject>(target), call_method, kind, texts_, numbers_));
        if (env_->ExceptionCheck()) env_->ExceptionClear();
        else if (numbers_) status_ = number(0);
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;
    ~Call() {
        if (framed_) env_->PopLocalFrame(nullptr);
    }

    jlong status() const { return status_; }

    jlong number(jsize index) const {
        jlong found = 0;
        env_->GetLongArrayRegion(numbers_, index, 1, &found);
        return found;
    }

    // Copies the answer into `into`; false where there is none.
    bool copy(std::string &into) const { return copy(text_, into); }
    bool copy_text(jsize index, std::string &into) const {
        return copy(static_cast<jbyteArray>(env_->GetObjectArrayElement(texts_, index)), into);
    }

private:
    bool copy(jbyteArray from, std::string &into) const {
        into.clear();
        if (!from) return false;
        into.resize(static_cast<size_t>(env_->GetArrayLength(from)));
        env_->GetByteArrayRegion(from, 0, static_cast<jsize>(into.size()), reinterpret_cast<jbyte *>(into.data()));
        return true;
    }

    JNIEnv *env_;
    bool framed_ = false;
    jlong status_ = ACCP_ERR_NOMEM;
    jobjectArray texts_ = nullptr;
    jlongArray numbers_ = nullptr;
    jbyteArray text_ = nullptr;
};

// No exception of C++ may cross either: std::string can run out of memory.
template <class Body>
accp_status guarded(Body body) noexcept {
    try {
        return static_cast<accp_status>(body());
    } catch (...) {
        return ACCP_ERR_NOMEM;
    }
}

accp_status text_for_text(CallbackKind kind, accp_text given, const char **out, size_t *len_out, void *user) {
    return guarded([&] {
        Call call(user, kind, {given}, {0});
        call.copy(answer.text);
        *out = answer.text.data();
        *len_out = answer.text.size();
        return call.status();
    });
}

accp_status resolve(const char *ref, size_t ref_len, const char **json, size_t *json_len, void *user) {
    return text_for_text(kResolve, {ref, ref_len}, json, json_len, user);
}

accp_status keep(const char *json, size_t json_len, const char **ref, size_t *ref_len, void *user) {
    return text_for_text(kKeep, {json, json_len}, ref, ref_len, user);
}

accp_status next_envelope(accp_envelope *envelope, void *user) {
    return guarded([&] {
        accp_text *texts[4] = {&envelope->mid, &envelope->cid, &envelope->aid, &envelope->sid};
        Call call(user, kEnvelope, {*texts[0], *texts[1], *texts[2], *texts[3]},
                  {0, static_cast<jlong>(envelope->fields), envelope->seq, envelope->ts, envelope->ttl});
        if (call.status() != ACCP_OK) return call.status();
        envelope->fields = static_cast<uint32_t>(call.number(1));
        envelope->seq = call.number(2);
        envelope->ts = call.number(3);
        envelope->ttl = call.number(4);
        for (jsize i = 0; i < 4; ++i) {
            call.copy_text(i, answer.envelope_texts[i]);
            *texts[i] = {answer.envelope_texts[i].data(), answer.envelope_texts[i].size()};
        }
        return call.status();
    });
}

accp_status look_up_tool(const char *name, size_t name_len, const char *arguments, size_t arguments_len, void *user) {
    return guarded([&] { return Call(user, kTool, {{name, name_len}, {arguments, arguments_len}}, {0}).status(); });
}

accp_status ask_policy(const accp_policy_case *asked, void *user) {
    return guarded([&] {
        return Call(user, kPolicy, {asked->agent, asked->intent, asked->operation, asked->schema, asked->text},
                    {0, asked->direction, asked->untrusted})
            .status();
    });
}

void log_line(int32_t direction, accp_status status, const char *text, size_t text_len, void *user) {
    guarded([&] { return Call(user, kLog, {{text, text_len}}, {0, direction, status}).status(); });
}

int64_t count_tokens(const char *text, size_t text_len, void *user) {
    Call call(user, kCount, {{text, text_len}}, {0, 0});
    return call.status() == ACCP_OK ? call.number(1) : -1;
}

int take_text(const char *text, size_t text_len, void *user) {
    return guarded([&] { return Call(user, kText, {{text, text_len}}, {0}).status(); });
}

void take_damage(const accp_damage *damage, void *user) {
    guarded([&] {
        return Call(user, kDamage, {damage->session, {damage->what, std::strlen(damage->what)}, damage->name},
                    {0, static_cast<jlong>(damage->record)})
            .status();
    });
}

accp_status put_cold(const char *key, size_t key_len, const char *text, size_t text_len, void *user) {
    return guarded([&] { return Call(user, kColdPut, {{key, key_len}, {text, text_len}}, {0}).status(); });
}

accp_status get_cold(const char *key, size_t key_len, const char **out, size_t *len_out, void *user) {
    return text_for_text(kColdGet, {key, key_len}, out, len_out, user);
}

// numbers: whether there is one, and how long it may be.
int summarise(const char *hot, size_t hot_len, uint32_t most_tokens, const char **out, size_t *len_out, void *user) {
    return guarded([&] {
               Call call(user, kSummary, {{hot, hot_len}}, {0, static_cast<jlong>(most_tokens)});
               call.copy(answer.text);
               *out = answer.text.data();
               *len_out = answer.text.size();
               return call.status() == 1;
           }) == 1;
}

}  // namespace

bool load_callbacks(JNIEnv *env) {
    if (env->GetJavaVM(&vm) != JNI_OK) return false;
    jclass type = env->FindClass("org/libaccp/internal/Callback");
    call_method = type ? env->GetMethodID(type, "call", "(I[[B[J)[B") : nullptr;
    return call_method;
}

bool EnvelopeIn::take(JNIEnv *env, jobjectArray texts, jlongArray numbers) {
    jlong given[4];
    env->GetLongArrayRegion(numbers, 0, 4, given);
    accp_text *into[4] = {&envelope_.mid, &envelope_.cid, &envelope_.aid, &envelope_.sid};
    for (jsize i = 0; i < 4; ++i) {
        jobject text = env->GetObjectArrayElement(texts, i);
        if (!texts_[i].take(env, text)) return false;
        env->DeleteLocalRef(text);
        *into[i] = texts_[i].view();
    }
    envelope_.fields = static_cast<uint32_t>(given[0]);
    envelope_.seq = given[1];
    envelope_.ts = given[2];
    envelope_.ttl = given[3];
    return true;
}

}  // namespace accp_java

using namespace accp_java;

namespace {

// For calls of the shape (handle, function, user, err); a null target sets nobody.
template <class Handle, class Function, class Set>
void set_hook(JNIEnv *env, jlong object, jlong target, Function function, Set set) {
    accp_error error = {};
    auto user = handle<void>(target);
    accp_status status = set(handle<Handle>(object), user ? function : nullptr, user, &error);
    if (is_failure(status)) raise(env, error);
}

}  // namespace

// A Java object that the library may call: a global reference, for as long as whoever set it says.
ACCP_NATIVE(jlong, callbackNew)(JNIEnv *env, jclass, jobject target) {
    return static_cast<jlong>(reinterpret_cast<intptr_t>(env->NewGlobalRef(target)));
}
ACCP_NATIVE(void, callbackFree)(JNIEnv *env, jclass, jlong target) { env->DeleteGlobalRef(handle<_jobject>(target)); }

ACCP_NATIVE(void, codecSetHook)(JNIEnv *env, jclass, jlong codec, jint kind, jlong target) {
    switch (kind) {
        case kResolve: return set_hook<accp_codec>(env, codec, target, resolve, accp_codec_set_resolver);
        case kKeep: return set_hook<accp_codec>(env, codec, target, keep, accp_codec_set_keeper);
        case kEnvelope: return set_hook<accp_codec>(env, codec, target, next_envelope, accp_codec_set_splitting);
        case kTool: return set_hook<accp_codec>(env, codec, target, look_up_tool, accp_codec_set_tools);
        case kPolicy: return set_hook<accp_codec>(env, codec, target, ask_policy, accp_codec_set_policy);
        case kLog: return set_hook<accp_codec>(env, codec, target, log_line, accp_codec_set_log);
        default: return raise(env, ACCP_ERR_ARG, "no such hook");
    }
}

// Of a cold store, the kind of its first function sets both.
ACCP_NATIVE(void, engineSetHook)(JNIEnv *env, jclass, jlong engine, jint kind, jlong target) {
    switch (kind) {
        case kResolve: return set_hook<accp_engine>(env, engine, target, resolve, accp_engine_set_resolver);
        case kSummary: return set_hook<accp_engine>(env, engine, target, summarise, accp_engine_set_summariser);
        case kLog: return set_hook<accp_engine>(env, engine, target, log_line, accp_engine_set_log);
        case kColdPut:
            return set_hook<accp_engine>(env, engine, target, put_cold, [](accp_engine *to, auto put, void *user, accp_error *error) {
                return accp_engine_set_cold_store(to, put, put ? get_cold : nullptr, user, error);
            });
        default: return raise(env, ACCP_ERR_ARG, "no such hook");
    }
}

ACCP_NATIVE(jlong, tokenizerNewCallback)(JNIEnv *env, jclass, jobject name, jint approx, jlong target, jlong options) {
    TextIn text;
    if (!text.take(env, name)) return 0;
    accp_tokenizer *made = nullptr;
    accp_error error = {};
    if (is_failure(accp_tokenizer_new_callback(text.text(), text.len(), approx, count_tokens, handle<void>(target),
                                               handle<accp_options>(options), &made, &error)))
        raise(env, error);
    return static_cast<jlong>(reinterpret_cast<intptr_t>(made));
}

ACCP_NATIVE(void, storeSessions)(JNIEnv *env, jclass, jlong store, jlong target) {
    accp_error error = {};
    if (is_failure(accp_store_sessions(handle<accp_store>(store), take_text, handle<void>(target), &error))) raise(env, error);
}

ACCP_NATIVE(void, storeExport)(JNIEnv *env, jclass, jlong store, jobject session, jlong target) {
    TextIn text;
    if (!text.take(env, session)) return;
    accp_error error = {};
    if (is_failure(accp_store_export(handle<accp_store>(store), text.text(), text.len(), take_text, handle<void>(target), &error)))
        raise(env, error);
}

ACCP_NATIVE(void, storeVerify)(JNIEnv *env, jclass, jlong store, jlong target) {
    accp_error error = {};
    if (is_failure(accp_store_verify(handle<accp_store>(store), take_damage, handle<void>(target), &error))) raise(env, error);
}
