/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Runs the plan of a SACP message (seed 004): steps in order, branches in parallel, with retries
 * and fallback tools. A run does no work itself, and has no clock and no threads. accp_run_next()
 * returns what to do. The caller does it, by a tool, an agent or a model in any thread, and reports
 * the result. docs/sacp.md, "Running", has the rules.
 *
 * @code
 * // Runs a plan to its end. `call_tool` returns the tool's output as JSON.
 * accp_status run_plan(accp_run *run, int64_t now_ms,
 *                      accp_text (*call_tool)(accp_text tool, accp_text params)) {
 *     accp_run_effect todo;
 *     accp_status status;
 *     while ((status = accp_run_next(run, now_ms, &todo, NULL)) == ACCP_OK) {
 *         if (todo.kind == ACCP_RUN_ENDED) break;
 *         if (todo.kind == ACCP_RUN_CALL) {
 *             accp_text output = call_tool(todo.tool, todo.text);
 *             accp_run_complete(run, todo.call, NULL, 0, output.text, output.len, now_ms, NULL);
 *         } else if (todo.kind == ACCP_RUN_NOTHING) {
 *             now_ms = accp_run_due(run);  // really: wait until then
 *             accp_run_tick(run, now_ms, NULL);
 *         }
 *     }
 *     return status;  // accp_run_print_final() has the result
 * }
 * @endcode
 */
#ifndef ACCP_RUN_H
#define ACCP_RUN_H

#include "accp/config.h"
#include "accp/store.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan that runs or has ended. One thread at a time. */
typedef struct accp_run accp_run;

/** Bits of accp_run_request.flags. */
enum accp_run_flag {
    ACCP_RUN_LENIENT = 1, /**< Verbs and tools that the library does not have are not errors. */
    ACCP_RUN_RECORDS = 2, /**< Without a store: the caller keeps the log (ACCP_RUN_RECORD). */
    ACCP_RUN_REASONS = 4  /**< accp_run_print_trace() includes why attempts failed. */
};

/** The input of accp_run_new(). Texts are copied. */
typedef struct accp_run_request {
    /** sizeof(accp_run_request), as the caller was compiled. */
    size_t size;
    /** A SACP message. */
    accp_text message;
    /** The document of its verbs and tools; empty: none. */
    accp_text library;
    /** A JSON object (docs/sacp.md); empty: all defaults. */
    accp_text policy;
    /** Bits of accp_run_flag. */
    uint32_t flags;
    /** Where the log is kept; NULL: nowhere, or by the caller. */
    accp_store *store;
    /** The session of the store for the log, 1 to 256 bytes. Only this run may write to it. */
    accp_text session;
    /** The time. */
    int64_t now_ms;
} accp_run_request;

/** The state of a run. */
enum accp_run_state {
    ACCP_RUN_GOING_ON = 0, /**< It has not ended. */
    ACCP_RUN_DONE = 1,     /**< The plan succeeded. */
    ACCP_RUN_FAILED = 2,   /**< The plan failed or was cancelled. */
    ACCP_RUN_REFUSED = 3   /**< Nothing ran: the message is not valid, or has run before. */
};

/**
 * Makes a run. A message that is not VALID, or whose state is not PENDING, does not fail the call:
 * the state of the run is then ACCP_RUN_REFUSED, and accp_run_print_final() returns the verdict.
 *
 * @param request  Its store is shared until the run is freed. If its session has a log, the run
 *                 continues from there: message, library, policy and flags must be the same, except
 *                 ACCP_RUN_REASONS. No call whose result is in the log is repeated.
 * @param out      Owned by the caller: accp_run_free().
 *
 * Errors: ACCP_ERR_ARG for an unknown flag or size, an invalid session id or an invalid policy.
 * ACCP_E1004 for an invalid library; the offset is a byte of it. ACCP_ERR_CORRUPT if the log is of
 * another run or damaged; err.record is the number of the record. ACCP_ERR_IO, ACCP_ERR_BUSY.
 */
