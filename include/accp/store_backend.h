/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Back ends of stores: a table of functions by which a host keeps sessions in a place of its own.
 * accp_store_open_backend() opens a store over it. docs/store.md states what a store promises;
 * docs/examples/store_backend has a complete back end in plain C; `accp store conformance` tests
 * one.
 *
 * A back end keeps for each session a log of records, numbered from 1 without gaps, and a map of
 * keys, each with a note and a value. Both change together, by writes. Each write names the write
 * before it. The library does everything else with these: fencing, tiers, expiry, grants, mids and
 * exports. Keys, notes, values, records and rows are bytes without meaning to a back end.
 *
 * @code
 * // `table` is the host's table of functions, and `place` their context.
 * accp_store *open_store(const accp_store_backend *table, void *place) {
 *     accp_store *store = NULL;
 *     accp_error err;
 *     if (accp_store_open_backend(table, place, 0, NULL, &store, &err) != ACCP_OK)
 *         fprintf(stderr, "%s: %s\n", accp_status_code_name(err.code), err.message);
 *     return store;  // use it with accp_config_set_store(); end it with accp_store_close()
 * }
 * @endcode
 */
#ifndef ACCP_STORE_BACKEND_H
#define ACCP_STORE_BACKEND_H

#include "accp/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The version of accp_store_backend. */
#define ACCP_STORE_BACKEND_VERSION 1u

/** Flags of a table, as bits. */
enum accp_store_backend_flag {
    /** Several threads may call its functions at once for one `user`, even for the same session.
     * `close` is always called alone. */
    ACCP_STORE_BACKEND_THREADS = 1
};

/** The name of the function that a back end's library exports: an accp_store_opener. */
#define ACCP_STORE_BACKEND_ENTRY "accp_store_backend_entry"

/** The kinds of changes of a key. */
enum accp_store_change_kind {
    ACCP_STORE_PUT = 1,  /**< The key gets this note and this value. */
    ACCP_STORE_ERASE = 2 /**< The key is removed; no effect if it does not exist. */
};

/** A change of one key. */
typedef struct accp_store_change {
    accp_text key;    /**< 1 to 1,024 bytes. */
    accp_text note;   /**< At most 32 bytes. `keys` returns it without the value. */
    accp_text value;  /**< At most 64 MiB. */
    int32_t kind;     /**< accp_store_change_kind. */
    int32_t reserved; /**< Reserved: 0. */
} accp_store_change;

/** One write to one session. It is atomic, whatever else happens. */
typedef struct accp_store_write {
    /** The id of the session: 1 to 256 bytes of any kind. */
    accp_text session;
    /** The number of the session's last write. 0: the session does not exist, and this write
     * creates it. If this is not true, the write changes nothing: ACCP_ERR_BUSY. */
    uint64_t after;
    /** Bytes that are kept with the session, at most 256. They replace the previous row. */
    accp_text row;
    /** The sequence of the first record: one more than the session's last. */
    uint64_t first;
    /** The records to append, in this order. Each has at most 65 MiB. */
    const accp_text *records;
    /** The number of records. */
    size_t record_count;
    /** The changes to make, in this order. */
    const accp_store_change *changes;
    /** The number of changes. */
    size_t change_count;
    /** Output: the number of this write, which the back end chooses. It is larger than all earlier
     * ones of this session id, those of erased sessions included. */
    uint64_t number;
    /** Output: static text for a status that is not ACCP_OK; or NULL. */
    const char *message;
    /** Output: ACCP_OK, once the write is as durable as the back end makes any. ACCP_ERR_BUSY: see
     * `after`. ACCP_ERR_IO, ACCP_ERR_NOMEM: nothing was done, or the result is unknown (the
     * library reads the head before it tries again). */
    accp_status status;
    /** Reserved: 0. */
    int32_t reserved;
} accp_store_write;

/**
 * Receives an entry from a back end, as a view until it returns. It returns 0 to continue, anything
 * else to get no more entries. It calls no function of the back end.
 *
 * @param number   From `head` the number of the last write, from `records` the sequence of the
 *                 record, from `sessions` the number of the session.
 * @param text     From `head` the row, from `records` the record, from `sessions` the id.
 * @param context  As passed to the function of the back end.
 */
typedef int (*accp_store_entry_function)(uint64_t number, accp_text text, void *context);

/**
 * Receives a key from a back end, as accp_store_entry_function does an entry.
 *
 * @param value  From `value` the value. From `keys` only its length; its text is NULL.
 */
typedef int (*accp_store_key_function)(accp_text key, accp_text note, accp_text value,
                                       void *context);

