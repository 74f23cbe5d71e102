/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Requests that wait for an answer, and until when. What the rule deadline_ms does in a
 * session, for those who have none. The library reads no clock: times are the caller's, in
 * milliseconds. What expires is ACCP_E3001, which may be sent again: accp_codec_retry().
 */
#ifndef ACCP_DEADLINE_H
#define ACCP_DEADLINE_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The requests of one side. One thread at a time. */
typedef struct accp_deadline accp_deadline;

/** Makes an empty table. config may be NULL; copied. ACCP_ERR_NOMEM. */
ACCP_API accp_status accp_deadline_new(const accp_config *config, accp_deadline **out,
                                       accp_error *err) ACCP_NOEXCEPT;

/** Frees a table; NULL is nothing. */
ACCP_API void accp_deadline_free(accp_deadline *deadline) ACCP_NOEXCEPT;

/**
 * Starts the deadline of a request that was sent: it waits until `when_ms`. If the request waits
 * already, its deadline is moved. The cid is copied. ACCP_E1004 if the cid is empty or not UTF-8;
 * ACCP_E2003 if 4,096 requests wait already; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_deadline_start(accp_deadline *deadline, const char *cid, size_t cid_len,
                                         int64_t when_ms, accp_error *err) ACCP_NOEXCEPT;

/** The intent `wait` came: the request waits until `when_ms`. ACCP_E3001 where it waits no more. */
ACCP_API accp_status accp_deadline_extend(accp_deadline *deadline, const char *cid, size_t cid_len,
                                          int64_t when_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Its answer came (done, fail), or it was cancelled. ACCP_E3001 where it waits no more: the answer
 * came too late.
 */
ACCP_API accp_status accp_deadline_answer(accp_deadline *deadline, const char *cid, size_t cid_len,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes out one request whose deadline is before `now_ms`, the earliest first, and names it in
 * *out: a view until the next call but accp_deadline_next(). Its error is ACCP_E3001. *out is empty
 * where there is none: call it until then.
 */
ACCP_API accp_status accp_deadline_expire(accp_deadline *deadline, int64_t now_ms, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/** The earliest deadline of all; INT64_MAX where nothing waits. */
ACCP_API int64_t accp_deadline_next(const accp_deadline *deadline) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
