/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * The life of context packets in a project's files (seed 003): an orchestrator writes one for the
 * worker of a pane, the worker reads it and says what it missed, and what came of all tasks is
 * counted. docs/panes.md has the files.
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
 * .agentwire/feedback/pane-N.md. Any number of handles, in any number of processes, may be open on
 * a project: one lock of the project, .agentwire/lock, orders their writing, and each file is at
 * any time the old text or the new one, also where a process is killed. A writer waits for the lock
 * for ACCP_PANES_LOCK_SECONDS; then its call is ACCP_ERR_BUSY, the message says which process has
 * it, and nothing has changed.
 *
 * A pane is a number from 0 to 9,999. No symbolic link below the project's directory is followed,
 * and what is no regular file is refused (ACCP_ERR_IO).
 */
typedef struct accp_panes accp_panes;

/** In place of a pane's number: the packet that all panes share. */
#define ACCP_PANES_SHARED ((int64_t)-1)

/**
 * Opens a project.
 *
 * directory  of the project, which has to be there; .agentwire in it is made when it is needed.
 * store      shared, and held until the handle is closed: where packets that are removed, receipts
 *            and tasks are kept, in a session "agentwire" of its own. It survives every removal.
 * out        owned by the caller: accp_panes_close().
 *
 * ACCP_ERR_ARG, ACCP_ERR_IO: no such directory; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_panes_open(const char *directory, size_t directory_len, accp_store *store,
                                     const accp_config *config, accp_panes **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Closes the handle; the store stays open. NULL is nothing. */
ACCP_API void accp_panes_close(accp_panes *panes) ACCP_NOEXCEPT;

/** What a configuration says. */
enum accp_pane_setting {
    ACCP_PANES_DEFAULT_DEPTH = 0,    /* accp_packet_depth; standard */
    ACCP_PANES_BUDGET_MINIMAL = 1,   /* tokens; 100 */
    ACCP_PANES_BUDGET_STANDARD = 2,  /* 400 */
    ACCP_PANES_BUDGET_DEEP = 3,      /* 800 */
    ACCP_PANES_AUTO_GENERATE = 4,    /* 1: whoever starts a worker makes a packet for it */
    ACCP_PANES_TRACK_EFFICIENCY = 5, /* 1; 0: no task and no receipt is written */
    ACCP_PANES_AUTO_CLEANUP = 6,     /* 1: a task's packet is archived and removed with it */
    ACCP_PANES_OWN_PANE = 7,         /* the pane of whoever reads the configuration; -1: not said */
    ACCP_PANES_LOCK_SECONDS = 8      /* how long a writer waits for another; 10 */
};

/**
 * Takes over the part `context` of a configuration: YAML of at most 65,536 bytes with
 * default_depth, budgets (minimal, standard, deep), auto_generate, track_efficiency, auto_cleanup,
 * lock_seconds (0 to 3600) and pane. Other parts are other programs'. ACCP_E1001: no YAML.
 * ACCP_E1004: in `context` a name that is not there, or a value that it cannot have; nothing
 * changes then. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_panes_configure(accp_panes *panes, const char *text, size_t text_len,
                                          accp_error *err) ACCP_NOEXCEPT;

/** A setting (accp_pane_setting); -1 for an unknown number, and for NULL. */
ACCP_API int64_t accp_panes_setting(const accp_panes *panes, int32_t setting) ACCP_NOEXCEPT;

/** How accp_panes_write() writes, as bits. */
enum accp_panes_writing {
    ACCP_PANES_EDITED = 1 /* somebody has changed it by hand, which is counted */
};

/**
 * Seals a packet and writes it, durably, in place of what is there.
 *
 * pane      whose, or ACCP_PANES_SHARED.
 * revision  the checksum that the packet there has to have (accp_packet_checksum() of the one that
 *           was read). Empty: of a pane, whatever there is; of the shared one, there must be none.
 * writing   bits of accp_panes_writing.
 * packet    not empty; changed by its seal alone.
 *
 * ACCP_ERR_BUSY: there is another revision; ACCP_E1001: over 262,144 bytes; ACCP_ERR_IO: it cannot
 * be written, and what was there still is; failures of accp_store_sync() where an edit is counted.
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_panes_write(accp_panes *panes, int64_t pane, const char *revision,
                                      size_t revision_len, uint32_t writing, int64_t now_ms,
                                      accp_packet *packet, accp_error *err) ACCP_NOEXCEPT;

/** How accp_panes_read() reads, as bits. */
enum accp_panes_reading {
    /* the pane's own packet, without what is shared */
    ACCP_PANES_ALONE = 1,
    /* the same, and its checksum may be any: to edit it */
    ACCP_PANES_UNVERIFIED = 2,
    /* by the worker itself: that it has read this packet is recorded, durably, before it has it */
    ACCP_PANES_RECEIPT = 4
};

/**
 * Reads the packet of a pane, with what is shared merged in: of lists the pane's items, then the
 * shared ones that are others; of all else the pane's own. A merged packet is sealed as it is.
 *
 * pane     whose, or ACCP_PANES_SHARED.
 * reading  bits of accp_panes_reading.
 * packet   replaced; empty on failure.
 *
 * ACCP_E2001: there is none. ACCP_E1001, ACCP_E1004: as accp_packet_read(), and one message more:
 * "shared.yaml: …". ACCP_ERR_IO; of a receipt the failures of accp_store_sync(). ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_panes_read(accp_panes *panes, int64_t pane, uint32_t reading,
                                     int64_t now_ms, accp_packet *packet,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes the packet of a pane, and nothing else. Where ACCP_PANES_AUTO_CLEANUP is on, packet and
 * feedback are archived in the store before, each as it is, under the SHA-256 of its bytes.
 * ACCP_E2001: there is none; ACCP_ERR_IO; failures of accp_store_sync(): it is still there.
 */