/**
 * The functions of a back end. Only `status` may be NULL. Texts are views until the function
 * returns. `err` is never NULL: on failure a function may set its message, to static text.
 *
 * Threads: the library calls from any thread, but one function at a time for one `user`; with
 * ACCP_STORE_BACKEND_THREADS several at once. Calls for different `user`s may overlap. A function
 * may block: the library then holds no lock that another session needs, but without that flag other
 * sessions wait for their turn. A function must not call the store that it belongs to.
 *
 * Processes: any number of processes may use one place; `after` keeps their writes apart. A call in
 * any process must see all writes that were acknowledged before it began.
 *
 * Errors: ACCP_E2001 for a session or key that does not exist. ACCP_ERR_IO if the place cannot be
 * reached. ACCP_ERR_CORRUPT for damaged data: never return other data instead. ACCP_ERR_NOMEM. The
 * library may repeat each call.
 */
typedef struct accp_store_backend {
    /** sizeof(accp_store_backend). */
    uint32_t size;
    /** ACCP_STORE_BACKEND_VERSION. */
    uint32_t version;
    /** Bits of accp_store_backend_flag. */
    uint32_t flags;
    /** Reserved: 0. */
    uint32_t reserved;

    /** Ends `user`. No other function is called with it afterwards. */
    void (*close)(void *user);

    /** Passes the last write of a session to `give`, in one call. ACCP_E2001. */
    accp_status (*head)(accp_text session, accp_store_entry_function give, void *context,
                        accp_error *err, void *user);

    /** Does several writes, each of a different session. Each is atomic and independent: a rejected
     * one does not stop the others. Returns ACCP_OK if each write has its own status. */
    accp_status (*write)(accp_store_write *writes, size_t count, accp_error *err, void *user);

    /** Passes the records from `first` to `last`, which both exist, to `give`, in order, or in
     * reverse with newest_first. ACCP_E2001 for the session. */
    accp_status (*records)(accp_text session, uint64_t first, uint64_t last, int32_t newest_first,
                           accp_store_entry_function give, void *context, accp_error *err,
                           void *user);

    /** Passes a key with its note and its value to `give`, in one call. ACCP_E2001 for the session
     * or the key. */
    accp_status (*value)(accp_text session, accp_text key, accp_store_key_function give,
                         void *context, accp_error *err, void *user);

    /** Passes the keys that begin with `prefix` to `give`, in the order of their bytes. All are of
     * one moment. ACCP_E2001 for the session. */
    accp_status (*keys)(accp_text session, accp_text prefix, accp_store_key_function give,
                        void *context, accp_error *err, void *user);

    /** Passes the sessions whose number is larger than `after` to `give`, in the order of their
     * numbers. Numbers start at 1. A session keeps its number; a later session has a larger one;
     * no number is reused. */
    accp_status (*sessions)(uint64_t after, accp_store_entry_function give, void *context,
                            accp_error *err, void *user);

    /** Removes a session and everything that belongs to it. ACCP_E2001. */
    accp_status (*erase)(accp_text session, accp_error *err, void *user);

    /** NULL, or passes the properties of the place for accp_store_each_property(): its parts and
     * their state, and how long an acknowledged write lasts ("acknowledged"). ACCP_ERR_IO if the
     * place cannot be reached, after all properties that are known without it. */
    accp_status (*status)(accp_store_property_function give, void *context, accp_error *err,
                          void *user);
} accp_store_backend;

/**
 * The function that a back end's library exports under the name ACCP_STORE_BACKEND_ENTRY, declared
 * with ACCP_API. It opens a place.
 *
 * @param place     The name of the place: the argument of `--place`, or a whole URL. Borrowed.
 * @param flags     Bits of accp_store_flag.
 * @param out       The table; static.
 * @param user_out  The context of the table's functions; ended by its `close`.
 *
 * Errors: ACCP_ERR_ARG if the name is invalid, or the place does not exist (ACCP_STORE_EXISTING);
 * ACCP_ERR_IO; ACCP_ERR_NOMEM.
 */
typedef accp_status (*accp_store_opener)(const char *place, size_t place_len, uint32_t flags,
                                         const accp_store_backend **out, void **user_out,
                                         accp_error *err);

/**
 * Opens a store over a back end. It makes the same promises as any store, with two differences. The
 * back end decides when an acknowledged write is durable. A crash leaves a prefix of each session's
 * commits, but not of those of all sessions together.
 *
 * @param backend  Borrowed while the store is open.
 * @param user     The context of its functions. The store owns it from now on and ends it by
 *                 `close`, even if this call fails.
 * @param flags    ACCP_STORE_READ_ONLY or 0.
 * @param out      Owned by the caller: accp_store_close().
 *
 * Errors: ACCP_ERR_ARG for unknown flags. ACCP_ERR_ARG also for a table of another version, one
 * that is too short, or one with a NULL function; then no function is called, not even `close`.
 */
ACCP_API accp_status accp_store_open_backend(const accp_store_backend *backend, void *user,
                                             uint32_t flags, const accp_config *config,
                                             accp_store **out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
