/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Hooks: the callbacks of the host, as one struct of functions in a config. A codec, an engine and
 * a packet call the functions that concern them. A function that is NULL is not called.
 *
 * Each callback runs on the thread of the call that it belongs to. If several threads use handles,
 * callbacks run on several threads at once. A callback must not use the handle that called it
 * (ACCP_ERR_BUSY), but it may free that handle. accp.h lists what a callback may return and do. Its
 * inputs are borrowed for the call.
 *
 * @code
 * void print_event(const accp_event *event, void *user) {
 *     (void)user;
 *     printf("%.*s: event %d, %s\n", (int)event->session.len, event->session.text,
 *            (int)event->kind, accp_status_name(event->status));
 * }
 *
 * accp_status watch_sessions(accp_config *config) {
 *     accp_hooks hooks = {0};
 *     hooks.size = sizeof hooks;
 *     hooks.event = print_event;
 *     return accp_config_set_hooks(config, &hooks, NULL);  // copied
 * }
 * @endcode
 */
#ifndef ACCP_HOOKS_H
#define ACCP_HOOKS_H

#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the value of a ref in a received frame.
 *
 * @param ref  "warm.key", without $. Its first label is hot, warm, cold or ctx. A bare $key is
 *             requested as hot.key and then as warm.key.
 * @param out  A JSON value. An object `{"$ref":"warm.other"}` in it is a ref again.
 *
 * Returns ACCP_OK, or the status of the call: ACCP_E2001 (not found), ACCP_E2002 (expired),
 * ACCP_E5002 (of another session), ACCP_E5001 (denied by a policy), or another code. If the value
 * is not JSON, the call fails with ACCP_ERR_CORRUPT.
 */
typedef accp_status (*accp_resolve_function)(const char *ref, size_t ref_len, accp_text *out,
                                             void *user);

/**
 * Stores a value that is sent by reference. The same value should get the same ref. The message may
 * still be rejected afterwards.
 *
 * @param json  The value. A ref in it is an object `{"$ref":"warm.key"}`.
 * @param out   The ref by which the peer can resolve the value ("warm.key"). Length 0: the value
 *              cannot be stored, and stays inline.
 */
typedef accp_status (*accp_keep_function)(const char *json, size_t json_len, accp_text *out,
                                          void *user);

/**
 * Sets the envelope of the next part of a message in parts. It may be called more often than there
 * are parts: only the first accp_outcome.parts - 1 results were used, and the others may be
 * returned again.
 *
 * @param envelope  In: that of the first part, with its cid. Out: with a new mid and seq.
 */
typedef accp_status (*accp_envelope_function)(accp_envelope *envelope, void *user);

/** The direction of a message. */
enum accp_direction {
    ACCP_SENT = 0,    /**< Sent or encoded. */
    ACCP_RECEIVED = 1 /**< Received or decoded. */
};

/**
 * Checks a tool call, for each request under the schema TC. Returns ACCP_E4001 if the tool does not
 * exist, and ACCP_E4003 if it does not accept these arguments.
 *
 * @param name       The tool's name.
 * @param arguments  Its arguments as JSON; length 0: none.
 */
typedef accp_status (*accp_tool_function)(const char *name, size_t name_len, const char *arguments,
                                          size_t arguments_len, void *user);

/** One message that a policy decides on. All texts are borrowed for the call. */
typedef struct accp_policy_case {
    /** accp_direction. */
    int32_t direction;
    /** 1 if the message, or the value of one of its refs, comes from an untrusted origin
     * (accp_codec_set_origin(), accp_peer). */
    int32_t untrusted;
    /** The agent. */
    accp_text agent;
    /** The intent. */
    accp_text intent;
    /** The operation. */
    accp_text operation;
    /** The code of its schema; empty: none. */
    accp_text schema;
    /** The message in JSON: the input of encoding, or the result of decoding. */
    accp_text text;
} accp_policy_case;

