/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Tokens, counted exactly. A tokenizer says how a model's vocabulary splits a text; it never
 * changes, and threads share it without a lock. A counter does the work: it carries the cache that
 * makes counting fast, and belongs to one thread at a time.
 *
 * Text is UTF-8; what is not is read as Python's errors="replace" and TextDecoder read it, one
 * U+FFFD for each maximal part of a broken sequence. Special tokens such as <|endoftext|> are text
 * like any other unless the rule special_tokens says otherwise. A count is always the length of
 * what accp_counter_encode() answers for the same text.
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
 * One vocabulary and the pattern that cuts text ahead of it. Constant: any number of threads may
 * use it at once.
 */
typedef struct accp_tokenizer accp_tokenizer;

/**
 * Counts with one tokenizer, and the memory to do it. One thread at a time; distinct counters need
 * no lock.
 */
typedef struct accp_counter accp_counter;

/**
 * The names of the tokenizers that are built in, counted from 0: "o200k_base", "cl100k_base" where
 * the library was built with them, and "approx", which knows no vocabulary and estimates. NULL
 * after the last. Static text. Any thread.
 */
ACCP_API const char *accp_tokenizer_builtin_name(uint32_t index) ACCP_NOEXCEPT;

/**
 * Makes a tokenizer that is built in. Its vocabulary is read-only data of the library: this costs
 * microseconds and no memory to speak of.
 *
 * config   may be NULL; of them only the allocator counts.
 * out      owned by the caller: accp_tokenizer_free().
 *
 * ACCP_ERR_ARG for an unknown name; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_tokenizer_new(const char *name, size_t name_len,
                                        const accp_config *config, accp_tokenizer **out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a tokenizer of the text of a `.tiktoken` file: lines of a token in Base64, a space, and its
 * rank.
 *
 * name     what accp_tokenizer_name() will say; copied.
 * pattern  how text is cut ahead of merging: "o200k_base", "cl100k_base", "gpt2", "llama3",
 *          "qwen2", "qwen35", "deepseek3", "tekken".
 *
 * ACCP_E1001 with the offset of the first bad line; ACCP_E1004 for a vocabulary that cannot be
 * merged as published (a byte without a token, one token twice, tokens out of order); ACCP_ERR_ARG
 * for an unknown pattern; ACCP_ERR_NOMEM. Cost: a fraction of a second.
 */
ACCP_API accp_status accp_tokenizer_new_tiktoken(const char *name, size_t name_len,
                                                 const char *pattern, size_t pattern_len,
                                                 const char *text, size_t text_len,
                                                 const accp_config *config, accp_tokenizer **out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a tokenizer of the text of a Hugging Face `tokenizer.json` with a byte-level BPE model:
 * Llama 3, Qwen, DeepSeek, newer Mistral. Its added tokens become special tokens. Its normalizer
 * may be NFC: text is then taken to be in that form already. What a post-processor would add is not
 * counted.
 *
 * ACCP_E1001 for what is no JSON; ACCP_E1004, and the message says what, for kinds that are not
 * supported (SentencePiece, WordPiece, an unknown pattern), and as accp_tokenizer_new_tiktoken();
 * ACCP_ERR_NOMEM.
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
 * `count` and `user` must outlive every handle that counts with the tokenizer, and must work on
 * every thread that uses one of those handles.
 *
 * name    UTF-8 without NUL, at most 65,535 bytes; copied. A sealed packet contains it.
 * approx  1 if the counts are estimates.
 *
 * ACCP_ERR_ARG for a NULL function. ACCP_E1004 if the name has other bytes; the offset is the first
 * one. ACCP_E1001 if the name is longer. ACCP_ERR_NOMEM. The same limits hold for the name of every
 * tokenizer.
 */
ACCP_API accp_status accp_tokenizer_new_callback(const char *name, size_t name_len, int approx,
                                                 accp_count_function count, void *user,
                                                 const accp_config *config, accp_tokenizer **out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Releases the caller's share of a tokenizer. The tokenizer lives until the last handle that counts
 * with it ends. NULL has no effect. Any thread.
 */
ACCP_API void accp_tokenizer_free(accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/** The name: a view as long as the tokenizer. Empty for NULL. */
ACCP_API accp_text accp_tokenizer_name(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/** 1 when its counts are estimates and not exact, else 0. Whoever shows such a count says so. */
ACCP_API int accp_tokenizer_approx(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/**
 * How many tokens the vocabulary has, special ones not among them; 0 where there is no vocabulary.
 */
ACCP_API uint32_t accp_tokenizer_size(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/**
 * Makes a counter. The counter shares the tokenizer, which may be freed first. `config` may be
 * NULL; its allocator, memory_bytes and the rules token_cache and special_tokens are copied. The
 * caller owns *out: accp_counter_free(). ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_counter_new(const accp_tokenizer *tokenizer, const accp_config *config,
                                      accp_counter **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a counter and every view into it; NULL is nothing. */
ACCP_API void accp_counter_free(accp_counter *counter) ACCP_NOEXCEPT;

/**
 * Counts the tokens of a text, up to a bound.
 *
 * max         counting stops where there are more; UINT64_MAX: never.
 * tokens_out  the count, or max + 1. Untouched unless ACCP_OK.
 *
 * ACCP_ERR_NOMEM; from a tokenizer of the host's own that answers with an error, ACCP_ERR_IO. Cost:
 * linear in the text, save for a logarithm in its longest word; no heap call once warm.
 */
ACCP_API accp_status accp_counter_count(accp_counter *counter, const char *text, size_t text_len,
                                        uint64_t max, uint64_t *tokens_out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * The ids of a text's tokens: *count_out of them at *ids_out, a view into `counter` until the next
 * call on it. ACCP_ERR_ARG for a tokenizer without a vocabulary; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_counter_encode(accp_counter *counter, const char *text, size_t text_len,
                                         const uint32_t **ids_out, size_t *count_out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * The bytes that ids stand for, special tokens among them: the inverse of accp_counter_encode() for
 * UTF-8; single tokens may be parts of characters. out: a view into `counter` until the next call
 * on it. ACCP_ERR_ARG for an unknown id (the error's offset counts ids); ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_counter_decode(accp_counter *counter, const uint32_t *ids, size_t count,
                                         accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds to a text that grows, which the counter counts on: accp_counter_total(). The text may be cut
 * anywhere, also inside a character. Copied as far as its count may still change. Special tokens
 * are text here. ACCP_ERR_NOMEM, and then nothing was added.
 */
ACCP_API accp_status accp_counter_append(accp_counter *counter, const char *text, size_t text_len,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * The count of all that was appended since accp_counter_reset(): exactly what accp_counter_count()
 * would say of it in one piece, without the rule special_tokens. Cost: what was appended since the
 * last call, and the word that is open at the end. A tokenizer of the host's own is asked about the
 * whole.
 */
ACCP_API accp_status accp_counter_total(accp_counter *counter, uint64_t *tokens_out,
                                        accp_error *err) ACCP_NOEXCEPT;

/** Forgets the text that was appended. The cache stays. NULL is nothing. */
ACCP_API void accp_counter_reset(accp_counter *counter) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
