/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Sessions: they receive and send frames with delivery guarantees (Spec 3.7), keep state in three
 * tiers (Spec 5), and make the context for a model, which replaces the history.
 *
 * An engine has what sessions of one kind share: store, registry, tokenizer, rules. A session is
 * opened by its id, and then continues where it was left, in any process. The caller passes the
 * time, in milliseconds since 1970 and never negative. Use a session in one thread at a time;
 * different sessions run in different threads without a lock. See docs/session.md.
 *
 * @code
 * const char *json = "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"schedule\","
 *                    "\"payload\":{\"task\":\"impl_auth\"}}";
 * int64_t now_ms = 1700000000000;
 * accp_engine *engine = NULL;
 * accp_session *ours = NULL, *theirs = NULL;
 * accp_text frame, context;
 * accp_delivery message;
 * if (accp_engine_new(NULL, &engine, NULL) == ACCP_OK &&
 *     accp_session_open(engine, "ours", 4, 0, &ours, NULL) == ACCP_OK &&
 *     accp_session_open(engine, "theirs", 6, 0, &theirs, NULL) == ACCP_OK &&
 *     accp_session_send(ours, json, strlen(json), now_ms, &frame, NULL) == ACCP_OK &&
 *     accp_session_receive(theirs, frame.text, frame.len, now_ms, NULL, NULL) == ACCP_OK) {
 *     while (accp_session_next_delivery(theirs, &message))
 *         printf("%.*s\n", (int)message.message.len, message.message.text);
 *     if (accp_session_context(theirs, 0, &context, NULL, NULL) == ACCP_OK)
 *         printf("%.*s\n", (int)context.len, context.text);
 * }
 * accp_session_close(theirs);
 * accp_session_close(ours);
 * accp_engine_free(engine);
 * @endcode
 *
 * A failed call has changed nothing, with one exception. A call that changes the session may return
 * ACCP_ERR_IO because the store cannot write. The change is then accepted but not yet durable, and
 * a frame that the call made is returned. Do not repeat the call: call accp_session_sync() until it
 * succeeds, and acknowledge nothing before. In this case accp_session_record_count() has grown, or
 * the call has returned a frame; otherwise reading failed and nothing has changed. After
 * ACCP_ERR_NOMEM and ACCP_ERR_BUSY repeat the call: its own change was not accepted, even if frames
 * that waited were applied first and accp_session_record_count() has grown. If another writer has
 * opened the session, every call that can fail returns ACCP_ERR_CLOSED.
 */
#ifndef ACCP_SESSION_H
#define ACCP_SESSION_H

#include "accp/codec.h"
#include "accp/config.h"
#include "accp/registry.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The settings and the store that sessions of one kind share. Any number of threads may open
 * sessions with it and use them.
 */
typedef struct accp_engine accp_engine;

/** A session. One thread at a time. */
typedef struct accp_session accp_session;

/**
 * Makes an engine. All its sessions have the same settings.
 *
 * @param out  Owned by the caller: accp_engine_free().
 *
 * Returns ACCP_ERR_ARG if no tokenizer is set and o200k_base is not built in, or for the rule
 * `parts` without the extension q1.
 */
