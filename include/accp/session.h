/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Sessions: frames in and out with their delivery guarantees (specification 3.7), state in three
 * tiers (5), and at any moment the text that a model should be given instead of the history.
 *
 * An engine is what sessions of one kind share: store, registry, tokenizer, rules. A session is
 * opened by its id, and is then what it was when it was last used, in whatever process. Time is an
 * argument, in milliseconds since the epoch (in the envelope of frames it is seconds), and never
 * negative: nothing here reads a clock. One thread at a time for a session; different sessions run
 * on different threads, without a lock of the caller's.
 *
 * A call that is refused has changed nothing. One that answers ACCP_ERR_IO because the store could
 * not write has been taken, and is not yet durable: do not repeat it, but call accp_session_sync()
 * until it succeeds, and acknowledge nothing before. That is so whatever kept the store from
 * writing (a full disk, another process, memory). accp_session_record_count() has then grown, and a
 * call that makes a frame has given it; where neither is so, reading failed, and the call has
 * changed nothing. After ACCP_ERR_NOMEM and ACCP_ERR_BUSY, call again. When another writer has
 * opened the session, every call that can fail answers ACCP_ERR_CLOSED.
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
 * What sessions of one kind share. Any number of threads may open sessions with it, and use them.
 */
typedef struct accp_engine accp_engine;

/** A session. One thread at a time. */
typedef struct accp_session accp_session;

/**
 * Makes an engine. What it hands out are sessions of one kind, so a host that wants another kind
 * makes another.
 *
 * config  may be NULL.
 * out     owned by the caller: accp_engine_free().
 *
 * ACCP_ERR_ARG where no tokenizer was set and o200k_base is not built in; and for messages in
 * parts without q1. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_engine_new(const accp_config *config, accp_engine **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees an engine. Its open sessions keep it until the last one is closed. NULL has no effect. */
ACCP_API void accp_engine_free(accp_engine *engine) ACCP_NOEXCEPT;

/**
 * Adds schemas to the engine's registry, as accp_registry_add() does, for every call on every
 * session of it from now on, open ones too (but for those that rule pin_registry keeps); any
 * thread. Both sides must do it, or negotiate anew. Frames of before stay what they were:
 * accp_session_share_registry(). Spec 7.1. Failures as there.
 */
