// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The log of a session, read from its export.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"

namespace cli {

class FrameChecker;

// A record of an export (docs/store.md). A member that the record does not have is empty or 0.
struct LogLine {
    uint64_t number = 0;
    int64_t time_ms = 0, timeout_ms = 0;
    std::string kind, agent, mid, cid, aid, frame;
    bool has_message = false;
    std::string intent;     // of the record's message
    std::string_view text;  // the whole line, without its newline

    bool is_message() const {
        return kind == "message" || kind == "received" || kind == "sent" || kind == "request";
    }
    bool is_in_chain() const { return !mid.empty() || !cid.empty() || !aid.empty(); }
    // The id of the chain.
    const std::string &chain() const { return cid.empty() ? mid : cid; }
};

class SessionLog {
public:
    // Exports the session of the arguments from their store, or from `export_file` if that is not
    // empty. Throws Failure.
    explicit SessionLog(const Arguments &arguments, const std::string &export_file = {});
    SessionLog(const SessionLog &) = delete;

    const std::vector<LogLine> &records() const { return records_; }
    // Returns an export of the session as it was after record `number`. It has no snapshot, so a
    // session that opens it applies every record under its own rules. Texts that were stored later
    // are included.
    std::string export_until(uint64_t number) const;

private:
    void read(const Arguments &arguments);

    std::string text_;
    std::vector<LogLine> records_;
};

// How a request with a deadline ended, according to the log.
struct RequestOutcome {
    enum Kind { kPending, kAnswered, kTimedOut, kCancelled } kind = kPending;
    uint64_t record = 0;      // the record that ended it
    std::string intent;       // intent of the answer
    bool is_retried = false;  // it was sent again later

    bool is_dead() const { return kind == kTimedOut && !is_retried; }
    std::string text() const;
};

RequestOutcome request_outcome(const SessionLog &log, const LogLine &request,
                               FrameChecker &checker);

}  // namespace cli
