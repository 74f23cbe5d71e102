/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* What C calls, and what it leads to in Go: callbacks.go. */
#ifndef ACCP_GO_CALLBACKS_H
#define ACCP_GO_CALLBACKS_H

#include "libaccp.h"

/* Gives a config the hooks whose bits are set; SetHooks in callbacks.go has their order. */
accp_status accp_go_set_hooks(void *config, uint32_t which, uintptr_t user, accp_error *err);

int64_t accp_go_count(const char *text, size_t text_len, void *user);
int accp_go_text(const char *text, size_t text_len, void *user);
void accp_go_damage(const accp_damage *damage, void *user);
accp_status accp_go_model(const char *prompt, size_t prompt_len, const char *specification,
                          size_t specification_len, const char *refused, size_t refused_len,
                          accp_text *out, void *user);

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

/* Says that the frames of C on this thread's stack will not be returned to. */
void accp_go_unwound(void);

#endif