/**
 * Decides on a message. Returns ACCP_OK, or ACCP_E5001 to deny it. It is called after the checks of
 * strictness. When encoding it is called before types and required fields are checked, so it may
 * see messages that are rejected afterwards.
 *
 * @param asked  The message.
 */
typedef accp_status (*accp_policy_function)(const accp_policy_case *asked, void *user);

/**
 * Receives one line of a debug log.
 *
 * @param direction  accp_direction.
 * @param status     ACCP_OK, or why the message was rejected.
 * @param text       The message with its envelope as render text (docs/render.md), on one line; or
 *                   the code and the reason, such as "E1004 at byte 96: why".
 */
typedef void (*accp_log_function)(int32_t direction, accp_status status, const char *text,
                                  size_t text_len, void *user);

/**
 * Stores a value in a cold store of the host. Returns ACCP_OK when the text is durable.
 *
 * @param key   The SHA-256 of the text, 64 hexadecimal digits. The same text has the same key; it
 *              may be stored several times, and by several sessions.
 * @param text  The value.
 */
typedef accp_status (*accp_cold_put_function)(const char *key, size_t key_len, const char *text,
                                              size_t text_len, void *user);

/**
 * Returns a stored value. Returns ACCP_E2001 if it was not stored; as the session knows that it was
 * stored, its caller then gets ACCP_ERR_CORRUPT. The library compares the text with its key.
 *
 * @param key  As in accp_cold_put_function.
 * @param out  The value.
 */
typedef accp_status (*accp_cold_get_function)(const char *key, size_t key_len, accp_text *out,
                                              void *user);

/**
 * Writes the summary of a checkpoint. Returns 1, or 0 to use the library's own summary. It may take
 * long, and may run for several sessions at once. If a checkpoint could not be made durable, it is
 * made again, and this function is called again.
 *
 * @param hot         The text to summarise, as the context has it: UTF-8 lines.
 * @param max_tokens  The limit of the summary: the rule summary_max.
 * @param out         UTF-8, one line or more. A summary that is too long, is not UTF-8, or has a
 *                    line that begins with @ is ignored: the library's own is used.
 */
typedef int (*accp_summarise_function)(const char *hot, size_t hot_len, uint32_t max_tokens,
                                       accp_text *out, void *user);

/**
 * Finds what a worker must know in a conversation, with a model of the host, in addition to the
 * rules of accp_packet_generate(). docs/packets.md lists which items are dropped.
 *
 * @param asked  JSON: the task, and the messages in order. A role is user or assistant. Secrets are
 *               replaced, unless rule redact_secrets is 0.
 * @param out    JSON: at most 1,024 items, in the form below. On failure: the reason as text, or
 *               empty.
 *
 *     asked: {"task":…,"messages":[{"number":0,"role":"user","text":…},…]}
 *     out:   {"items":[{"kind":"decision","text":…,"message":3,"who":"user","reason":…,
 *                       "reason_message":2},…]}
 *
 * `kind` is constraint, decision, failure or question. `text` quotes a sentence of the message with
 * this number. `reason` quotes one of that message, or of reason_message. `who` is the message's
 * author. who and reason are optional; other members are ignored.
 */
typedef accp_status (*accp_extract_function)(const char *asked, size_t asked_len, accp_text *out,
                                             void *user);

/** What an embedder returns. Everything is borrowed until its next call. */
typedef struct accp_vectors {
    /** sizeof(accp_vectors), set by the library. */
    size_t size;
    /** count times dimension numbers: the vector of the first text, then that of the second. */
    const float *numbers;
    /** The number of vectors, which is that of the texts. */
    size_t count;
    /** The length of each vector. */
    size_t dimension;
    /** The name of the model. Vectors of two models are never compared. */
    accp_text model;
    /** After a failure: the reason as text, or empty. */
    accp_text reason;
} accp_vectors;

/**
 * Makes vectors of texts with a model of the host: texts with a similar meaning have vectors with
 * similar directions. The call that needs them fails with ACCP_ERR_ARG if there are fewer or more
 * vectors than texts, if they have different lengths or numbers that are not finite, or if the
 * model changes during the call. A failure of the function is one of the call: words are never used
 * in its place. Secrets in the texts are replaced, unless ACCP_RULE_REDACT_SECRETS is 0.
 *
 * @param texts  UTF-8, at most 64. A task, items with some words around them, or descriptions of
 *               agents.
 * @param count  Their number, at least 1.
 */
