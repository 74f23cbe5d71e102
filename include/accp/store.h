/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Where sessions are kept: in memory, in a file or in a NATS cluster. Sessions write and read there
 * themselves; here a store is opened, looked after and closed.
 */
#ifndef ACCP_STORE_H
#define ACCP_STORE_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A store. Any number of threads may use it and its sessions at once. Those that sync at once wait
 * for the device together, and hold up no call that reads or commits; over a back end
 * (accp/store_backend.h) a session waits for no other.
 * Several processes may open one file: reading goes on while one of them writes, and of two that
 * write one waits.
 */
typedef struct accp_store accp_store;

/** Bits of the flags of accp_store_open(). */
enum accp_store_flag {
    /* nothing is changed; the file must be there */
    ACCP_STORE_READ_ONLY = 1,
    /* a file that is missing is not made */
    ACCP_STORE_EXISTING = 2,
    /* a write is done when the operating system has it: safe from a kill, and power failure
     * leaves a prefix */
    ACCP_STORE_NO_WAIT = 4,
    /* accp_store_prune() gives space that a SQLite file does not use back to the file system: it
     * copies the file, and needs as much space beside it; other stores have no such space */
    ACCP_STORE_VACUUM = 8
};

/**
 * Takes one thing that there is to say of a store. Answers 0 to go on. Views until it returns.
 *
 * part        what it is of: empty for the store as a whole, or "stream ACCP-agents".
 * name,value  as "replicas" and "3": text to be read.
 */
typedef int (*accp_store_status_function)(accp_text part, accp_text name, accp_text value,
                                          void *user);

/** How much a store holds. */
typedef struct accp_counts {
    uint64_t sessions;
    uint64_t records;
    uint64_t record_bytes;
    uint64_t blobs;
    uint64_t blob_bytes;
    uint64_t mids;
    uint64_t grants;
} accp_counts;

/**
 * Opens a store. Spec 5.1.
 *
 * name     A URL:
 *          "memory:" is gone when it is closed.
 *          "sqlite:PATH" is a SQLite file in WAL mode, which is created if it does not exist. No
 *          other program's SQLite may have the file open in this process (docs/store.md says why).
 *          "nats://HOST:PORT/PREFIX?OPTIONS" (with TLS: "tls://…") is a NATS cluster
 *          (docs/cluster.md). The library libaccp-nats.so.1 opens it; the first such call loads
 *          it, and it stays loaded. This library itself has no sockets.
 * flags    bits of accp_store_flag.
 * config   may be NULL; copied. memory_bytes bounds what the store holds in memory; SQLite's own
 *          memory comes from the library's private allocator, beside it.
 * out      owned by the caller: accp_store_close().
 *
 * What was acknowledged as durable is there again, whatever happened since; unless
 * ACCP_STORE_NO_WAIT, also after a power failure. Opening mends what a crash left; it does not read
 * everything: accp_store_verify() does.
 *
 * ACCP_ERR_ARG: no such kind of store, or its library is not installed (the message says which
 * there are, and what to install); a SQLite file of somebody else's, a store of a later version,
 * unknown flags; ACCP_ERR_IO: it cannot be opened, written or reached; ACCP_ERR_CORRUPT: it is
 * damaged, or no SQLite file at all; ACCP_ERR_BUSY: another process kept it for more than five
 * seconds; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_store_open(const char *name, size_t name_len, uint32_t flags,
                                     const accp_config *config, accp_store **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes durable what is not yet, and closes the store: its memory goes when the last session that
 * uses it has been freed. NULL is nothing. A failure says that something could not be made durable,
 * and is lost; the store is closed all the same. As accp_store_sync().
 */
