/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Context packets in the files of a project (seed 003). An orchestrator writes a packet for the
 * worker of a pane. The worker reads it and reports what it missed. The results of all tasks are
 * counted. docs/panes.md describes the files.
 *
 * @code
 * // An orchestrator hands a packet to the worker of pane 1, and the worker reads it.
 * accp_status hand_over(accp_store *store, accp_packet *packet, int64_t now_ms) {
 *     accp_panes *panes = NULL;
 *     accp_status status = accp_panes_open("/home/me/project", 16, store, NULL, &panes, NULL);
 *     if (status == ACCP_OK)
 *         status = accp_panes_write(panes, 1, packet, NULL, 0, now_ms, 0, NULL);
 *     if (status == ACCP_OK)
 *         status = accp_panes_read(panes, 1, now_ms, ACCP_PANES_RECEIPT, packet, NULL);
 *     accp_panes_close(panes);
 *     return status;
 * }
 * @endcode
 */
#ifndef ACCP_PANES_H
#define ACCP_PANES_H

#include "accp/packet.h"
#include "accp/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The packets of one project: .agentwire/context/pane-N.yaml, shared.yaml beside them, and
 * .agentwire/feedback/pane-N.md. A pane is a number from 0 to 9,999.
 *
 * Any number of handles, in any number of processes, may be open on a project. The lock file
 * .agentwire/lock orders their writes. A file always has its old or its new text, even if a process
 * is killed. A writer waits for the lock up to ACCP_PANES_LOCK_SECONDS. After that its call returns
 * ACCP_ERR_BUSY, the message names the process that has the lock, and nothing has changed.
 *
 * Symbolic links below the project's directory are not followed. A file that is not a regular file
 * is ACCP_ERR_IO.
 */
typedef struct accp_panes accp_panes;

/** Used as a pane's number: the packet that all panes share. */
#define ACCP_PANES_SHARED ((int64_t)-1)

/**
 * Opens a project.
 *
 * @param directory  The project's directory, which must exist. The library creates .agentwire in it
 *                   when needed.
 * @param store      Shared, until the handle is closed. It keeps removed packets, receipts and
 *                   tasks, in its session "agentwire", which is never removed.
 * @param out        Owned by the caller: accp_panes_close().
 *
 * Errors: ACCP_ERR_ARG, ACCP_ERR_IO if the directory does not exist.
 */
