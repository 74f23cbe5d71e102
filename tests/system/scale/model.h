// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The results that agents got, and a check of the sessions at the end: each acknowledged frame is
// there, once; a frame that was sent after an acknowledgement comes after it; the frames of each
// agent are in order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scale/library.h"
#include "scale/simulation.h"

namespace scale {

struct Said {
    uint32_t session = 0, seq = 0;
    uint16_t agent = 0;
    Nanos wanted = 0;  // planned time of sending
    Nanos sent = 0;    // time of the first attempt
    Nanos acknowledged = -1;
};

class Model {
public:
    uint64_t add(const Said &frame) {
        frames_.push_back(frame);
        return frames_.size() - 1;
    }
    Said &operator[](uint64_t number) { return frames_[number]; }
    const Said &operator[](uint64_t number) const { return frames_[number]; }
    size_t size() const { return frames_.size(); }

    // Records the fault `what` in session `where`.
    void find_fault(const std::string &what, const std::string &where);
    // Returns a line for each kind of fault: how often it occurred, and where first.
    std::string faults() const;
    uint64_t fault_count() const;

    // Opens and checks every session that got a frame.
    void check(const Engine &engine);

    struct Found {
        uint64_t sessions = 0, records = 0, acknowledged = 0, unacknowledged = 0;
    };
    const Found &found() const { return found_; }

private:
    void check_session(const Engine &engine, uint32_t session,
                       const std::vector<uint64_t> &acknowledged);
    void check_order(uint32_t session, const std::vector<uint64_t> &numbers);

    std::vector<Said> frames_;
    struct Fault {
        uint64_t count = 0;
        std::string where;
    };
    std::map<std::string, Fault> faults_;
    Found found_;
};

// Reads the frames of a session's log, in order. Returns false if it cannot be read.
bool read_frames(accp_session *session, std::vector<uint64_t> &out, std::string &why);

}  // namespace scale
