/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Codecs convert messages in JSON to frames and back. A message has this form; `meta` may be
 * missing, and an empty or null one is no meta:
 *
 *     {"agent":"planner","intent":"req","operation":"schedule","payload":{…},"meta":{…}}
 *
 * The payload is an object, or a string if the message is a text (Spec 2.2). With the extension q1,
 * which is the default, every JSON value within the limits is encoded without loss. With a registry
 * a codec also uses schemas: short keys, types, defaults, payloads by position. Under the schema ER
 * a frame is an error frame, which means that the protocol failed; any other `fail` is a result of
 * the application. See docs/codec.md.
 *
 * @code
 * const char *json = "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"schedule\","
 *                    "\"payload\":{\"task\":\"impl_auth\",\"priority\":\"high\"}}";
 * accp_registry *registry = NULL;
 * accp_config *config = NULL;
 * accp_codec *codec = NULL;
 * accp_text frame;
 * if (accp_registry_new(NULL, 0, ACCP_PROFILE_ALL, NULL, &registry, NULL) == ACCP_OK &&
 *     accp_config_new(&config, NULL) == ACCP_OK &&
 *     accp_config_set_registry(config, registry, NULL) == ACCP_OK &&
 *     accp_codec_new(config, &codec, NULL) == ACCP_OK &&
 *     accp_codec_encode(codec, json, strlen(json), &frame, NULL) == ACCP_OK)
 *     printf("%.*s\n", (int)frame.len, frame.text);
 * accp_codec_free(codec);
 * accp_config_free(config);
 * accp_registry_free(registry);
 * @endcode
 */
#ifndef ACCP_CODEC_H
#define ACCP_CODEC_H

#include "accp/config.h"
#include "accp/registry.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Encodes and decodes with one config. One thread at a time. */
typedef struct accp_codec accp_codec;

/** The tokens of one part of a frame and its limits. Spec 3.4. */
typedef struct accp_part_budget {
    uint64_t tokens, /**< The tokens of the part. */
        soft,        /**< Above this limit a warning is due. */
        hard;        /**< Above this limit a session does not send the frame. */
} accp_part_budget;

/** The tokens of a frame and their limits. */
typedef struct accp_frame_budget {
    accp_part_budget header, /**< Agent, intent and operation. */
        body,                /**< The payload. */
        metadata,            /**< The metadata. */
        total;               /**< The whole frame. */
} accp_frame_budget;

/**
 * Warnings from the last call, as bits. The message was accepted. docs/codec.md has the rules.
 */
enum accp_warning {
    /** A tool's result or a chunk of a stream without its cid. Encoding rejects it. */
    ACCP_WARN_NO_CID = 1,
    /** A tool's error that is not an error frame. Encoding rejects `fail` under TC. */
    ACCP_WARN_TOOL_ERROR = 2,
    /** A transaction without an id: a repetition cannot be recognized. */
    ACCP_WARN_NO_TRANSACTION_ID = 4,
    /** A currency that is not in ISO 4217. */
    ACCP_WARN_CURRENCY = 8,
    /** An error frame without a valid code. Encoding rejects it. */
    ACCP_WARN_ERROR_CODE = 16,
    /** An error frame whose `retry` differs from the error model. */
    ACCP_WARN_RETRY = 32,
    /** A done, fail or ack with a mid (so it belongs to a session), but without the cid of its
     * request. */
    ACCP_WARN_NO_REQUEST = 64
};

/** The content of an error frame. */
typedef struct accp_failure {
    /** The code: ACCP_E3001 for E3001. A peer's code may be unknown to this version. ACCP_E9999 if
     * the frame has no valid code. */
    accp_status code;
    /** Reading: 1 if sending again may help. Writing: ignored, accp_status_is_retryable() is used.
     */
    int32_t retry;
    /** The sender; required. */
    accp_text agent;
    /** One line for people. Writing: if it is empty, the name of the code is written
     * ("TIMEOUT"). */
    accp_text message;
    /** More details, or empty. */
    accp_text detail;
    /** Where it happened ("api.crm"), or empty. */
    accp_text source;
    /** The correlation id of the failed request, or empty. It is written to the metadata. It is
     * read from the metadata, or else from the payload. */
    accp_text cid;
} accp_failure;

