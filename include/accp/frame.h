/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Frames as trees. A handle parses one frame after another into an array of nodes over the caller's
 * text. It also prints a frame in canonical form, and converts it to values and back. A frame is
 * accepted or rejected as a whole.
 *
 * @code
 * const char *text = "@planner>req:schedule{task:impl_auth|pri:high}[mid:a00000000001,seq:1]";
 * accp_frame *frame = NULL;
 * accp_envelope envelope;
 * if (accp_frame_new(NULL, &frame, NULL) == ACCP_OK &&
 *     accp_frame_parse(frame, text, strlen(text), NULL) == ACCP_OK &&
 *     accp_frame_envelope(frame, &envelope, NULL) == ACCP_OK) {
 *     const accp_node *nodes = accp_frame_nodes(frame, NULL);
 *     uint32_t task = accp_frame_find(frame, 3, "task", 4);
 *     printf("%.*s, seq %d\n", (int)nodes[task].len, text + nodes[task].offset, (int)envelope.seq);
 * }
 * accp_frame_free(frame);
 * @endcode
 */
#ifndef ACCP_FRAME_H
#define ACCP_FRAME_H

#include "accp/config.h"
#include "accp/types.h"
#include "accp/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A parser for one frame at a time, and its memory. One thread at a time; distinct handles need no
 * lock.
 *
 * It returns two kinds of views: the tree, and the output, which is a text. The next
 * accp_frame_parse() or accp_frame_build() ends both, even if it fails (unless it returns
 * ACCP_ERR_ARG). accp_frame_print() ends the output. No other call ends a view.
 */
typedef struct accp_frame accp_frame;

/**
 * Makes a handle.
 *
 * @param out  Owned by the caller: accp_frame_free().
 */
