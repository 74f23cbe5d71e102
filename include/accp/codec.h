/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A codec: messages to frames and back, in JSON. A message is
 *   {"agent":"planner","intent":"req","operation":"schedule","payload":{…},"meta":{…}}
 * with a payload that is an object or, where the message is a text (spec 2.2), a string; where meta
 * may be missing; an empty or null one is no meta, as the grammar has no spelling for it. What is
 * encoded comes back equal, by value, for every JSON value inside the limits (extension q1).
 *
 * Under a registry there are schemas too: short keys, types, defaults, payloads by position. Under
 * the schema ER a frame is an error frame,
 *   @agent>fail:error{code:E3001|msg:connection_timed_out|retry:true|schema:ER}
 * which says that the protocol failed; any other `fail` is a result of the application's own.
 */
#ifndef ACCP_CODEC_H
#define ACCP_CODEC_H

#include "accp/config.h"
#include "accp/registry.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Encodes and decodes under one config. One thread at a time. */
typedef struct accp_codec accp_codec;

/**
 * One part of a frame against its limits (specification 3.4): more than `soft` is worth a warning,
 * more than `hard` a session does not send.
 */
typedef struct accp_part_budget {
    uint64_t tokens, soft, hard;
} accp_part_budget;

/** A frame against its limits. */
typedef struct accp_frame_budget {
    accp_part_budget header, body, metadata, total;
} accp_frame_budget;

/**
 * Warnings from the last call, as bits: its message was taken all the same (docs/profiles.md has
 * the rules).
 */
enum accp_warning {
    /* a tool's answer or a chunk of a stream without its cid; encoding refuses that */
    ACCP_WARN_NO_CID = 1,
    /* a tool's error that is not an error frame; encoding refuses `fail` under TC */
    ACCP_WARN_TOOL_ERROR = 2,
    /* a transaction that cannot be told from its repetition */
    ACCP_WARN_NO_TRANSACTION_ID = 4,
    /* none of ISO 4217 */
    ACCP_WARN_CURRENCY = 8,
    /* an error frame whose code is none; encoding refuses it */
    ACCP_WARN_ERROR_CODE = 16,
    /* an error frame whose retry is not what the error model says */
    ACCP_WARN_RETRY = 32,
    /* done, fail or ack with a mid, and so of a session, that has no cid: nobody can tell what it
     * answers */
    ACCP_WARN_NO_REQUEST = 64
};

/**
 * What an error frame says.
 *
 * code     the number of the code: ACCP_E3001 for E3001. A peer's may be one that this version has
 *          no name for; ACCP_E9999 where it is none.
 * retry    reading: 1 where sending again may help. Writing: not looked at, the table says it
 *          (accp_status_retryable()).
 * agent    who says it; must be given.
 * message  one line for people. Writing: empty for the name of the code ("TIMEOUT").
 * detail, source   more about it, and where it happened ("api.crm"); empty: none.
 * cid      the correlation id of what failed; empty: none. Written in the metadata; read there,
 *          else in the payload.
 */
typedef struct accp_failure {
    accp_status code;
    int32_t retry;
    accp_text agent;
    accp_text message;
    accp_text detail;
    accp_text source;
    accp_text cid;
} accp_failure;

/**
 * Makes a codec. Spec 7.1.
 *
 * config  may be NULL; what it sets is in force until the codec is freed.
 * out     owned by the caller: accp_codec_free().
 *
 * ACCP_E1003 where the registry does not have the config's schema. ACCP_ERR_ARG for p1, a schema,
 * strictness, or the hooks check_tool and check_policy without a registry, and for messages in
 * parts without q1; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_codec_new(const accp_config *config, accp_codec **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a codec; NULL is nothing. */
