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
 * writing (a full disk, another process, memory). accp_session_records() has then grown, and a call
 * that makes a frame has given it; where neither is so, reading failed, and the call has changed
 * nothing. After ACCP_ERR_NOMEM and ACCP_ERR_BUSY, call again. When another writer has opened the
 * session, every call answers ACCP_ERR_CLOSED.
 */
#ifndef ACCP_SESSION_H
#define ACCP_SESSION_H

#include "accp/codec.h"
#include "accp/registry.h"
#include "accp/store.h"
#include "accp/tokenizer.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What sessions of one kind share. Set up by one thread; then any number of threads may open
 * sessions with it, and use them.
 */
typedef struct accp_engine accp_engine;

/** A session. One thread at a time. */
typedef struct accp_session accp_session;

/** Numbers that govern sessions, with their defaults; those that answer a question are 0 or 1. */
enum accp_rule {
    /* "window": frames that may wait for an earlier one (64); 0: refused at the gap */
    ACCP_RULE_WINDOW = 0,
    /* "gap_ms": after which a sync:state with a higher seq closes a gap (5,000) */
    ACCP_RULE_GAP_MS = 1,
    /* "skew_ms": by which clocks may differ before a ttl has passed (0) */
    ACCP_RULE_SKEW_MS = 2,
    /* "future_ms": by which a ts may be ahead (300,000) */
    ACCP_RULE_FUTURE_MS = 3,
    /* "by_sender": each agent counts its own seq (0: the session has one count, so sides take
     * turns; docs/session.md) */
    ACCP_RULE_BY_SENDER = 4,
    /* "require_ts" (0) */
    ACCP_RULE_REQUIRE_TS = 5,
    /* "require_sid" (0) */
    ACCP_RULE_REQUIRE_SID = 6,
    /* "loose_mid": a mid is any 1 to 64 safe characters (0) */
    ACCP_RULE_LOOSE_MID = 7,
    /* "max_tokens": of a frame that is sent (240, specification 3.4); 0: any number */
    ACCP_RULE_MAX_TOKENS = 8,
    /* "issuer": of mids, 1 to 99 where several send in one session (0: one does) */
    ACCP_RULE_ISSUER = 9,
    /* "shares_store": the other side can resolve our refs, so long values go by reference (0;
     * docs/session.md) */
    ACCP_RULE_SHARES_STORE = 10,
    /* "merges": the other side knows m1: of rows of the shared state only the cells that changed
     * go (0) */
    ACCP_RULE_MERGES = 11,
    /* "names_session": frames that are sent carry the sid (0) */
    ACCP_RULE_NAMES_SESSION = 12,
    /* "durable": a call returns when what it changed is durable (1); 0: accp_session_sync() says
     * when */
    ACCP_RULE_DURABLE = 13,
    /* "hot_max": tokens of hot state (500) */
    ACCP_RULE_HOT_MAX = 14,
    /* "hot_due": above so many a checkpoint is made (400) */
    ACCP_RULE_HOT_DUE = 15,
    /* "checkpoint_max": tokens of one checkpoint (200) */
    ACCP_RULE_CHECKPOINT_MAX = 16,
    /* "summary_max": of its summary (100) */
    ACCP_RULE_SUMMARY_MAX = 17,
    /* "retained": checkpoints that stay warm (10, at most 64) */
    ACCP_RULE_RETAINED = 18,
    /* "seed": the key of the mids of a session, for tests; 0: a random one, so that nobody can
     * foresee them */
    ACCP_RULE_SEED = 19,
    /* "deadline_ms": in which a request is answered: accp_session_expire(); 0: it waits for ever
     * (0) */
    ACCP_RULE_DEADLINE_MS = 20,
    /* "parts": both sides take messages in parts, so one over max_tokens goes as such; needs q1
     * (0) */
    ACCP_RULE_PARTS = 21,
    /* "jump": sequence numbers, and versions of the shared state, that a sync:state may pass
     * (65,536) */
    ACCP_RULE_JUMP = 22
};