typedef accp_status (*accp_embed_function)(const accp_text *texts, size_t count, accp_vectors *out,
                                           void *user);

/** The kinds of events of a session. Numbers never change. */
enum accp_event_kind {
    /** A frame was received and applied; also a part of a message, and a frame that had waited. */
    ACCP_EVENT_RECEIVED = 0,
    /** A frame was sent: one event for each part of a message. */
    ACCP_EVENT_SENT = 1,
    /** A frame waits for an earlier one. */
    ACCP_EVENT_HELD = 2,
    /** A frame, or a message of ours, was dropped: it had expired, or its chain was cancelled. */
    ACCP_EVENT_DROPPED = 3,
    /** A frame, or a message of ours, was rejected, or its call failed with `status`. */
    ACCP_EVENT_REFUSED = 4,
    /** Frames before `seq` are missing. */
    ACCP_EVENT_GAP_OPENED = 5,
    /** A gap was filled or given up: no frame waits for it any more. */
    ACCP_EVENT_GAP_CLOSED = 6,
    /** A checkpoint was made; `seq` is its number. */
    ACCP_EVENT_CHECKPOINT = 7,
    /** A request of ours was not answered in time; `seq` is the number of its record. */
    ACCP_EVENT_REQUEST_EXPIRED = 8,
    /** From now on frames use another registry: accp_session_share_registry(). */
    ACCP_EVENT_REGISTRY_CHANGED = 9,
    /** Messages were appended without a frame: one event for each call that appended some. */
    ACCP_EVENT_APPENDED = 10,
    /** A context was made, as text, blocks or messages. */
    ACCP_EVENT_CONTEXT = 11,
    /** Follows ACCP_EVENT_CONTEXT if that context left messages out because the budget was full. */
    ACCP_EVENT_EVICTED = 12
};

/** One event, valid during the callback. A member that does not apply is 0 or empty. */
typedef struct accp_event {
    /** accp_event_kind. */
    int32_t kind;
    /** The status of the call, or of the frame that had waited. */
    accp_status status;
    /** accp_direction of the frame. */
    int32_t direction;
    /** Reserved: 0. */
    uint32_t reserved;
    /** The seq of the frame; for other events see accp_event_kind. */
    int64_t seq;
    /** The length of the frame, of the appended text, or of the context. */
    uint64_t bytes;
    /** The tokens of the frame or context, counted by the engine's tokenizer. ACCP_EVENT_APPENDED:
     * the tokens that the messages add to the history. ACCP_EVENT_EVICTED: the tokens that the
     * context saves by leaving messages out. */
    uint64_t tokens;
    /** The id of the session. */
    accp_text session;
    /** The agent of the frame; empty if it could not be read. */
    accp_text agent;
    /** The mid of the frame. */
    accp_text mid;
    /** The cid of the frame; ACCP_EVENT_REQUEST_EXPIRED: that of the request.
     * accp_traceparent_format() makes trace ids of cid and mid. */
    accp_text cid;
    /** The aid of the frame. */
    accp_text aid;
    /** A number of messages. ACCP_EVENT_APPENDED: appended messages. ACCP_EVENT_CHECKPOINT:
     * messages that the call closed; if it made several checkpoints, the event of the last one has
     * them all. ACCP_EVENT_CONTEXT: messages in the session. ACCP_EVENT_EVICTED: messages that the
     * context leaves out. */
    uint64_t count;
    /** ACCP_EVENT_CONTEXT: the tokens of all messages, which a full resend would cost. */
    uint64_t history;
    /** ACCP_EVENT_CONTEXT: the tokens at its front that the previous context had too. The cache of
     * a provider can serve them. */
    uint64_t cached;
    /** ACCP_EVENT_CONTEXT: the other tokens of the context. */
    uint64_t written;
} accp_event;

