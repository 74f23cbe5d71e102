/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A place of one's own for sessions: a table of functions, over which accp_store_open_backend()
 * opens a store like any other. docs/store.md says what a store promises;
 * docs/examples/store_backend has a whole one in plain C; `accp store conformance` checks another.
 *
 * What is kept of a session is a log of records, numbered from 1 without a gap, and a map of keys,
 * each with a note and a value. Both change together, by writes that each name the write before
 * them. That is all: fencing, tiers, expiry, grants, mids and exports are the library's, made of
 * these. Keys, notes, values, records and rows are bytes that mean nothing to a back end.
 */
#ifndef ACCP_STORE_BACKEND_H
#define ACCP_STORE_BACKEND_H

#include "accp/store.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACCP_STORE_BACKEND_VERSION 1u

/** Bits of the flags of a table. */
enum accp_store_backend_flag {
    /* its functions, but for `close`, may be called by several threads at once for one `user`, for
     * the same session too */
    ACCP_STORE_BACKEND_THREADS = 1
};

/** The name of the one function that a library of a back end exports: an accp_store_opener. */
#define ACCP_STORE_BACKEND_ENTRY "accp_store_backend_entry"

/** What a write does with a key. */
enum accp_store_change_kind {
    ACCP_STORE_PUT = 1,  /* note and value are the key's from here on */
    ACCP_STORE_ERASE = 2 /* the key is gone; nothing where it was not there */
};

/** A key has 1 to 1,024 bytes, a note at most 32, a value at most 64 MiB. */
typedef struct accp_store_change {
    accp_text key;
    accp_text note; /* small, and given by `keys` without the value */
    accp_text value;
    int32_t kind;
    int32_t reserved; /* 0 */
} accp_store_change;

/**
 * One write to one session: all of it or nothing, whatever happens meanwhile.
 *
 * session    its id, 1 to 256 bytes of any kind.
 * after      the number of the session's last write; 0: there is no such session, and this makes
 *            it. Where it is not so nothing is done: ACCP_ERR_BUSY.
 * row        at most 256 bytes, kept in place of the one before.
 * first      the sequence of the first record: one more than the session's last.
 * records    appended in this order; each has at most 65 MiB.
 * changes    done in this order.
 * number     out: the number of this write, which the back end chooses: larger than any that it
 *            gave a write of this session's id, also of one that was erased.
 * status     out: ACCP_OK, once the write is as durable as the back end makes any;
 *            ACCP_ERR_BUSY as above; ACCP_ERR_IO, ACCP_ERR_NOMEM: nothing was done, or nobody knows
 *            (the library looks at the head before it tries again).
 * message    out: static text for a status that is not ACCP_OK; or NULL.
 */
typedef struct accp_store_write {
    accp_text session;
    uint64_t after;
    accp_text row;
    uint64_t first;
    const accp_text *records;
    size_t record_count;
    const accp_store_change *changes;
    size_t change_count;
    uint64_t number;
    const char *message;
    accp_status status;
    int32_t reserved; /* 0 */
} accp_store_write;

/**
 * Takes what a back end gives: a view of it, until the function returns. Answers 0 to go on,
 * anything else to be given no more. `context` is the one that came with it. It calls nothing of
 * the back end.
 *
 * number,text  of `head` the number of the last write and the row; of `records` the sequence and
 *              the record; of `sessions` the number and the id.
 */
typedef int (*accp_store_entry_function)(uint64_t number, accp_text text, void *context);
/** The same of a key: `value` has the value, `keys` its length alone, and NULL as its text. */
typedef int (*accp_store_key_function)(accp_text key, accp_text note, accp_text value,
                                       void *context);

