// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a codec calls in Java.
#include "upcall.h"

using namespace accp_java;

namespace {

accp_status keep(const char *json, size_t json_len, const char **ref, size_t *ref_len, void *user) {
    return text_for_text(kKeep, {json, json_len}, ref, ref_len, user);
}

accp_status next_envelope(accp_envelope *envelope, void *user) {
    return guarded([&] {
        accp_text *texts[4] = {&envelope->mid, &envelope->cid, &envelope->aid, &envelope->sid};
        Call call(
            user, kEnvelope, {*texts[0], *texts[1], *texts[2], *texts[3]},
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

accp_status look_up_tool(const char *name, size_t name_len, const char *arguments,
                         size_t arguments_len, void *user) {
    return guarded([&] {
        return Call(user, kTool, {{name, name_len}, {arguments, arguments_len}}, {0}).status();
    });
}

accp_status ask_policy(const accp_policy_case *asked, void *user) {
    return guarded([&] {
        return Call(user, kPolicy,
                    {asked->agent, asked->intent, asked->operation, asked->schema, asked->text},
                    {0, asked->direction, asked->untrusted})
            .status();
    });
}

}  // namespace

ACCP_NATIVE(void, codecSetHook)(JNIEnv *env, jclass, jlong codec, jint kind, jlong target) {
    switch (kind) {
        case kResolve:
            return set_hook<accp_codec>(env, codec, target, resolve, accp_codec_set_resolver);
        case kKeep: return set_hook<accp_codec>(env, codec, target, keep, accp_codec_set_keeper);
        case kEnvelope:
            return set_hook<accp_codec>(env, codec, target, next_envelope,
                                        accp_codec_set_splitting);
        case kTool:
            return set_hook<accp_codec>(env, codec, target, look_up_tool, accp_codec_set_tools);
        case kPolicy:
            return set_hook<accp_codec>(env, codec, target, ask_policy, accp_codec_set_policy);
        case kLog: return set_hook<accp_codec>(env, codec, target, log_line, accp_codec_set_log);
        default: return raise(env, ACCP_ERR_ARG, "no such hook");
    }
}
