/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* Functions that C calls and that lead to Go: callbacks.go. */
#ifndef ACCP_GO_CALLBACKS_H
#define ACCP_GO_CALLBACKS_H

#include "libaccp.h"

/* Sets the hooks whose bits are set in a config; SetHooks in callbacks.go has their order. */
accp_status accp_go_set_hooks(void *config, uint32_t which, uintptr_t user, accp_error *err);

int64_t accp_go_count(const char *text, size_t text_len, void *user);
int accp_go_text(const char *text, size_t text_len, void *user);
void accp_go_damage(const accp_damage *damage, void *user);
accp_status accp_go_model(const char *prompt, size_t prompt_len, const char *specification,
                          size_t specification_len, const char *refused, size_t refused_len,
                          accp_text *out, void *user);

/*
 * Copies a callback's result to memory of this thread, where it stays until the thread's next
 * result. Returns 0 if out of memory.
 */
char *accp_go_reply(const char *text, size_t text_len);

/*
 * Sets the Go call of this thread, as a runtime/cgo.Handle, 0 for none, and returns the previous
 * one.
 */
uintptr_t accp_go_set_call(uintptr_t call);
uintptr_t accp_go_call(void);

/* Marks the C frames on this thread's stack as lost. */
void accp_go_unwound(void);

#endif