/**
 * Makes a codec. Spec 7.1.
 *
 * @param config  Copied; it holds until the codec is freed.
 * @param out     Owned by the caller: accp_codec_free().
 *
 * Errors: ACCP_E1003 if the registry does not have the config's schema. ACCP_ERR_ARG if the config
 * has no registry, but p1, a schema, strictness, or the hook check_tool or check_policy; or if it
 * has messages in parts without q1.
 */
ACCP_API accp_status accp_codec_new(const accp_config *config, accp_codec **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a codec and every view into it. NULL has no effect. */
ACCP_API void accp_codec_free(accp_codec *codec) ACCP_NOEXCEPT;

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
ACCP_API accp_status accp_codec_set_envelope(accp_codec *codec, const accp_envelope *envelope,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the origin of the frames to decode (accp_origin; the default is trusted). A decoded message
 * from an untrusted origin has a member "untrusted": true, or a list of the untrusted members of
 * its payload. Encoding ignores that member; rendering marks its content as data.
 */
ACCP_API accp_status accp_codec_set_origin(accp_codec *codec, int32_t origin,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Drops the parts that are held for a chain. A cid of length 0 drops the parts of all chains.
 *
 * @param cid  The correlation id of the chain.
 */
ACCP_API accp_status accp_codec_remove_parts(accp_codec *codec, const char *cid, size_t cid_len,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds schemas to the codec's registry, as accp_registry_add() does. The codec then has a new
 * registry; other owners keep the old one. Both sides must do it, or negotiate again. Spec 7.1.
 *
 * @param text  The document, as for accp_registry_add().
 *
 * Errors: those of accp_registry_add(). ACCP_E1003 if the new registry lacks the schema of
 * accp_config_set_schema(). ACCP_ERR_ARG without a registry.
 */
ACCP_API accp_status accp_codec_register_schema(accp_codec *codec, const char *text,
                                                size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the codec's registry, or NULL. The view is valid until the codec is freed or a schema is
 * registered. accp_registry_share() keeps the registry longer.
 */
ACCP_API const accp_registry *accp_codec_registry(const accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Encodes a message as a frame. The result depends only on the message, the registry and the
 * extensions: it is the same on every machine. Spec 3.1, 3.3, 7.2, 4.2, 6.3.
 *
 * @param text  The message in JSON. With a registry a string member `schema` of the payload names
 *              the schema by its code; any other value of it is data.
 * @param out   The frame, or its parts separated by newlines: a view into `codec` until its next
 *              call.
 *
 * With a registry a key is the schema's alias, or else its abbreviation. A field that equals its
 * default is left out. With p1 a payload goes by position if its schema is bound to intent and
 * operation and its depth allows it.
 *
 * Errors; the offset is a byte of the JSON. ACCP_E1001: not JSON, not a message, a duplicate key,
 * or over a limit. ACCP_E1002: an unknown intent (see the rule any_intent). ACCP_E1003: an unknown
 * schema. ACCP_E1004: a value that cannot be encoded or has the wrong type, or a missing required
 * field. ACCP_E2003: over the rule max_tokens, even with parts and `keep`. The errors of the hooks.
 * Cost: O(n log n).
 */
ACCP_API accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len,
                                       accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Encodes an answer to a request, as accp_codec_encode() does. The answer gets the cid and the
 * operation of the request, and the request's mid as its aid. Fields that the answer has itself
 * take precedence. Spec 3.5.
 *
 * @param request  The request in JSON, as accp_codec_decode() wrote it.
 * @param text     The answer, in JSON; its operation may be missing.
 * @param out      As accp_codec_encode().
 *
 * Errors: those of accp_codec_encode(). ACCP_E1001 with offset 0 if the request is not a message,
 * or has neither cid nor mid.
 */
ACCP_API accp_status accp_codec_reply(accp_codec *codec, const char *request, size_t request_len,
                                      const char *text, size_t text_len, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes a frame to its message. Decoding an encoded message gives the same message, except for
 * the order of members, trailing zeros, and filled-in defaults. Spec 7.3, 6.3.
 *
 * @param text  The frame; copied.
 * @param out   JSON with full keys and all defaults filled in: a view into `codec` until its next
 *              call.
 *
 * Returns ACCP_HELD, with `out` unchanged, for a part of a message that is not complete yet.
 *
 * Errors; the offset is a byte of the frame, or 0 for an error in a message that came in parts.
 * ACCP_E1001: grammar, limits, two keys with one meaning. ACCP_E1002: an unknown intent (see the
 * rule any_intent). ACCP_E1003: an unknown schema, or values by position under a schema that is not
 * bound. ACCP_E1004: wrong types, missing required fields, too many values, or a part that is a
 * duplicate or has another number of parts. ACCP_E2001: a ref that cannot be resolved, names no
 * tier, or leads to too many other refs. ACCP_E2003: refs that insert too much, or too many parts.
 * The errors of the hooks. Cost: O(n + defaults).
 */
ACCP_API accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len,
                                       accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the tokens of the frame that was encoded last, and their limits. For a message in parts
 * they are those of all parts. If codec is NULL or counts no tokens, it returns only the limits.
 * Budgets of a session are separate. Cost: the first call for a frame counts its parts, O(n). Spec
 * 3.4, 7.1.
 */
ACCP_API accp_status accp_codec_budget(accp_codec *codec, accp_frame_budget *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes the frame that sends a frame again. Header and payload are the same byte for byte, so a
 * transaction keeps its transaction_id. The mid, seq and ts are those of `fresh`. The cid is the
 * old one, or else the old mid, which is what answers refer to. aid, sid and ttl are unchanged
 * unless `fresh` has them. Send again only after a retryable error (accp_status_is_retryable()).
 * Spec 3.7, 10.3.
 *
 * @param text   The frame that was sent.
 * @param fresh  An envelope with a new mid and a higher seq, and with a ts if the frame had one.
 * @param out    A view into `codec` until its next call.
 *
 * Errors: ACCP_E1001 if the text is not a frame, or has neither mid nor cid. ACCP_E1004 as
 * accp_codec_set_envelope(). ACCP_ERR_ARG if the envelope is not new.
 */
ACCP_API accp_status accp_codec_retry(accp_codec *codec, const char *text, size_t text_len,
                                      const accp_envelope *fresh, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/** The outcome of the last message. */
typedef struct accp_outcome {
    /** The number of frames that encoding made: 1, or the number of parts. 0 after decoding or an
     * error. */
    uint64_t parts;
    /** The number of its values that the hook `keep` received. */
    uint64_t kept;
    /** Its warnings, as bits of accp_warning. 0 after an error. */
    uint32_t warnings;
    /** Reserved: 0. */
    uint32_t reserved;
} accp_outcome;

/** Returns the outcome of the message that was encoded or decoded last. */
ACCP_API accp_status accp_codec_outcome(const accp_codec *codec, accp_outcome *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Encodes an error frame, as accp_codec_encode() does with the same message. Spec 3.6.
 *
 * @param failure  Borrowed for the call. Its code is one of the specification.
 * @param out      A view into `codec` until its next call.
 *
 * Errors: ACCP_ERR_ARG for another code, or a codec without a registry. Otherwise those of
 * accp_codec_encode(), such as ACCP_E1004 for text that the extensions cannot encode.
 */
ACCP_API accp_status accp_codec_encode_failure(accp_codec *codec, const accp_failure *failure,
                                               accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the content of the frame that was decoded last, if it is an error frame. Cost: O(n). Spec
 * 3.6.
 *
 * @param out  Its code is 0 if the frame was not an error frame or was rejected, or if the codec
 *             has no registry. Otherwise its texts are views into `codec` until its next call. A
 *             detail that is not a string is empty here; the result of accp_codec_decode() has it.
 */
ACCP_API accp_status accp_codec_failure(accp_codec *codec, accp_failure *out,
                                        accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
