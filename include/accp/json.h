/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * JSON in, JSON out: values, and whole messages as frames. A message is
 *   {"agent":"planner","intent":"req","operation":"schedule","payload":{…},"meta":{…}}
 * with a payload that is an object or, where the message is a text (spec 2.2), a string; where meta
 * may be missing; an empty or null one is no meta, as the grammar has no spelling for it. What is
 * encoded comes back equal, by value, for every JSON value inside the limits (extension q1).
 */
#ifndef ACCP_JSON_H
#define ACCP_JSON_H

#include "accp/frame.h"
#include "accp/types.h"
#include "accp/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reads one JSON text (RFC 8259) into a value, which it replaces.
 *
 * text  UTF-8, no terminator or padding needed; may be freed on return.
 *
 * On failure the value is empty. ACCP_E1001: not JSON, a duplicate key, or over a limit
 * (json_bytes). ACCP_E1004: invalid UTF-8, a lone surrogate, a key of more than 65,535 bytes, or
 * deeper than json_depth. ACCP_ERR_NOMEM. Cost: O(len); stack constant.
 */
ACCP_API accp_status accp_json_parse(accp_value *value, const char *text, size_t text_len,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a value as compact JSON: no white space, keys in their order, numbers as they were
 * written, refs as {"$ref":"warm.key"}. *out is a view into the value, until the next call that
 * changes it or prints it. ACCP_ERR_ARG for an empty or incomplete value; ACCP_ERR_NOMEM. Cost:
 * O(n).
 */
ACCP_API accp_status accp_json_print(accp_value *value, const char **out, size_t *len_out,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Encodes one message, given as JSON, into a frame.
 * Spec 3.1, 3.3.
 *
 * frame  borrowed, changed: its scratch and its output; its tree becomes empty. One thread at a
 *        time.
 * text   the message, UTF-8; may be freed on return.
 * out    a view into `frame`: its output, without a newline. Untouched unless ACCP_OK.
 *
 * ACCP_E1001: not JSON, not a message, a duplicate key, or over a limit. ACCP_E1004: a value
 * without a spelling under the extensions in force, or deeper than the limit. ACCP_ERR_NOMEM. The
 * offset is a byte of `text`. None is fatal. Whether the intent is one of the twelve is not asked.
 * Cost: O(text_len).
 */
ACCP_API accp_status accp_frame_encode(accp_frame *frame, const char *text, size_t text_len,
                                       const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes one frame into its message, as compact JSON: the inverse of accp_frame_encode() under the
 * same options. Spec 3.1, 7.3.
 *
 * text   borrowed for as long as the tree of `frame` is used, which then is this frame's; empty
 *        where the call fails.
 * out    a view into `frame`: its output, without a newline. Untouched unless ACCP_OK.
 *
 * ACCP_E1001: grammar, limits, a malformed %u, two keys that decode to one. ACCP_E1004: a malformed
 * table, text that is no UTF-8. ACCP_E2001: a ref, as there is no session to resolve it (see
 * accp_options_set_keep_refs()). ACCP_ERR_NOMEM. The offset is a byte of `text`. None is fatal.
 * Cost: O(text_len).
 */
ACCP_API accp_status accp_frame_decode(accp_frame *frame, const char *text, size_t text_len,
                                       const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * The same for many messages or frames in one call: `text` holds one a line (LF, or CR LF in JSON;
 * an empty line is a record, and refused). Every line gets a record; what was refused does not stop
 * the others. Results lie one after another, each ended by LF, in accp_batch_text(); `text` may be
 * freed on return. Fails as a whole only with ACCP_ERR_ARG, or with ACCP_ERR_NOMEM, and then holds
 * no record. Cost: O(text_len).
 */
ACCP_API accp_status accp_batch_encode(accp_batch *batch, const char *text, size_t text_len,
                                       accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_batch_decode(accp_batch *batch, const char *text, size_t text_len,
                                       accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
