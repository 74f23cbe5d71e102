/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * A store keeps sessions: in memory, in a file or in a NATS cluster. Sessions read and write it
 * themselves. The functions in this file open, maintain and close it. See docs/store.md.
 *
 * @code
 * accp_store *store = NULL;
 * accp_config *config = NULL;
 * accp_engine *engine = NULL;
 * accp_error err;
 * if (accp_store_open("sqlite:work.db", 14, 0, NULL, &store, &err) != ACCP_OK)
 *     fprintf(stderr, "%s\n", err.message);
 * else if (accp_config_new(&config, NULL) == ACCP_OK &&
 *          accp_config_set_store(config, store, NULL) == ACCP_OK)
 *     accp_engine_new(config, &engine, NULL);  // its sessions are in the file
 * accp_engine_free(engine);
 * accp_config_free(config);
 * accp_store_close(store, NULL);
 * @endcode
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

/** Flags of accp_store_open(), as bits. */
enum accp_store_flag {
    /** Open the file for reading only; it must exist. */
    ACCP_STORE_READ_ONLY = 1,
    /** Do not create the file if it does not exist. */
    ACCP_STORE_EXISTING = 2,
    /** A write is done when the operating system has it: it survives a killed process, but a power
     * failure may leave only a prefix of the writes. */
    ACCP_STORE_NO_WAIT = 4,
    /** accp_store_prune() returns the unused space of a SQLite file to the file system. It copies
     * the file for that, and needs as much free space again. No effect on other stores. */
    ACCP_STORE_VACUUM = 8
};

/**
 * Receives one property of a store. Returns 0 to continue, anything else to stop. The views are
 * valid until it returns.
 *
 * @param part        The part that has the property, such as "stream ACCP-agents"; empty: the whole
 *                    store.
 * @param name,value  Text for people, such as "replicas" and "3".
 */
typedef int (*accp_store_property_function)(accp_text part, accp_text name, accp_text value,
                                            void *user);

/** The content of a store, in numbers. */
typedef struct accp_counts {
    uint64_t sessions;     /**< Sessions. */
    uint64_t records;      /**< Records of their logs. */
    uint64_t record_bytes; /**< Bytes of these records. */
    uint64_t blobs;        /**< Stored texts: values, checkpoints and others. */
    uint64_t blob_bytes;   /**< Bytes of these texts. */
    uint64_t mids;         /**< Mids in the index. */
    uint64_t grants;       /**< Grants. */
} accp_counts;

/**
 * Opens a store. Writes that were acknowledged as durable survive a crash, and a power failure
 * unless ACCP_STORE_NO_WAIT is set. Opening repairs the traces of a crash, but does not check all
 * data: accp_store_verify() does. Spec 5.1.
 *
 * @param name    A URL. "memory:" keeps sessions in memory until the store is closed. "sqlite:PATH"
 *                is a SQLite file in WAL mode; it is created if it does not exist. No other copy of
 *                SQLite in this process may have the file open (docs/store.md has the reason).
 *                "nats://HOST:PORT/PREFIX?OPTIONS" (with TLS "tls://…") is a NATS cluster
 *                (docs/store.md). The library libaccp-nats.so.1 opens it; the first such call
 *                loads it, and it stays loaded. This library itself has no sockets.
 * @param flags   Bits of accp_store_flag.
 * @param config  memory_bytes limits the memory of the store, without that of SQLite, which comes
 *                from the library's private allocator.
 * @param out     Owned by the caller: accp_store_close().
 *
 * Errors: ACCP_ERR_ARG for an unknown flag, a SQLite file of another application, or a store of a
 * later version. ACCP_ERR_ARG also for an unknown kind of store, or one whose library is not
 * installed: the message lists the kinds and names the package. ACCP_ERR_IO if the store cannot be
 * opened, written or reached. ACCP_ERR_CORRUPT if it is damaged, or not a SQLite file.
 * ACCP_ERR_BUSY if another process locked it for more than five seconds.
 */
