/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A store keeps sessions: in memory, in a file or in a NATS cluster. Sessions read and write it
 * themselves. The functions in this file open, maintain and close it.
 */
#ifndef ACCP_STORE_H
#define ACCP_STORE_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A store. Any number of threads may use it and its sessions at once. Threads that sync at the same
 * time share one wait for the device, and do not block calls that read or commit. In a store with a
 * back end (accp/store_backend.h) no session waits for another one.
 *
 * Several processes may open the same file. They can read it while one of them writes. If two
 * processes write, one waits for the other.
 */
typedef struct accp_store accp_store;

/** Bits of the flags of accp_store_open(). */
enum accp_store_flag {
    /* open the file for reading only; it must exist */
    ACCP_STORE_READ_ONLY = 1,
    /* do not create the file if it does not exist */
    ACCP_STORE_EXISTING = 2,
    /* a write is done when the operating system has it: it survives a killed process, but a power
     * failure may leave only a prefix of the writes */
    ACCP_STORE_NO_WAIT = 4,
    /* accp_store_prune() returns the unused space of a SQLite file to the file system. It copies
     * the file for that, and needs as much free space again. No effect on other stores */
    ACCP_STORE_VACUUM = 8
};

/**
 * Receives one property of a store. Return 0 to continue. The views are valid until it returns.
 *
 * part        the part that has the property, such as "stream ACCP-agents"; empty: the whole store.
 * name,value  text for people, such as "replicas" and "3".
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
 *          "memory:" keeps sessions in memory, until it is closed.
 *          "sqlite:PATH" is a SQLite file in WAL mode, which is created if it does not exist. No
 *          other copy of SQLite in this process may have the file open (docs/store.md has the
 *          reason).
 *          "nats://HOST:PORT/PREFIX?OPTIONS" (with TLS: "tls://…") is a NATS cluster
 *          (docs/cluster.md). The library libaccp-nats.so.1 opens it; the first such call loads
 *          it, and it stays loaded. This library itself has no sockets.
 * flags    bits of accp_store_flag.
 * config   may be NULL; copied. memory_bytes limits the memory of the store. It does not count the
 *          memory of SQLite, which comes from the library's private allocator.
 * out      owned by the caller: accp_store_close().
 *
 * Writes that were acknowledged as durable are still there after a crash. They also survive a power
 * failure, unless ACCP_STORE_NO_WAIT is set. Opening repairs the traces of a crash, but does not
 * check all data: accp_store_verify() does.
 *
 * ACCP_ERR_ARG: the kind of store is unknown or its library is not installed (the message lists the
 * kinds and names the package to install); the SQLite file belongs to another application; the
 * store has a later version; a flag is unknown. ACCP_ERR_IO: the store cannot be opened, written or
 * reached. ACCP_ERR_CORRUPT: it is damaged, or is not a SQLite file. ACCP_ERR_BUSY: another process
 * locked it for more than five seconds. ACCP_ERR_NOMEM.
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
 * Describes a store and its state. Calls `each` once for each property: its "kind", which failures
 * an "acknowledged" write survives, and the properties that a back end reports. Sessions are not
 * read. `each` may use the store. ACCP_ERR_IO: the store cannot be reached; `each` still received
 * the properties that are known without it. ACCP_ERR_NOMEM.
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
 * Removes data that is no longer needed: texts and grants that have expired at `now_ms`
 * (milliseconds since the epoch), and the texts of old checkpoints. Each session keeps those of its
 * newest `keep_checkpoints` checkpoints (0: all of them). It also keeps each checkpoint that its
 * context still refers to. The history never changes.
 *
 * A session of an earlier version does not record these references until its next checkpoint; it
 * keeps all checkpoints until then. *out is the number of removed items. A file reuses their space;
 * ACCP_STORE_VACUUM returns it to the file system. Failures as accp_store_sync().
 */
ACCP_API accp_status accp_store_prune(accp_store *store, int64_t now_ms, uint64_t keep_checkpoints,
                                      uint64_t *out, accp_error *err) ACCP_NOEXCEPT;

/** A damaged item of a store. The views are valid until the callback returns. */
typedef struct accp_damage {
    accp_text session; /* its id; empty: the file as a whole */
    const char *what;  /* static text */
    uint64_t record;   /* the sequence of a record, from 1; 0: it is not a record */
    accp_text name;    /* the key of a text, or the message of SQLite */
} accp_damage;

/** Receives one damaged item per call, after all data was read. It may use the store. */
typedef void (*accp_damage_function)(const accp_damage *damage, void *user);

/**
 * Reads all data and compares it with its checksums. ACCP_OK: all data is as it was written.
 * ACCP_ERR_CORRUPT: some is not, and `report` (which may be NULL) received each damaged item.
 * Undamaged sessions can still be used and exported. Cost: reads the file.
 */
ACCP_API accp_status accp_store_verify(accp_store *store, accp_damage_function report, void *user,
                                       accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
