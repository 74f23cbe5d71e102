/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* What C calls, and what it leads to in Go: callbacks.go. */
#ifndef ACCP_GO_CALLBACKS_H
#define ACCP_GO_CALLBACKS_H

#include "libaccp.h"

accp_status accp_go_resolve(const char *ref, size_t ref_len, const char **json, size_t *json_len,
                            void *user);
accp_status accp_go_keep(const char *json, size_t json_len, const char **ref, size_t *ref_len,
                         void *user);
accp_status accp_go_next_envelope(accp_envelope *envelope, void *user);
accp_status accp_go_tool(const char *name, size_t name_len, const char *arguments,
                         size_t arguments_len, void *user);
accp_status accp_go_policy(const accp_policy_case *asked, void *user);
void accp_go_log(int32_t direction, accp_status status, const char *text, size_t text_len,
                 void *user);
int64_t accp_go_count(const char *text, size_t text_len, void *user);
int accp_go_text(const char *text, size_t text_len, void *user);
void accp_go_damage(const accp_damage *damage, void *user);
accp_status accp_go_cold_put(const char *key, size_t key_len, const char *text, size_t text_len,
                             void *user);
accp_status accp_go_cold_get(const char *key, size_t key_len, const char **out, size_t *len_out,
                             void *user);
int accp_go_summarise(const char *hot, size_t hot_len, uint32_t max_tokens, const char **out,
                      size_t *len_out, void *user);

/*
 * Copies what a callback answers to memory of this thread, where it stays until the thread's next
 * answer. 0: out of memory.
 */
char *accp_go_reply(const char *text, size_t text_len);

/*
 * Says which call of Go's this thread is in, as a runtime/cgo.Handle, 0 for none; answers which it
 * was before.
 */
uintptr_t accp_go_set_call(uintptr_t call);
uintptr_t accp_go_call(void);

#endif
