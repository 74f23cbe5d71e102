// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Java functions that codecs and sessions call: the hooks of a config.
#include "upcall.h"

using namespace accp_java;

namespace {

// Calls of the shape "a text for a text".
accp_status text_for_text(CallbackKind kind, accp_text given, accp_text *out, void *user) {
    return guarded([&] {
        Call call(user, kind, {given}, {0});
        call.copy(answer.text);
        *out = {answer.text.data(), answer.text.size()};
        return call.status();
    });
}

accp_status resolve(const char *ref, size_t ref_len, accp_text *out, void *user) {
    return text_for_text(kResolve, {ref, ref_len}, out, user);
}

accp_status keep(const char *json, size_t json_len, accp_text *out, void *user) {
    return text_for_text(kKeep, {json, json_len}, out, user);
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

accp_status check_tool(const char *name, size_t name_len, const char *arguments,
                       size_t arguments_len, void *user) {
    return guarded([&] {
        return Call(user, kTool, {{name, name_len}, {arguments, arguments_len}}, {0}).status();
    });
}

accp_status check_policy(const accp_policy_case *asked, void *user) {
    return guarded([&] {
        return Call(user, kPolicy,
                    {asked->agent, asked->intent, asked->operation, asked->schema, asked->text},
                    {0, asked->direction, asked->untrusted})
            .status();
    });
}

void log_line(int32_t direction, accp_status status, const char *text, size_t text_len,
              void *user) {
    guarded([&] { return Call(user, kLog, {{text, text_len}}, {0, direction, status}).status(); });
}

// numbers: whether there is one, and how long it may be.
int summarise(const char *hot, size_t hot_len, uint32_t max_tokens, accp_text *out, void *user) {
    return guarded([&] {
               Call call(user, kSummary, {{hot, hot_len}}, {0, static_cast<jlong>(max_tokens)});
               call.copy(answer.text);
               *out = {answer.text.data(), answer.text.size()};
               return call.status() == 1;
           }) == 1;
}

accp_status cold_put(const char *key, size_t key_len, const char *text, size_t text_len,
                     void *user) {
    return guarded([&] {
        return Call(user, kColdPut, {{key, key_len}, {text, text_len}}, {0}).status();
    });
}

accp_status cold_get(const char *key, size_t key_len, accp_text *out, void *user) {
    return text_for_text(kColdGet, {key, key_len}, out, user);
}

void tell_event(const accp_event *event, void *user) {
    guarded([&] {
        return Call(user, kEvent,
                    {event->session, event->agent, event->mid, event->cid, event->aid},
                    {0, event->kind, event->status, event->direction, event->seq,
                     static_cast<jlong>(event->bytes), static_cast<jlong>(event->tokens),
                     static_cast<jlong>(event->count), static_cast<jlong>(event->history),
                     static_cast<jlong>(event->cached), static_cast<jlong>(event->written)})
            .status();
    });
}

accp_status extract(const char *asked, size_t asked_len, accp_text *out, void *user) {
    return text_for_text(kExtract, {asked, asked_len}, out, user);
}

}  // namespace

// kinds: bits, 1 << CallbackKind, of the kinds that the target implements.
ACCP_NATIVE(void, configSetHooks)(JNIEnv *env, jclass, jlong config, jlong target, jint kinds) {
    auto has = [&](CallbackKind kind, auto function) {
        return kinds & (1 << kind) ? function : nullptr;
    };
    accp_hooks hooks = {sizeof hooks,
                        handle<void>(target),
                        has(kResolve, resolve),
                        has(kKeep, keep),
                        has(kEnvelope, next_envelope),
                        has(kTool, check_tool),
                        has(kPolicy, check_policy),
                        has(kLog, log_line),
                        has(kSummary, summarise),
                        has(kColdPut, cold_put),
                        has(kColdGet, cold_get),
                        has(kEvent, tell_event),
                        has(kExtract, extract),
                        nullptr};
    accp_error error = {};
    if (accp_config_set_hooks(handle<accp_config>(config), &hooks, &error) != ACCP_OK)
        raise(env, error);
}