ACCP_API accp_status accp_panes_remove(accp_panes *panes, int64_t pane, int64_t now_ms,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the feedback of a pane's worker, in place of what is there.
 *
 * gaps    what it missed, an item a line: at most 64, of at most 1,024 bytes each. Lines that are
 *         blank, or say that there is none ("No context gaps"), are nothing.
 * unused  what it had and did not need, the same.
 *
 * ACCP_E1001, ACCP_E1004: too many, too long, no UTF-8; ACCP_ERR_IO; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_panes_write_feedback(accp_panes *panes, int64_t pane, const char *gaps,
                                               size_t gaps_len, const char *unused,
                                               size_t unused_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Reads it, also where it was written by hand: docs/panes.md has the forms. Both are texts of
 * lines, views into the handle until its next call. ACCP_E2001: there is none; ACCP_E1001,
 * ACCP_E1004: it cannot be read; ACCP_ERR_IO; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_panes_feedback(accp_panes *panes, int64_t pane, accp_text *gaps_out,
                                         accp_text *unused_out, accp_error *err) ACCP_NOEXCEPT;

/** A task that is over. */
typedef struct accp_pane_task {
    size_t size;     /* sizeof(accp_pane_task), as the caller was compiled */
    accp_text kind;  /* of what sort it was, such as "auth": at most 64 bytes; may be empty */
    int64_t pane;    /* whose; -1: of none */
    int32_t success; /* 1: it is done; 0: it has failed */
    int32_t depth;   /* accp_packet_depth of its packet; -1: not known */
    uint64_t context_tokens; /* of its packet; 0: as that packet says */
    uint64_t whole_tokens;   /* of what the packet was made from; 0: not known */
    int64_t explored;        /* files that the worker looked up again; -1: not known */
    accp_text gaps;          /* as of accp_panes_write_feedback(); both empty: */
    accp_text unused;        /* those of the pane's feedback, if it is newer than its packet */
    int64_t now_ms;
} accp_pane_task;

/**
 * Records a task, durably, unless ACCP_PANES_TRACK_EFFICIENCY is off; then, where
 * ACCP_PANES_AUTO_CLEANUP is on, does accp_panes_remove() for its pane. ACCP_ERR_ARG; failures of
 * these, of accp_panes_feedback() and of accp_store_sync(): nothing is recorded, and nothing
 * removed.
 */
ACCP_API accp_status accp_panes_record(accp_panes *panes, const accp_pane_task *task,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * From now on a session tells a project by itself what becomes of the packets that it hands to
 * workers (docs/panes.md). A message of ours that carries a packet (accp_session_send_packet(), or
 * appended) and has the member `to`, a worker's name, opens a handoff in its chain; its members
 * `pane` and `kind` are as accp_pane_task has them. In this chain and under this name alone `ack`
 * of operation context, with lists `gaps` and `unused`, is accp_panes_write_feedback() for that
 * pane, and `done` or `fail` (of no tool, and not of operation context) is accp_panes_record().
 * What is open is kept in the session, 256 of them.
 *
 * panes  the project, with its settings as they are now; the handle may be closed after it. NULL:
 *        the session tells nobody any more, as at first. Calls that tell it wait for its lock.
 *
 * What a project cannot be told now fails no call of the session: it is told with the next message
 * of this sort, or here, when the session is opened again. ACCP_ERR_ARG: the session was opened to
 * be read; else as accp_session_put().
 */
ACCP_API accp_status accp_session_set_panes(accp_session *session, int64_t now_ms,
                                            accp_panes *panes, accp_error *err) ACCP_NOEXCEPT;

/**
 * What came of all tasks: average size, success rate and top gaps, each on a line; then what was
 * saved, what is usually unused, which gaps go with failure, and kinds of tasks. docs/panes.md says
 * how each is counted; nothing is claimed from fewer than five tasks. *out is a view into the
 * handle until its next call. Cost: reads the log. ACCP_ERR_CORRUPT, ACCP_ERR_IO, ACCP_ERR_NOMEM.
 *
 * compared  1: the earlier half of all tasks beside the later instead; 0.
 */
ACCP_API accp_status accp_panes_print_stats(accp_panes *panes, int32_t compared, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;
/** The same as one JSON object; compared: with both halves in it. */
ACCP_API accp_status accp_panes_print_stats_json(accp_panes *panes, int32_t compared,
                                                 accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Which depth (accp_packet_depth) the next packet for such a task ought to have, by what came of
 * those before, and why: the default one where they are too few. *why_out is a view into the handle
 * until its next call. As accp_panes_print_stats().
 *
 * kind  as accp_pane_task has it; empty: of tasks of any kind.
 */
ACCP_API accp_status accp_panes_advise(accp_panes *panes, const char *kind, size_t kind_len,
                                       int32_t *depth_out, accp_text *why_out,
                                       accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* ACCP_PANES_H */
