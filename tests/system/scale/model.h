// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What agents were told, and whether the sessions at the end say the same: what was acknowledged is
// there, once; what was said after an acknowledgement comes after it; each agent's frames are in
// their order.
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
    Nanos wanted = 0;  // when it was to be said
    Nanos sent = 0;    // for the first time
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

    // `what` in session `where`.
    void find_fault(const std::string &what, const std::string &where);
    // A line for each kind: how often, and where first.
    std::string faults() const;
    uint64_t fault_count() const;

    // Opens every session that something was said in.
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

// The frames of a session's log, in its order. False: it cannot be read.
bool read_frames(accp_session *session, std::vector<uint64_t> &out, std::string &why);

}  // namespace scale