ACCP_API accp_status accp_store_open(const char *name, size_t name_len, uint32_t flags,
                                     const accp_config *config, accp_store **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes all writes durable, and closes the store. Its memory is freed with the last session that
 * uses it. NULL has no effect. The store is closed even if the call fails; some writes are then
 * lost. Errors: those of accp_store_sync().
 */
ACCP_API accp_status accp_store_close(accp_store *store, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes all writes of all sessions of the store durable. Cost: one write of the device for all of
 * them.
 *
 * Errors: after ACCP_ERR_BUSY, ACCP_ERR_NOMEM, and ACCP_ERR_IO with a full disk, nothing is lost:
 * call it again. After any other ACCP_ERR_IO the store accepts no writes until it is reopened;
 * reading continues to work.
 */
ACCP_API accp_status accp_store_sync(accp_store *store, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the content of a store in numbers. Errors: ACCP_ERR_IO, ACCP_ERR_CORRUPT. Cost: reads the
 * file.
 */
ACCP_API accp_status accp_store_counts(accp_store *store, accp_counts *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Describes a store and its state. Sessions are not read.
 *
 * @param each  Called once for each property: the store's "kind", which failures an "acknowledged"
 *              write survives, and the properties that a back end reports. It may use the store.
 *
 * Returns ACCP_ERR_IO if the store cannot be reached; `each` still received the properties that are
 * known without it.
 */
ACCP_API accp_status accp_store_each_property(accp_store *store, accp_store_property_function each,
                                              void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Receives a text, which is valid until it returns. Returns 0 to continue, anything else to stop.
 */
typedef int (*accp_text_function)(const char *text, size_t text_len, void *user);

/**
 * Passes the id of every session to a callback, in the order in which they were created.
 *
 * @param each  It may use the store.
 */
ACCP_API accp_status accp_store_each_session(accp_store *store, accp_text_function each, void *user,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a session as lines of JSON (docs/store.md has the form), in one call of `write`. The same
 * session has the same bytes in every store.
 *
 * @param id     The id of the session.
 * @param write  It may use the store.
 *
 * Errors; nothing was written then. ACCP_E2001: no such session. ACCP_ERR_CORRUPT: it is damaged;
 * for a damaged record the offset is its sequence. ACCP_ERR_IO.
 */
ACCP_API accp_status accp_store_export(accp_store *store, const char *id, size_t id_len,
                                       accp_text_function write, void *user,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Imports one or more sessions that accp_store_export() wrote, in this version's form or the
 * previous one (docs/store.md). Either all of them are imported and durable, or nothing.
 *
 * @param text  The exports, one after the other.
 *
 * Errors: ACCP_E1001, ACCP_E1004 for text that is not an export: the record is the line, from 0;
 * the offset is a byte of the text; had and limit are the two numbers if numbers do not match.
 * ACCP_ERR_BUSY if such a session exists already. Those of accp_store_sync().
 */
ACCP_API accp_status accp_store_import(accp_store *store, const char *text, size_t text_len,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes a session and everything that belongs to it, durably. Open handles of it then return
 * ACCP_ERR_CLOSED. Returns ACCP_E2001 if the session does not exist.
 *
 * @param id  The id of the session.
 */
ACCP_API accp_status accp_store_remove_session(accp_store *store, const char *id, size_t id_len,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes data that is no longer needed: texts and grants that have expired, and the texts of old
 * checkpoints. The history never changes. A file reuses the freed space; ACCP_STORE_VACUUM returns
 * it to the file system.
 *
 * @param now_ms            The time by which expiry is decided.
 * @param keep_checkpoints  Each session keeps the texts of this many newest checkpoints, and of
 *                          each checkpoint that its context still refers to. 0: it keeps all of
 *                          them.
 * @param out               The number of removed items.
 *
 * A session of an earlier version does not record these references until its next checkpoint; it
 * keeps all checkpoints until then. Errors: those of accp_store_sync().
 */
ACCP_API accp_status accp_store_prune(accp_store *store, int64_t now_ms, uint64_t keep_checkpoints,
                                      uint64_t *out, accp_error *err) ACCP_NOEXCEPT;

/** A damaged item of a store. The views are valid until the callback returns. */
typedef struct accp_damage {
    accp_text session; /**< The id of the session; empty: the file as a whole. */
    const char *what;  /**< A description; static text. */
    uint64_t record;   /**< The sequence of a record, from 1; 0: it is not a record. */
    accp_text name;    /**< The key of a text, or the message of SQLite. */
} accp_damage;

/** Receives one damaged item per call, after all data was read. It may use the store. */
typedef void (*accp_damage_function)(const accp_damage *damage, void *user);

/**
 * Reads all data and compares it with its checksums. Cost: reads the file.
 *
 * @param report  May be NULL. It receives each damaged item.
 *
 * Returns ACCP_OK if all data is as it was written. Returns ACCP_ERR_CORRUPT if some is not;
 * undamaged sessions can still be used and exported.
 */
ACCP_API accp_status accp_store_verify(accp_store *store, accp_damage_function report, void *user,
                                       accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
