/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Deadlines of requests: which requests wait for an answer, and until when. This is what the rule
 * deadline_ms does in a session, for programs without sessions. The library reads no clock: the
 * caller passes all times, in milliseconds. A request that expires is ACCP_E3001, and may be sent
 * again: accp_codec_retry().
 *
 * @code
 * accp_deadline *deadline = NULL;
 * accp_text cid;
 * int64_t now_ms = 1000;
 * if (accp_deadline_new(NULL, &deadline, NULL) == ACCP_OK &&
 *     accp_deadline_start(deadline, "c1", 2, now_ms + 500, NULL) == ACCP_OK)
 *     while (accp_deadline_expire(deadline, now_ms + 501, &cid, NULL) == ACCP_OK && cid.len)
 *         printf("no answer to %.*s\n", (int)cid.len, cid.text);
 * accp_deadline_free(deadline);
 * @endcode
 */
#ifndef ACCP_DEADLINE_H
#define ACCP_DEADLINE_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The waiting requests of one side. One thread at a time. */
typedef struct accp_deadline accp_deadline;

/**
 * Makes an empty table.
 *
 * @param out  Owned by the caller: accp_deadline_free().
 */
ACCP_API accp_status accp_deadline_new(const accp_config *config, accp_deadline **out,
                                       accp_error *err) ACCP_NOEXCEPT;

/** Frees a table. NULL has no effect. */
ACCP_API void accp_deadline_free(accp_deadline *deadline) ACCP_NOEXCEPT;

/**
 * Starts the deadline of a request that was sent. If the request waits already, its deadline is
 * moved.
 *
 * @param cid      The request's correlation id; copied.
 * @param when_ms  The deadline.
 *
 * Errors: ACCP_E1004 if the cid is empty or not UTF-8; ACCP_E2003 if 4,096 requests wait already.
 */
ACCP_API accp_status accp_deadline_start(accp_deadline *deadline, const char *cid, size_t cid_len,
                                         int64_t when_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Moves the deadline of a waiting request, for the intent `wait`. Returns ACCP_E3001 if the request
 * does not wait any more.
 *
 * @param cid      The cid of the request.
 * @param when_ms  The new deadline.
 */
ACCP_API accp_status accp_deadline_extend(accp_deadline *deadline, const char *cid, size_t cid_len,
                                          int64_t when_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes a request that was answered (done, fail) or cancelled. Returns ACCP_E3001 if it does not
 * wait any more: the answer came too late.
 *
 * @param cid  The cid of the request.
 */
ACCP_API accp_status accp_deadline_remove(accp_deadline *deadline, const char *cid, size_t cid_len,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes one request whose deadline is before now_ms, the earliest first. Call it until `out` is
 * empty. The error of the request is ACCP_E3001.
 *
 * @param out  Its cid, a view until the next call except accp_deadline_next(); empty if there is
 *             none.
 */
ACCP_API accp_status accp_deadline_expire(accp_deadline *deadline, int64_t now_ms, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/** Returns the earliest deadline; INT64_MAX if no request waits. */
ACCP_API int64_t accp_deadline_next(const accp_deadline *deadline) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