/** The name of a rule, or NULL after the last. Static text. */
ACCP_API const char *accp_rule_name(int32_t rule) ACCP_NOEXCEPT;

/**
 * Makes an engine.
 *
 * options     may be NULL; copied. Of sessions: extensions and abbreviations do not count, they are
 *             the registry's.
 * store       shared, so it may be closed when the sessions are; NULL: one in memory, the engine's
 *             own.
 * registry    shared, so it may be freed; NULL: the profiles of the specification and nothing else.
 *             Under a schema a message gets the defaults of its fields: a `tool` its status, a
 *             `schedule` its priority. For messages exactly as they were said: one made with
 *             ACCP_PROFILE_NONE.
 * extensions  bits of accp_extension, in force with the other side; ACCP_EXT_Q1 is the usual value.
 *             0: the bare specification, in which most JSON strings have no spelling (ACCP_E1004).
 * tokenizer   borrowed; NULL: o200k_base.
 * out         owned by the caller: accp_engine_free().
 *
 * ACCP_ERR_ARG for an unknown extension, or where the tokenizer is not built in;
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_engine_new(const accp_options *options, accp_store *store,
                                     const accp_registry *registry, uint32_t extensions,
                                     const accp_tokenizer *tokenizer, accp_engine **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees an engine whose sessions are all closed; NULL is nothing. */
ACCP_API void accp_engine_free(accp_engine *engine) ACCP_NOEXCEPT;

/**
 * Sets a rule of sessions that are opened from now on. ACCP_ERR_ARG for an unknown one, or a
 * value it cannot have. Which values go together is asked when a session is opened: summary_max is
 * at most checkpoint_max, that at most hot_due, that at most hot_max.
 */
ACCP_API accp_status accp_engine_set_rule(accp_engine *engine, int32_t rule, int64_t value,
                                          accp_error *err) ACCP_NOEXCEPT;

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
 * Looks up what was put. out: a view until the next call of either function. Answers as accp.h
 * says: ACCP_E2001 where there is no such text; as the session knows that it was put, its caller
 * then sees ACCP_ERR_CORRUPT. What comes back is compared with its key.
 */
typedef accp_status (*accp_cold_get_function)(const char *key, size_t key_len, const char **out,
                                              size_t *len_out, void *user);

/**
 * Sets who keeps the values of the cold tier ($cold.t7, and what is put under $cold) of sessions
 * that are opened from now on, in place of the store, which then holds their names, when they
 * expire and to whom they are granted. NULL twice: the store (the default). The log, and so each
 * $cold.m17, is the store's in any case. Nothing is ever taken out: a text may be needed under
 * another name.                                             Spec 5.1, 7.1.
 *
 * The functions are called on the thread of a session's call, of several sessions at once, and must
 * not use that session. A session that has cold values must be opened with a cold store that has
 * them. ACCP_ERR_ARG for one function without the other.
 */