ACCP_API accp_status accp_engine_register_schema(accp_engine *engine, const char *text,
                                                 size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * The registry in force, with one owner more, who frees it: accp_registry_free(). NULL for NULL.
 * Any thread.
 */
ACCP_API accp_registry *accp_engine_share_registry(accp_engine *engine) ACCP_NOEXCEPT;

/** Bits of the flags of accp_session_open(). */
enum accp_session_flag {
    /* the session as it stands, which must be there; who writes it goes on, and what is said from
     * then on is seen by opening it again */
    ACCP_SESSION_READ_ONLY = 1,
    /* the other side is a session of this engine too, opened so: what is over the rule max_tokens
     * goes in parts, both ways, as under the rule `parts`, and no negotiation is needed. Nothing of
     * it is kept. Spec 3.4; docs/session.md */
    ACCP_SESSION_LOCAL = 2
};

/**
 * Opens a session; to write it is made where it is missing, and an older writer, here or elsewhere,
 * is shut out. One that was opened to be read gives its context, budget, records, state, and what
 * its refs stand for; calls that would change something answer ACCP_ERR_ARG. Spec 1.3, 5.
 *
 * id     of the conversation, 1 to 256 bytes, not of an agent; copied. Both sides have the same one
 *        where frames carry it (rule names_session); two sessions of one store have two.
 * flags  bits of accp_session_flag.
 * out    owned by the caller: accp_session_close().
 *
 * ACCP_ERR_CORRUPT for a session that is damaged; ACCP_ERR_ARG for an unknown flag, an id that
 * cannot be one, rules that do not go together (ACCP_SESSION_LOCAL where the rule `parts` was set
 * to 0, an agreement says so, or q1 is not in force), and where the session was kept under other
 * rules of tokens than this engine's; ACCP_E2001 to read: there is no such session; ACCP_ERR_BUSY,
 * ACCP_ERR_IO, ACCP_ERR_NOMEM. Cost: what was said since the last checkpoint is applied again.
 */
ACCP_API accp_status accp_session_open(accp_engine *engine, const char *id, size_t id_len,
                                       uint32_t flags, accp_session **out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Closes the handle; NULL is nothing. The session stays in the store. Records that are not durable
 * yet stay there too, and are written by its next sync, or when it is closed. Messages that
 * accp_session_next_delivery() has not handed out are not handed out later: they are in the log.
 */
ACCP_API void accp_session_close(accp_session *session) ACCP_NOEXCEPT;

/**
 * Ends the session itself: what would change it answers ACCP_ERR_CLOSED from now on, here and
 * wherever it is opened; reading goes on.
 */
ACCP_API accp_status accp_session_end(accp_session *session, int64_t now_ms,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * The peer that a frame or a message came from. Pass it with everything that comes in if the host
 * has more than one peer, or a peer that could speak under the names of others. Identify the peer
 * by its connection, and never by what it sent. docs/security.md.
 *
 * agents  the names that this peer may speak as, separated by commas; borrowed for the call. Empty:
 *         no name. "*" in the list: any name except the host's own. For an untrusted peer "*" also
 *         excludes the names of roles (system, developer, user, assistant, tool, function): list
 *         those that it may have, as in "*,user".
 * origin  accp_origin: untrusted marks the message as accp_config_set_agent_origin() does.
 */
typedef struct accp_peer {
    accp_text agents;
    int32_t origin;
    uint32_t reserved; /* 0 */
} accp_peer;

/**
 * Takes a frame that has come in.
 * Spec 3.5, 3.7, 7.3; the order of checks: docs/session.md.
 *
 * text  UTF-8 bytes; copied where kept.
 * peer  NULL: one that is trusted, with any name but the host's own.
 *
 * ACCP_OK: applied, once and in order, with all that had waited for it;
 * accp_session_next_delivery() hands the messages out. A part of a message in parts (rule `parts`)
 * is kept, and the message comes with the part that makes it whole. ACCP_HELD: it waits for an
 * earlier frame. ACCP_DROPPED: expired, or of a chain that was cancelled: answer nothing. Refused:
 * ACCP_E1001 grammar, envelope, limits; E1002 intent; E1003, E1004 schema and types; E2001, E2002,
 * E2003 refs; E4001, E4003, E5001 the hooks check_tool and check_policy, E1004 and E5001 the rule
 * strictness; E3002 a mid seen before; E3003 a gap too wide, a seq that has passed, a version of
 * the state that does not follow; E5001 a frame under a name that is not the peer's, or that is the
 * host's own: nothing of it counts, neither its seq nor its mid, and its sender is not noted; E5002
 * another session's sid. The offset is a byte of the frame. Cost: O(text_len), and a checkpoint now
 * and then.
 */
ACCP_API accp_status accp_session_receive(accp_session *session, const char *text, size_t text_len,
                                          const accp_peer *peer, int64_t now_ms,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * What accp_session_next_delivery() hands out. Views until the next call on the session. By its
 * status:
 *
 * ACCP_OK: a message. ACCP_E3001: a request of ours was not answered in time. ACCP_E3003: frames
 * before `seq` are missing, told once for each gap, with an empty mid; or, with the mid of a frame
 * that waited, another took its `seq`, and the other side sends it anew. Any other: the frame
 * `seq`, which had waited, was refused with it.
 *
 * origin   of a message: accp_origin.
 * seq      of the frame; of ACCP_E3001 the number of the request's record, for
 *          accp_session_retry().
 * message  JSON, as accp_codec_decode() writes it; else empty.
 * mid      of the frame `seq`: of a message in parts, of the part that made it whole. Empty where
 *          frames are missing, and for ACCP_E3001.
 * cid      of the frame, empty where it has none, or was refused before it was read; of ACCP_E3001
 *          the request's, or its mid where it had none.
 * reason   of whatever is no message: static text; else NULL.
 */
typedef struct accp_delivery {
    accp_status status;
    int32_t origin;
    int64_t seq;
    accp_text message;
    accp_text mid;
    accp_text cid;
    const char *reason;
} accp_delivery;

/** The next message in its order: 1 with *out filled, 0 when there is no more. */
ACCP_API int accp_session_next_delivery(accp_session *session, accp_delivery *out) ACCP_NOEXCEPT;

/**
 * Warnings from the message that accp_session_next_delivery() handed out last, as bits of
 * accp_warning; 0 where it was no message.
 */
ACCP_API uint32_t accp_session_delivery_warnings(const accp_session *session) ACCP_NOEXCEPT;

/**
 * Was this chain (a cid, or the mid of a request without one) cancelled? Handlers ask before they
 * go on. Spec 3.7.
 */
ACCP_API int accp_session_is_cancelled(const accp_session *session, const char *cid,
                                       size_t cid_len) ACCP_NOEXCEPT;

/**
 * Makes the frame of a message, with mid, seq and ts of its own, and keeps it. Spec 7.2, 3.5.
 *
 * text  JSON, as accp_codec_encode() takes it. Of its own metadata cid, aid, ttl and what is no
 *       envelope go along; mid, seq, ts and sid are the session's, so a message that was received
 *       can be sent on as it is. An answer says what it answers: its cid is the cid of that
 *       delivery, or its mid where it has none.
 * out   the frame: a view into `session` until its next call. Send it as it is, and again if need
 *       be: a frame sent twice is applied once. Over max_tokens, with the rule `parts`, several
 *       frames with a newline between two, each with mid and seq of its own; all of them are kept,
 *       or none.
 *
 * Where both sides count together (no rule by_sender) its seq may be what frames that came in wait
 * for: they are applied with the next frame that comes in or goes out, and one whose own seq it
 * took is refused then, an ACCP_E3003 of accp_session_next_delivery().
 *
 * ACCP_DROPPED: its chain was cancelled, and nothing of it goes out but `ack` and `cancel`.
 * ACCP_E1001 to E1004 as accp_codec_encode(), E1001 too for a cancel without a cid; ACCP_E2003
 * over the rule max_tokens, where no parts help, and where too many requests wait; E3003 and E2003
 * of a sync:state, as accp_session_receive().
 */
ACCP_API accp_status accp_session_send(accp_session *session, const char *text, size_t text_len,
                                       int64_t now_ms, accp_text *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Sends an answer: what accp_session_send() would, with the cid and the operation of what it
 * answers, and an aid that is its mid. Fields that the answer names itself are its own. Spec 3.5.
 *
 * request  what is answered: accp_delivery.message.
 * text     the answer, in JSON; it may have no operation.
 *
 * ACCP_E1001 too for a request that is no message, or has neither cid nor mid: the offset is then
 * 0. Else as accp_session_send().
 */
ACCP_API accp_status accp_session_reply(accp_session *session, const char *request,
                                        size_t request_len, const char *text, size_t text_len,
                                        int64_t now_ms, accp_text *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * What became of the message that was sent last, by accp_session_send(), accp_session_reply() or
 * accp_session_send_state(), into *out; zeros where it was refused. Of one that came in
 * accp_session_delivery_warnings() says it.
 */
ACCP_API accp_status accp_session_outcome(const accp_session *session, accp_outcome *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Looks for requests of ours (intents req and qry, sent under the rule deadline_ms) whose deadline
 * has passed: each waits no more, and accp_session_next_delivery() hands out an ACCP_E3001 for it.
 * `done`, `fail` or `ack` with its cid end the waiting before, as `cancel` does; `wait` begins it
 * anew. An answer that comes later is a message like any other. Kept in the log, so each is said
 * once, whoever opens the session.
 *
 * And closes gaps: where rule `gap_ms` has passed and a whole state waits, that and all that waits
 * with it is applied, in order; what is missing is given up. Spec 3.7, 4.1.
 */
ACCP_API accp_status accp_session_expire(accp_session *session, int64_t now_ms,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * The earliest deadline of a request, or time of a gap with a whole state after it: a millisecond
 * later accp_session_expire() finds it passed. INT64_MAX where there is none.
 */
ACCP_API int64_t accp_session_next_deadline(const accp_session *session) ACCP_NOEXCEPT;

/**
 * Makes the frame that sends a frame of ours again, as accp_codec_retry() does, with mid, seq and
 * ts of its own, and keeps it. A request then waits anew. Only what was not answered, or whose
 * newest answer is an error that may be tried again (its `retry`, else accp_status_retryable()), is
 * sent again. Cost: the records after it are read. Spec 3.7, 10.3.
 *
 * record  the number of the frame's record: accp_delivery.seq of an ACCP_E3001, or
 *         accp_session_record_count() after accp_session_send(). Of a message in parts that of the
 *         last: all are sent again.
 * out     as accp_session_send().
 *
 * ACCP_E2001: there is no such record; ACCP_ERR_ARG: it is no frame that went out, or it was
 * answered by `done` or by an error that is final; else as accp_session_send().
 */
ACCP_API accp_status accp_session_retry(accp_session *session, uint64_t record, int64_t now_ms,
                                        accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Forgets the parts held of messages of a chain (a cid), which will not become whole; of all chains
 * where the length is 0. `cancel` does so too. Room is for 64 messages and 1 MiB, and for 8 and 64
 * KiB of each agent whatever others hold: more is ACCP_E2003 until one is whole, or forgotten. Kept
 * in the log.
 */
ACCP_API accp_status accp_session_remove_parts(accp_session *session, const char *cid,
                                               size_t cid_len, int64_t now_ms,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds a message to the session without a frame: the words of a user, the result of a tool, or
 * anything else that a model should remember. `text`: JSON of a message. A sync:state that does not
 * follow ours changes only the history. ACCP_E1001 if the text is not a message. Cost: reading the
 * message and counting its tokens; a few microseconds.
 */
ACCP_API accp_status accp_session_append(accp_session *session, const char *text, size_t text_len,
                                         int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds a message that a peer sent without a frame, over another protocol that the host speaks, such
 * as MCP. Works like accp_session_append(), but checks that the message does not claim more rights
 * or trust than the peer has.
 *
 * text  JSON of a message; copied. A message of an untrusted peer is marked as untrusted in the
 *       log, in JSON output and in each context, even if it has no member `untrusted`.
 * peer  NULL: the host itself, as accp_session_append().
 *
 * ACCP_E1001 if the text is not a message. ACCP_E5001, with the byte offset in `text`, in three
 * cases: the agent is the host's own, or not one that the peer may speak as; the peer or agent is
 * untrusted and the message has a member `untrusted` that is not true; the peer is untrusted and
 * the meta has mid, seq, ts or sid. Nothing has changed then. ACCP_ERR_ARG for an invalid peer, as
 * accp_session_receive().
 */
ACCP_API accp_status accp_session_append_from(accp_session *session, const char *text,
                                              size_t text_len, const accp_peer *peer,
                                              int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a checkpoint, as at a phase boundary; done (of no tool), esc and comp make one by
 * themselves, and so do prices and too many tokens. Where nothing was said since the last one it
 * does nothing. Spec 5.2, 5.3, 7.1; docs/context.md.
 */
ACCP_API accp_status accp_session_checkpoint(accp_session *session, int64_t now_ms,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * What a model should be given now, instead of the history.
 * Spec 2.2, 5; docs/context.md.
 *
 * budget_tokens  the most it may have; 0: all of it. What is pinned (what the host said first, and
 *                the first request) is always there: a budget below it is ACCP_E2003. Of the rest
 *                as much as has room, from its end; refs bring back what is not there.
 * out            UTF-8 text: a view into `session` until its next call. Until something is folded
 *                each text begins with the one before it, so caches of prompts stay warm.
 * tokens_out     how many it has; may be NULL.
 */
ACCP_API accp_status accp_session_context(accp_session *session, uint64_t budget_tokens,
                                          accp_text *out, uint64_t *tokens_out,
                                          accp_error *err) ACCP_NOEXCEPT;

/** Tokens in use and at most, in hot and warm state and in all. Spec 7.1: GetBudget. */
typedef struct accp_budget {
    uint64_t hot_used, hot_max;
    uint64_t warm_used, warm_max;
    uint64_t total_used, total_max;
} accp_budget;

/** The session's budget, into *out. Cost: counts the texts. */
ACCP_API accp_status accp_session_budget(accp_session *session, accp_budget *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/** The number of the newest checkpoint ($warm.ckpt_N), or 0. */
ACCP_API uint32_t accp_session_newest_checkpoint(const accp_session *session) ACCP_NOEXCEPT;

/** How many records the log has: messages, frames in and out, and marks, counted from 1. */
ACCP_API uint64_t accp_session_record_count(const accp_session *session) ACCP_NOEXCEPT;

/** What a record of the log is; `kind` values are letters and never change. */
enum accp_record_kind {
    /* a frame that came in */
    ACCP_RECORD_RECEIVED = 'R',
    /* a frame that went out */
    ACCP_RECORD_SENT = 'S',
    /* a message that took no frame: JSON */
    ACCP_RECORD_MESSAGE = 'M',
    /* a frame that was dropped or refused after its seq had come; no text where it had expired */
    ACCP_RECORD_USED_UP = 'U',
    /* a checkpoint that was asked for: no text */
    ACCP_RECORD_PHASE = 'P',
    /* a frame that came in: a part, and not the one that made its message whole */
    ACCP_RECORD_PART_RECEIVED = 'r',
    /* a frame that went out: a part, and not the last */
    ACCP_RECORD_PART_SENT = 's',
    /* parts are held no more: the cid of their chain */
    ACCP_RECORD_ABANDONED = 'A',
    /* a frame that went out, of a request with a deadline */
    ACCP_RECORD_REQUEST = 'Q',
    /* the end of waiting for requests whose deadline was before its time: no text */
    ACCP_RECORD_TIMEOUT = 'T',
    /* the session's end: no text */
    ACCP_RECORD_CLOSED = 'Z'
};

/** One record of the log: its accp_record_kind, when it was said, and that byte for byte. */
typedef struct accp_log_record {
    int32_t kind;
    uint32_t reserved; /* 0 */
    int64_t time_ms;
    accp_text text;
} accp_log_record;

/** Record `number` of the log. Views until the session's next call. ACCP_E2001: none. Spec 5.1. */
ACCP_API accp_status accp_session_record(accp_session *session, uint64_t number,
                                         accp_log_record *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The registry that the frame of record `record` was written under, by which it is read for ever;
 * of number 0 that of the next frame: the engine's, or with the rule pin_registry that of the
 * newest frame. Of a session of before libaccp 1.0 it is the engine's. Spec 7.1.
 *
 * out  one owner more, who frees it: accp_registry_free().
 *
 * ACCP_E2001: there is no such record. ACCP_ERR_CORRUPT: the registry is lost.
 */
ACCP_API accp_status accp_session_share_registry(accp_session *session, uint64_t record,
                                                 accp_registry **out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * What a ref stands for, as JSON. Spec 5.1, 9.3; docs/session.md.
 *
 * ref    "$warm.ckpt_1.summary", with its $ or without; a bare key is looked for in hot, then in
 *        warm. Of a name with dots the longest key that is there counts, and the labels after it
 *        lead into its value.
 * owner  of length 0: this session. Else the id of one that has granted it: what was put or kept
 *        there, its messages, checkpoints and shared state, as they were committed in this store.
 * out    a view into `session` until its next call.
 *
 * ACCP_E2001: it names nothing; ACCP_E2002: it has expired; ACCP_E5002: without a grant, whether it
 * is there or not (a ref of another session names its tier, hot, warm or cold: else ACCP_E2001);
 * ACCP_ERR_BUSY while another process writes the owner. Cost: another session is opened to read,
 * and for hot.state its log is read from the newest snapshot on.
 */
ACCP_API accp_status accp_session_resolve(accp_session *session, const char *ref, size_t ref_len,
                                          const char *owner, size_t owner_len, int64_t now_ms,
                                          accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Puts a value, in JSON, under a ref of the host's choice, in place of one that is there. tier:
 * hot, warm, cold, or ctx, which frames can read and nothing but this call can write. expires_ms:
 * when it is there no more; 0: never. What is under hot and warm stands at the end of each context,
 * as it is by then, and counts in the budget: as many tokens as rule hot_max and the checkpoints
 * have, and 256 values. ACCP_E1001: no JSON; ACCP_E1004: no such ref can be; ACCP_E2003: more than
 * that.
 */
ACCP_API accp_status accp_session_put(accp_session *session, const char *ref, size_t ref_len,
                                      const char *text, size_t text_len, int64_t expires_ms,
                                      accp_error *err) ACCP_NOEXCEPT;

/** Forgets what was put there; ACCP_OK too where nothing was. */
ACCP_API accp_status accp_session_remove(accp_session *session, const char *ref, size_t ref_len,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Lets session `grantee` read values of this one whose name ("cold.t7") begins with `prefix`, until
 * expires_ms (0: for ever). Bytes are compared: "cold.t1" is a prefix of cold.t10 too, and one of
 * length 0 is a prefix of everything. Spec 9.3.
 */
ACCP_API accp_status accp_session_add_grant(accp_session *session, const char *grantee,
                                            size_t grantee_len, const char *prefix,
                                            size_t prefix_len, int64_t expires_ms,
                                            accp_error *err) ACCP_NOEXCEPT;

/** Takes this very grant back: not a part of a wider one. ACCP_OK too where there is none. */
ACCP_API accp_status accp_session_remove_grant(accp_session *session, const char *grantee,
                                               size_t grantee_len, const char *prefix,
                                               size_t prefix_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes this JSON object the state that both sides share, and the frame that tells the other side:
 * all of it the first time, then what changed. Spec 5.4.
 *
 * agent  who says it.
 * out    the frame, as accp_session_send(); of length 0 where nothing changed.
 *
 * ACCP_E1004: no object; ACCP_E2003: over 256 KiB, or over the rule max_tokens.
 */
ACCP_API accp_status accp_session_send_state(accp_session *session, const char *agent,
                                             size_t agent_len, const char *text, size_t text_len,
                                             int64_t now_ms, accp_text *out,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * The state that both sides share, as JSON, and its version, 0 before the first. A view into
 * `session` until its next call.
 */
ACCP_API accp_text accp_session_state(const accp_session *session,
                                      int64_t *version_out) ACCP_NOEXCEPT;

/** Returns when everything so far is durable. */
ACCP_API accp_status accp_session_sync(accp_session *session, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
