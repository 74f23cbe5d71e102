/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * The render form: a compact text that a model reads instead of JSON. A message is one line without
 * its envelope. An array of similar objects is a table with a header; a large one has one row per
 * line. The form is exact: every value can be read back from the text alone. See docs/render.md.
 *
 * @code
 * const char *frame = "@planner>req:schedule{task:impl_auth|pri:high}";
 * accp_render *render = NULL;
 * accp_text text;
 * if (accp_render_new(NULL, &render, NULL) == ACCP_OK &&
 *     accp_render_frame(render, frame, strlen(frame), 0, &text, NULL) == ACCP_OK)
 *     printf("%.*s\n", (int)text.len, text.text);  // @planner req:schedule task:impl_auth pri:high
 * accp_render_free(render);
 * @endcode
 */
#ifndef ACCP_RENDER_H
#define ACCP_RENDER_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a record is written, as bits. Reading needs none of them. */
enum accp_render_flag {
    /** The text comes from outside. It gets a mark at the front, is one line, and has no invisible
     * characters. */
    ACCP_RENDER_UNTRUSTED = 1,
    /** A table never has one row per line. */
    ACCP_RENDER_ONE_LINE = 2,
    /** Also write a message's mid, seq, ts, cid, aid, sid and ttl. */
    ACCP_RENDER_ENVELOPE = 4
};

/** A renderer and its memory. One thread at a time; distinct renderers need no lock. */
typedef struct accp_render accp_render;

/**
 * Makes a renderer.
 *
 * @param config  It uses json_bytes, json_depth, key_bytes, memory_bytes, the allocator, the rule
 *                abbreviate (for the keys of a payload), ignored members, and the settings by which
 *                frames are decoded.
 * @param out     Owned by the caller: accp_render_free().
 */
ACCP_API accp_status accp_render_new(const accp_config *config, accp_render **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees a renderer and every view into it. NULL has no effect. */
ACCP_API void accp_render_free(accp_render *render) ACCP_NOEXCEPT;

/**
 * Renders one JSON text. An object with agent, intent, operation, payload (an object or a string)
 * and optionally meta is rendered as a message, any other value as it is. The result is the same on
 * every machine. It is never longer than the compact JSON, unless something is marked as untrusted.
 *
 * @param text   UTF-8; may be freed on return.
 * @param flags  Bits of accp_render_flag.
 * @param out    A view into `render` until its next call, without a newline at its end.
 *
 * Errors: those of accp_value_parse_json(); ACCP_ERR_ARG for an unknown flag. Cost: O(text_len);
 * the stack is constant.
 */
ACCP_API accp_status accp_render_json(accp_render *render, const char *text, size_t text_len,
                                      uint32_t flags, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Renders one frame, as accp_render_json() does a message. Refs stay as they are. Errors: those of
 * accp_codec_decode(), except ACCP_E2001.
 *
 * @param text       The frame; may be freed on return.
 * @param flags,out  As accp_render_json().
 */
ACCP_API accp_status accp_render_frame(accp_render *render, const char *text, size_t text_len,
                                       uint32_t flags, accp_text *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Parses one render text: the exact inverse of accp_render_json() and accp_render_frame(), except
 * for the order of keys and an omitted envelope. A message becomes the object that it was.
 *
 * @param text  UTF-8, one whole record without a newline at its end; may be freed on return.
 * @param out   Compact JSON, a view into `render` until its next call.
 *
 * Errors; the offset is a byte of the text. ACCP_E1001: a syntax error, a duplicate key, or over a
 * limit (json_bytes holds for the result too). ACCP_E1004: not UTF-8, a lone surrogate, a key of
 * more than 65,535 bytes, or a depth over json_depth. Cost: O(text_len + length of the result); the
 * stack is constant.
 */
ACCP_API accp_status accp_render_parse(accp_render *render, const char *text, size_t text_len,
                                       accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns how many of the following lines are rows of the table that this line ends with; else 0.
 * Use it to read records from a stream: after the rows, a line that begins with a space continues
 * the record, and may end with a table again.
 *
 * @param text  The first line of a record, or a line that continues it.
 */
ACCP_API uint64_t accp_render_row_count(const char *text, size_t text_len) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
