/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Metrics: what an engine has counted in all its sessions since it was made, for hosts that export
 * it. docs/observability.md describes each metric and its OpenTelemetry name. Counting is always on
 * and costs less than a hundredth of a call. All functions may be called at any time, from any
 * thread. A count never decreases. Two counts that are read one after the other are from different
 * moments.
 *
 * @code
 * void print_metrics(const accp_engine *engine) {
 *     for (int32_t i = 0; accp_metric_name(i); ++i)
 *         printf("%s %llu %s\n", accp_metric_name(i),
 *                (unsigned long long)accp_engine_metric(engine, i), accp_metric_unit_name(i));
 *     printf("received and applied: %llu\n",
 *            (unsigned long long)accp_engine_outcome_count(engine, ACCP_RECEIVED, ACCP_OK));
 * }
 * @endcode
 */
#ifndef ACCP_METRICS_H
#define ACCP_METRICS_H

#include "accp/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The metrics, except the outcomes of calls (accp_engine_outcome_count()). */
enum accp_metric {
    /** Received frames, rejected ones included. */
    ACCP_METRIC_FRAMES_RECEIVED = 0,
    /** Sent frames: each part of a message, and each frame that was sent again. */
    ACCP_METRIC_FRAMES_SENT = 1,
    /** Bytes of received frames. */
    ACCP_METRIC_BYTES_RECEIVED = 2,
    /** Bytes of sent frames. */
    ACCP_METRIC_BYTES_SENT = 3,
    /** Messages that were applied and became deliveries. */
    ACCP_METRIC_MESSAGES_DELIVERED = 4,
    /** Records that were written to logs. */
    ACCP_METRIC_RECORDS = 5,
    /** Checkpoints that were made. */
    ACCP_METRIC_CHECKPOINTS = 6,
    /** Gaps in sequence numbers that were found. */
    ACCP_METRIC_GAPS = 7,
    /** Requests whose deadline passed. */
    ACCP_METRIC_REQUESTS_EXPIRED = 8,
    /** Batches that were written to stores. */
    ACCP_METRIC_COMMITS = 9,
    /** Contexts that were made, as text, blocks or messages. */
    ACCP_METRIC_CONTEXTS = 10,
    /** Tokens of these contexts. */
    ACCP_METRIC_CONTEXT_TOKENS = 11,
    /** Tokens of all messages so far, summed over these contexts: the cost of resending the
     * history. */
    ACCP_METRIC_CONTEXT_HISTORY_TOKENS = 12,
    /** The price of the contexts with a provider's cache, by the rules price_cached and
     * price_write, in thousandths of a plain input token. */
    ACCP_METRIC_CONTEXT_PRICE = 13,
    /** The price of resending the history instead, with the same cache. */
    ACCP_METRIC_CONTEXT_HISTORY_PRICE = 14
};

/**
 * Returns the name of a metric, such as "accp.frames.received", or NULL if it is out of range:
 * count from 0 to list them all. Static text.
 */
ACCP_API const char *accp_metric_name(int32_t metric) ACCP_NOEXCEPT;

/**
 * Returns the unit of a metric by UCUM, such as "By" or "{frame}", or NULL if it is out of range.
 * Static text.
 */
ACCP_API const char *accp_metric_unit_name(int32_t metric) ACCP_NOEXCEPT;

/** Returns the value of a metric, or 0 if it is out of range. */
ACCP_API uint64_t accp_engine_metric(const accp_engine *engine, int32_t metric) ACCP_NOEXCEPT;

/**
 * Returns how many calls returned a status. Returns 0 for an unknown status.
 *
 * @param direction  ACCP_RECEIVED: calls of accp_session_receive(). ACCP_SENT: calls of
 *                   accp_session_send(), accp_session_reply(), accp_session_send_state() and
 *                   accp_session_retry().
 */
ACCP_API uint64_t accp_engine_outcome_count(const accp_engine *engine, int32_t direction,
                                            accp_status status) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
