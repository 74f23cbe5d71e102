// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What engines, tokenizers and stores call in Java.
#include "upcall.h"

using namespace accp_java;

namespace {

int64_t count_tokens(const char *text, size_t text_len, void *user) {
    Call call(user, kCount, {{text, text_len}}, {0, 0});
    return call.status() == ACCP_OK ? call.number(1) : -1;
}

int take_text(const char *text, size_t text_len, void *user) {
    return guarded([&] { return Call(user, kText, {{text, text_len}}, {0}).status(); });
}

void take_damage(const accp_damage *damage, void *user) {
    guarded([&] {
        return Call(user, kDamage,
                    {damage->session, {damage->what, std::strlen(damage->what)}, damage->name},
                    {0, static_cast<jlong>(damage->record)})
            .status();
    });
}

accp_status put_cold(const char *key, size_t key_len, const char *text, size_t text_len,
                     void *user) {
    return guarded([&] {
        return Call(user, kColdPut, {{key, key_len}, {text, text_len}}, {0}).status();
    });
}

accp_status get_cold(const char *key, size_t key_len, const char **out, size_t *len_out,
                     void *user) {
    return text_for_text(kColdGet, {key, key_len}, out, len_out, user);
}

// numbers: whether there is one, and how long it may be.
int summarise(const char *hot, size_t hot_len, uint32_t max_tokens, const char **out,
              size_t *len_out, void *user) {
    return guarded([&] {
               Call call(user, kSummary, {{hot, hot_len}}, {0, static_cast<jlong>(max_tokens)});
               call.copy(answer.text);
               *out = answer.text.data();
               *len_out = answer.text.size();
               return call.status() == 1;
           }) == 1;
}

}  // namespace

// Of a cold store, the kind of its first function sets both.
ACCP_NATIVE(void, engineSetHook)(JNIEnv *env, jclass, jlong engine, jint kind, jlong target) {
    switch (kind) {
        case kResolve:
            return set_hook<accp_engine>(env, engine, target, resolve, accp_engine_set_resolver);
        case kSummary:
            return set_hook<accp_engine>(env, engine, target, summarise,
                                         accp_engine_set_summariser);
        case kLog: return set_hook<accp_engine>(env, engine, target, log_line, accp_engine_set_log);
        case kColdPut:
            return set_hook<accp_engine>(
                env, engine, target, put_cold,
                [](accp_engine *to, auto put, void *user, accp_error *error) {
                    return accp_engine_set_cold_store(to, put, put ? get_cold : nullptr, user,
                                                      error);
                });
        default: return raise(env, ACCP_ERR_ARG, "no such hook");
    }
}

ACCP_NATIVE(jlong, tokenizerNewCallback)
(JNIEnv *env, jclass, jobject name, jint approx, jlong target, jlong options) {
    TextIn text;
    if (!text.take(env, name)) return 0;
    accp_tokenizer *made = nullptr;
    accp_error error = {};
    if (is_failure(accp_tokenizer_new_callback(text.text(), text.len(), approx, count_tokens,
                                               handle<void>(target), handle<accp_options>(options),
                                               &made, &error)))
        raise(env, error);
    return static_cast<jlong>(reinterpret_cast<intptr_t>(made));
}

ACCP_NATIVE(void, storeSessions)(JNIEnv *env, jclass, jlong store, jlong target) {
    accp_error error = {};
    if (is_failure(accp_store_sessions(handle<accp_store>(store), take_text, handle<void>(target),
                                       &error)))
        raise(env, error);
}

ACCP_NATIVE(void, storeExport)(JNIEnv *env, jclass, jlong store, jobject session, jlong target) {
    TextIn text;
    if (!text.take(env, session)) return;
    accp_error error = {};
    if (is_failure(accp_store_export(handle<accp_store>(store), text.text(), text.len(), take_text,
                                     handle<void>(target), &error)))
        raise(env, error);
}

ACCP_NATIVE(void, storeVerify)(JNIEnv *env, jclass, jlong store, jlong target) {
    accp_error error = {};
    if (is_failure(accp_store_verify(handle<accp_store>(store), take_damage, handle<void>(target),
                                     &error)))
        raise(env, error);
}
