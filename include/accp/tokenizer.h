/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Counts tokens exactly. A tokenizer defines how a model's vocabulary splits a text. It never
 * changes, and threads share it without a lock. A counter does the work: it has the cache that
 * makes counting fast, and is used by one thread at a time.
 *
 * @code
 * accp_tokenizer *tokenizer = NULL;
 * accp_counter *counter = NULL;
 * uint64_t tokens;
 * if (accp_tokenizer_new("o200k_base", 10, NULL, &tokenizer, NULL) == ACCP_OK &&
 *     accp_counter_new(tokenizer, NULL, &counter, NULL) == ACCP_OK &&
 *     accp_counter_count(counter, "Hello, world", 12, UINT64_MAX, &tokens, NULL) == ACCP_OK)
 *     printf("%d tokens\n", (int)tokens);
 * accp_counter_free(counter);
 * accp_tokenizer_free(tokenizer);
 * @endcode
 *
 * Text is UTF-8. Each maximal part of an invalid sequence is read as one U+FFFD, as Python's
 * errors="replace" and TextDecoder do. Special tokens such as `<|endoftext|>` are text like any
 * other, unless the rule special_tokens is set. A count is always the length of the result of
 * accp_counter_encode() for the same text. See docs/tokens.md.
 */
#ifndef ACCP_TOKENIZER_H
#define ACCP_TOKENIZER_H

#include "accp/config.h"
#include "accp/error.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A vocabulary, and the pattern that splits text before it. It is constant: any number of threads
 * may use it at once.
 */
typedef struct accp_tokenizer accp_tokenizer;

/**
 * Counts with one tokenizer, and the memory for it. One thread at a time; distinct counters need no
 * lock.
 */
typedef struct accp_counter accp_counter;

/**
 * Returns the name of a built-in tokenizer, or NULL if it is out of range: count from 0 to list
 * them all. "o200k_base" and "cl100k_base" are present if the library was built with them. "approx"
 * has no vocabulary and estimates. Static text. Any thread.
 *
 * @param index  From 0.
 */
ACCP_API const char *accp_tokenizer_builtin_name(uint32_t index) ACCP_NOEXCEPT;

/**
 * Makes a built-in tokenizer. Its vocabulary is read-only data of the library, so this takes
 * microseconds and almost no memory.
 *
 * @param name    A name of accp_tokenizer_builtin_name().
 * @param config  Only its allocator is used.
 * @param out     Owned by the caller: accp_tokenizer_free().
 *
 * Returns ACCP_ERR_ARG for an unknown name.
 */
