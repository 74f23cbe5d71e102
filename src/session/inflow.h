// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Received frames, and the deliveries of a session.
#pragma once

#include "accp/error.h"
#include "base/limits.h"
#include "base/memory.h"
#include "session/driver.h"
#include "session/frames.h"

namespace accp::session {

// An entry that next() returns: a message that was applied, or the outcome of a frame that was not.
// Views until the next call of the session.
struct Delivery {
    accp_status status;
    int64_t seq;
    std::string_view json = {};    // of the message
    std::string_view mid = {};     // of its frame
    std::string_view cid = {};     // of its frame, or of a request that timed out
    const char *reason = nullptr;  // of a refusal: static text
    bool untrusted = false;        // the message is untrusted
    uint32_t warnings = 0;         // of the message: bits of accp_warning

    size_t bytes() const { return json.size() + mid.size() + cid.size(); }
};

class Deliveries {
public:
    explicit Deliveries(Memory &memory) : entries_(memory), text_(memory) {}

    // Reserves space for `count` more entries with `bytes` bytes of text, so that add() cannot
    // fail.
    void reserve(size_t count, size_t bytes) {
        entries_.reserve(count);
        text_.reserve(bytes);
    }
    void add(const Delivery &delivery) {
        entries_.push({delivery.status, delivery.untrusted, delivery.warnings, delivery.seq,
                       delivery.reason, text_.size(), delivery.json.size(), delivery.mid.size(),
                       delivery.cid.size()});
        text_.append(delivery.json);
        text_.append(delivery.mid);
        text_.append(delivery.cid);
    }
    // Returns the next entry. When all were returned, frees them and returns false.
    bool next(Delivery &out) {
        if (handed_out_ < entries_.size()) {
            out = at(handed_out_++);
            return true;
        }
        entries_.recycle(kKeptBytes);
        text_.recycle(kKeptBytes);
        handed_out_ = 0;
        return false;
    }

    size_t size() const { return entries_.size(); }
    Delivery at(size_t index) const {
        const Entry &entry = entries_[index];
        const char *json = text_.data() + entry.text, *mid = json + entry.json;
        return {entry.status,
                entry.seq,
                {json, entry.json},
                {mid, entry.mid},
                {mid + entry.mid, entry.cid},
                entry.reason,
                entry.untrusted,
                entry.warnings};
    }

private:
    struct Entry {
        accp_status status;
        bool untrusted;
        uint32_t warnings;
        int64_t seq;
        const char *reason;
        size_t text;  // offset of its texts in text_, one after the other
        size_t json, mid, cid;
    };

    Buffer<Entry> entries_;
    Buffer<char> text_;
    size_t handed_out_ = 0;
};

// Checks received frames in the order of docs/wire.md 8, holds those that wait for an earlier
// frame, and creates deliveries.
class Inflow {
public:
    Inflow(Driver &driver, Deliveries &deliveries) : driver_(driver), deliveries_(deliveries) {}

    // Receives a frame from a peer. ACCP_OK: applied, and there is a delivery; ACCP_HELD: it waits;
    // ACCP_DROPPED: send no reply; E5001: the peer may not use this name, and nothing has changed;
    // any other error: refused. The offset is a byte of the frame.
    //
    // Call release_waiting() afterwards, for frames that waited for this one. It is a separate call
    // so that its failures are not mistaken for failures of this frame. If it fails, the next
    // receive() tries again first.
    Status receive(std::string_view frame, const Peer &peer, int64_t now_ms, Scratch &scratch);
    bool has_ready() const { return driver_.inbox.ready() != nullptr; }
    // The same, or a state waits behind an overdue gap.
    bool has_due(int64_t now_ms) const { return has_ready() || driver_.inbox.overdue(now_ms); }
    Status release_waiting(int64_t now_ms, Scratch &scratch);
    // Drops the held parts of a chain, or all held parts if cid is empty.
    Status remove_parts(std::string_view cid, int64_t now_ms, Scratch &scratch);

    // Applies waiting frames whose turn it is before the call's own change, and makes them durable
    // as Driver::finish() does. The call must have been started.
    Status release_first(int64_t now_ms, Scratch &scratch);

    // Returns whether a frame, sent or received, belongs to a cancelled chain.
    Status is_cancelled(const delivery::Arrival &frame, Scratch &scratch, bool &out);

private:
    Status check_order(Frame &frame, Scratch &scratch, delivery::InboxResult &out);
    bool is_whole_state(const Frame &frame, Scratch &scratch) const;
    bool join_waiting(const Frame &frame, Scratch &scratch) const;
    Status receive_now(std::string_view text, const Peer &peer, int64_t now_ms, Scratch &scratch);
    Status check_sender(const delivery::Arrival &frame, const Peer &peer);
    Status find_causes(Scratch &scratch);
    Status process(Frame &frame, Scratch &scratch);
    Status join_part(Frame &frame, Scratch &scratch, bool &held, bool &whole) const;
    Status store_part(const Frame &frame, Scratch &scratch);
    Status decode_message(const Frame &frame, FrameRefs &refs, Scratch &scratch,
                          message::Message &out);
    Status store_message(const Frame &frame, const message::Message &message, bool with_json,
                         Scratch &scratch);
    Status refuse(const Frame &frame, const Status &why, Scratch &scratch);
    Status use_up_seq(const Frame &frame, bool keeps_mid, Scratch &scratch);
    Status hold(const Frame &frame, bool new_gap);
    Status release_ready(int64_t now_ms, Scratch &scratch);
    Status close_gap_before(Frame &frame, int64_t now_ms, Scratch &scratch);
    Status release_up_to(const delivery::Inbox::Held &state, int64_t now_ms, Scratch &scratch);
    Status release_one(const delivery::Inbox::Held &held, int64_t now_ms, Scratch &scratch);
    Status report_used_seq(const delivery::Inbox::Held &held);
    static bool is_refused(const Status &status) { return status.code > ACCP_HELD; }

    Driver &driver_;
    Deliveries &deliveries_;
};

}  // namespace accp::session
