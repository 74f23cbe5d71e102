/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Running the plan of a SACP message (seed 004): in order, branches at once, tried again and by
 * other tools where one fails. docs/sacp.md, "Running", has the rules.
 *
 * A run does nothing itself, and knows no clock and no threads: accp_run_next() says what is to be
 * done, the caller does it (a tool, an agent, a model) with what threads it likes, and tells what
 * came of it.
 */
#ifndef ACCP_RUN_H
#define ACCP_RUN_H

#include "accp/config.h"
#include "accp/store.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan that runs, or has ended. */
typedef struct accp_run accp_run;

/** Bits of accp_run_request.flags. */
enum accp_run_flag {
    ACCP_RUN_LENIENT = 1, /* verbs and tools that the library does not have are no error */
    ACCP_RUN_RECORDS = 2, /* without a store: the caller keeps the log itself (ACCP_RUN_RECORD) */
    ACCP_RUN_REASONS = 4  /* accp_run_print_trace() has why attempts failed */
};

/** What a run is made from: accp_run_new(). Texts are copied. */
typedef struct accp_run_request {
    size_t size;       /* sizeof(accp_run_request), as the caller was compiled */
    accp_text message; /* a SACP message */
    accp_text library; /* its verbs and tools; empty: none */
    accp_text policy;  /* a JSON object (docs/sacp.md); empty: as if nothing was said in it */
    uint32_t flags;    /* accp_run_flag */
    accp_store *store; /* where the log is kept; NULL: nowhere, or by the caller */
    accp_text session; /* of the store, 1 to 256 bytes: its only writer is this run */
    int64_t now_ms;
} accp_run_request;

/** How far a run has come. */
enum accp_run_state {
    ACCP_RUN_GOING_ON = 0,
    ACCP_RUN_DONE = 1,
    ACCP_RUN_FAILED = 2,
    ACCP_RUN_REFUSED = 3 /* nothing ran: the message is not valid, or was run before */
};

/**
 * Makes a run. A message that is not VALID, or whose state is not PENDING, is no failure here: its
 * state is ACCP_RUN_REFUSED, and accp_run_print_final() is the verdict.
 *
 * request.store  shared, and held until the run is freed. Where its session has a log, the run goes
 *                on from there: message, library, policy and flags have to be the same, but for
 *                ACCP_RUN_REASONS. Nothing whose answer is in the log is called again.
 * out            owned by the caller: accp_run_free().
 *
 * ACCP_ERR_ARG: an unknown flag or size, no such session, a policy that is none. ACCP_E1004: the
 * library is none (the offset is a byte of it). ACCP_ERR_CORRUPT: the log is of another run, or
 * damaged: the record of the error is its number. ACCP_ERR_IO, ACCP_ERR_BUSY, ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_run_new(const accp_run_request *request, const accp_config *config,
                                  accp_run **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees the run; what it has called goes on. NULL is nothing. */
ACCP_API void accp_run_free(accp_run *run) ACCP_NOEXCEPT;

/** What is to be done. */
enum accp_run_effect_kind {
    ACCP_RUN_NOTHING = 0, /* wait for an answer, or until accp_run_due() and tell accp_run_tick() */
    ACCP_RUN_CALL = 1,    /* call a tool, and tell what comes of it */
    ACCP_RUN_STOP = 2,    /* nobody waits for this call any more */
    ACCP_RUN_ENDED = 3,   /* the last: the plan has ended */
    ACCP_RUN_RECORD = 4   /* make `text` durable before anything after it is done */
};

/** What accp_run_next() says; texts are views until the next call of a function of the run. */
typedef struct accp_run_effect {
    int32_t kind;   /* accp_run_effect_kind */
    uint32_t step;  /* of a call: accp_run_step_at() */
    uint64_t call;  /* its number, never another's in this run */
    int64_t due_ms; /* when it has timed out */
    accp_text path; /* of the step */
    accp_text verb; /* by its full name */
    accp_text tool; /* the step's own, or a fallback */
    accp_text text; /* a call's params, references replaced; a record */
    accp_text key;  /* the same for each try of this tool for this step of this run, also after a
                       restart; no other's: for tools that are to do a thing once */
} accp_run_effect;