ACCP_API void accp_codec_free(accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Sets the envelope that encoding writes ahead of a message's own metadata, in the order mid, seq,
 * ts, cid, aid, sid, ttl; a field that the message names itself is the message's. Copied. NULL:
 * none (the default). It stays in force until it is set again: every frame wants its own mid and
 * seq. ACCP_E1004 for text that is empty, longer than key_bytes, or with characters that are not
 * safe in a frame; ACCP_ERR_ARG for a negative number or an unknown bit of `fields`.
 */
ACCP_API accp_status accp_codec_set_envelope(accp_codec *codec, const accp_envelope *envelope,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets where the frames to be decoded come from (accp_origin; default trusted). A message from an
 * untrusted origin has a member "untrusted": true, or a list of those members of its payload that
 * are. Encoding passes over such a member; rendering marks what it names as data.
 */
ACCP_API accp_status accp_codec_set_origin(accp_codec *codec, int32_t origin,
                                           accp_error *err) ACCP_NOEXCEPT;

/** Drops the parts held of a chain, by its cid; of all chains where the length is 0. */
ACCP_API accp_status accp_codec_remove_parts(accp_codec *codec, const char *cid, size_t cid_len,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds schemas to the codec's registry, as accp_registry_add() does: the codec then works under a
 * new one, and others that share the old one keep it. Spec 7.1. Failures as there; ACCP_E1003 where
 * the schema of accp_config_set_schema() would be gone; ACCP_ERR_ARG without a registry. Both sides
 * must do it, or negotiate anew.
 */
ACCP_API accp_status accp_codec_register_schema(accp_codec *codec, const char *text,
                                                size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * The codec's registry, or NULL: a view until the codec is freed or a schema registered;
 * accp_registry_share() keeps it.
 */
ACCP_API const accp_registry *accp_codec_registry(const accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Encodes a message. Spec 3.1, 3.3, 7.2, 4.2, 6.3.
 *
 * text  the message in JSON, UTF-8. Under a registry a member `schema` of the payload that is a
 *       string names the schema by its code; any other is data.
 * out   the frame, or its parts with a newline between two: a view into `codec` until its next
 *       call.
 *
 * Under a registry keys go by the schema's aliases, else by the abbreviations in force, a field
 * that equals its default is left out, and with p1 a payload goes by position where its schema is
 * bound to intent and operation and its depth allows it. The same message under the same registry
 * and extensions is the same bytes everywhere, whether tokens are counted or not.
 *
 * ACCP_E1001 not JSON, not a message, a duplicate key, or over a limit; ACCP_E1002 an unknown
 * intent (rule any_intent); ACCP_E1003 an unknown schema; ACCP_E1004 a value that has no spelling
 * or is not of its field's type, a required field that is missing; ACCP_E2003 over the rule
 * max_tokens, where neither parts nor `keep` helped; what the hooks fail with. The offset is a byte
 * of the JSON. ACCP_ERR_NOMEM. None is fatal. Cost: O(n), and sorting.
 */
ACCP_API accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len,
                                       accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Encodes an answer: what accp_codec_encode() would, with the cid and the operation of what it
 * answers, and an aid that is its mid. Fields that the answer names itself are its own. Spec 3.5.
 *
 * request  what is answered: the message in JSON, as accp_codec_decode() wrote it.
 * text     the answer, in JSON; it may have no operation.
 *
 * ACCP_E1001 too for a request that is no message, or has neither cid nor mid: the offset is then
 * 0. Else as accp_codec_encode().
 */
ACCP_API accp_status accp_codec_reply(accp_codec *codec, const char *request, size_t request_len,
                                      const char *text, size_t text_len, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes a frame to its message. Spec 7.3, 6.3.
 *
 * text  UTF-8 bytes; copied.
 * out   JSON, keys in full and defaults filled in: a view into `codec` until its next call.
 *
 * decode(encode(m)) is m up to the order of members, trailing zeros, and what "defaults" would
 * name. ACCP_E1001 grammar, limits, two keys that stand for one; ACCP_E1002 an unknown intent
 * (rule any_intent); ACCP_E1003 an unknown schema, or values by position under one that is not
 * bound; ACCP_E1004 types, required fields, more values than fields, a part that is there already
 * or of another number of parts; ACCP_E2001 a ref that nobody resolves, that names no tier, or that
 * leads on too often; ACCP_E2003 refs that bring in too much, too many parts; what the hooks fail
 * with; ACCP_HELD a part, with *out untouched. The offset is a byte of the frame, 0 for what is
 * wrong with a message that came in parts. ACCP_ERR_NOMEM. None is fatal. Cost: O(n + defaults).
 */
ACCP_API accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len,
                                       accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The tokens of the frame that was encoded last, against the limits of specification 3.4, into
 * *out; the limits alone, with no tokens, where codec is NULL or counts nothing. Of a message in
 * parts the tokens are those of all parts. Encoding counts the whole; header, body and metadata are
 * counted by the first call of this. A session's budgets are its own: this is what the codec knows.
 * ACCP_ERR_NOMEM. Cost: O(n) once. Spec 3.4, 7.1.
 */
ACCP_API accp_status accp_codec_budget(accp_codec *codec, accp_frame_budget *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes the frame that sends a frame again (specification 3.7, 10.3): the same header and payload,
 * byte for byte, so that a transaction keeps its transaction_id; the mid, seq and ts of `fresh`;
 * the cid that it had, or else the mid, which is what its answers name; aid, sid and ttl as they
 * were, unless `fresh` has them. Only what failed with a retryable code may be sent again
 * (accp_status_retryable()).
 *
 * text   the frame that was sent.
 * fresh  with a mid of its own and a higher seq; a ts where the frame had one.
 * out    a view into `codec` until its next call.
 *
 * ACCP_E1001 for what is no frame, or has neither mid nor cid; ACCP_E1004 as
 * accp_codec_set_envelope(); ACCP_ERR_ARG for an envelope that is not fresh.
 */
ACCP_API accp_status accp_codec_retry(accp_codec *codec, const char *text, size_t text_len,
                                      const accp_envelope *fresh, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * What became of the message that was encoded or decoded last.
 *
 * parts     frames that encoding made: 1, or its parts; 0 where it was refused, or decoded.
 * kept      values of it that went to the hook `keep`.
 * warnings  from it, as bits of accp_warning; 0 where it was refused.
 */
typedef struct accp_outcome {
    uint64_t parts;
    uint64_t kept;
    uint32_t warnings;
    uint32_t reserved; /* 0 */
} accp_outcome;

/** That of the last message, into *out. */
ACCP_API accp_status accp_codec_outcome(const accp_codec *codec, accp_outcome *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes an error frame, as accp_codec_encode() writes the same message. Spec 3.6.
 *
 * failure  borrowed for the call; its code is one that the specification defines, else
 *          ACCP_ERR_ARG.
 * out      a view into `codec` until its next call.
 *
 * ACCP_ERR_ARG for a codec without a registry; else fails as accp_codec_encode(): ACCP_E1004 for
 * text that has no spelling under the extensions in force.
 */
ACCP_API accp_status accp_codec_encode_failure(accp_codec *codec, const accp_failure *failure,
                                               accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * What the frame that was decoded last says as an error frame, into *out. Spec 3.6.
 *
 * out  its code is 0 where the frame was none, was refused, or there is no registry, which knows
 *      what an error frame is; else texts are views into `codec`
 *      until its next call. A detail that is no string is left empty here, and stands in what
 *      accp_codec_decode() answered.
 *
 * ACCP_ERR_NOMEM. Cost: O(n).
 */
ACCP_API accp_status accp_codec_failure(accp_codec *codec, accp_failure *out,
                                        accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
