/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Frames: `@planner>req:schedule{task:impl_auth|pri:high}[mid:a00000000001,seq:1]`. A handle parses
 * one frame after another into a flat tree over the caller's own text, prints it canonically, and
 * turns it into values and back. A frame is taken whole or refused whole.
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
 * One frame at a time, and the memory to work on it. One thread at a time; distinct handles need no
 * lock. Two things are handed out as views: the tree, and the output, a text. Both end with the
 * next accp_frame_parse() or accp_frame_build(), also when it fails (but for ACCP_ERR_ARG); the
 * output with accp_frame_print() too. Every other call leaves them alone.
 */
typedef struct accp_frame accp_frame;

/**
 * Makes a handle. config may be NULL for every default; copied. *out is owned by the caller:
 * accp_frame_free(). ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_frame_new(const accp_config *config, accp_frame **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a handle and every view into it; NULL is nothing. */
ACCP_API void accp_frame_free(accp_frame *frame) ACCP_NOEXCEPT;

/**
 * Parses one frame into the handle's tree.
 * Spec 3.1, 9.2.
 *
 * text  no terminator or padding needed. Borrowed, not copied: it must stay as it is for as long as
 *       the tree is used.
 *
 * ACCP_E1001 with the offset of the first byte that no continuation can mend (the length where the
 * text ends too early; the second of two equal keys; the bracket that goes too deep);
 * ACCP_ERR_NOMEM. On failure the tree is empty. The intent's name and the form of mid are not
 * checked here. Cost: O(len), no heap call once warm, stack constant.
 */
ACCP_API accp_status accp_frame_parse(accp_frame *frame, const char *text, size_t text_len,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * The whole tree in one call, over the text that was parsed: nodes 0, 1 and 2 are the agent, the
 * intent and the operation, node 3 the payload (a map, whose children follow), and
 * nodes[nodes[3].next], where that is below *count_out, the metadata (a map). *count_out is 0
 * before the first frame, after a refused one, and after accp_frame_build().
 * The view ends with the tree.
 */
ACCP_API const accp_node *accp_frame_nodes(const accp_frame *frame,
                                           size_t *count_out) ACCP_NOEXCEPT;

/** The text that the nodes point into: what was parsed; empty where there is no tree. */
ACCP_API accp_text accp_frame_text(const accp_frame *frame) ACCP_NOEXCEPT;

/**
 * The index of the child of node `parent`, a map, that has this key as the frame spells it, or 0
 * where there is none (node 0 is never a child). Cost: linear in the number of children.
 */
ACCP_API uint32_t accp_frame_find(const accp_frame *frame, uint32_t parent, const char *key,
                                  size_t key_len) ACCP_NOEXCEPT;

/**
 * The text of one scalar node with its escapes taken out: into `buf` (no NUL), its length into
 * *len_out. As in the frame otherwise: `~`, `true`, and q1 is not decoded here
 * (accp_frame_payload() does that). ACCP_ERR_SPACE when buf_len is too small (*len_out then says
 * what is needed; buf may be NULL to ask); ACCP_ERR_ARG for an index out of range, or of an array
 * or map.
 */
ACCP_API accp_status accp_frame_string(const accp_frame *frame, uint32_t index, char *buf,
                                       size_t buf_len, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * The value of an ACCP_INT node that fits int64. ACCP_E1004 for one beyond (its offset),
 * ACCP_ERR_ARG for another kind.
 */
ACCP_API accp_status accp_frame_int(const accp_frame *frame, uint32_t index, int64_t *out,
                                    accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the parsed frame canonically: maps sorted bytewise, decimals without trailing zeros,
 * everything escaped as the strict grammar wants it; params in their order. Printing what was
 * printed changes nothing. Spec 3.1.1.
 *
 * out  a view into `frame`: its output. The tree stays.
 *
 * ACCP_E1004 for a decimal of more than six places (its offset); ACCP_ERR_ARG when there is no
 * frame; ACCP_ERR_NOMEM. Cost: O(n), and sorting.
 */
ACCP_API accp_status accp_frame_print(accp_frame *frame, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * The envelope of the parsed frame; views live as long as the text that was parsed, and hold no
 * escapes. Absent fields are 0 and empty. ACCP_E1001 (with its offset) for a field of the wrong
 * type: a seq, ts or ttl that is no integer from 0 to 2^63 - 1, a mid, cid, aid or sid that is not
 * plain text without escapes. ACCP_ERR_ARG when there is no frame.
 */
ACCP_API accp_status accp_frame_envelope(const accp_frame *frame, accp_envelope *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the envelope that encoding writes ahead of a message's own metadata, in the order mid, seq,
 * ts, cid, aid, sid, ttl; a field that the message names itself is the message's. Copied. NULL:
 * none (the default). It stays in force until it is set again: every frame wants its own mid and
 * seq. ACCP_E1004 for text that is empty, longer than key_bytes, or with characters that are not
 * safe in a frame; ACCP_ERR_ARG for a negative number or an unknown bit of `fields`.
 */
ACCP_API accp_status accp_frame_set_envelope(accp_frame *frame, const accp_envelope *envelope,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a cheap mid into 12 bytes of `buf` (no NUL): a letter `a`-`f`, as letter is 0 to 5, then
 * digits. issuer 0 counts to 10^11 - 1; issuers 1 to 99 share a session and count to 10^9 - 1 each.
 * Legal hex, always read as a string, and cheap in tokens. ACCP_ERR_ARG beyond.
 */
ACCP_API accp_status accp_mid_format(uint32_t letter, uint32_t issuer, uint64_t counter, char *buf,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes the payload of the parsed frame into a value (a map, or the string that a text is), which
 * it replaces, and which then needs the frame and its text no longer; under the extensions of the
 * frame's config: q1 text and keys, t1 tables. ACCP_E1001, ACCP_E1004 as accp_codec_decode(),
 * ACCP_ERR_NOMEM, and `out` is then empty; refs stay refs. ACCP_ERR_ARG when there is no frame, or
 * when its text lies in `out`. Cost: O(n).
 */
ACCP_API accp_status accp_frame_payload(accp_frame *frame, accp_value *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/** Decodes the metadata the same way; an empty map when the frame has none. */
ACCP_API accp_status accp_frame_meta(accp_frame *frame, accp_value *out,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Builds a frame from values, under the frame's config and envelope: accp_codec_encode() for those
 * who have no JSON text. payload and meta are complete maps, and may be one value, or payload is a
 * string; meta may be NULL. agent, intent, operation as the grammar has them. out is a view into
 * `frame`, its output; the tree becomes empty. ACCP_E1001, ACCP_E1004 as accp_codec_encode(), the
 * error's offset being the index of the node that was refused, in payload or meta; ACCP_ERR_ARG for
 * a value that is neither or not complete; ACCP_ERR_NOMEM. Cost: O(n).
 */
ACCP_API accp_status accp_frame_build(accp_frame *frame, accp_text agent, accp_text intent,
                                      accp_text operation, const accp_value *payload,
                                      const accp_value *meta, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
