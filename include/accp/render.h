/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The render form: what a model reads in place of JSON (docs/render.md). A message is a line,
 *   @planner req:schedule task:impl_auth ids:[7,"7"] note: Q3 findings
 * without its envelope; an array of like objects is a table with a header and, where there are
 * many, a line a row. It has an exact inverse: from the text alone every value comes back equal.
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
    /* the text came from outside: it says so in front, is one line, and no character in it is
     * invisible */
    ACCP_RENDER_UNTRUSTED = 1,
    /* no table takes a line a row */
    ACCP_RENDER_ONE_LINE = 2,
    /* a message's mid, seq, ts, cid, aid, sid and ttl too, which are left off otherwise */
    ACCP_RENDER_ENVELOPE = 4
};

/** A renderer and its memory. One thread at a time; distinct renderers need no lock. */
typedef struct accp_render accp_render;

/**
 * Makes a renderer. config may be NULL for every default; copied. Of them count: json_bytes,
 * json_depth, key_bytes, memory_bytes, the allocator, the rule abbreviate (the keys of a payload),
 * ignored members, and what a frame is decoded with. *out is owned by the caller:
 * accp_render_free(). ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_render_new(const accp_config *config, accp_render **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees a renderer; NULL is nothing. */
ACCP_API void accp_render_free(accp_render *render) ACCP_NOEXCEPT;

/**
 * Renders one JSON text: an object with agent, intent, operation, payload (an object or a text) and
 * perhaps meta as a message, any other value as it is.
 *
 * render  borrowed, changed: its scratch and its output. One thread at a time.
 * text    UTF-8; may be freed on return.
 * flags   bits of accp_render_flag.
 * out     a view into `render`, until the next call on it. No newline at its end. Untouched unless
 *         ACCP_OK.
 *
 * Never more bytes than the compact JSON of the same, but where something is marked as untrusted.
 * Same value, same flags: the same bytes, on every machine. Fails as accp_value_parse_json() does;
 * ACCP_ERR_ARG for an unknown flag. None is fatal. Cost: O(text_len); stack constant.
 */
ACCP_API accp_status accp_render_json(accp_render *render, const char *text, size_t text_len,
                                      uint32_t flags, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * The same for a frame, with its refs as they are. Fails as accp_codec_decode() does, but for
 * E2001.
 */
ACCP_API accp_status accp_render_frame(accp_render *render, const char *text, size_t text_len,
                                       uint32_t flags, accp_text *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Reads one render text back: the exact inverse of the two above, up to the order of keys and an
 * envelope that was left off. A message comes back as the object that it was.
 *
 * text     UTF-8, the whole record, without a newline at its end; may be freed on return.
 * out      compact JSON, a view into `render` until the next call on it.
 *          Untouched unless ACCP_OK.
 *
 * ACCP_E1001: not of the grammar, a key twice, or over a limit (json_bytes, for what comes out
 * too); ACCP_E1004: not UTF-8, a lone surrogate, a key of more than 65,535 bytes, or deeper than
 * json_depth; ACCP_ERR_NOMEM. The offset is a byte of `text`. None is fatal. Cost: O(text_len +
 * what comes out); stack constant.
 */
ACCP_API accp_status accp_render_parse(accp_render *render, const char *text, size_t text_len,
                                       accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * For reading records from a stream: how many lines after this one hold the rows of the table that
 * it ends with. After them, a line that begins with a space goes on with the same record, and may
 * end with a table again.
 */
ACCP_API uint64_t accp_render_rows(const char *text, size_t text_len) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