ACCP_API accp_status accp_frame_new(const accp_config *config, accp_frame **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a handle and every view into it. NULL has no effect. */
ACCP_API void accp_frame_free(accp_frame *frame) ACCP_NOEXCEPT;

/**
 * Parses one frame into the handle's tree. On failure the tree is empty. Spec 3.1, 9.2.
 *
 * @param text  Borrowed, not copied: it must stay unchanged while the tree is used. No terminator
 *              or padding is needed.
 *
 * The name of the intent and the form of the mid are not checked here.
 *
 * Errors: ACCP_E1001 with the offset of the first byte that makes the frame invalid. That is the
 * length if the text ends too early, the second of two equal keys, or the bracket that nests too
 * deep. Cost: O(text_len), with constant stack; once the handle has enough memory it allocates
 * nothing.
 */
ACCP_API accp_status accp_frame_parse(accp_frame *frame, const char *text, size_t text_len,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the tree of the parsed frame. Nodes 0, 1 and 2 are the agent, the intent and the
 * operation. Node 3 is the payload, a map, followed by its children. If nodes[3].next is less than
 * the count, it is the index of the metadata, a map.
 *
 * @param count_out  The number of nodes. 0 before the first frame, after a rejected frame, and
 *                   after accp_frame_build().
 */
ACCP_API const accp_node *accp_frame_nodes(const accp_frame *frame,
                                           size_t *count_out) ACCP_NOEXCEPT;

/** Returns the text that was parsed, which the nodes point into; empty if there is no tree. */
ACCP_API accp_text accp_frame_text(const accp_frame *frame) ACCP_NOEXCEPT;

/**
 * Returns the index of the child with this key, or 0 if no child has it (node 0 is never a child).
 * Cost: linear in the number of children.
 *
 * @param parent  The index of a map.
 * @param key     As the frame spells it.
 */
ACCP_API uint32_t accp_frame_find(const accp_frame *frame, uint32_t parent, const char *key,
                                  size_t key_len) ACCP_NOEXCEPT;

/**
 * Copies the text of one scalar node without its escapes into a buffer, without NUL. Otherwise it
 * is as in the frame: `~` and `true` stay, and q1 is not decoded (accp_frame_payload() does that).
 *
 * @param index    The index of the node.
 * @param buf      May be NULL to get the length only.
 * @param len_out  The length of the text. Also set if the buffer is too small.
 *
 * Errors: ACCP_ERR_SPACE if buf_len is too small. ACCP_ERR_ARG for an index that is out of range,
 * or of an array or map.
 */
ACCP_API accp_status accp_frame_string(const accp_frame *frame, uint32_t index, char *buf,
                                       size_t buf_len, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the value of an ACCP_INT node. Errors: ACCP_E1004 with its offset if it does not fit
 * int64_t; ACCP_ERR_ARG for another kind.
 *
 * @param index  The index of the node.
 */
ACCP_API accp_status accp_frame_int(const accp_frame *frame, uint32_t index, int64_t *out,
                                    accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the parsed frame in canonical form: maps sorted by bytes, decimals without trailing zeros,
 * everything escaped that the strict grammar requires, params in their order. The canonical form of
 * a canonical form is the same. Spec 3.1.1.
 *
 * @param out  The output, a view into `frame`. The tree stays valid.
 *
 * Errors: ACCP_E1004 with its offset for a decimal of more than six places; ACCP_ERR_ARG if there
 * is no frame. Cost: O(n log n).
 */
ACCP_API accp_status accp_frame_print(accp_frame *frame, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the envelope of the parsed frame. Absent fields are 0 and empty. Its texts have no
 * escapes and are valid as long as the text that was parsed.
 *
 * Errors: ACCP_E1001 with its offset for a field of the wrong type: a seq, ts or ttl that is not an
 * integer from 0 to 2^63 - 1, or a mid, cid, aid or sid that is not plain text without escapes.
 * ACCP_ERR_ARG if there is no frame.
 */
ACCP_API accp_status accp_frame_envelope(const accp_frame *frame, accp_envelope *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the envelope that encoding writes before a message's own metadata, in the order mid, seq,
 * ts, cid, aid, sid, ttl. A field that the message has itself is the message's. The envelope stays
 * set until the next call: give each frame its own mid and seq.
 *
 * @param envelope  Copied. NULL: none (the default).
 *
 * Errors: ACCP_E1004 for text that is empty, longer than the limit key_bytes, or has characters
 * that are not safe in a frame. ACCP_ERR_ARG for a negative number or an unknown bit of `fields`.
 */
ACCP_API accp_status accp_frame_set_envelope(accp_frame *frame, const accp_envelope *envelope,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a mid that costs few tokens into a buffer: 12 bytes without NUL, a letter followed by
 * digits. It is valid hex and is always read as a string.
 *
 * @param letter  0 to 5 for `a` to `f`.
 * @param issuer  0 if there is one sender; the counter then goes up to 10^11 - 1. 1 to 99 if
 *                several send in one session; each counter then goes up to 10^9 - 1.
 * @param buf     12 bytes.
 *
 * Returns ACCP_ERR_ARG for a number out of range.
 */
ACCP_API accp_status accp_mid_format(uint32_t letter, uint32_t issuer, uint64_t counter, char *buf,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes the payload of the parsed frame into a value, under the extensions of the frame's config:
 * q1 text and keys, t1 tables. Refs stay refs.
 *
 * @param out  Replaced by the payload: a map, or a string if the payload is a text. It does not
 *             need the frame or its text afterwards. Empty on failure.
 *
 * Errors: ACCP_E1001, ACCP_E1004 as accp_codec_decode(). ACCP_ERR_ARG if there is no frame, or if
 * its text is a view into `out`. Cost: O(n).
 */
ACCP_API accp_status accp_frame_payload(accp_frame *frame, accp_value *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes the metadata of the parsed frame, as accp_frame_payload() does the payload. Without
 * metadata `out` becomes an empty map.
 *
 * @param out  Replaced by the metadata. Empty on failure.
 */
ACCP_API accp_status accp_frame_meta(accp_frame *frame, accp_value *out,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Builds a frame from values, under the frame's config and envelope, as accp_codec_encode() does
 * from JSON. The tree becomes empty.
 *
 * @param agent,intent,operation  As in the grammar.
 * @param payload                 A complete map, or a string.
 * @param meta                    A complete map, or NULL. It may be the same value as `payload`.
 * @param out                     The output, a view into `frame`.
 *
 * Errors: ACCP_E1001, ACCP_E1004 as accp_codec_encode(), but the offset is the index of the
 * rejected node in payload or meta. ACCP_ERR_ARG for a value of another kind or an incomplete one.
 * Cost: O(n).
 */
ACCP_API accp_status accp_frame_build(accp_frame *frame, accp_text agent, accp_text intent,
                                      accp_text operation, const accp_value *payload,
                                      const accp_value *meta, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