ACCP_API accp_status accp_tokenizer_new(const char *name, size_t name_len,
                                        const accp_config *config, accp_tokenizer **out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a tokenizer from the text of a `.tiktoken` file. Each line has a token in Base64, a space,
 * and its rank.
 *
 * @param name     The result of accp_tokenizer_name(); copied.
 * @param pattern  How text is split before merging: "o200k_base", "cl100k_base", "gpt2", "llama3",
 *                 "qwen2", "qwen35", "deepseek3", "tekken".
 * @param text     The file's content; copied.
 * @param out      Owned by the caller: accp_tokenizer_free().
 *
 * Errors: ACCP_E1001 with the offset of the first invalid line. ACCP_E1004 for a vocabulary that
 * cannot be merged (a byte without a token, a duplicate token, tokens out of order). ACCP_ERR_ARG
 * for an unknown pattern. Cost: a fraction of a second.
 */
ACCP_API accp_status accp_tokenizer_new_tiktoken(const char *name, size_t name_len,
                                                 const char *pattern, size_t pattern_len,
                                                 const char *text, size_t text_len,
                                                 const accp_config *config, accp_tokenizer **out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a tokenizer from the text of a Hugging Face `tokenizer.json` with a byte-level BPE model:
 * Llama 3, Qwen, DeepSeek, newer Mistral. Its added tokens become special tokens. If its normalizer
 * is NFC, text must be in that form already. Tokens that a post-processor would add are not
 * counted.
 *
 * @param name  The result of accp_tokenizer_name(); copied.
 * @param text  The file's content; copied.
 * @param out   Owned by the caller: accp_tokenizer_free().
 *
 * Errors: ACCP_E1001 if the text is not JSON. ACCP_E1004 for an unsupported kind, which the message
 * names (SentencePiece, WordPiece, an unknown pattern), and as accp_tokenizer_new_tiktoken(). Cost:
 * a fraction of a second.
 */
ACCP_API accp_status accp_tokenizer_new_json(const char *name, size_t name_len, const char *text,
                                             size_t text_len, const accp_config *config,
                                             accp_tokenizer **out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Counts the tokens of a text, for a host that has its own tokenizer. A negative result is an
 * error. It runs on the thread of the call that counts.
 */
typedef int64_t (*accp_count_function)(const char *text, size_t text_len, void *user);

/**
 * Makes a tokenizer that counts with a function of the host. It counts tokens, but has no ids.
 *
 * @param name            UTF-8 without NUL, at most 65,535 bytes; copied. A sealed packet contains
 *                        it.
 * @param is_approximate  1 if the counts are estimates, else 0.
 * @param count           The function. It must work on every thread that uses a handle with this
 *                        tokenizer.
 * @param user            Passed to `count`. Both must outlive every handle that counts with the
 *                        tokenizer.
 * @param out             Owned by the caller: accp_tokenizer_free().
 *
 * Errors: ACCP_ERR_ARG for a NULL function. ACCP_E1004 if the name is not UTF-8 or has a NUL; the
 * offset is the first such byte. ACCP_E1001 if the name is longer. The same limits hold for the
 * name of every tokenizer.
 */
ACCP_API accp_status accp_tokenizer_new_callback(const char *name, size_t name_len,
                                                 int32_t is_approximate, accp_count_function count,
                                                 void *user, const accp_config *config,
                                                 accp_tokenizer **out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Releases the caller's share of a tokenizer. The tokenizer lives until the last handle that counts
 * with it ends. NULL has no effect. Any thread.
 */
ACCP_API void accp_tokenizer_free(accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/** Returns the name: a view that is valid as long as the tokenizer. Empty for NULL. */
ACCP_API accp_text accp_tokenizer_name(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/**
 * Returns 1 if its counts are estimates, else 0. Mark such a count as an estimate when you show it.
 */
ACCP_API int accp_tokenizer_is_approximate(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/**
 * Returns the number of tokens in the vocabulary, without special ones; 0 if it has no vocabulary.
 */
ACCP_API uint32_t accp_tokenizer_token_count(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/**
 * Makes a counter.
 *
 * @param tokenizer  Shared: you may free it before the counter.
 * @param config     Its allocator, memory_bytes and the rules token_cache and special_tokens are
 *                   used.
 * @param out        Owned by the caller: accp_counter_free().
 */
ACCP_API accp_status accp_counter_new(const accp_tokenizer *tokenizer, const accp_config *config,
                                      accp_counter **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a counter and every view into it. NULL has no effect. */
ACCP_API void accp_counter_free(accp_counter *counter) ACCP_NOEXCEPT;

/**
 * Counts the tokens of a text, up to a limit.
 *
 * @param max  Counting stops above this number; UINT64_MAX: no limit.
 * @param out  The count, or max + 1.
 *
 * Returns ACCP_ERR_IO if a tokenizer of the host fails. Cost: linear in the text, times the
 * logarithm of its longest word; once the cache is filled it allocates nothing.
 */
ACCP_API accp_status accp_counter_count(accp_counter *counter, const char *text, size_t text_len,
                                        uint64_t max, uint64_t *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the ids of a text's tokens.
 *
 * @param out        The ids, a view into `counter` until its next call.
 * @param count_out  The number of ids.
 *
 * Returns ACCP_ERR_ARG for a tokenizer without a vocabulary.
 */
ACCP_API accp_status accp_counter_encode(accp_counter *counter, const char *text, size_t text_len,
                                         const uint32_t **out, size_t *count_out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the bytes of tokens, special ones included: the inverse of accp_counter_encode() for
 * UTF-8. A single token may be a part of a character.
 *
 * @param count  The number of ids.
 * @param out    A view into `counter` until its next call.
 *
 * Returns ACCP_ERR_ARG for an unknown id; the offset is its index.
 */
ACCP_API accp_status accp_counter_decode(accp_counter *counter, const uint32_t *ids, size_t count,
                                         accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends to a text whose tokens accp_counter_total() counts. You may cut the text anywhere, even
 * inside a character. Special tokens are text here. The counter copies only the end of the text
 * whose count may still change. After ACCP_ERR_NOMEM nothing was appended.
 */
ACCP_API accp_status accp_counter_append(accp_counter *counter, const char *text, size_t text_len,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the count of everything that was appended since accp_counter_reset(). It equals
 * accp_counter_count() of the whole text without the rule special_tokens. Cost: linear in the text
 * since the last call, and in the last word; a tokenizer of the host counts the whole text.
 *
 * @param out  The count.
 */
ACCP_API accp_status accp_counter_total(accp_counter *counter, uint64_t *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/** Drops the appended text. The cache stays. NULL has no effect. */
ACCP_API void accp_counter_reset(accp_counter *counter) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
