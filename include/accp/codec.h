/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Messages to frames and back under a registry: schemas, short keys, types, defaults, payloads by position. What accp_frame_encode() does without one.
 */
#ifndef ACCP_CODEC_H
#define ACCP_CODEC_H

#include "accp/registry.h"
#include "accp/tokenizer.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Encodes and decodes under one registry. One thread at a time; the registry may be shared. */
typedef struct accp_codec accp_codec;

/** What one frame costs in tokens: its parts, each counted by itself, and the whole as one text. All 0 where nothing is counted. */
typedef struct accp_frame_tokens {
    uint64_t header_tokens;   /* @agent>intent:operation */
    uint64_t body_tokens;     /* the payload with its brackets */
    uint64_t metadata_tokens; /* the metadata with its brackets */
    uint64_t total_tokens;
} accp_frame_tokens;

/**
 * Makes a codec.                                                                                                Spec 7.1.
 *
 * options     may be NULL; copied. Its extensions do not count; where there is a registry, its abbreviations do not either: they are in force.
 * registry    shared, so it may be freed; NULL: none, and then a message is encoded and decoded as by an accp_frame.
 * extensions  bits of accp_extension, in force with the other side (accp_negotiation_get_extensions()); q1 is implied by any other.
 * out         owned by the caller: accp_codec_free().
 *
 * ACCP_ERR_ARG for an extension that is none, or p1 without a registry; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_codec_new(const accp_options *options, const accp_registry *registry, uint32_t extensions, accp_codec **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a codec; NULL is nothing. Since 1.0. */
ACCP_API void accp_codec_free(accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Sets the schema, by its code, of messages that name none; a frame then names it, unless it is the one bound to its intent and operation. Length 0:
 * none (the default), so that such messages are under the bound schema, if there is one. ACCP_E1003 for an unknown code; ACCP_ERR_ARG without
 * a registry. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_schema(accp_codec *codec, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/** Sets the envelope that encoding writes ahead of a message's own metadata, as accp_frame_set_envelope() does. Since 1.0. */
ACCP_API accp_status accp_codec_set_envelope(accp_codec *codec, const accp_envelope *envelope, accp_error *err) ACCP_NOEXCEPT;

/** Sets who counts the tokens of what is encoded; borrowed, and used by calls of encode. NULL: nobody (the default). Since 1.0. */
ACCP_API accp_status accp_codec_set_counter(accp_codec *codec, accp_counter *counter, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets how many tokens a frame may have, of those that a counter counts; 0: any number (the default). The hard limit of specification 3.4 is 240,
 * and binds inside sessions: this is where it is refused when all else has failed. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_most_tokens(accp_codec *codec, uint64_t most_tokens, accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: decoding adds to the message a member "defaults", the names of the payload's members that the frame did not have: those that the schema filled
 * in, and `schema` where the frame would have been under it without its name. Encoding then passes over such a member. Default 0. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_mark_defaults(accp_codec *codec, int on, accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds schemas to the codec's registry, as accp_registry_add() does: the codec then works under a new one, and others that share the old one keep
 * it.                                                                                                            Spec 7.1.
 * Failures as there; ACCP_E1003 where the schema of accp_codec_set_schema() would be gone; ACCP_ERR_ARG without a registry. Both sides must do
 * it, or negotiate anew. Since 1.0.
 */
ACCP_API accp_status accp_codec_register_schema(accp_codec *codec, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/** The codec's registry, or NULL: a view until the codec is freed or a schema registered; accp_registry_share() keeps it. Since 1.0. */
ACCP_API const accp_registry *accp_codec_registry(const accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Encodes a message.                                                                                          Spec 7.2, 4.2, 6.3.
 *
 * text  JSON, as accp_frame_encode() takes it. A member `schema` of the payload that is a string names the schema by its code; any other is data.
 * out   the frame: a view into `codec` until its next call.
 *
 * Keys go by the schema's aliases, else by the abbreviations in force, a field that equals its default is left out, and with p1 a payload goes by
 * position where its schema is bound to intent and operation and its depth allows it. The same message under the same registry and extensions
 * is the same bytes everywhere, whether tokens are counted or not.
 *
 * ACCP_E1001 as accp_frame_encode(); ACCP_E1002 an unknown intent; ACCP_E1003 an unknown schema; ACCP_E1004 a value that has no spelling or is not of
 * its field's type, a required field that is missing; ACCP_E2003 over accp_codec_set_most_tokens(). The offset is a byte of the JSON. ACCP_ERR_NOMEM.
 * None is fatal. Cost: O(n), and sorting. Since 1.0.
 */
ACCP_API accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes a frame to its message.                                                                            Spec 7.3, 6.3.
 *
 * text  UTF-8 bytes; copied.
 * out   JSON, as accp_frame_decode() writes it, keys in full and defaults filled in: a view into `codec` until its next call.
 *
 * decode(encode(m)) is m up to the order of members, trailing zeros, and what "defaults" would name. ACCP_E1001 grammar, two keys that stand for one;
 * ACCP_E1002 an unknown intent; ACCP_E1003 an unknown schema, or values by position under one that is not bound; ACCP_E1004 types, required
 * fields, more values than fields; ACCP_E2001 a ref (options may keep refs). The offset is a byte of the frame. ACCP_ERR_NOMEM. None is fatal.
 * Cost: O(n + defaults). Since 1.0.
 */
ACCP_API accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/** The tokens of the frame that was encoded last, into *out. Since 1.0. */
ACCP_API accp_status accp_codec_tokens(const accp_codec *codec, accp_frame_tokens *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