ACCP_API accp_status accp_engine_new(const accp_config *config, accp_engine **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees an engine. Its open sessions keep it until the last one is closed. NULL has no effect. */
ACCP_API void accp_engine_free(accp_engine *engine) ACCP_NOEXCEPT;

/**
 * Adds schemas to the engine's registry, as accp_registry_add() does. They are in force for all
 * later calls on its sessions, open ones included. Sessions with the rule pin_registry keep their
 * registry. Both sides must do it, or negotiate again. Older frames keep their registry:
 * accp_session_share_registry(). Any thread. Spec 7.1. Errors: those of accp_registry_add().
 *
 * @param text  The document, as for accp_registry_add().
 */
ACCP_API accp_status accp_engine_register_schema(accp_engine *engine, const char *text,
                                                 size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns a new reference to the engine's current registry. Release it with accp_registry_free().
 * Returns NULL for NULL. Any thread.
 */
ACCP_API accp_registry *accp_engine_share_registry(accp_engine *engine) ACCP_NOEXCEPT;

/** Flags of accp_session_open(), as bits. */
enum accp_session_flag {
    /** Read the session as it is now. It must exist. Its writer may continue; open it again to see
     * later changes. */
    ACCP_SESSION_READ_ONLY = 1,
    /** The other side is a session of this engine too, and is also opened with this flag. Messages
     * over the rule max_tokens then go in parts, as with the rule `parts` but without a
     * negotiation. The flag is not stored. Spec 3.4; docs/session.md. */
    ACCP_SESSION_LOCAL = 2
};

/**
 * Opens a session. For writing, it is created if it does not exist, and any earlier writer, in this
 * or another process, loses its right to write. A read-only handle gives the context, budget,
 * records, state and values of refs; calls that would change something return ACCP_ERR_ARG. Spec
 * 1.3, 5.
 *
 * @param id     The id of the conversation, not of an agent: 1 to 256 bytes; copied. If frames
 *               carry it (rule names_session), both sides use the same id. Two sessions of one
 *               store have different ids.
 * @param flags  Bits of accp_session_flag.
 * @param out    Owned by the caller: accp_session_close().
 *
 * Errors: ACCP_ERR_CORRUPT if the session is damaged. ACCP_ERR_ARG for an unknown flag, an invalid
 * id, rules that conflict, or a session that was written with another tokenizer or other context
 * rules (hot_max, price_write and others). ACCP_SESSION_LOCAL conflicts with the rule `parts` set
 * to 0, with an agreement without parts, and with missing q1. ACCP_E2001 if a session to be read
 * does not exist. ACCP_ERR_BUSY, ACCP_ERR_IO. Cost: the records since the last checkpoint are
 * applied again.
 */
ACCP_API accp_status accp_session_open(accp_engine *engine, const char *id, size_t id_len,
                                       uint32_t flags, accp_session **out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Closes the handle. The session stays in the store. Its records that are not durable yet are
 * written by the next sync of the store, or when the store is closed. Messages that
 * accp_session_next_delivery() has not returned are only in the log. NULL has no effect.
 */
ACCP_API void accp_session_close(accp_session *session) ACCP_NOEXCEPT;

/**
 * Ends the session itself. From now on changes return ACCP_ERR_CLOSED, in every handle; reading
 * still works.
 */
ACCP_API accp_status accp_session_end(accp_session *session, int64_t now_ms,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * The peer that a frame or a message came from. Pass it with everything that comes in if the host
 * has more than one peer, or a peer that could send under the names of others. Identify the peer by
 * its connection, and never by what it sent. See docs/security.md.
 */
typedef struct accp_peer {
    /** The names that this peer may use as agent, separated by commas; borrowed for the call.
     * Empty: no name. "*" in the list: any name except the host's own. For an untrusted peer "*"
     * also excludes the names of roles (system, developer, user, assistant, tool, function): list
     * those that it may use, as in "*,user". */
    accp_text agents;
    /** accp_origin. Untrusted marks the message as accp_config_set_agent_origin() does. */
    int32_t origin;
    /** Reserved: 0. */
    uint32_t reserved;
} accp_peer;

/**
 * Receives a frame. docs/session.md has the order of checks. Spec 3.5, 3.7, 7.3.
 *
 * @param text  The frame; copied.
 * @param peer  NULL: a trusted peer that may use any name except the host's own.
 *
 * Returns ACCP_OK if the frame was applied, once and in order, with all frames that waited for it;
 * accp_session_next_delivery() returns the messages. A part of a message in parts is stored; the
 * message is delivered with its last missing part. ACCP_HELD: the frame waits for an earlier one.
 * ACCP_DROPPED: it has expired, or its chain was cancelled; do not answer.
 *
 * Errors; the offset is a byte of the frame. ACCP_E1001: grammar, envelope, limits. E1002: intent.
 * E1003, E1004: schema and types. E2001, E2002, E2003: refs. E4001, E4003, E5001: the hooks
 * check_tool and check_policy. E1004, E5001: the rule strictness. E3002: a known mid. E3003: a gap
 * that is too large, a seq that has passed, or a version of the state that does not follow. E5001:
 * an agent that the peer may not use, or that is the host's own; the frame then has no effect, and
 * its seq and mid stay free. E5002: the sid of another session. Cost: O(text_len), and sometimes a
 * checkpoint.
 */
ACCP_API accp_status accp_session_receive(accp_session *session, const char *text, size_t text_len,
                                          int64_t now_ms, const accp_peer *peer,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * The result of accp_session_next_delivery(). Its views are valid until the next call on the
 * session.
 */
typedef struct accp_delivery {
    /** ACCP_OK: a message. ACCP_E3001: a request of ours was not answered in time. ACCP_E3003
     * without a mid: frames before `seq` are missing; reported once for each gap. ACCP_E3003 with
     * a mid: a frame that waited is lost because another one took its `seq`; the other side has to
     * send it again. Any other: the frame `seq` had waited, and was then rejected with this
     * status. */
    accp_status status;
    /** accp_origin of a message. */
    int32_t origin;
    /** The seq of the frame. For ACCP_E3001 the number of the request's record, for
     * accp_session_retry(). */
    int64_t seq;
    /** The message in JSON, as accp_codec_decode() writes it; else empty. */
    accp_text message;
    /** The mid of the frame `seq`; of a message in parts, that of its last missing part. Empty if
     * frames are missing, and for ACCP_E3001. */
    accp_text mid;
    /** The cid of the frame; empty if it has none or could not be read. For ACCP_E3001 the
     * request's cid, or its mid if it has no cid. */
    accp_text cid;
    /** Why this is not a message: static text; NULL for a message. */
    const char *reason;
} accp_delivery;

/**
 * Returns the next delivery in order: 1 if `out` is filled; 0 if there are no more, and always in a
 * hook that another call on the session runs. The deliveries are then still there after that call.
 */
ACCP_API int accp_session_next_delivery(accp_session *session, accp_delivery *out) ACCP_NOEXCEPT;

/**
 * Returns the warnings of the message that accp_session_next_delivery() returned last, as bits of
 * accp_warning. 0 if it was not a message.
 */
ACCP_API uint32_t accp_session_delivery_warnings(const accp_session *session) ACCP_NOEXCEPT;

/**
 * Returns 1 if a chain was cancelled, else 0. Check it before long work on a request. Spec 3.7.
 *
 * @param cid  The cid of the chain, or the mid of a request without one.
 */
ACCP_API int accp_session_is_cancelled(const accp_session *session, const char *cid,
                                       size_t cid_len) ACCP_NOEXCEPT;

/**
 * Makes and stores the frame of a message, with its own mid, seq and ts. Spec 7.2, 3.5.
 *
 * @param text  JSON, as accp_codec_encode() accepts it. The session sets mid, seq, ts and sid.
 *              Other metadata of the message is kept, so a received message can be sent on as it
 *              is. An answer has the cid of the delivery that it answers, or its mid if that has no
 *              cid.
 * @param out   The frame: a view into `session` until its next call. Send it unchanged; you may
 *              send it again, as it is applied only once. Over max_tokens, with the rule `parts`,
 *              it is several frames separated by newlines, each with its own mid and seq. All of
 *              them are stored, or none.
 *
 * Without the rule by_sender both sides count together, and the frame may take the seq of a frame
 * that waits. Waiting frames are applied with the next frame that is received or sent. The one
 * whose seq was taken is rejected with ACCP_E3003 (accp_session_next_delivery()).
 *
 * Errors: ACCP_DROPPED if its chain was cancelled; only `ack` and `cancel` can still be sent.
 * ACCP_E1001 to E1004 as accp_codec_encode(); E1001 for a cancel without a cid. ACCP_E2003 over the
 * rule max_tokens without parts, or if too many requests wait. For a sync:state E3003 and E2003 as
 * accp_session_receive().
 */
ACCP_API accp_status accp_session_send(accp_session *session, const char *text, size_t text_len,
                                       int64_t now_ms, accp_text *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Sends an answer, as accp_session_send() does. It gets the cid and the operation of the request,
 * and the request's mid as its aid. Fields that the answer has itself take precedence. Spec 3.5.
 *
 * @param request  accp_delivery.message of the request.
 * @param text     The answer, in JSON; its operation may be missing.
 * @param out      As accp_session_send().
 *
 * Errors: those of accp_session_send(). ACCP_E1001 with offset 0 if the request is not a message,
 * or has neither cid nor mid.
 */
ACCP_API accp_status accp_session_reply(accp_session *session, const char *request,
                                        size_t request_len, const char *text, size_t text_len,
                                        int64_t now_ms, accp_text *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the outcome of the message that accp_session_send(), accp_session_reply() or
 * accp_session_send_state() sent last; zeros if it was rejected. For a received message use
 * accp_session_delivery_warnings().
 */
ACCP_API accp_status accp_session_outcome(const accp_session *session, accp_outcome *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Ends the waiting of requests whose deadline has passed (intents req and qry, sent under the rule
 * deadline_ms), and closes gaps. Spec 3.7, 4.1.
 *
 * For each such request accp_session_next_delivery() returns one ACCP_E3001; the log keeps this, so
 * it is not repeated after reopening. `done`, `fail`, `ack` or `cancel` with its cid end the
 * waiting earlier; `wait` starts it again. A later answer is delivered like any message.
 *
 * If a whole state waits behind a gap for longer than the rule gap_ms, the missing frames are given
 * up. The state and everything that waits with it is then applied in order.
 */
ACCP_API accp_status accp_session_expire(accp_session *session, int64_t now_ms,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the earliest deadline of a request, or of a gap with a whole state after it; INT64_MAX if
 * nothing waits. One millisecond later accp_session_expire() finds it passed.
 */
ACCP_API int64_t accp_session_next_deadline(const accp_session *session) ACCP_NOEXCEPT;

/**
 * Makes and stores the frame that sends one of our frames again, as accp_codec_retry() does, with a
 * new mid, seq and ts. A request then waits again. It may be sent again if it was not answered, or
 * if its newest answer is an error that allows it (its `retry`, else accp_status_is_retryable()).
 * Spec 3.7, 10.3.
 *
 * @param record  The number of the frame's record: accp_delivery.seq of an ACCP_E3001, or
 *                accp_session_record_count() after accp_session_send(). For a message in parts that
 *                of the last part; all parts are sent again.
 * @param out     As accp_session_send().
 *
 * Errors: ACCP_E2001 if there is no such record. ACCP_ERR_ARG if it is not a frame that was sent,
 * or was answered by `done` or a final error. Otherwise those of accp_session_send(). Cost: reads
 * the later records.
 */
ACCP_API accp_status accp_session_retry(accp_session *session, uint64_t record, int64_t now_ms,
                                        accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Drops the held parts of incomplete messages of a chain; `cancel` does it too. The log keeps this.
 *
 * @param cid  The cid of the chain; length 0: all chains.
 *
 * There is room for 64 messages and 1 MiB in all, and for 8 messages and 64 KiB of each agent,
 * whatever the others hold. A further part is ACCP_E2003 until a message is complete or dropped.
 */
ACCP_API accp_status accp_session_remove_parts(accp_session *session, const char *cid,
                                               size_t cid_len, int64_t now_ms,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends a message to the session without a frame: a user's message, the result of a tool, or
 * anything else that a model should remember. A sync:state that does not follow ours changes only
 * the history.
 *
 * @param text  JSON of a message; copied.
 *
 * Returns ACCP_E1001 if the text is not a message. Cost: reads the message and counts its tokens; a
 * few microseconds.
 */
ACCP_API accp_status accp_session_append(accp_session *session, const char *text, size_t text_len,
                                         int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends a message that a peer sent without a frame, over another protocol that the host supports,
 * such as MCP. It works like accp_session_append(), but checks that the message does not claim more
 * rights or trust than the peer has.
 *
 * @param text  JSON of a message; copied. A message of an untrusted peer is marked as untrusted in
 *              the log, in JSON output and in each context, even if it has no member `untrusted`.
 * @param peer  NULL: the host itself, as accp_session_append().
 *
 * Errors: ACCP_E1001 if the text is not a message. ACCP_E5001, with the byte offset in the text, in
 * three cases: the agent is the host's own, or not one that the peer may use; the peer or agent is
 * untrusted and the message has a member `untrusted` that is not true; the peer is untrusted and
 * the meta has mid, seq, ts or sid. ACCP_ERR_ARG for an invalid peer.
 */
ACCP_API accp_status accp_session_append_from(accp_session *session, const char *text,
                                              size_t text_len, int64_t now_ms,
                                              const accp_peer *peer, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a checkpoint, as at a phase boundary. done (not of a tool), esc and comp make one too, as
 * do too many tokens. It does nothing if there is no message since the last checkpoint.
 * Spec 5.2, 5.3, 7.1; docs/context.md.
 */
ACCP_API accp_status accp_session_checkpoint(accp_session *session, int64_t now_ms,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the text that a model should get now, instead of the history. Until results are left
 * out, each context begins with the previous one, so prompt caches stay warm. Spec 2.2, 5;
 * docs/context.md.
 *
 * @param budget_tokens  The maximum number of tokens; 0: no limit. Pinned messages (the host's
 *                       first messages and the first request) are always included: a smaller budget
 *                       is ACCP_E2003. The newest part of the rest that fits is included. A line
 *                       shows how many messages are left out; accp_session_resolve() returns each.
 * @param out            UTF-8 text: a view into `session` until its next call.
 * @param tokens_out     The tokens of the context; may be NULL.
 */
ACCP_API accp_status accp_session_context(accp_session *session, uint64_t budget_tokens,
                                          accp_text *out, uint64_t *tokens_out,
                                          accp_error *err) ACCP_NOEXCEPT;

/** The used and maximum tokens of hot state, of warm state, and in all. Spec 7.1: GetBudget. */
typedef struct accp_budget {
    uint64_t hot_used,   /**< Used tokens of hot state. */
        hot_max;         /**< Maximum tokens of hot state. */
    uint64_t warm_used,  /**< Used tokens of warm state. */
        warm_max;        /**< Maximum tokens of warm state. */
    uint64_t total_used, /**< Used tokens in all. */
        total_max;       /**< Maximum tokens in all. */
} accp_budget;

/** Returns the session's budget. Cost: counts the tokens of the texts. */
ACCP_API accp_status accp_session_budget(accp_session *session, accp_budget *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/** Returns the number of the newest checkpoint ($warm.ckpt_N), or 0. */
ACCP_API uint32_t accp_session_newest_checkpoint(const accp_session *session) ACCP_NOEXCEPT;

/**
 * Returns the number of records in the log: messages, received and sent frames, and marks. Records
 * are numbered from 1.
 */
ACCP_API uint64_t accp_session_record_count(const accp_session *session) ACCP_NOEXCEPT;

/** The kinds of records. Their values are letters and never change. */
enum accp_record_kind {
    /** A received frame. */
    ACCP_RECORD_RECEIVED = 'R',
    /** A sent frame. */
    ACCP_RECORD_SENT = 'S',
    /** A message without a frame: JSON. */
    ACCP_RECORD_MESSAGE = 'M',
    /** A received frame that used up its seq, but was dropped or rejected. No text if it had
     * expired. */
    ACCP_RECORD_USED_UP = 'U',
    /** A requested checkpoint: no text. */
    ACCP_RECORD_PHASE = 'P',
    /** A received frame: a part of a message that was not complete with it. */
    ACCP_RECORD_PART_RECEIVED = 'r',
    /** A sent frame: a part of a message, but not the last. */
    ACCP_RECORD_PART_SENT = 's',
    /** Held parts were dropped: the cid of their chain. */
    ACCP_RECORD_ABANDONED = 'A',
    /** A sent frame: a request with a deadline. */
    ACCP_RECORD_REQUEST = 'Q',
    /** Requests whose deadline was before this time do not wait any more: no text. */
    ACCP_RECORD_TIMEOUT = 'T',
    /** The session was ended: no text. */
    ACCP_RECORD_CLOSED = 'Z'
};

/** One record of the log. */
typedef struct accp_log_record {
    int32_t kind;      /**< accp_record_kind. */
    uint32_t reserved; /**< Reserved: 0. */
    int64_t time_ms;   /**< The time of the call that made it. */
    accp_text text;    /**< The frame or message, byte for byte. */
} accp_log_record;

/**
 * Returns record `number` of the log. Its views are valid until the next call on the session.
 * Returns ACCP_E2001 if there is no such record. Spec 5.1.
 */
ACCP_API accp_status accp_session_record(accp_session *session, uint64_t number,
                                         accp_log_record *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the registry that the frame of a record was written under, and is always read with. Spec
 * 7.1.
 *
 * @param record  The number of the record. 0: the next frame, which has the engine's registry, or
 *                with the rule pin_registry that of the newest frame. For records of before libaccp
 *                1.0 it is the engine's.
 * @param out     A new reference: release it with accp_registry_free().
 *
 * Returns ACCP_E2001 if there is no such record, and ACCP_ERR_CORRUPT if the registry is lost.
 */
ACCP_API accp_status accp_session_share_registry(accp_session *session, uint64_t record,
                                                 accp_registry **out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the value of a ref, as JSON. Spec 5.1, 9.3; docs/session.md.
 *
 * @param ref    "$warm.ckpt_1.summary", with its $ or without. "$cold.m19" is the message of record
 *               19. A bare key is looked up in hot, then in warm. In a name with dots the longest
 *               existing key counts; the rest is a path into its value.
 * @param owner  Length 0: this session. Otherwise the id of another session that granted access.
 *               Its values, messages, checkpoints and shared state are read as they were committed
 *               to this store.
 * @param out    A view into `session` until its next call.
 *
 * Errors: ACCP_E2001 if it does not exist, or if a ref of another session has no tier. ACCP_E2002
 * if it has expired. ACCP_E5002 without a grant, whether it exists or not. ACCP_ERR_BUSY while
 * another process writes the owner. Cost: another session is opened for reading, and for hot.state
 * its log is read from the newest snapshot on.
 */
ACCP_API accp_status accp_session_resolve(accp_session *session, const char *ref, size_t ref_len,
                                          const char *owner, size_t owner_len, int64_t now_ms,
                                          accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Stores a value under a ref that the host chooses, or replaces it. Values in hot and warm are at
 * the end of each context, as they are then, and count in its budget: up to 256 values, and as many
 * tokens as the rule hot_max and the checkpoints have.
 *
 * @param ref         A name in the tier hot, warm, cold or ctx. Frames can read ctx, but only this
 *                    call can write it.
 * @param text        The value, in JSON.
 * @param expires_ms  The time at which it expires; 0: never.
 *
 * Errors: ACCP_E1001 if the text is not JSON; ACCP_E1004 for an invalid ref; ACCP_E2003 if there
 * are too many values or tokens.
 */
ACCP_API accp_status accp_session_put(accp_session *session, const char *ref, size_t ref_len,
                                      const char *text, size_t text_len, int64_t expires_ms,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes a value that accp_session_put() stored. Returns ACCP_OK even if there was none.
 *
 * @param ref  As accp_session_put().
 */
ACCP_API accp_status accp_session_remove(accp_session *session, const char *ref, size_t ref_len,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Lets another session read values of this one. Spec 9.3.
 *
 * @param grantee     The id of the other session: 1 to 256 bytes.
 * @param prefix      Names that begin with these bytes are readable ("cold.t7"). "cold.t1" is a
 *                    prefix of cold.t10 too. Length 0: all names.
 * @param expires_ms  The time at which the grant expires; 0: never.
 */
ACCP_API accp_status accp_session_add_grant(accp_session *session, const char *grantee,
                                            size_t grantee_len, const char *prefix,
                                            size_t prefix_len, int64_t expires_ms,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes the grant with exactly this grantee and prefix; it cannot take back a part of a larger
 * grant. Returns ACCP_OK even if it does not exist. Refuses a grantee or a prefix that no grant can
 * have.
 */
ACCP_API accp_status accp_session_remove_grant(accp_session *session, const char *grantee,
                                               size_t grantee_len, const char *prefix,
                                               size_t prefix_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the state that both sides share, and makes the frame that sends it: the whole state the
 * first time, then only the changes. Spec 5.4.
 *
 * @param agent  The agent that sends it.
 * @param text   The state: a JSON object.
 * @param out    The frame, as accp_session_send(); of length 0 if nothing changed.
 *
 * Errors: ACCP_E1004 if it is not an object; ACCP_E2003 over 256 KiB, or over the rule max_tokens.
 */
ACCP_API accp_status accp_session_send_state(accp_session *session, const char *agent,
                                             size_t agent_len, const char *text, size_t text_len,
                                             int64_t now_ms, accp_text *out,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the state that both sides share, as JSON: a view into `session` until its next call.
 *
 * @param version_out  Its version; 0 before the first state.
 */
ACCP_API accp_text accp_session_state(const accp_session *session,
                                      int64_t *version_out) ACCP_NOEXCEPT;

/** Waits until all changes so far are durable. */
ACCP_API accp_status accp_session_sync(accp_session *session, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
