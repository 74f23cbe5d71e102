// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the calls of sessions add to the counts of their engine (include/accp/metrics.h).
#pragma once

#include <algorithm>

#include "accp/hooks.h"
#include "capi/session_handles.h"
#include "capi/status_row.h"

namespace accp::capi {

// What one call adds, whichever it is: by how it leaves the session.
class Tally {
public:
    explicit Tally(accp_session &session) : session_(session), before_(now()) {}
    Tally(const Tally &) = delete;
    Tally &operator=(const Tally &) = delete;
    ~Tally() {
        const Marks after = now();
        add(ACCP_METRIC_RECORDS, before_.records, after.records);
        add(ACCP_METRIC_CHECKPOINTS, before_.checkpoints, after.checkpoints);
        add(ACCP_METRIC_COMMITS, before_.commits, after.commits);
        const session::Deliveries &all = session_.session.deliveries;
        for (size_t i = before_.deliveries; i < all.size(); ++i) count(all.at(i));
    }

private:
    struct Marks {
        uint64_t records, checkpoints, commits;
        size_t deliveries;
    };
    Marks now() const {
        const session::Session &of = session_.session;
        return {of.last_record(), of.core().context.checkpoints(), of.driver.commits(),
                of.deliveries.size()};
    }
    // A call that failed halfway may have been undone.
    void add(accp_metric metric, uint64_t before, uint64_t after) {
        session_.metrics.add(metric, std::max(before, after) - before);
    }
    void count(const session::Delivery &one) {
        session::MetricsShare &metrics = session_.metrics;
        if (one.status == ACCP_OK) metrics.add(ACCP_METRIC_MESSAGES_DELIVERED, 1);
        if (one.status == ACCP_E3001) metrics.add(ACCP_METRIC_REQUESTS_EXPIRED, 1);
        if (one.status == ACCP_E3003 && one.mid.empty()) metrics.add(ACCP_METRIC_GAPS, 1);
    }

    accp_session &session_;
    const Marks before_;
};

inline void count_received(accp_session &session, size_t bytes, accp_status status) {
    session::MetricsShare &metrics = session.metrics;
    metrics.add(ACCP_METRIC_FRAMES_RECEIVED, 1);
    metrics.add(ACCP_METRIC_BYTES_RECEIVED, bytes);
    metrics.add(session::Metrics::outcome(ACCP_RECEIVED, row_of(status)), 1);
}

// `frames`: with a newline between two; empty where none went out.
inline void count_sent(accp_session &session, std::string_view frames, accp_status status) {
    session::MetricsShare &metrics = session.metrics;
    const auto newlines = std::count(frames.begin(), frames.end(), '\n');
    metrics.add(ACCP_METRIC_FRAMES_SENT, frames.empty() ? 0 : static_cast<uint64_t>(newlines) + 1);
    metrics.add(ACCP_METRIC_BYTES_SENT, frames.size() - static_cast<size_t>(newlines));
    metrics.add(session::Metrics::outcome(ACCP_SENT, row_of(status)), 1);
}

}  // namespace accp::capi