ACCP_API accp_status accp_store_close(accp_store *store, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes everything durable that any session of the store has written. ACCP_ERR_BUSY, ACCP_ERR_NOMEM
 * and, for a full disk, ACCP_ERR_IO: nothing is lost, call again. Any other ACCP_ERR_IO: the store
 * takes nothing more until it is opened anew; reading goes on. Cost: one write of the device for
 * all.
 */
ACCP_API accp_status accp_store_sync(accp_store *store, accp_error *err) ACCP_NOEXCEPT;

/**
 * How much the store holds, into *out. Cost: reads the file. ACCP_ERR_IO, ACCP_ERR_CORRUPT,
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_store_counts(accp_store *store, accp_counts *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * What a store is and how its place is, one thing a call of `each`: its "kind", when an
 * "acknowledged" write is safe from what, and what a back end says of itself. Sessions are not
 * looked at. `each` may use the store. ACCP_ERR_IO: nobody can be asked now; what could be said
 * was; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_store_status(accp_store *store, accp_store_status_function each,
                                       void *user, accp_error *err) ACCP_NOEXCEPT;

/** Takes a text, a view until it returns. Answers 0 to go on, anything else to stop there. */
typedef int (*accp_text_function)(const char *text, size_t text_len, void *user);

/**
 * Gives the id of every session to `each`, in the order in which they were made. The store may be
 * used from there.
 */
ACCP_API accp_status accp_store_each_session(accp_store *store, accp_text_function each, void *user,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a session as lines of JSON (docs/store.md has the form), all at once, to `write`. The same
 * session is the same bytes, whatever store it is in.
 *
 * id  of the session.
 *
 * ACCP_E2001: there is none. ACCP_ERR_CORRUPT: something of it is damaged (a record: the offset of
 * the error is its sequence), and nothing was written; ACCP_ERR_IO, ACCP_ERR_NOMEM. The store may
 * be used from `write`.
 */
ACCP_API accp_status accp_store_export(accp_store *store, const char *id, size_t id_len,
                                       accp_text_function write, void *user,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes in what accp_store_export() wrote, in its form or the one before (docs/store.md), of one
 * session or of several one after the other: all of it, durable on return, or nothing. ACCP_E1001
 * and ACCP_E1004 for what was not exported: the record of the error is the line, from 0, the offset
 * the byte of the text, had and limit the two numbers where numbers do not agree; ACCP_ERR_BUSY
 * when such a session is there already; failures as accp_store_sync().
 */
ACCP_API accp_status accp_store_import(accp_store *store, const char *text, size_t text_len,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes a session and all that is its own out of the store, durably. Who has it open is told
 * ACCP_ERR_CLOSED. ACCP_E2001.
 */
ACCP_API accp_status accp_store_remove_session(accp_store *store, const char *id, size_t id_len,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes out what is no longer needed: texts and grants that have expired at `now_ms` (milliseconds
 * since the epoch), and of each session the texts of checkpoints other than its newest
 * `keep_checkpoints` (0: all are kept). A checkpoint that the session's context still names stays
 * in any case, and the history is never touched. A session that an earlier version kept says what
 * its context names with its next checkpoint; until then none of its checkpoints go. How many went,
 * into *out. In a file their space is used again; ACCP_STORE_VACUUM gives it back. Failures as
 * accp_store_sync().
 */
ACCP_API accp_status accp_store_prune(accp_store *store, int64_t now_ms, uint64_t keep_checkpoints,
                                      uint64_t *out, accp_error *err) ACCP_NOEXCEPT;

/** One thing that is wrong with a store. Views until the function that it is given to returns. */
typedef struct accp_damage {
    accp_text session; /* its id; empty: the file as a whole */
    const char *what;  /* static text */
    uint64_t record;   /* the sequence of a record, from 1; 0: it is none */
    accp_text name;    /* the key of a text, or what SQLite says */
} accp_damage;

/** Is told what is wrong, one thing at a time, after all was read. It may use the store. */
typedef void (*accp_damage_function)(const accp_damage *damage, void *user);

/**
 * Reads everything and compares it with its checksums. ACCP_OK: all is as it was written.
 * ACCP_ERR_CORRUPT: something is not, and `report` (which may be NULL) was told what and where.
 * Sessions that are whole may be used and exported all the same. Cost: reads the file.
 */
ACCP_API accp_status accp_store_verify(accp_store *store, accp_damage_function report, void *user,
                                       accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
