// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a frame that came in brought, as `accp session receive` and `accp session dead` answer it.
#pragma once

#include <string>

#include "cli/host.h"

namespace cli {

// What a call of receive brought, as members of a JSON array.
class Received {
public:
    // Of the frame itself, where it was dropped or waits.
    void add(accp_status status, const accp_error &err) {
        if (status == ACCP_DROPPED) add_dropped({}, err.message);
        else if (status == ACCP_HELD && out_.empty()) open("\"held\":true");
        held_ = held_ || status == ACCP_HELD;
    }
    void add(const accp_delivery &one, bool frame_waits) {
        const std::string seq = "\"seq\":" + std::to_string(one.seq) + ",";
        if (one.status == ACCP_E3003 && frame_waits) return open(seq + "\"held\":true");
        if (one.status == ACCP_DROPPED) return add_dropped(seq, one.reason);
        open(seq);
        if (one.status == ACCP_OK)
            out_.append("\"message\":").append(one.message.text, one.message.len);
        else out_.append("\"refused\":\"").append(accp_status_code_name(one.status)).append("\"");
    }
    // Empties it.
    void write(std::string &to) {
        if (!out_.empty()) to.append(out_).append("}]");
        out_.clear();
    }
    // Of all calls: the exit status where no frame was refused.
    int status() const { return dropped_ ? kSomeDropped : held_ ? kSomeHeld : 0; }

private:
    static constexpr int kSomeDropped = 3, kSomeHeld = 4;

    void open(const std::string &members) {
        out_.append(out_.empty() ? "[{" : "},{").append(members);
    }
    void add_dropped(const std::string &seq, const char *why) {
        open(seq + "\"dropped\":");
        append_json_string(why ? why : "", out_);
        dropped_ = true;
    }

    std::string out_;
    bool dropped_ = false, held_ = false;
};

}  // namespace cli