ACCP_API accp_status accp_run_new(const accp_run_request *request, const accp_config *config,
                                  accp_run **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a run and every view into it. Its open calls are not stopped. NULL has no effect. */
ACCP_API void accp_run_free(accp_run *run) ACCP_NOEXCEPT;

/** The kinds of effects: what the caller has to do. */
enum accp_run_effect_kind {
    /** Wait for a result, or until accp_run_due(); then call accp_run_tick(). */
    ACCP_RUN_NOTHING = 0,
    /** Call a tool, and report the result. */
    ACCP_RUN_CALL = 1,
    /** Stop a call: its result is not needed any more. */
    ACCP_RUN_STOP = 2,
    /** The plan has ended; this is the last effect. */
    ACCP_RUN_ENDED = 3,
    /** Make `text` durable before you do anything that follows. */
    ACCP_RUN_RECORD = 4
};

/** The result of accp_run_next(). Its texts are views until the next call on the run. */
typedef struct accp_run_effect {
    /** accp_run_effect_kind. */
    int32_t kind;
    /** The number of the call's step: accp_run_step_at(). */
    uint32_t step;
    /** The number of the call, unique in this run. */
    uint64_t call;
    /** The time at which the call times out. */
    int64_t due_ms;
    /** The path of the step. */
    accp_text path;
    /** The full name of the verb. */
    accp_text verb;
    /** The step's own tool, or a fallback. */
    accp_text tool;
    /** The params of a call, with references replaced; or a record. */
    accp_text text;
    /** A key for tools that must do their work only once. It is the same for each try of this tool
     * for this step of this run, even after a restart, and for no other call. */
    accp_text key;
} accp_run_effect;

/**
 * Returns what to do next. Call it until it returns ACCP_RUN_NOTHING or ACCP_RUN_ENDED, and again
 * after each report. With a store, the log is durable before anything that depends on it is
 * returned.
 *
 * Errors: after ACCP_ERR_BUSY, ACCP_ERR_NOMEM of the store, and ACCP_ERR_IO with a full disk, call
 * it again. ACCP_ERR_CLOSED if another run has opened the session, or this run was out of memory
 * before: a new run continues from the log.
 */
ACCP_API accp_status accp_run_next(accp_run *run, int64_t now_ms, accp_run_effect *out,
                                   accp_error *err) ACCP_NOEXCEPT;

/**
 * Passes a record that an earlier run of the same request (except for now_ms) gave to its caller.
 * Pass all records in order, before the first accp_run_next(). Returns ACCP_ERR_CORRUPT if the
 * record cannot be the next one; nothing changes then. Returns ACCP_ERR_ARG if the run keeps its
 * own log, or has started.
 */
ACCP_API accp_status accp_run_replay(accp_run *run, const char *record, size_t record_len,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Reports the output of a call. An output that is not JSON, or is over the policy's
 * max_output_bytes, is a failure of the tool.
 *
 * @param call    accp_run_effect.call.
 * @param tool    The tool that was called; empty if the caller is sure of it.
 * @param output  JSON.
 *
 * Errors: ACCP_DROPPED if the result is not needed: it was reported before, timed out, or the plan
 * was cancelled. ACCP_ERR_ARG if another tool was called. ACCP_ERR_CLOSED as accp_run_next(). After
 * ACCP_ERR_NOMEM the run can only be freed.
 */
ACCP_API accp_status accp_run_complete(accp_run *run, uint64_t call, const char *tool,
                                       size_t tool_len, const char *output, size_t output_len,
                                       int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/** Why a call has no output. */
enum accp_run_cause {
    ACCP_RUN_TOOL_FAILED = 1, /**< The tool failed. */
    ACCP_RUN_TIMED_OUT = 2,   /**< It timed out. */
    ACCP_RUN_NO_AGENT = 3     /**< Nobody has this tool. */
};

/**
 * Reports that a call failed. Errors: those of accp_run_complete().
 *
 * @param call,tool  As accp_run_complete().
 * @param cause      accp_run_cause.
 * @param reason     Text for the log.
 */
ACCP_API accp_status accp_run_fail(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                                   int32_t cause, const char *reason, size_t reason_len,
                                   int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Reports the SACP reply of an agent to a call. Errors: those of accp_run_complete().
 *
 * - A message that is DONE has the output: its result's output, or else its result.
 * - Prose is an output of the roles interface and formatter, or if the message has out_fmt human.
 * - ERR, REQ_CLARIFY, FAILED, and anything else against the output discipline, is a failure of the
 *   tool. With the code TIMEOUT the call has timed out. With NO_AGENT, or a code that the agent
 *   does not have the verb or the tool, nobody has the tool.
 * - After IN_PROGRESS or VALID the call continues.
 *
 * @param call,tool  As accp_run_complete().
 * @param role       The role of the agent.
 * @param reply      The reply.
 */
ACCP_API accp_status accp_run_receive_reply(accp_run *run, uint64_t call, const char *tool,
                                            size_t tool_len, const char *role, size_t role_len,
                                            const char *reply, size_t reply_len, int64_t now_ms,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints a call as a SACP message for an agent. It has the goal and the ctx, and the one step as
 * its plan, with its current params. The out_fmt is that of the message for the plan's last step,
 * else raw. The msg_id is KEY.STEP.TRY, made from the call's key, and is the same after a restart.
 * accp_sacp_to_message() converts it to an ACCP message.
 *
 * @param call   accp_run_effect.call.
 * @param agent  The agent's name, 1 to 256 bytes. Only its reply counts. If a call is printed
 *               again, the new agent replaces the old one.
 * @param role   The agent's role, at most 256 bytes, or empty: as in accp_run_receive_reply().
 * @param out    A view until the next call on the run.
 *
 * Errors: ACCP_DROPPED if the result of this call is not needed. ACCP_ERR_ARG for an invalid name;
 * for a join, which is not a plan by itself; for params that are too deep for a message.
 */
ACCP_API accp_status accp_run_print_request(accp_run *run, uint64_t call, const char *agent,
                                            size_t agent_len, const char *role, size_t role_len,
                                            accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Receives a SACP message of an agent. If its reply_to is the msg_id of a call that was printed for
 * this agent, it is handled as by accp_run_receive_reply(). Anything else changes nothing.
 *
 * @param sender  The agent that sent it, as the caller knows it; empty: the agent that the call was
 *                printed for.
 * @param text    SACP: accp_sacp_from_message() makes it from an ACCP message.
 *
 * Errors: ACCP_DROPPED if the result is not needed. ACCP_ERR_ARG if the call was printed for
 * another agent. ACCP_E1001 if the text is not a JSON object with a reply_to, or longer than the
 * policy's max_output_bytes. Those of accp_run_complete().
 */
ACCP_API accp_status accp_run_receive(accp_run *run, const char *sender, size_t sender_len,
                                      const char *text, size_t text_len, int64_t now_ms,
                                      accp_error *err) ACCP_NOEXCEPT;

/** Returns the time at which accp_run_tick() has to be called; -1 if nothing waits for a time. */
ACCP_API int64_t accp_run_due(const accp_run *run) ACCP_NOEXCEPT;

/**
 * Reports the time: calls time out, and waiting retries start. Errors: those of
 * accp_run_complete().
 */
ACCP_API accp_status accp_run_tick(accp_run *run, int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Cancels a plan: open calls are stopped, no other call is made, and the plan has failed. It has no
 * effect on a plan that has ended. Errors: those of accp_run_complete().
 */
ACCP_API accp_status accp_run_cancel(accp_run *run, int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/** Returns the state of a run (accp_run_state); -1 for NULL. */
ACCP_API int32_t accp_run_state(const accp_run *run) ACCP_NOEXCEPT;

/**
 * Returns the number of parts of the plan: steps, parallels and branches, those of messages inside
 * it included.
 */
ACCP_API uint32_t accp_run_step_count(const accp_run *run) ACCP_NOEXCEPT;

/** The state of a part of a plan. */
enum accp_run_step_state {
    ACCP_RUN_STEP_PENDING = 0,     /**< It has not started. */
    ACCP_RUN_STEP_IN_PROGRESS = 1, /**< It runs. */
    ACCP_RUN_STEP_DONE = 2,        /**< It succeeded. */
    ACCP_RUN_STEP_FAILED = 3       /**< It failed. */
};

/** The kinds of parts of a plan. */
enum accp_run_step_kind {
    ACCP_RUN_STEP = 0,     /**< A step. */
    ACCP_RUN_PARALLEL = 1, /**< Branches that run at the same time. */
    ACCP_RUN_BRANCH = 2    /**< A branch of a parallel that is a list of parts. */
};

/** A part of a plan. Its texts are views until the next call on the run. */
typedef struct accp_run_step {
    int32_t kind;   /**< accp_run_step_kind. */
    int32_t state;  /**< accp_run_step_state. It never goes back. */
    uint32_t tries; /**< How many times a tool was called for it, timed-out calls included. */
    accp_text path; /**< Its path. */
    accp_text verb; /**< The verb of a step; else empty. */
    accp_text tool; /**< The current or last tool of a step; else empty. */
} accp_run_step;

/**
 * Returns a part of the plan. Returns ACCP_ERR_ARG for a number out of range.
 *
 * @param index  From 0 to accp_run_step_count() - 1.
 */
ACCP_API accp_status accp_run_step_at(accp_run *run, uint32_t index, accp_run_step *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints all attempts so far as a JSON array, in the order of the steps' paths. Each is
 * `{"step","verb","tool","params","outcome"}`. With ACCP_RUN_REASONS a failed attempt also has a
 * "reason", if it is known: the reason of accp_run_fail(), what is wrong with an output, or the
 * first 512 bytes of an agent's reply.
 *
 * @param out  A view until the next call on the run.
 */
ACCP_API accp_status accp_run_print_trace(accp_run *run, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the result of the plan: `{"state":"DONE","result":{"output":…,"step_results":{…}}}`, or
 * FAILED with an error. For a message that was rejected it is the verdict.
 *
 * @param out  A view until the next call on the run.
 *
 * Errors: ACCP_ERR_ARG if the plan has not ended.
 */
ACCP_API accp_status accp_run_print_final(accp_run *run, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the result as a SACP message that replies to the original: with its g and plan, and its
 * msg_id as reply_to. For a message that was rejected it is the verdict.
 *
 * @param id   The msg_id of the reply: 1 to 128 of A-Z a-z 0-9 . _ : -
 * @param out  A view until the next call on the run.
 *
 * Errors: ACCP_ERR_ARG if the plan has not ended, or for an invalid id.
 */
ACCP_API accp_status accp_run_print_reply(accp_run *run, const char *id, size_t id_len,
                                          accp_text *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
