/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * What a person says becomes a message of SACP that is valid, or a question: what an interface
 * agent does first (SACP 9A, 10). The form of phrases: docs/sacp.md.
 */
#ifndef ACCP_PHRASES_H
#define ACCP_PHRASES_H

#include "accp/sacp.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phrases, and the library that their messages are of. One thread at a time. */
typedef struct accp_phrases accp_phrases;

/**
 * Reads phrases.
 *
 * text     the document, UTF-8: {"phrases":[{"say":[…],"slots":{…},"message":{…}}],"ignore":[…]}.
 *          Copied.
 * library  its verbs and tools are all that a message has; shared, so it may be freed before.
 * config   may be NULL; its limits json_bytes and memory_bytes hold.
 * out      owned by the caller: accp_phrases_free(). Untouched unless ACCP_OK.
 *
 * ACCP_E1001, E1003, E1004: refused; the offset is a byte of the text. ACCP_ERR_NOMEM. Cost:
 * linear.
 */
ACCP_API accp_status accp_phrases_new(const char *text, size_t text_len,
                                      const accp_library *library, const accp_config *config,
                                      accp_phrases **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees them; NULL is nothing. */
ACCP_API void accp_phrases_free(accp_phrases *phrases) ACCP_NOEXCEPT;

/**
 * A model of the host's that is asked where no phrase says what a prompt is.
 *
 * specification  the protocol in short, with the library's verbs and tools.
 * refused        the verdict, JSON, that its answer before was refused with; empty at first.
 * out            its answer: a message, or {"status":"REQ_CLARIFY","need":[…]}; a view that lives
 *                until the next call of it, or the end of accp_phrases_ask().
 */
typedef accp_status (*accp_model_function)(const char *prompt, size_t prompt_len,
                                           const char *specification, size_t specification_len,
                                           const char *refused, size_t refused_len, accp_text *out,
                                           void *user);

/** Sets the model; NULL: there is none, as at first. */
ACCP_API accp_status accp_phrases_set_model(accp_phrases *phrases, accp_model_function model,
                                            void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the message that a prompt is, with a plan that is whole, or the verdict why there is none.
 * It guesses nothing: where a prompt may be more than one message, or a slot is missing, it asks
 * (REQ_CLARIFY: `goal`, `goal.NAME`, `ctx.SLOT`, `prompt`). A model's message is checked like any
 * other; a model is told once what it was refused for, and asked again.
 *
 * text        what the person said, UTF-8, at most 4096 bytes and 256 words.
 * out         a view until the next call with this handle.
 * answer_out  accp_sacp_answer: what out is; may be NULL.
 *
 * ACCP_OK whatever the answer is. What the model fails with. ACCP_ERR_NOMEM. Cost: the words of all
 * patterns times those of the prompt; a model's own.
 */
ACCP_API accp_status accp_phrases_ask(accp_phrases *phrases, const char *text, size_t text_len,
                                      accp_text *out, int32_t *answer_out,
                                      accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