ACCP_API accp_status accp_engine_set_cold_store(accp_engine *engine, accp_cold_put_function put,
                                                accp_cold_get_function get, void *user,
                                                accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who resolves the refs of frames that come in, which are the sender's: those of a peer that
 * sends long values by reference (rule shares_store) out of a session of its own, which a host
 * reads with accp_session_open_read(), with accp_session_resolve_of() through another handle, or
 * over its network. All of them are asked of it, and none is looked up in the receiving session,
 * but for `$ctx.k` where it answers ACCP_E2001. NULL: nobody (the default): both sides are of one
 * session, and refs are looked up in it; with the rule shares_store names that each session gives
 * itself ($cold.t7, $cold.m17, $hot.state, $warm.ckpt_3) are ACCP_E2001. What it answers is kept
 * with the frame, and stands for the same ever after. It must not use the session. For sessions
 * that are opened from now on.
 * Spec 5.1.
 */
ACCP_API accp_status accp_engine_set_resolver(accp_engine *engine, accp_resolve_function resolve,
                                              void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the summary of a checkpoint.
 *
 * hot          what it closes, as the context has it: UTF-8 lines, borrowed.
 * max_tokens  what the summary may have: rule summary_max.
 * out          UTF-8, one line or more: a view until the next callback or the end of the session's
 *              call.
 *
 * Answers 1, or 0 for none. One that is too long, is no UTF-8 or has a line that begins with @ is
 * passed over, and the library's own taken. It may take its time, and may run for several sessions
 * at once. It must not use the session (ACCP_ERR_BUSY). A checkpoint that could not be made durable
 * is made, and asked for, again.
 */
typedef int (*accp_summarise_function)(const char *hot, size_t hot_len, uint32_t max_tokens,
                                       const char **out, size_t *len_out, void *user);

/**
 * Sets who writes summaries; NULL: the library (the default). Before the first session is opened.
 * Spec 5.3.
 */
ACCP_API accp_status accp_engine_set_summariser(accp_engine *engine,
                                                accp_summarise_function summarise, void *user,
                                                accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who is told of every message that comes in or goes out, and of every refusal: the debug mode
 * of specification 9.1. NULL: nobody (the default). Lines are those of accp_codec_set_log(); of a
 * frame that was dropped or failed the code says so. Before the first session is opened; called
 * from whatever thread works on a session, after what is told, so perhaps before it is durable. It
 * must not use the session.
 */
ACCP_API accp_status accp_engine_set_log(accp_engine *engine, accp_log_hook hook, void *user,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Names a key whose values that log does not show, as accp_codec_set_redacted() does. Before the
 * first session is opened.
 */
ACCP_API accp_status accp_engine_set_redacted(accp_engine *engine, const char *text,
                                              size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Names the agents of the host, with a comma between two, in place of those that were named before:
 * no session takes a frame under one of these names from outside (ACCP_E5001). An agent that a
 * session has sent a frame as is the host's own in that session anyway, for ever. Copied. Before
 * the first session is opened.
 *
 * ACCP_ERR_ARG: a name with a NUL; ACCP_ERR_NOMEM. Cost: each frame that comes in is compared with
 * the names.
 */
ACCP_API accp_status accp_engine_set_own_agents(accp_engine *engine, const char *agents,
                                                size_t agents_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Says where the messages of an agent come from (enum accp_origin), however they come: received,
 * sent on or appended. A message that is untrusted has the member "untrusted":true wherever a
 * session hands it out as JSON, and the context says so; the log keeps that. The default is
 * trusted, and what accp_session_receive_from() says of a peer is not taken back by it. Before the
 * first session is opened.
 *
 * agent  1 byte or more; copied.
 *
 * ACCP_ERR_ARG: a name with a NUL or of no bytes, another origin; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_engine_set_origin(accp_engine *engine, const char *agent,
                                            size_t agent_len, int32_t origin,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds schemas to the engine's registry, as accp_registry_add() does, for every call on every
 * session of it from now on, open ones too; any thread. Both sides must do it, or negotiate anew. A
 * session that has frames under them is opened with a registry that has them.               Spec
 * 7.1. Failures as there.
 */
ACCP_API accp_status accp_engine_register_schema(accp_engine *engine, const char *text,
                                                 size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * The registry in force, with one owner more, who frees it: accp_registry_free(). NULL for NULL.
 * Any thread.
 */
ACCP_API accp_registry *accp_engine_registry(accp_engine *engine) ACCP_NOEXCEPT;

/**
 * Opens a session for writing; it is made where it is missing. An older writer, here or elsewhere,
 * is shut out.                    Spec 1.3, 5.
 *
 * id      1 to 256 bytes; copied.
 * out     owned by the caller: accp_session_close().
 *
 * ACCP_ERR_CORRUPT for a session that is damaged; ACCP_ERR_ARG for an id that cannot be one, and
 * where the session was kept under other rules of tokens than this engine's; ACCP_ERR_BUSY,
 * ACCP_ERR_IO, ACCP_ERR_NOMEM. Cost: what was said since the last checkpoint is applied again.
 */
ACCP_API accp_status accp_session_open(accp_engine *engine, const char *id, size_t id_len,
                                       accp_session **out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Opens a session to read it as it stands: its context, budget, records, state, and what its refs
 * stand for. Who has it open to write goes on; what is said from then on is seen by opening it
 * again. Calls that would change something answer ACCP_ERR_ARG. ACCP_E2001: there is no such
 * session; else as accp_session_open().
 */
ACCP_API accp_status accp_session_open_read(accp_engine *engine, const char *id, size_t id_len,
                                            accp_session **out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Closes the handle; NULL is nothing. The session stays in the store. Records that are not durable
 * yet stay there too, and are written by its next sync, or when it is closed. Messages that
 * accp_session_next() has not handed out are not handed out later: they are in the log.
 */
ACCP_API void accp_session_close(accp_session *session) ACCP_NOEXCEPT;

/**
 * Ends the session itself: what would change it answers ACCP_ERR_CLOSED from now on, here and
 * wherever it is opened; reading goes on.
 */
ACCP_API accp_status accp_session_end(accp_session *session, int64_t now_ms,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes a frame that has come in.
 * Spec 3.5, 3.7, 7.3; the order of checks: docs/session.md.
 *
 * text  UTF-8 bytes; copied where kept.
 *
 * ACCP_OK: applied, once and in order, with all that had waited for it; accp_session_next() hands
 * the messages out. A part of a message in parts (rule `parts`) is kept, and the message comes with
 * the part that makes it whole. ACCP_HELD: it waits for an earlier frame. ACCP_DROPPED: expired, or
 * of a chain that was cancelled: answer nothing. Refused: ACCP_E1001 grammar, envelope, limits;
 * E1002 intent; E1003, E1004 schema and types; E2001, E2002, E2003 refs; E3002 a mid seen before;
 * E3003 a gap too wide, a seq that has passed, a version of the state that does not follow; E5001 a
 * frame under a name that the session has sent as; E5002 another session's sid. The offset is a
 * byte of the frame. Cost: O(text_len), and a checkpoint now and then.
 */
ACCP_API accp_status accp_session_receive(accp_session *session, const char *text, size_t text_len,
                                          int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes a frame as accp_session_receive() does, from a peer that the host knows: from one that it
 * has authenticated, over a connection of its own. A host with more than one peer, or with one that
 * it does not trust with the names of others, takes all frames so.
 * docs/security.md.
 *
 * agents  the names that this peer may speak as, with a comma between two; empty: none; "*": any
 *         but the host's own, as accp_session_receive() has it. Borrowed.
 * origin  enum accp_origin: untrusted marks the message as accp_engine_set_origin() does.
 *
 * ACCP_E5001: a frame under another name, or under one of the host's own; nothing of it counts:
 * neither its seq nor its mid, and its sender is not noted. Else as accp_session_receive().
 */
ACCP_API accp_status accp_session_receive_from(accp_session *session, const char *agents,
                                               size_t agents_len, int32_t origin, const char *text,
                                               size_t text_len, int64_t now_ms,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * What accp_session_next() hands out. Views until the next call on the session. By its status:
 *
 * ACCP_OK: a message. ACCP_E3001: a request of ours was not answered in time. ACCP_E3003: frames
 * before `seq` are missing, told once for each gap; or, as `reason` says, a frame of ours took the
 * `seq` of this one, which waited. Any other: the frame `seq`, which had waited, was refused with
 * it.
 */
typedef struct accp_delivery {
    accp_status status;
    int32_t origin; /* of a message: enum accp_origin */
    int64_t seq;    /* of ACCP_E3001 the number of its record, for accp_session_retry() */
    /* JSON, as accp_codec_decode() writes it; of ACCP_E3001 the request's cid (or mid, where it had
     * none); else empty */
    accp_text message;
    const char *reason; /* of a refusal: static text; else NULL */
} accp_delivery;

/** The next message in its order: 1 with *out filled, 0 when there is no more. */
ACCP_API int accp_session_next(accp_session *session, accp_delivery *out) ACCP_NOEXCEPT;

/**
 * Was this chain (a cid, or the mid of a request without one) cancelled? Handlers ask before they
 * go on. Spec 3.7.
 */
ACCP_API int accp_session_is_cancelled(const accp_session *session, const char *cid,
                                       size_t cid_len) ACCP_NOEXCEPT;

/**
 * Makes the frame of a message, with mid, seq and ts of its own, and keeps it.
 * Spec 7.2, 3.5.
 *
 * text  JSON, as accp_codec_encode() takes it. Of its own metadata cid, aid, ttl and what is no
 *       envelope go along; mid, seq, ts and sid are the session's, so a message that was received
 *       can be sent on as it is.
 * out   the frame: a view into `session` until its next call. Send it as it is, and again if need
 *       be: a frame sent twice is applied once. Over max_tokens, with the rule `parts`, several
 *       frames with a newline between two, each with mid and seq of its own; all of them are kept,
 *       or none.
 *
 * Where both sides count together (no rule by_sender) its seq may be what frames that came in wait
 * for: they are applied with the next frame that comes in or goes out, and one whose own seq it
 * took is refused then, an ACCP_E3003 of accp_session_next().
 *
 * ACCP_E1001 to E1004 as accp_codec_encode(); ACCP_E2003 over the rule max_tokens, where no parts
 * help, and where too many requests wait; E3003 and E2003 of a sync:state, as
 * accp_session_receive().
 */
ACCP_API accp_status accp_session_send(accp_session *session, const char *text, size_t text_len,
                                       int64_t now_ms, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Looks for requests of ours (intents req and qry, sent under the rule deadline_ms) whose deadline
 * has passed: each waits no more, and accp_session_next() hands out an ACCP_E3001 for it. `done`,
 * `fail` or `ack` with its cid end the waiting before, as `cancel` does; `wait` begins it anew. An
 * answer that comes later is a message like any other. Kept in the log, so each is said once,
 * whoever opens the session.  Spec 3.7, 4.1.
 */
ACCP_API accp_status accp_session_expire(accp_session *session, int64_t now_ms,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * The earliest deadline, which accp_session_expire() finds passed a millisecond later; INT64_MAX
 * where no request waits.
 */
ACCP_API int64_t accp_session_next_deadline(const accp_session *session) ACCP_NOEXCEPT;

/**
 * Makes the frame that sends a frame of ours again, as accp_codec_retry() does, with mid, seq and
 * ts of its own, and keeps it. Only what failed with a retryable code may be sent again
 * (accp_status_retryable()). A request then waits anew.                        Spec 3.7, 10.3.
 *
 * record  the number of the frame's record: accp_delivery.seq of an ACCP_E3001, or
 *         accp_session_records() after accp_session_send(). Of a message in parts the last one's:
 *         all are sent again.
 * out     as accp_session_send().
 *
 * ACCP_E2001: there is no such record; ACCP_ERR_ARG: it is no frame that went out; else as
 * accp_session_send().
 */
ACCP_API accp_status accp_session_retry(accp_session *session, uint64_t record, int64_t now_ms,
                                        const char **out, size_t *len_out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Forgets the parts held of messages of a chain (a cid), which will not become whole; of all chains
 * where the length is 0. `cancel` does so too. Room is for 64 messages and 1 MiB, and for 8 and 64
 * KiB of each agent whatever others hold: more is ACCP_E2003 until one is whole, or forgotten. Kept
 * in the log.
 */
ACCP_API accp_status accp_session_abandon(accp_session *session, const char *cid, size_t cid_len,
                                          int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds a message that takes no frame to the session: what a user said, what a tool answered,
 * whatever a model should remember. `text`: JSON of a message. A sync:state that does not follow
 * ours changes nothing but the history. ACCP_E1001 for what is no message. Cost: reading it and
 * counting its tokens; a few microseconds.
 */
ACCP_API accp_status accp_session_append(accp_session *session, const char *text, size_t text_len,
                                         int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a checkpoint, as at a phase boundary; done, esc, comp and too many tokens make one by
 * themselves. Where nothing was said since the last one it does nothing. Spec 5.2, 5.3, 7.1.
 */
ACCP_API accp_status accp_session_checkpoint(accp_session *session, int64_t now_ms,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * What a model should be given now, instead of the history.
 * Spec 2.2, 5; docs/context.md.
 *
 * budget_tokens  the most it may have; 0: as much as is worth it. Hot state is always whole: a
 *                budget below it is ACCP_E2003. A larger one does not bring back what checkpoints
 *                have let go: that is what refs are for.
 * out            UTF-8 text: a view into `session` until its next call. Between two checkpoints
 *                each text begins with the one before it, so caches of prompts stay warm.
 * tokens_out     how many it has; may be NULL.
 */
ACCP_API accp_status accp_session_context(accp_session *session, uint64_t budget_tokens,
                                          const char **out, size_t *len_out, uint64_t *tokens_out,
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
ACCP_API uint32_t accp_session_checkpoints(const accp_session *session) ACCP_NOEXCEPT;

/** How many records the log has: messages, frames in and out, and marks, counted from 1. */
ACCP_API uint64_t accp_session_records(const accp_session *session) ACCP_NOEXCEPT;

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

/**
 * Record `number` of the log, byte for byte as it was said, with its kind and its time (each may be
 * NULL). out: a view into `session` until its next call. ACCP_E2001: there is none. Spec 5.1.
 */
ACCP_API accp_status accp_session_record(accp_session *session, uint64_t number, int32_t *kind_out,
                                         int64_t *time_ms_out, const char **out, size_t *len_out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * What a ref stands for, as JSON.
 * Spec 5.1; docs/session.md.
 *
 * text  "$warm.ckpt_1.summary", with its $ or without; a bare key is looked for in hot, then in
 *       warm. Of a name with dots the longest key that is there counts, and the labels after it
 *       lead into its value.
 * out   a view into `session` until its next call.
 *
 * ACCP_E2001: it names nothing; ACCP_E2002: it has expired.
 */
ACCP_API accp_status accp_session_resolve(accp_session *session, const char *text, size_t text_len,
                                          int64_t now_ms, const char **out, size_t *len_out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * The same of another session, `owner`, that has granted it: what was put or kept there, its
 * messages, checkpoints and shared state, as they were committed in this store. ACCP_E5002 without
 * a grant, whether it is there or not; ACCP_ERR_BUSY while another process writes it. Cost: opens
 * it to read, and for hot.state reads its log from the newest snapshot on. Spec 9.3.
 */
ACCP_API accp_status accp_session_resolve_of(accp_session *session, const char *owner,
                                             size_t owner_len, const char *text, size_t text_len,
                                             int64_t now_ms, const char **out, size_t *len_out,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Puts a value, in JSON, under a ref of the host's choice, in place of one that is there. tier:
 * hot, warm, cold, or ctx, which frames can read and nothing but this call can write. expires_ms: a
 * time; 0: never. ACCP_E1001: no JSON; ACCP_E1004: no such ref can be.
 */
ACCP_API accp_status accp_session_put(accp_session *session, const char *ref, size_t ref_len,
                                      const char *text, size_t text_len, int64_t expires_ms,
                                      accp_error *err) ACCP_NOEXCEPT;

/** Forgets what was put there; ACCP_OK too where nothing was. */
ACCP_API accp_status accp_session_erase(accp_session *session, const char *ref, size_t ref_len,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Lets session `grantee` read values of this one whose name ("cold.t7") begins with `prefix`, until
 * expires_ms (0: for ever). Bytes are compared: "cold.t1" is a prefix
 * of cold.t10 too. Spec 9.3.
 */
ACCP_API accp_status accp_session_grant(accp_session *session, const char *grantee,
                                        size_t grantee_len, const char *prefix, size_t prefix_len,
                                        int64_t expires_ms, accp_error *err) ACCP_NOEXCEPT;

/** Takes this very grant back: not a part of a wider one. ACCP_OK too where there is none. */
ACCP_API accp_status accp_session_revoke(accp_session *session, const char *grantee,
                                         size_t grantee_len, const char *prefix, size_t prefix_len,
                                         accp_error *err) ACCP_NOEXCEPT;

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
                                             int64_t now_ms, const char **out, size_t *len_out,
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
