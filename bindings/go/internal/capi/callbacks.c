/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* Calls exported Go functions from C callbacks, and passes `user` on as a number. */
#include "callbacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"

typedef struct reply {
    size_t room;
    char text[];
} reply;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_key;
static __thread uintptr_t current_call;

static void make_key(void) { has_key = pthread_key_create(&key, free) == 0; }

char *accp_go_reply(const char *text, size_t text_len) {
    pthread_once(&once, make_key);
    if (!has_key) return 0;
    reply *kept = pthread_getspecific(key);
    if (!kept || kept->room < text_len || kept->room > text_len + (1 << 20)) {
        reply *more = malloc(sizeof *more + text_len + 64);
        if (!more) return 0;
        more->room = text_len + 64;
        if (pthread_setspecific(key, more)) {
            free(more);
            return 0;
        }
        free(kept);
        kept = more;
    }
    if (text_len) memcpy(kept->text, text, text_len);
    return kept->text;
}

uintptr_t accp_go_set_call(uintptr_t call) {
    uintptr_t before = current_call;
    current_call = call;
    return before;
}

uintptr_t accp_go_call(void) { return current_call; }

#ifdef __SANITIZE_ADDRESS__
void __asan_handle_no_return(void); /* or it takes what comes next on the stack for a fault */
void accp_go_unwound(void) { __asan_handle_no_return(); }
#else
void accp_go_unwound(void) {}
#endif

static accp_status resolve(const char *ref, size_t ref_len, accp_text *out, void *user) {
    return accpGoResolve((char *)ref, ref_len, out, (uintptr_t)user, current_call);
}

static accp_status keep(const char *json, size_t json_len, accp_text *out, void *user) {
    return accpGoKeep((char *)json, json_len, out, (uintptr_t)user, current_call);
}

static accp_status next_envelope(accp_envelope *envelope, void *user) {
    return accpGoNextEnvelope(envelope, (uintptr_t)user, current_call);
}

static accp_status check_tool(const char *name, size_t name_len, const char *arguments,
                              size_t arguments_len, void *user) {
    return accpGoCheckTool((char *)name, name_len, (char *)arguments, arguments_len,
                           (uintptr_t)user, current_call);
}

static accp_status check_policy(const accp_policy_case *asked, void *user) {
    return accpGoCheckPolicy((accp_policy_case *)asked, (uintptr_t)user, current_call);
}

static void log_line(int32_t direction, accp_status status, const char *text, size_t text_len,
                     void *user) {
    accpGoLog(direction, status, (char *)text, text_len, (uintptr_t)user, current_call);
}

static int summarise(const char *hot, size_t hot_len, uint32_t max_tokens, accp_text *out,
                     void *user) {
    return accpGoSummarise((char *)hot, hot_len, max_tokens, out, (uintptr_t)user, current_call);
}

static accp_status cold_put(const char *key, size_t key_len, const char *text, size_t text_len,
                            void *user) {
    return accpGoColdPut((char *)key, key_len, (char *)text, text_len, (uintptr_t)user,
                         current_call);
}

static accp_status cold_get(const char *key, size_t key_len, accp_text *out, void *user) {
    return accpGoColdGet((char *)key, key_len, out, (uintptr_t)user, current_call);
}

static void tell_event(const accp_event *event, void *user) {
    accpGoEvent((accp_event *)event, (uintptr_t)user, current_call);
}

static accp_status extract(const char *asked, size_t asked_len, accp_text *out, void *user) {
    return accpGoExtract((char *)asked, asked_len, out, (uintptr_t)user, current_call);
}

accp_status accp_go_set_hooks(void *config, uint32_t which, uintptr_t user, accp_error *err) {
    const accp_hooks hooks = {
        .size = sizeof hooks,
        .user = (void *)user,
        .resolve = which & 1 ? resolve : 0,
        .keep = which & 2 ? keep : 0,
        .next_envelope = which & 4 ? next_envelope : 0,
        .check_tool = which & 8 ? check_tool : 0,
        .check_policy = which & 16 ? check_policy : 0,
        .log = which & 32 ? log_line : 0,
        .summarise = which & 64 ? summarise : 0,
        .cold_put = which & 128 ? cold_put : 0,
        .cold_get = which & 128 ? cold_get : 0,
        .event = which & 256 ? tell_event : 0,
        .extract = which & 512 ? extract : 0,
    };
    return accp_config_set_hooks(config, &hooks, err);
}

int64_t accp_go_count(const char *text, size_t text_len, void *user) {
    return accpGoCount((char *)text, text_len, (uintptr_t)user, current_call);
}

int accp_go_text(const char *text, size_t text_len, void *user) {
    return accpGoText((char *)text, text_len, (uintptr_t)user, current_call);
}

void accp_go_damage(const accp_damage *damage, void *user) {
    accpGoDamage((accp_damage *)damage, (uintptr_t)user, current_call);
}

accp_status accp_go_model(const char *prompt, size_t prompt_len, const char *specification,
                          size_t specification_len, const char *refused, size_t refused_len,
                          accp_text *out, void *user) {
    return accpGoModel((char *)prompt, prompt_len, (char *)specification, specification_len,
                       (char *)refused, refused_len, out, (uintptr_t)user, current_call);
}
