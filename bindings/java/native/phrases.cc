// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Phrases and their model.
#include "structs.h"
#include "upcall.h"

using namespace accp_java;

namespace {

accp_status ask_model(const char *prompt, size_t prompt_len, const char *specification,
                      size_t specification_len, const char *refused, size_t refused_len,
                      accp_text *out, void *user) {
    return guarded([&] {
        Call call(
            user, kModel,
            {{prompt, prompt_len}, {specification, specification_len}, {refused, refused_len}},
            {0});
        call.copy(answer.text);
        *out = {answer.text.data(), answer.text.size()};
        return call.status();
    });
}

}  // namespace

// model: a Callback, or null. Only this call uses it. said: the kind of the result.
ACCP_NATIVE(jbyteArray, phrasesAsk)
(JNIEnv *env, jclass, jlong phrases, jobject model, jobject prompt, jintArray said) {
    TextIn view;
    if (!view.take(env, prompt)) return nullptr;
    auto *self = handle<accp_phrases>(phrases);
    accp_error error = {};
    accp_text out = {};
    int32_t number = 0;
    accp_status status = accp_phrases_set_model(self, model ? ask_model : nullptr, model, &error);
    if (status == ACCP_OK)
        status = accp_phrases_ask(self, view.text(), view.len(), &out, &number, &error);
    const jint kind = number;
    env->SetIntArrayRegion(said, 0, 1, &kind);
    jbyteArray made = give_text(env, status, error, out);
    accp_phrases_set_model(self, nullptr, nullptr, nullptr);
    return made;
}
