// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See request_end.h.
#include "cli/replay/request_end.h"

namespace cli {
namespace {

const std::string &chain_of(const LogLine &line) { return line.cid.empty() ? line.mid : line.cid; }

}  // namespace

std::string RequestEnd::text() const {
    const std::string number = std::to_string(record);
    switch (kind) {
        case kWaits: return "waits";
        case kAnswered: return "answered by record " + number + ": " + intent;
        case kTimedOut: return "not answered in time: E3001 at record " + number;
        case kCancelled: return "cancelled by record " + number;
    }
    return {};
}

RequestEnd end_of_request(const SessionLog &log, const LogLine &request, FrameChecker &checker) {
    int64_t deadline = request.time_ms + request.timeout_ms;
    RequestEnd end;
    for (size_t i = request.number; i < log.records().size(); ++i) {
        const LogLine &line = log.records()[i];
        const bool waits = end.kind == RequestEnd::kWaits;
        if (waits && line.kind == "timeout" && line.time_ms > deadline)
            end.kind = RequestEnd::kTimedOut, end.record = line.number;
        if (chain_of(line) != chain_of(request) || !line.is_message()) continue;
        end.repeated = end.repeated || line.kind == "request";
        if (!waits) continue;
        const std::string intent = checker.intent_of(line);
        if (intent == "cancel") end.kind = RequestEnd::kCancelled;
        if (line.kind == "received" && intent == "wait")
            deadline = line.time_ms + request.timeout_ms;
        if (line.kind == "received" && (intent == "done" || intent == "fail" || intent == "ack"))
            end.kind = RequestEnd::kAnswered, end.intent = intent;
        if (end.kind != RequestEnd::kWaits) end.record = line.number;
    }
    return end;
}

}  // namespace cli
