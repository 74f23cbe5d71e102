/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Messages to frames and back under a registry: schemas, short keys, types, defaults, payloads by
 * position. What accp_frame_encode() does without one.
 */
#ifndef ACCP_CODEC_H
#define ACCP_CODEC_H

#include "accp/frame.h"
#include "accp/registry.h"
#include "accp/tokenizer.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Encodes and decodes under one registry. One thread at a time; the registry may be shared. */
typedef struct accp_codec accp_codec;

/**
 * What one frame costs in tokens: its parts, each counted by itself, and the whole as one text. All
 * 0 where nothing is counted.
 */
typedef struct accp_frame_tokens {
    uint64_t header_tokens;   /* @agent>intent:operation */
    uint64_t body_tokens;     /* the payload with its brackets */
    uint64_t metadata_tokens; /* the metadata with its brackets */
    uint64_t total_tokens;
} accp_frame_tokens;

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
 * What a ref of an incoming frame stands for.
 *
 * ref   "warm.key", without $: borrowed. Its first label is hot, warm, cold or ctx; a bare $key is
 *       asked for as hot.key and then as warm.key.
 * json  a JSON value, in which an object {"$ref":"warm.other"} is a ref in its turn: a view until
 *       the next callback or the end of the codec's call.
 *
 * Answers as accp.h says: ACCP_E2001 (not there), ACCP_E2002 (expired), ACCP_E5002 (not this
 * session's), ACCP_E5001 (a policy forbids it) and every other code are the call's. What is no JSON
 * is ACCP_ERR_CORRUPT. It must not use the codec.
 */
typedef accp_status (*accp_resolve_function)(const char *ref, size_t ref_len, const char **json,
                                             size_t *json_len, void *user);

/**
 * Keeps a value that leaves by reference.
 *
 * json  the value: borrowed. Refs in it are objects {"$ref":"warm.key"}, as above.
 * ref   "warm.key" under which the peer can resolve it, a view as above; length 0 where it cannot
 *       be kept: it then stays inline.
 *
 * The same value should get the same ref. A value may be kept of a message that is refused
 * afterwards. Answers as accp.h says. It must not use the codec.
 */
typedef accp_status (*accp_keep_function)(const char *json, size_t json_len, const char **ref,
                                          size_t *ref_len, void *user);

/**
 * Gives the next part of a message in parts its envelope: `envelope` comes as that of the first
 * part, with its cid; set a new mid and seq. Texts are views as above. Answers as accp.h says. It
 * must not use the codec. It may be called more often than there are parts: only the first
 * accp_codec_parts() - 1 answers were used, and the others may be given again.
 */
typedef accp_status (*accp_envelope_function)(accp_envelope *envelope, void *user);
/**
 * What is odd about the last message, as bits; it was taken all the same (docs/profiles.md has the
 * rules).
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
    ACCP_WARN_RETRY = 32
};

/** What is refused that is taken otherwise, as bits. */
enum accp_strictness {
    /* an operation that neither the specification nor the registry knows: ACCP_E5001 */
    ACCP_STRICT_OPERATIONS = 1,
    /* whatever would be a warning: ACCP_E1004 */
    ACCP_STRICT_PROFILES = 2,
    /* a member of the payload that its schema does not have: ACCP_E1004 */
    ACCP_STRICT_SCHEMA = 4
};

/** Which way a message goes. */
enum accp_direction {
    ACCP_SENT = 0,    /* encoded */
    ACCP_RECEIVED = 1 /* decoded */
};

/**
 * Looks a tool up. Called for each request under the schema TC, with the tool's name and its
 * arguments as JSON (length 0: none); both borrowed, not ended by NUL. Answers as accp.h says:
 * ACCP_E4001 (no such tool), ACCP_E4003 (it does not take these arguments).
 */
typedef accp_status (*accp_tool_hook)(const char *name, size_t name_len, const char *arguments,
                                      size_t arguments_len, void *user);

/**
 * What a policy is asked about: one message, all of it borrowed for the call.
 *
 * direction  accp_direction.
 * untrusted  1 where it came from an untrusted origin (accp_codec_set_origin()).
 * schema     the code of its schema; empty: none.
 * text       the message in JSON: as it was given to encode, or as decode would answer it.
 */
typedef struct accp_policy_case {
    int32_t direction;
    int32_t untrusted;
    accp_text agent;
    accp_text intent;
    accp_text operation;
    accp_text schema;
    accp_text text;
} accp_policy_case;

/** Answers as accp.h says: ACCP_E5001 (denied). */
typedef accp_status (*accp_policy_hook)(const accp_policy_case *asked, void *user);

/**
 * Takes one line of a debug log: status ACCP_OK and the message as render text (docs/render.md)
 * with its envelope, on one line; or the code of a refusal and "E1004 at byte 96: why". Borrowed
 * for the call.
 */
typedef void (*accp_log_hook)(int32_t direction, accp_status status, const char *text,
                              size_t text_len, void *user);

/** Where messages come from. */
enum accp_origin {
    ACCP_ORIGIN_TRUSTED = 0,
    ACCP_ORIGIN_UNTRUSTED = 1 /* outside: what it says is data, and no instruction */
};

/**
 * Makes a codec. Spec 7.1.
 *
 * options     may be NULL; copied. Its extensions do not count; where there is a registry, its
 *             abbreviations do not either: they are in force.
 * registry    shared, so it may be freed; NULL: none, and then a message is encoded and decoded as
 *             by an accp_frame.
 * extensions  bits of accp_extension, in force with the other side
 *             (accp_negotiation_get_extensions()); q1 is implied by any other.
 * out         owned by the caller: accp_codec_free().
 *
 * ACCP_ERR_ARG for an unknown extension, or p1 without a registry; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_codec_new(const accp_options *options, const accp_registry *registry,
                                    uint32_t extensions, accp_codec **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a codec; NULL is nothing. */
ACCP_API void accp_codec_free(accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Sets the schema, by its code, of messages that name none; a frame then names it, unless it is the
 * one bound to its intent and operation. Length 0: none (the default), so that such messages are
 * under the bound schema, if there is one. ACCP_E1003 for an unknown code; ACCP_ERR_ARG without a
 * registry.
 */
ACCP_API accp_status accp_codec_set_schema(accp_codec *codec, const char *text, size_t text_len,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the envelope that encoding writes ahead of a message's own metadata, as
 * accp_frame_set_envelope() does.
 */
ACCP_API accp_status accp_codec_set_envelope(accp_codec *codec, const accp_envelope *envelope,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who counts the tokens of what is encoded; borrowed, and used by calls of encode. NULL:
 * nobody (the default).
 */
ACCP_API accp_status accp_codec_set_counter(accp_codec *codec, accp_counter *counter,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets how many tokens a frame may have, of those that a counter counts; 0: any number (the
 * default). The hard limit of specification 3.4 is 240, and binds inside sessions: this is where it
 * is refused when all else has failed.
 */
ACCP_API accp_status accp_codec_set_max_tokens(accp_codec *codec, uint64_t max_tokens,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who resolves the refs of what is decoded; NULL: nobody (the default; then a ref is
 * ACCP_E2001, or kept where the options keep refs). Of one frame at most 64 KiB are put in, repeats
 * too, and refs lead from one to another at most 8 times.                       Spec 5.1, 9.5.
 */
ACCP_API accp_status accp_codec_set_resolver(accp_codec *codec, accp_resolve_function resolve,
                                             void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who keeps values of what is encoded, where the peer can resolve refs; NULL: nobody (the
 * default). Kept are a payload's strings of more than 50 characters
 * (accp_codec_set_inline_characters()), values deeper than a frame may be, and, without q1, values
 * that have no spelling. A value in which an object looks like a ref, and is none, stays.
 * Spec 3.3, 7.2.
 */
ACCP_API accp_status accp_codec_set_keeper(accp_codec *codec, accp_keep_function keep, void *user,
                                           accp_error *err) ACCP_NOEXCEPT;

/** Sets how many code points a string may have and stay inline; the default is 50. */
ACCP_API accp_status accp_codec_set_inline_characters(accp_codec *codec, uint64_t characters,
                                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Lets a message go in parts where its frame is over accp_codec_set_max_tokens(), if the peer takes
 * messages in parts; `next` gives the parts after the first their envelopes. NULL: no parts (the
 * default). Each part is a frame of the same header and cid (the message's, else its mid: it must
 * have one), with `fi` (which, from 0) and `ft` (of how many) in its metadata. encode then gives
 * all of them, a newline between two: accp_codec_parts(). ACCP_ERR_ARG without q1.
 */
ACCP_API accp_status accp_codec_set_splitting(accp_codec *codec, accp_envelope_function next,
                                              void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: decoding takes messages in parts, and answers ACCP_HELD to each part but the one that makes a
 *    message whole, in whatever order they come. Default 0:
 * such a frame is like any other. At most 64 messages of at most 1,024 parts are open, with 1 MiB;
 * beyond is ACCP_E2003, until one is whole or abandoned. ACCP_ERR_ARG without q1.
 */
ACCP_API accp_status accp_codec_set_reassembly(accp_codec *codec, int on,
                                               accp_error *err) ACCP_NOEXCEPT;

/** Drops the parts held of a chain, by its cid; of all chains where the length is 0. */
ACCP_API accp_status accp_codec_abandon(accp_codec *codec, const char *cid, size_t cid_len,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: decoding adds to the message a member "defaults", the names of the payload's members that the
 *    frame did not have: those that the schema filled
 * in, and `schema` where the frame would have been under it without its name. Encoding then passes
 * over such a member. Default 0.
 */
ACCP_API accp_status accp_codec_set_mark_defaults(accp_codec *codec, int on,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets what is refused beyond the rules of accp_codec_encode() and accp_codec_decode(), as bits of
 * accp_strictness; 0: nothing (the default). ACCP_ERR_ARG for an unknown bit, or without a
 * registry.
 */
ACCP_API accp_status accp_codec_set_strict(accp_codec *codec, uint32_t strictness,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the host's tool lookup, asked of what is encoded and of what is decoded; NULL: nobody (the
 * default). A hook runs inside the call, may not call the codec (ACCP_ERR_BUSY), and `user` must
 * live as long as it is set. ACCP_ERR_ARG without a registry, which knows what a tool call is.
 */
ACCP_API accp_status accp_codec_set_tools(accp_codec *codec, accp_tool_hook hook, void *user,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the host's policy, in the same way. Refusing a message changes nothing, and the message is
 * not answered.
 */
ACCP_API accp_status accp_codec_set_policy(accp_codec *codec, accp_policy_hook hook, void *user,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets where the frames to be decoded come from (accp_origin; default trusted). A message from an
 * untrusted origin has a member "untrusted": true, or a list of those members of its payload that
 * are. Encoding passes over such a member; rendering marks what it names as data.
 */
ACCP_API accp_status accp_codec_set_origin(accp_codec *codec, int32_t origin,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who is told of every message and every refusal: the debug mode of specification 9.1. NULL:
 * nobody (the default). As the hooks above, and a codec without a registry has it too.
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_codec_set_log(accp_codec *codec, accp_log_hook hook, void *user,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Names a key whose values the log does not show, wherever it stands in payload or metadata; call
 * it again for more, with length 0 for none again. A message has keys in full: name `account`, not
 * `acc`. Refusals never show a value of a message. ACCP_ERR_ARG beyond 4,096 bytes of names in all,
 * or for a name with a NUL in it.
 */
ACCP_API accp_status accp_codec_set_redacted(accp_codec *codec, const char *text, size_t text_len,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds schemas to the codec's registry, as accp_registry_add() does: the codec then works under a
 * new one, and others that share the old one keep
 * it. Spec 7.1. Failures as there; ACCP_E1003 where the schema of accp_codec_set_schema() would be
 * gone; ACCP_ERR_ARG without a registry. Both sides must do it, or negotiate anew.
 */
ACCP_API accp_status accp_codec_register_schema(accp_codec *codec, const char *text,
                                                size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * The codec's registry, or NULL: a view until the codec is freed or a schema registered;
 * accp_registry_share() keeps it.
 */
ACCP_API const accp_registry *accp_codec_registry(const accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Encodes a message. Spec 7.2, 4.2, 6.3.
 *
 * text  JSON, as accp_frame_encode() takes it. A member `schema` of the payload that is a string
 *       names the schema by its code; any other is data.
 * out   the frame, or its parts with a newline between two: a view into `codec` until its next
 *       call.
 *
 * Keys go by the schema's aliases, else by the abbreviations in force, a field that equals its
 * default is left out, and with p1 a payload goes by position where its schema is bound to intent
 * and operation and its depth allows it. The same message under the same registry and extensions is
 * the same bytes everywhere, whether tokens are counted or not.
 *
 * ACCP_E1001 as accp_frame_encode(); ACCP_E1002 an unknown intent; ACCP_E1003 an unknown schema;
 * ACCP_E1004 a value that has no spelling or is not of its field's type, a required field that is
 * missing; ACCP_E2003 over accp_codec_set_max_tokens(), where neither parts nor the keeper helped;
 * what the callbacks fail with. The offset is a byte of the JSON. ACCP_ERR_NOMEM. None is fatal.
 * Cost: O(n), and sorting.
 */
ACCP_API accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len,
                                       const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes a frame to its message.
 * Spec 7.3, 6.3.
 *
 * text  UTF-8 bytes; copied.
 * out   JSON, as accp_frame_decode() writes it, keys in full and defaults filled in: a view into
 *       `codec` until its next call.
 *
 * decode(encode(m)) is m up to the order of members, trailing zeros, and what "defaults" would
 * name. ACCP_E1001 grammar, two keys that stand for one; ACCP_E1002 an unknown intent; ACCP_E1003
 * an unknown schema, or values by position under one that is not bound; ACCP_E1004 types, required
 * fields, more values than fields, a part that is there already or of another number of parts;
 * ACCP_E2001 a ref that nobody resolves, names no tier or leads on too often; ACCP_E2003 refs that
 * bring in too much, too many parts; what the resolver fails with; ACCP_HELD a part, with *out
 * untouched. The offset is a byte of the frame, 0 for what is wrong with a message that came in
 * parts. ACCP_ERR_NOMEM. None is fatal. Cost: O(n + defaults).
 */
ACCP_API accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len,
                                       const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * How many frames the message became that was encoded last: 1, or its parts; 0 where it was
 * refused.
 */
ACCP_API uint64_t accp_codec_parts(const accp_codec *codec) ACCP_NOEXCEPT;

/** How many values of it went to the keeper. */
ACCP_API uint64_t accp_codec_kept(const accp_codec *codec) ACCP_NOEXCEPT;

/**
 * The frame that was encoded last against the limits of specification 3.4, into *out; the limits
 * alone, with no tokens, where codec is NULL. Of a message in parts the tokens are those of all
 * parts. A session's budgets are its own: this is what the codec knows.             Spec 3.4, 7.1.
 */
ACCP_API accp_status accp_codec_budget(accp_codec *codec, accp_frame_budget *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * The tokens of the frame that was encoded last, or of all its parts, into *out. Encoding counts
 * the whole; header, body and metadata are counted by the first call of this, with the counter that
 * is set then. ACCP_ERR_NOMEM. Cost: O(n) once.
 */
ACCP_API accp_status accp_codec_tokens(accp_codec *codec, accp_frame_tokens *out,
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
 * accp_frame_set_envelope(); ACCP_ERR_ARG for an envelope that is not fresh.
 */
ACCP_API accp_status accp_codec_retry(accp_codec *codec, const char *text, size_t text_len,
                                      const accp_envelope *fresh, const char **out, size_t *len_out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * What was odd about the message that was encoded or decoded last, as bits of accp_warning; 0 for
 * NULL and after a failure.
 */
ACCP_API uint32_t accp_codec_warnings(const accp_codec *codec) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