/**
 * What is to be done next, into *out: to be asked until it is ACCP_RUN_NOTHING or ACCP_RUN_ENDED,
 * and again after anything was told. With a store, the log is durable before what depends on it is
 * said. ACCP_ERR_BUSY, ACCP_ERR_IO with a full disk, ACCP_ERR_NOMEM of the store: ask again.
 * ACCP_ERR_CLOSED: another run has opened the session, or memory ran out in this one before: a new
 * run goes on from the log.
 */
ACCP_API accp_status accp_run_next(accp_run *run, int64_t now_ms, accp_run_effect *out,
                                   accp_error *err) ACCP_NOEXCEPT;

/**
 * A record that an earlier run of the same request (but for now_ms) gave to its caller: all of
 * them, in their order, before the first accp_run_next(). ACCP_ERR_CORRUPT: not what can come next;
 * nothing changes. ACCP_ERR_ARG: the run keeps its log itself, or has begun.
 */
ACCP_API accp_status accp_run_replay(accp_run *run, const char *record, size_t record_len,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * A call brought `output`, JSON; what is none, or over the policy's max_output_bytes, is a failure
 * of the tool. `tool`: whose answer it is; empty where the caller knows.
 *
 * ACCP_DROPPED: nobody waits for it (it was told before, timed out, or all was cancelled).
 * ACCP_ERR_ARG: another tool was called. ACCP_ERR_CLOSED, as accp_run_next(). ACCP_ERR_NOMEM: the
 * run is only good to be freed.
 */
ACCP_API accp_status accp_run_complete(accp_run *run, uint64_t call, const char *tool,
                                       size_t tool_len, const char *output, size_t output_len,
                                       int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/** Why a call brought nothing. */
enum accp_run_cause {
    ACCP_RUN_TOOL_FAILED = 1,
    ACCP_RUN_TIMED_OUT = 2,
    ACCP_RUN_NO_AGENT = 3 /* nobody has this tool */
};

/** A call failed: a cause (accp_run_cause) and, for the log, a reason. As accp_run_complete(). */
ACCP_API accp_status accp_run_fail(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                                   int32_t cause, const char *reason, size_t reason_len,
                                   int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * A call was answered by an agent of this role with SACP: a message that is DONE brings its
 * result's output, or else its result. Prose is an output of the roles interface and formatter, or
 * where the message said out_fmt human; anything else that breaks the output discipline, and what
 * says ERR, REQ_CLARIFY or FAILED, is a failure of the tool; with the code TIMEOUT it has timed
 * out, and with NO_AGENT or one that says that the agent does not know the verb or the tool, nobody
 * has it. After one that is IN_PROGRESS, or VALID, the call goes on. As accp_run_complete().
 */
ACCP_API accp_status accp_run_reply(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                                    const char *role, size_t role_len, const char *reply,
                                    size_t reply_len, int64_t now_ms,
                                    accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints a call as a SACP message for an agent that is to do it: the goal and the ctx, the one step
 * as its plan, with its params as they are now, and the message's out_fmt where it is the plan's
 * last step, else raw. Its msg_id is made of the call's key and is the same after a restart:
 * KEY.STEP.TRY. accp_sacp_to_message() makes a message of ACCP of it.
 *
 * agent  who is called, 1 to 256 bytes: nobody else's answer counts. A call that is printed again
 *        is the other agent's.
 * role   the agent's role, at most 256 bytes, or empty: as in accp_run_reply().
 * out    a view until the next call of a function of the run.
 *
 * ACCP_DROPPED: nobody waits for this call. ACCP_ERR_ARG: no such agent; or a join, which is no
 * plan by itself; or its params are too deep for a message. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_run_print_request(accp_run *run, uint64_t call, const char *agent,
                                            size_t agent_len, const char *role, size_t role_len,
                                            accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * An agent sent this SACP message: where its reply_to is the msg_id of a call that was printed for
 * it, it is taken as accp_run_reply() takes it; anything else changes nothing.
 *
 * sender  who sent it, as the caller knows; empty: the one who was asked.
 * text    SACP: accp_sacp_from_message() makes it of a message of ACCP.
 *
 * ACCP_DROPPED: nobody waits for it. ACCP_ERR_ARG: another agent was asked. ACCP_E1001: no JSON
 * object with a reply_to, or longer than the policy's max_output_bytes. ACCP_ERR_CLOSED,
 * ACCP_ERR_NOMEM, as accp_run_complete().
 */
ACCP_API accp_status accp_run_receive(accp_run *run, const char *sender, size_t sender_len,
                                      const char *text, size_t text_len, int64_t now_ms,
                                      accp_error *err) ACCP_NOEXCEPT;

/** When accp_run_tick() has to be told at the latest; -1: nothing waits for a time. */
ACCP_API int64_t accp_run_due(const accp_run *run) ACCP_NOEXCEPT;

/** Time has passed: calls time out, and what waited is tried again. As accp_run_complete(). */
ACCP_API accp_status accp_run_tick(accp_run *run, int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Ends a plan: calls that go on are stopped, no other is made, and it has failed. Of a plan that
 * has ended nothing changes. As accp_run_complete().
 */
ACCP_API accp_status accp_run_cancel(accp_run *run, int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/** accp_run_state; -1 for NULL. */
ACCP_API int32_t accp_run_state(const accp_run *run) ACCP_NOEXCEPT;

/** How many steps and other parts (parallels, branches) the plan has, those of messages in it too.
 */
ACCP_API uint32_t accp_run_step_count(const accp_run *run) ACCP_NOEXCEPT;

/** How far a part of a plan has come. */
enum accp_run_step_state {
    ACCP_RUN_STEP_PENDING = 0,
    ACCP_RUN_STEP_IN_PROGRESS = 1,
    ACCP_RUN_STEP_DONE = 2,
    ACCP_RUN_STEP_FAILED = 3
};

/** What a part of a plan is. */
enum accp_run_step_kind {
    ACCP_RUN_STEP = 0,
    ACCP_RUN_PARALLEL = 1,
    ACCP_RUN_BRANCH = 2 /* of a parallel, one that is a list of parts */
};

/** A part of a plan; texts are views until the next call of a function of the run. */
typedef struct accp_run_step {
    int32_t kind;   /* accp_run_step_kind */
    int32_t state;  /* accp_run_step_state: it never goes back */
    uint32_t tries; /* how many times a tool was called for it, answered or not in time */
    accp_text path;
    accp_text verb; /* of a step; else empty, as its tool */
    accp_text tool; /* the one that is tried, or was the last */
} accp_run_step;

/** A part of the plan, by its number, into *out. ACCP_ERR_ARG: it has no such part. */
ACCP_API accp_status accp_run_step_at(accp_run *run, uint32_t step, accp_run_step *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * The attempts so far as a JSON array, in the order of the steps' paths: a view until the next call
 * of a function of the run. Each is {"step","verb","tool","params","outcome"}, and with
 * ACCP_RUN_REASONS one that failed has "reason" last, where it is known: what accp_run_fail() was
 * told, what is wrong with an output, or what an agent replied, at most 512 bytes of it.
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_run_print_trace(accp_run *run, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * What the plan ended with: {"state":"DONE","result":{"output":…,"step_results":{…}}} or FAILED
 * with an error; of a message that was refused the verdict. A view, as accp_run_print_trace().
 * ACCP_ERR_ARG: it has not ended. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_run_print_final(accp_run *run, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * The same as a message that replies to the one that came: its g and plan as they were, its msg_id
 * as reply_to, and a msg_id of its own, id: 1 to 128 of A-Z a-z 0-9 . _ : -. Of a message that was
 * refused the verdict. A view, as accp_run_print_trace(). ACCP_ERR_ARG: it has not ended, or no
 * such id. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_run_print_reply(accp_run *run, const char *id, size_t id_len,
                                          accp_text *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