/**
 * The functions, none of them NULL. `user` is the one that accp_store_open_backend() was given.
 * Texts are views until the function returns. `err` is never NULL: who answers anything but ACCP_OK
 * may set its message, to static text.
 *
 * Threads  The library calls from whichever thread, one function at a time for one `user`; with
 *          ACCP_STORE_BACKEND_THREADS, several at once. Calls for two `user`s may overlap in any
 *          case. A function may block: the library holds no lock then that another session of the
 *          store needs, so without that flag who must ask the back end waits for his turn, and with
 *          it nobody waits. A function must not call the store that it belongs to.
 * Several  Any number of processes may use one place at once: `after` is what keeps them apart.
 *          What was written is seen by each call that begins after it was acknowledged, in whatever
 *          process.
 * Errors   ACCP_E2001: no such session, key. ACCP_ERR_IO: nobody can be asked now; ACCP_ERR_NOMEM;
 *          ACCP_ERR_CORRUPT: what is kept is damaged, never answered with anything else in its
 *          place. Each call may be made again.
 */
typedef struct accp_store_backend {
    uint32_t size;     /* sizeof(accp_store_backend) */
    uint32_t version;  /* ACCP_STORE_BACKEND_VERSION */
    uint32_t flags;    /* bits of accp_store_backend_flag */
    uint32_t reserved; /* 0 */

    /* The end of `user`; nothing of it is called any more. */
    void (*close)(void *user);

    /* The last write of a session, given once. ACCP_E2001. */
    accp_status (*head)(accp_text session, accp_store_entry_function give, void *context,
                        accp_error *err, void *user);

    /* Writes, each of another session, each whole or not at all, and for itself: one that is
     * refused holds up no other. Answers ACCP_OK where each has its own answer. */
    accp_status (*write)(accp_store_write *writes, size_t count, accp_error *err, void *user);

    /* Records first to last, both there, in their order or, newest_first, against it. ACCP_E2001:
     * the session. */
    accp_status (*records)(accp_text session, uint64_t first, uint64_t last, int32_t newest_first,
                           accp_store_entry_function give, void *context, accp_error *err,
                           void *user);

    /* A key, with its note and its value, given once. ACCP_E2001: the session or the key. */
    accp_status (*value)(accp_text session, accp_text key, accp_store_key_function give,
                         void *context, accp_error *err, void *user);

    /* The keys that begin with `prefix`, in the order of their bytes, all of one moment.
     * ACCP_E2001: the session. */
    accp_status (*keys)(accp_text session, accp_text prefix, accp_store_key_function give,
                        void *context, accp_error *err, void *user);

    /* The sessions whose number is larger than `after`, by their numbers: from 1, each session's
     * own while it is there, larger for one that was made later, never used again. */
    accp_status (*sessions)(uint64_t after, accp_store_entry_function give, void *context,
                            accp_error *err, void *user);

    /* A session is gone, with all that was its own. ACCP_E2001. */
    accp_status (*erase)(accp_text session, accp_error *err, void *user);
} accp_store_backend;

/**
 * What a library of a back end exports under ACCP_STORE_BACKEND_ENTRY (with ACCP_API before it):
 * opens a place.
 *
 * place     its name: what follows `--place`, or a whole URL; borrowed.
 * flags     bits of accp_store_flag.
 * out       the table: static.
 * user_out  goes with the table; ended by its `close`.
 *
 * ACCP_ERR_ARG: no place of this kind, or none is there (ACCP_STORE_EXISTING); ACCP_ERR_IO;
 * ACCP_ERR_NOMEM.
 */
typedef accp_status (*accp_store_opener)(const char *place, size_t place_len, uint32_t flags,
                                         const accp_store_backend **out, void **user_out,
                                         accp_error *err);

/**
 * Opens a store over a back end. It promises what any store does, but for what only the back end
 * can: when an acknowledged write is durable; and a crash leaves a prefix of each session's
 * commits, not of all sessions' together.
 *
 * backend  borrowed for as long as the store is open.
 * user     goes with it; the store's from here on, also where this fails: `close` ends it.
 * flags    ACCP_STORE_READ_ONLY or 0.
 * config   may be NULL; copied.
 * out      owned by the caller: accp_store_close().
 *
 * ACCP_ERR_ARG: a table of another version, or too short, a function that is NULL (nothing is
 * called then, `close` neither); unknown flags; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_store_open_backend(const accp_store_backend *backend, void *user,
                                             uint32_t flags, const accp_config *config,
                                             accp_store **out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
