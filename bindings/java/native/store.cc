// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tokenizers of the host, and what stores call in Java.
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

}  // namespace

ACCP_NATIVE(jlong, tokenizerNewCallback)
(JNIEnv *env, jclass, jobject name, jint approx, jlong target, jlong config) {
    TextIn text;
    if (!text.take(env, name)) return 0;
    accp_tokenizer *made = nullptr;
    accp_error error = {};
    if (is_failure(accp_tokenizer_new_callback(text.text(), text.len(), approx, count_tokens,
                                               handle<void>(target), handle<accp_config>(config),
                                               &made, &error)))
        raise(env, error);
    return static_cast<jlong>(reinterpret_cast<intptr_t>(made));
}

ACCP_NATIVE(void, storeSessions)(JNIEnv *env, jclass, jlong store, jlong target) {
    accp_error error = {};
    if (is_failure(accp_store_each_session(handle<accp_store>(store), take_text,
                                           handle<void>(target), &error)))
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
