// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/metrics.h: what an engine has counted.
#include "accp/metrics.h"

#include "accp/hooks.h"
#include "capi/session_handles.h"
#include "capi/status_row.h"

using namespace accp;

namespace {

struct MetricRow {
    const char *name, *unit;
};

// By accp_metric.
constexpr MetricRow kMetricRows[] = {
    {"accp.frames.received", "{frame}"},
    {"accp.frames.sent", "{frame}"},
    {"accp.io.received", "By"},
    {"accp.io.sent", "By"},
    {"accp.messages.delivered", "{message}"},
    {"accp.records", "{record}"},
    {"accp.checkpoints", "{checkpoint}"},
    {"accp.gaps", "{gap}"},
    {"accp.requests.expired", "{request}"},
    {"accp.commits", "{commit}"},
    {"accp.contexts", "{context}"},
    {"accp.context.tokens", "{token}"},
    {"accp.context.history_tokens", "{token}"},
    {"accp.context.price", "{millitoken}"},
    {"accp.context.history_price", "{millitoken}"},
};
static_assert(sizeof kMetricRows / sizeof kMetricRows[0] == session::Metrics::kMetrics);

bool is_metric(int32_t metric) {
    return metric >= 0 && static_cast<size_t>(metric) < session::Metrics::kMetrics;
}

}  // namespace

extern "C" {

const char *accp_metric_name(int32_t metric) noexcept {
    return is_metric(metric) ? kMetricRows[metric].name : nullptr;
}

const char *accp_metric_unit_name(int32_t metric) noexcept {
    return is_metric(metric) ? kMetricRows[metric].unit : nullptr;
}

uint64_t accp_engine_metric(const accp_engine *engine, int32_t metric) noexcept {
    return engine && is_metric(metric) ? engine->engine.metrics.value(static_cast<size_t>(metric))
                                       : 0;
}

uint64_t accp_engine_outcomes(const accp_engine *engine, int32_t direction,
                              accp_status status) noexcept {
    const size_t row = capi::row_of(status);
    const bool known = direction == ACCP_SENT || direction == ACCP_RECEIVED;
    return engine && known && row < session::Metrics::kStatuses
               ? engine->engine.metrics.value(session::Metrics::outcome(direction, row))
               : 0;
}

}  // extern "C"