/** Receives an event, on the thread of the call, after the call did its work. */
typedef void (*accp_event_function)(const accp_event *event, void *user);

/**
 * Writes the traceparent (W3C Trace Context) of a frame: "00-TRACE-SPAN-01", ended by NUL. Both
 * sides compute the same ids. TRACE is the first 32 hexadecimal digits of the SHA-256 of the
 * chain's name: the cid, or else the mid. SPAN is the first 16 of the SHA-256 of the mid. Pass the
 * aid as `mid` to get the span of the frame that is answered. Returns ACCP_ERR_ARG if both are
 * empty. Any thread.
 *
 * @param buf  56 bytes.
 */
ACCP_API accp_status accp_traceparent_format(const char *cid, size_t cid_len, const char *mid,
                                             size_t mid_len, char *buf,
                                             accp_error *err) ACCP_NOEXCEPT;

/** The callbacks of a host: accp_config_set_hooks(). Set those that you do not use to NULL. */
typedef struct accp_hooks {
    /** sizeof(accp_hooks), as the caller was compiled. Functions that a later version adds are then
     * not called. */
    size_t size;
    /** Passed to each function. It must live as long as the handles that were made with the
     * config. */
    void *user;
    /** Codec, engine: resolves the refs of received frames. One frame can insert at most 64 KiB,
     * repeats included, and refs can lead to other refs at most 8 times.
     *
     * Without it a codec returns ACCP_E2001, or keeps refs (rule keep_refs). A session then looks
     * refs up in itself, as if both sides were one session; with the rule shares_store the names
     * that each session assigns itself ($cold.t7, $cold.m17, $hot.state, $warm.ckpt_3) are
     * ACCP_E2001.
     *
     * With it a session passes all refs of a frame to it, as they belong to the sender. The
     * session resolves only $ctx.k itself, if the function returned ACCP_E2001. The value is
     * stored with the frame. The function does not get the session: a host with several peers on
     * one engine must track it by thread. Spec 5.1, 9.5. */
    accp_resolve_function resolve;
    /** Codec: stores strings longer than the rule inline_characters, values nested too deep for a
     * frame, and, without q1, values that cannot be encoded. A value with an object that looks
     * like a ref but is not one stays inline. A session stores values itself (rule shares_store).
     * Spec 3.3, 7.2. */
    accp_keep_function keep;
    /** Codec, with the rules parts and max_tokens: lets a message go in parts. A session makes
     * envelopes itself. */
    accp_envelope_function next_envelope;
    /** Codec, engine: checks tool calls. A session calls it for messages that it receives or sends,
     * but not when it reads its log again. */
    accp_tool_function check_tool;
    /** Codec, engine: the host's policy, called as check_tool. A message that it denies changes
     * nothing and gets no answer; in a session its seq and mid are used up. */
    accp_policy_function check_policy;
    /** Codec, engine: the debug mode of Spec 9.1. In a session a line may come before its message
     * is durable. */
    accp_log_function log;
    /** Engine: replaces the library's own summaries. Spec 5.3. */
    accp_summarise_function summarise;
    /** Engine, together with cold_get: stores the values of the cold tier ($cold.t7, and everything
     * that is put under $cold) instead of the store. The store then has only their names, expiry
     * times and grants. The log, and so each $cold.m17, always stays in the store. Values are
     * never removed. A session with cold values must be opened with a cold store that has them.
     * Spec 5.1, 7.1. */
    accp_cold_put_function cold_put;
    /** Engine, together with cold_put: returns stored values. */
    accp_cold_get_function cold_get;
    /** Engine: receives the events of sessions, for traces and metrics per message;
     * docs/observability.md. If it is NULL, events cost nothing. */
    accp_event_function event;
    /** Packet: finds items of a conversation in addition to the rules. */
    accp_extract_function extract;
    /** Packet, packet index, capabilities: compares texts by meaning as well as by words. */
    accp_embed_function embed;
} accp_hooks;

#ifdef __cplusplus
}
#endif

#endif