ACCP_API accp_status accp_panes_open(const char *directory, size_t directory_len, accp_store *store,
                                     const accp_config *config, accp_panes **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Closes the handle; the store stays open. NULL has no effect. */
ACCP_API void accp_panes_close(accp_panes *panes) ACCP_NOEXCEPT;

/** Settings of a project. */
enum accp_pane_setting {
    /** accp_packet_depth; default standard. */
    ACCP_PANES_DEFAULT_DEPTH = 0,
    /** Tokens; default 100. */
    ACCP_PANES_BUDGET_MINIMAL = 1,
    /** Tokens; default 400. */
    ACCP_PANES_BUDGET_STANDARD = 2,
    /** Tokens; default 800. */
    ACCP_PANES_BUDGET_DEEP = 3,
    /** 1 (default): the program that starts a worker makes a packet for it. */
    ACCP_PANES_AUTO_GENERATE = 4,
    /** 1 (default); 0: tasks and receipts are not recorded. */
    ACCP_PANES_TRACK_EFFICIENCY = 5,
    /** 1 (default): a finished task's packet is archived and removed. */
    ACCP_PANES_AUTO_CLEANUP = 6,
    /** The pane of the program that reads the configuration; default -1: unknown. */
    ACCP_PANES_OWN_PANE = 7,
    /** How long a writer waits for another one; default 10. */
    ACCP_PANES_LOCK_SECONDS = 8
};

/**
 * Reads settings from the part `context` of a configuration. Other parts are ignored: they belong
 * to other programs.
 *
 * @param text  YAML of at most 65,536 bytes with default_depth, budgets (minimal, standard, deep),
 *              auto_generate, track_efficiency, auto_cleanup, lock_seconds (0 to 3600) and pane.
 *
 * Errors; nothing has changed then. ACCP_E1001: not YAML. ACCP_E1004: an unknown name in `context`,
 * or an invalid value.
 */
ACCP_API accp_status accp_panes_configure(accp_panes *panes, const char *text, size_t text_len,
                                          accp_error *err) ACCP_NOEXCEPT;

/** Returns a setting (accp_pane_setting); -1 for an unknown number or NULL. */
ACCP_API int64_t accp_panes_setting(const accp_panes *panes, int32_t setting) ACCP_NOEXCEPT;

/** Options of accp_panes_write(), as bits. */
enum accp_panes_writing {
    /** The packet was edited by hand; this is counted. accp_panes_refresh() keeps the edits. */
    ACCP_PANES_EDITED = 1,
    /** The packet was made by a program: accp_panes_refresh() finds later edits by it. */
    ACCP_PANES_MADE = 2
};

/**
 * Seals a packet and writes it durably, replacing the packet that is there.
 *
 * @param pane      The pane, or ACCP_PANES_SHARED.
 * @param packet    Not empty; only its seal changes.
 * @param revision  The checksum that the existing packet must have: accp_packet_checksum() of the
 *                  packet that was read. Empty: for a pane any or no packet; for the shared one no
 *                  packet may exist.
 * @param writing   Bits of accp_panes_writing.
 *
 * Errors: ACCP_ERR_BUSY if there is another revision. ACCP_E1001 over 262,144 bytes. ACCP_ERR_IO if
 * it cannot be written; the old packet is unchanged. Those of accp_store_sync() with
 * ACCP_PANES_EDITED.
 */
ACCP_API accp_status accp_panes_write(accp_panes *panes, int64_t pane, accp_packet *packet,
                                      const char *revision, size_t revision_len, int64_t now_ms,
                                      uint32_t writing, accp_error *err) ACCP_NOEXCEPT;

/**
 * Replaces the packet of a pane by one that was made again, and keeps what people changed by hand:
 * items that they added or edited stay, without a place in `sources`, and items that they removed
 * stay out. The result is the next version of the packet and has its changelog. If no packet was
 * written with ACCP_PANES_MADE, items without a place in `sources` count as written by hand.
 *
 * @param packet    The packet that was made; replaced by the result, sealed. On failure it may be
 *                  either.
 * @param revision  As accp_panes_write(). Empty: the packet that is there when the call begins.
 * @param note      The entry of the changelog. Empty: the number of edits, and the decisions that
 *                  have changed.
 *
 * Errors: ACCP_E2001 if the pane has no packet. ACCP_E1001, ACCP_E1004 if it is invalid; those of
 * accp_packet_revise() and accp_panes_write().
 */
ACCP_API accp_status accp_panes_refresh(accp_panes *panes, int64_t pane, accp_packet *packet,
                                        const char *revision, size_t revision_len, const char *note,
                                        size_t note_len, accp_error *err) ACCP_NOEXCEPT;

/** Options of accp_panes_read(), as bits. */
enum accp_panes_reading {
    /** The pane's own packet, without the shared one. */
    ACCP_PANES_ALONE = 1,
    /** The pane's own packet with any checksum, for editing. */
    ACCP_PANES_UNVERIFIED = 2,
    /** The worker itself reads: a receipt is recorded durably before it gets the packet. */
    ACCP_PANES_RECEIPT = 4
};

/**
 * Reads the packet of a pane, merged with the shared one: lists have the pane's items followed by
 * other shared items, and everything else is the pane's. A merged packet is sealed.
 *
 * @param pane     The pane, or ACCP_PANES_SHARED.
 * @param reading  Bits of accp_panes_reading.
 * @param out      Replaced; empty on failure.
 *
 * Errors: ACCP_E2001 if the pane has no packet. ACCP_E1001, ACCP_E1004 as accp_packet_parse(); for
 * the shared packet the message begins with "shared.yaml: ". ACCP_ERR_IO. Those of
 * accp_store_sync() with ACCP_PANES_RECEIPT.
 */
ACCP_API accp_status accp_panes_read(accp_panes *panes, int64_t pane, int64_t now_ms,
                                     uint32_t reading, accp_packet *out,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes the packet of a pane. With ACCP_PANES_AUTO_CLEANUP the packet and the feedback are first
 * archived in the store, unchanged, under the SHA-256 of their bytes.
 *
 * Errors: ACCP_E2001 if the pane has no packet. ACCP_ERR_IO and those of accp_store_sync(): the
 * packet is still there.
 */
ACCP_API accp_status accp_panes_remove(accp_panes *panes, int64_t pane, int64_t now_ms,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the packet of a pane that was archived last, and its feedback, unchanged.
 *
 * Errors: ACCP_E2001 if the store has no archive of the pane. ACCP_ERR_BUSY if the pane has a
 * packet. ACCP_ERR_CORRUPT, ACCP_ERR_IO.
 */
ACCP_API accp_status accp_panes_restore(accp_panes *panes, int64_t pane,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the feedback of a pane's worker, replacing the feedback that is there.
 *
 * @param gaps    What the worker missed, one item per line: at most 64 lines of at most 1,024
 *                bytes. Blank lines, and lines that report none ("No context gaps"), are ignored.
 * @param unused  What the worker had but did not need, in the same form.
 *
 * Errors: ACCP_E1001, ACCP_E1004 for too many or too long lines, or text that is not UTF-8;
 * ACCP_ERR_IO.
 */
ACCP_API accp_status accp_panes_write_feedback(accp_panes *panes, int64_t pane, const char *gaps,
                                               size_t gaps_len, const char *unused,
                                               size_t unused_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Reads the feedback of a pane's worker; docs/panes.md lists the forms that people may write.
 *
 * @param gaps_out,unused_out  One item per line: views into `panes` until its next call.
 *
 * Errors: ACCP_E2001 if the pane has no feedback; ACCP_E1001, ACCP_E1004 if it is invalid;
 * ACCP_ERR_IO.
 */
ACCP_API accp_status accp_panes_read_feedback(accp_panes *panes, int64_t pane, accp_text *gaps_out,
                                              accp_text *unused_out, accp_error *err) ACCP_NOEXCEPT;

/** A finished task. */
typedef struct accp_pane_task {
    /** sizeof(accp_pane_task), as the caller was compiled. */
    size_t size;
    /** Its kind, such as "auth": at most 64 bytes; may be empty. */
    accp_text kind;
    /** Its pane; -1: none. */
    int64_t pane;
    /** 1 if it succeeded, 0 if it failed. */
    int32_t success;
    /** accp_packet_depth of its packet; -1: unknown. */
    int32_t depth;
    /** The tokens of its packet; 0: as the packet has it. */
    uint64_t context_tokens;
    /** The tokens of what the packet was made from; 0: unknown. */
    uint64_t whole_tokens;
    /** The number of files that the worker had to look up again; -1: unknown. */
    int64_t explored;
    /** As in accp_panes_write_feedback(). If gaps and unused are both empty, those of the pane's
     * feedback are used, if it is newer than its packet. */
    accp_text gaps;
    /** As in accp_panes_write_feedback(). */
    accp_text unused;
    /** The time. */
    int64_t now_ms;
} accp_pane_task;

/**
 * Records a task durably, unless ACCP_PANES_TRACK_EFFICIENCY is off. Then, with
 * ACCP_PANES_AUTO_CLEANUP, it calls accp_panes_remove() for its pane.
 *
 * Errors; nothing is recorded or removed then. ACCP_ERR_ARG; those of accp_panes_remove(),
 * accp_panes_read_feedback() and accp_store_sync().
 */
ACCP_API accp_status accp_panes_record_task(accp_panes *panes, const accp_pane_task *task,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a session report to a project what happens to the packets that it hands to workers
 * (docs/panes.md).
 *
 * A handoff is a message of ours that carries a packet and has the member `to`, a worker's name. It
 * may be sent (accp_session_send_packet()) or appended. Its members `pane` and `kind` are those of
 * accp_pane_task. In its chain, only messages under the worker's name count. An `ack` of operation
 * context with lists `gaps` and `unused` calls accp_panes_write_feedback() for the pane. A `done`
 * or `fail` (not of a tool, and not of operation context) calls accp_panes_record_task(). The
 * session stores up to 256 open handoffs.
 *
 * @param panes  The project, with its current settings; you may close the handle afterwards. NULL:
 *               stop reporting (the default). Calls that report wait for the project's lock.
 *
 * A report that fails does not fail the call. It is repeated with the next message of this kind, or
 * by this function after the session was reopened.
 *
 * Errors: ACCP_ERR_ARG for a read-only session; otherwise those of accp_session_put().
 */
ACCP_API accp_status accp_session_set_panes(accp_session *session, accp_panes *panes,
                                            int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints statistics of all tasks as text: average size, success rate and top gaps, one per line;
 * then the savings, what is usually unused, which gaps occur with failures, and kinds of tasks.
 * docs/panes.md defines each figure. It makes no claim from fewer than five tasks. Cost: reads the
 * log.
 *
 * @param compared  1: compare the earlier half of all tasks with the later half. 0: all tasks.
 * @param out       A view into `panes` until its next call.
 *
 * Errors: ACCP_ERR_CORRUPT, ACCP_ERR_IO.
 */
ACCP_API accp_status accp_panes_print_stats(accp_panes *panes, int32_t compared, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the statistics as one JSON object, otherwise as accp_panes_print_stats(). With `compared`
 * it includes both halves.
 */
ACCP_API accp_status accp_panes_print_stats_json(accp_panes *panes, int32_t compared,
                                                 accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Recommends the depth of the next packet for a kind of task, from the results of earlier tasks,
 * with a reason. If there are too few, it is the default depth.
 *
 * @param kind       As in accp_pane_task; empty: tasks of any kind.
 * @param depth_out  accp_packet_depth.
 * @param why_out    The reason, a view into `panes` until its next call.
 *
 * Errors: those of accp_panes_print_stats().
 */
ACCP_API accp_status accp_panes_advise(accp_panes *panes, const char *kind, size_t kind_len,
                                       int32_t *depth_out, accp_text *why_out,
                                       accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
