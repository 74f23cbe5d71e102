/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The callbacks of the host: one struct of functions, set in a config. A codec, an engine and a
 * packet call the functions that concern them. A function that is NULL is not called.
 *
 * Each callback runs on the thread of the call that it belongs to. If several threads use handles,
 * callbacks run on several threads at once. A callback must not use the handle that called it
 * (ACCP_ERR_BUSY), but it may free that handle. accp.h lists what a callback may return and do.
 */
#ifndef ACCP_HOOKS_H
#define ACCP_HOOKS_H

#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What a ref of an incoming frame stands for.
 *
 * ref   "warm.key", without $: borrowed. Its first label is hot, warm, cold or ctx; a bare $key is
 *       asked for as hot.key and then as warm.key.
 * json  a JSON value, in which an object {"$ref":"warm.other"} is a ref in its turn.
 *
 * Answers as accp.h says: ACCP_E2001 (not there), ACCP_E2002 (expired), ACCP_E5002 (not this
 * session's), ACCP_E5001 (a policy forbids it) and every other code are the call's. What is no JSON
 * is ACCP_ERR_CORRUPT.
 */
typedef accp_status (*accp_resolve_function)(const char *ref, size_t ref_len, accp_text *json_out,
                                             void *user);

/**
 * Keeps a value that leaves by reference.
 *
 * json  the value: borrowed. Refs in it are objects {"$ref":"warm.key"}, as above.
 * ref   "warm.key" under which the peer can resolve it; length 0 where it cannot
 *       be kept: it then stays inline.
 *
 * The same value should get the same ref. A value may be kept of a message that is refused
 * afterwards. Answers as accp.h says.
 */
typedef accp_status (*accp_keep_function)(const char *json, size_t json_len, accp_text *ref_out,
                                          void *user);

/**
 * Gives the next part of a message in parts its envelope: `envelope` comes as that of the first
 * part, with its cid; set a new mid and seq. Answers as accp.h says. It may be called more often
 * than there are parts: only the first accp_outcome.parts - 1 answers were used, and the others may
 * be given again.
 */
typedef accp_status (*accp_envelope_function)(accp_envelope *envelope, void *user);

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
typedef accp_status (*accp_tool_function)(const char *name, size_t name_len, const char *arguments,
                                          size_t arguments_len, void *user);

/**
 * What a policy is asked about: one message, all of it borrowed for the call.
 *
 * direction  accp_direction.
 * untrusted  1 where it came from an untrusted origin (accp_codec_set_origin(), accp_peer), or what
 *            a ref of it stands for did.
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

/**
 * Answers as accp.h says: ACCP_E5001 (denied). Asked after strictness; when encoding before types
 * and required fields, so of messages too that are refused afterwards.
 */
typedef accp_status (*accp_policy_function)(const accp_policy_case *asked, void *user);

/**
 * Takes one line of a debug log: status ACCP_OK and the message as render text (docs/render.md)
 * with its envelope, on one line; or the code of a refusal and "E1004 at byte 96: why". Borrowed
 * for the call.
 */
typedef void (*accp_log_function)(int32_t direction, accp_status status, const char *text,
                                  size_t text_len, void *user);

/**
 * Keeps a value in a cold store of the host's.
 *
 * key   64 hexadecimal digits, the SHA-256 of the text: the same text comes with the same key,
 *       perhaps often, and from several sessions. Borrowed, as the text.
 *
 * Answers as accp.h says: ACCP_OK when the text is durable.
 */
typedef accp_status (*accp_cold_put_function)(const char *key, size_t key_len, const char *text,
                                              size_t text_len, void *user);

/**
 * Looks up what was put. Answers as accp.h says: ACCP_E2001 where there is no such text; as the
 * session knows that it was put, its caller then sees ACCP_ERR_CORRUPT. What comes back is compared
 * with its key.
 */
typedef accp_status (*accp_cold_get_function)(const char *key, size_t key_len, accp_text *out,
                                              void *user);

/**
 * Writes the summary of a checkpoint.
 *
 * hot         what it closes, as the context has it: UTF-8 lines, borrowed.
 * max_tokens  what the summary may have: rule summary_max.
 * out         UTF-8, one line or more.
 *
 * Answers 1, or 0 for none. One that is too long, is no UTF-8 or has a line that begins with @ is
 * passed over, and the library's own taken. It may take its time, and may run for several sessions
 * at once. A checkpoint that could not be made durable
 * is made, and asked for, again.
 */
typedef int (*accp_summarise_function)(const char *hot, size_t hot_len, uint32_t max_tokens,
                                       accp_text *out, void *user);

/**
 * Tells what a worker must know of a conversation: a model of the host's, beside the rules of
 * accp_packet_generate().
 *
 * asked  JSON, borrowed: {"task":...,"messages":[{"number":0,"role":"user","text":...},...]}, in
 *        order; a role is user or assistant.
 * out    JSON: {"items":[{"kind":"decision","text":...,"message":3,"who":"user","reason":...,
 *        "reason_message":2},...]}. kind is constraint, decision, failure or question; text quotes
 *        a sentence of the message with this number, and reason one of that message, or of
 *        reason_message. who is whose message it is. who and reason may be left out. Other members
 *        are passed over. At most 1,024 items. Of a call that fails: why, or nothing.
 *
 * Answers as accp.h says. docs/packets.md says what is dropped.
 */
typedef accp_status (*accp_extract_function)(const char *asked, size_t asked_len, accp_text *out,
                                             void *user);

/** What has happened in a session: accp_event.kind. Numbers never change. */
enum accp_event_kind {
    /* a frame came in and was applied, a part of a message too; also one that had waited */
    ACCP_EVENT_RECEIVED = 0,
    /* a frame went out: one event for each part of a message */
    ACCP_EVENT_SENT = 1,
    /* a frame waits for an earlier one */
    ACCP_EVENT_HELD = 2,
    /* a frame, or a message of ours, was dropped: it had expired, or its chain was cancelled */
    ACCP_EVENT_DROPPED = 3,
    /* a frame, or a message of ours, was refused, or its call failed: `status` says with what */
    ACCP_EVENT_REFUSED = 4,
    /* frames before `seq` are missing */
    ACCP_EVENT_GAP_OPENED = 5,
    /* a gap was filled or given up: no frame waits for it any more */
    ACCP_EVENT_GAP_CLOSED = 6,
    /* a checkpoint was made: `seq` is its number */
    ACCP_EVENT_CHECKPOINT = 7,
    /* a request of ours was not answered in time: `seq` is the number of its record */
    ACCP_EVENT_REQUEST_EXPIRED = 8,
    /* frames are under another registry from now on: accp_session_share_registry() */
    ACCP_EVENT_REGISTRY_CHANGED = 9,
    /* messages were appended without a frame: one event for each call that appended some */
    ACCP_EVENT_APPENDED = 10,
    /* a context was made, as text, blocks or messages */
    ACCP_EVENT_CONTEXT = 11,
    /* follows ACCP_EVENT_CONTEXT if that context left messages out, because the budget was full */
    ACCP_EVENT_EVICTED = 12
};

/**
 * One event, valid during the callback. A member that does not apply is 0 or empty.
 *
 * kind       accp_event_kind.
 * status     of the call, or of the frame that had waited.
 * direction  of a frame: accp_direction.
 * seq        of a frame; for other events see accp_event_kind.
 * bytes      of the frame's text, of the appended text, or of the context.
 * tokens     of the frame or context, counted by the engine's tokenizer. ACCP_EVENT_APPENDED: the
 *            tokens that the messages add to the history. ACCP_EVENT_EVICTED: the tokens that the
 *            context saves by leaving messages out.
 * session    the id of the session.
 * agent      of the frame; empty if it could not be read.
 * mid, cid, aid  of the frame; for ACCP_EVENT_REQUEST_EXPIRED the cid of the request.
 *            accp_traceparent_format() makes trace ids of them.
 * count      a number of messages. ACCP_EVENT_APPENDED: messages that were appended.
 *            ACCP_EVENT_CHECKPOINT: messages that the call closed; if it made several checkpoints,
 *            the event of the last one has them all. ACCP_EVENT_CONTEXT: messages in the session.
 *            ACCP_EVENT_EVICTED: messages that the context leaves out.
 * history    ACCP_EVENT_CONTEXT: the tokens of all messages, which a full resend would cost.
 * cached     ACCP_EVENT_CONTEXT: the tokens at its front that the previous context had too. The
 *            cache of a provider can serve them.
 * written    ACCP_EVENT_CONTEXT: the other tokens of the context.
 */
typedef struct accp_event {
    int32_t kind;
    accp_status status;
    int32_t direction;
    uint32_t reserved; /* 0 */
    int64_t seq;
    uint64_t bytes;
    uint64_t tokens;
    accp_text session;
    accp_text agent;
    accp_text mid;
    accp_text cid;
    accp_text aid;
    uint64_t count;
    uint64_t history;
    uint64_t cached;
    uint64_t written;
} accp_event;

/** Receives an event, on the thread of the call, after the call did its work. */
typedef void (*accp_event_function)(const accp_event *event, void *user);

/**
 * Writes the traceparent of W3C Trace Context of a frame into 56 bytes of `buf`, ended by NUL:
 * "00-<32 hexadecimal digits>-<16>-01". The trace is the chain's, the span the frame's, and both
 * sides come to the same: the digits are the first ones of the SHA-256 of the chain's name (the
 * cid, or the mid where there is none), and of that of the mid. With an aid in place of the mid the
 * span is that of the frame that is answered. ACCP_ERR_ARG where both are empty. Any thread.
 */
ACCP_API accp_status accp_traceparent_format(const char *cid, size_t cid_len, const char *mid,
                                             size_t mid_len, char *buf,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * What a host gives a config: accp_config_set_hooks().
 *
 * size           sizeof(accp_hooks), as the caller was compiled: functions that a later version
 *                adds are then none.
 * user           given to each function; it lives as long as the handles that have the struct.
 * resolve        codec, engine: what the refs of frames that come in stand for. Of one frame at
 *                most 64 KiB are put in, repeats too, and refs lead from one to another at most 8
 *                times. A codec without it answers ACCP_E2001, or keeps refs (rule keep_refs). In a
 *                session the refs of a frame are its sender's: with it all of them are asked of it,
 *                and none is looked up in the receiving session, but for $ctx.k where it answers
 *                ACCP_E2001; what it answers is kept with the frame. Which session asks it is not
 *                told: a host with several peers on one engine keeps that by thread. Without it
 *                both sides are of one session, and refs are looked up there; with the rule
 *                shares_store the names that each session gives itself ($cold.t7, $cold.m17,
 *                $hot.state, $warm.ckpt_3) are ACCP_E2001. Spec 5.1, 9.5.
 * keep           codec: keeps strings of more than the rule inline_characters, values deeper than
 *                a frame may be, and, without q1, values that have no spelling. A value in which an
 *                object looks like a ref, and is none, stays. A session keeps them itself (rule
 *                shares_store). Spec 3.3, 7.2.
 * next_envelope  codec, with the rules parts and max_tokens: lets a message go in parts. A session
 *                makes envelopes itself.
 * check_tool     codec, engine: the host's tools. A session asks of what comes in and of what it
 *                sends, and not when it reads its log again.
 * check_policy   codec, engine: the host's policy, asked as check_tool. A message that it refuses
 *                changes nothing, and is not answered; in a session its seq and mid are used up.
 * log            codec, engine: the debug mode of specification 9.1. In a session a line may come
 *                before what it tells of is durable.
 * summarise      engine: in place of the library's own summaries. Spec 5.3.
 * cold_put, cold_get  engine, both or none: keep the values of the cold tier ($cold.t7, and what is
 *                put under $cold) in place of the store, which then holds their names, when they
 *                expire and to whom they are granted. The log, and so each $cold.m17, is the
 *                store's in any case. Nothing is ever taken out. A session that has cold values
 *                must be opened with a cold store that has them. Spec 5.1, 7.1.
 * event          engine: told of what happens in sessions, for traces and counts by the message;
 *                docs/observability.md. Where it is not set it costs nothing.
 * extract        packet: finds items of a conversation beside those that rules find.
 */
typedef struct accp_hooks {
    size_t size;
    void *user;
    accp_resolve_function resolve;
    accp_keep_function keep;
    accp_envelope_function next_envelope;
    accp_tool_function check_tool;
    accp_policy_function check_policy;
    accp_log_function log;
    accp_summarise_function summarise;
    accp_cold_put_function cold_put;
    accp_cold_get_function cold_get;
    accp_event_function event;
    accp_extract_function extract;
} accp_hooks;

#ifdef __cplusplus
}
#endif

#endif
