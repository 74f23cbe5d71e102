/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * What an engine has counted since it was made, of all its sessions: for a host that exports it.
 * docs/observability.md says what each is, and what OpenTelemetry calls it.
 *
 * Counting is always on; it costs less than a hundredth of a call. Every function here may be
 * called at any time, from any thread. A count never falls; two that are read one after the other
 * are not of one moment.
 */
#ifndef ACCP_METRICS_H
#define ACCP_METRICS_H

#include "accp/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The counts, but for outcomes (accp_engine_outcomes()). */
enum accp_metric {
    /* frames that came in, whatever became of them */
    ACCP_METRIC_FRAMES_RECEIVED = 0,
    /* frames that went out: each part of a message in parts, and each that was sent again */
    ACCP_METRIC_FRAMES_SENT = 1,
    /* bytes of those */
    ACCP_METRIC_BYTES_RECEIVED = 2,
    ACCP_METRIC_BYTES_SENT = 3,
    /* messages that were applied and became deliveries */
    ACCP_METRIC_MESSAGES_DELIVERED = 4,
    /* records that were written to logs */
    ACCP_METRIC_RECORDS = 5,
    /* checkpoints that were made */
    ACCP_METRIC_CHECKPOINTS = 6,
    /* gaps in sequence numbers that opened */
    ACCP_METRIC_GAPS = 7,
    /* requests whose deadline passed */
    ACCP_METRIC_REQUESTS_EXPIRED = 8,
    /* batches that stores took */
    ACCP_METRIC_COMMITS = 9,
    /* contexts that were asked for, as text, blocks or messages */
    ACCP_METRIC_CONTEXTS = 10,
    /* their tokens */
    ACCP_METRIC_CONTEXT_TOKENS = 11,
    /* the tokens of all messages so far, whole, at each of them: what resending would have sent */
    ACCP_METRIC_CONTEXT_HISTORY_TOKENS = 12,
    /* what the contexts cost with a provider's cache, in thousandths of a token of plain input, by
     * the rules price_cached and price_write */
    ACCP_METRIC_CONTEXT_PRICE = 13,
    /* what resending the history would have cost, with the same cache */
    ACCP_METRIC_CONTEXT_HISTORY_PRICE = 14
};

/** The name of a count, such as "accp.frames.received"; NULL: there is none of this number. */
ACCP_API const char *accp_metric_name(int32_t metric) ACCP_NOEXCEPT;

/** Its unit by UCUM, such as "By" or "{frame}"; NULL: there is none of this number. */
ACCP_API const char *accp_metric_unit_name(int32_t metric) ACCP_NOEXCEPT;

/** The count. 0 for a number that is out of range. */
ACCP_API uint64_t accp_engine_metric(const accp_engine *engine, int32_t metric) ACCP_NOEXCEPT;

/**
 * How many calls ended so: accp_session_receive() with ACCP_RECEIVED; accp_session_send(),
 * accp_session_reply(), accp_session_send_state() and accp_session_retry() with ACCP_SENT. 0 for a
 * status that is unknown.
 */
ACCP_API uint64_t accp_engine_outcomes(const accp_engine *engine, int32_t direction,
                                       accp_status status) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* ACCP_METRICS_H */
