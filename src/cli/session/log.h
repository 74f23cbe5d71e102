// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The log of a session as its export has it: the records one by one, and the same session as it
// stood after one of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"

namespace cli {

// A record of an export; members that it does not have are empty or 0. docs/store.md has them.
struct LogLine {
    uint64_t number = 0;
    int64_t time_ms = 0, timeout_ms = 0;
    std::string kind, agent, mid, cid, aid, frame;
    bool has_message = false;
    std::string intent;     // of a message that stands there
    std::string_view text;  // the line, without its newline

    bool is_message() const {
        return kind == "message" || kind == "received" || kind == "sent" || kind == "request";
    }
    bool is_in_chain() const { return !mid.empty() || !cid.empty() || !aid.empty(); }
};

class SessionLog {
public:
    // Of the session that the arguments name: in their store, or in `export_file` where that is not
    // empty. Throws Failure.
    explicit SessionLog(const Arguments &arguments, const std::string &export_file = {});
    SessionLog(const SessionLog &) = delete;

    const std::vector<LogLine> &records() const { return records_; }
    // The export of the session after record `number`, without a snapshot: opening it applies every
    // record, under whatever rules. Texts that were kept later are there too.
    std::string until(uint64_t number) const;

private:
    void read(const Arguments &arguments);

    std::string text_;
    std::vector<LogLine> records_;
};

}  // namespace cli
