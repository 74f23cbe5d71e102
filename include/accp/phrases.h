/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Phrases turn what a person writes into a valid SACP message, or into a question, as an interface
 * agent does first (SACP 9A, 10). docs/sacp.md describes the form of phrases.
 *
 * @code
 * // Prints the message for a prompt, or the question back.
 * accp_status ask(const accp_library *library, const char *document, const char *prompt) {
 *     accp_phrases *phrases = NULL;
 *     accp_text out;
 *     int32_t answer;
 *     accp_status status =
 *         accp_phrases_new(document, strlen(document), library, NULL, &phrases, NULL);
 *     if (status == ACCP_OK)
 *         status = accp_phrases_ask(phrases, prompt, strlen(prompt), &out, &answer, NULL);
 *     if (status == ACCP_OK)
 *         printf("%s: %.*s\n", answer == ACCP_SACP_VALID ? "message" : "verdict", (int)out.len,
 *                out.text);
 *     accp_phrases_free(phrases);
 *     return status;
 * }
 * @endcode
 */
#ifndef ACCP_PHRASES_H
#define ACCP_PHRASES_H

#include "accp/sacp.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phrases, and the library of their messages. One thread at a time. */
typedef struct accp_phrases accp_phrases;

/**
 * Parses phrases.
 *
 * @param text     The document, UTF-8:
 *                 `{"phrases":[{"say":[…],"slots":{…},"message":{…}}],"ignore":[…]}`. Copied.
 * @param library  The verbs and tools that messages can use; shared.
 * @param config   Its limits json_bytes and memory_bytes are used.
 * @param out      Owned by the caller: accp_phrases_free().
 *
 * Errors: ACCP_E1001, E1003, E1004 for an invalid document; the offset is a byte of it. Cost:
 * linear.
 */
ACCP_API accp_status accp_phrases_new(const char *text, size_t text_len,
                                      const accp_library *library, const accp_config *config,
                                      accp_phrases **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees phrases and every view into them. NULL has no effect. */
ACCP_API void accp_phrases_free(accp_phrases *phrases) ACCP_NOEXCEPT;

/**
 * A model of the host that is called if no phrase matches a prompt. If it fails, accp_phrases_ask()
 * returns its status.
 *
 * @param prompt         The prompt.
 * @param specification  The protocol in short, with the library's verbs and tools.
 * @param refused        The verdict, as JSON, that rejected the model's previous answer; empty at
 *                       first.
 * @param out            Its answer: a message, or `{"status":"REQ_CLARIFY","need":[…]}`. A view
 *                       that is valid until this function is called again, or accp_phrases_ask()
 *                       returns.
 */
typedef accp_status (*accp_model_function)(const char *prompt, size_t prompt_len,
                                           const char *specification, size_t specification_len,
                                           const char *refused, size_t refused_len, accp_text *out,
                                           void *user);

/** Sets the model. NULL: none (the default). */
ACCP_API accp_status accp_phrases_set_model(accp_phrases *phrases, accp_model_function model,
                                            void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Converts a prompt to a message with a complete plan, or to a verdict why that is not possible. It
 * never guesses: if a prompt can be more than one message, or a slot is missing, the verdict is
 * REQ_CLARIFY (`goal`, `goal.NAME`, `ctx.SLOT`, `prompt`). A model's message is checked like any
 * other. If it is rejected, the model is called once more, with the verdict.
 *
 * @param text        The prompt, UTF-8, at most 4096 bytes and 256 words.
 * @param out         The message or the verdict, a view until the next call on `phrases`.
 * @param answer_out  accp_sacp_answer: what `out` is; may be NULL.
 *
 * Returns ACCP_OK for a message and for a verdict. Errors: those of the model. Cost: the number of
 * words in all patterns times that in the prompt, and the model.
 */
ACCP_API accp_status accp_phrases_ask(accp_phrases *phrases, const char *text, size_t text_len,
                                      accp_text *out, int32_t *answer_out,
                                      accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
