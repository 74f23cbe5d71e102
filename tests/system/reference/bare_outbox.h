// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The frames that one side has sent, and which of them are not confirmed: all that a host needs to
// send frames again. A frame is repeated byte for byte, so that the receiver recognizes it.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace accp_ref {

class Outbox {
public:
    void add(const std::string &mid, const std::string &frame) {
        const bool is_ack = frame.find(">ack:") < frame.find('{');
        sent_.push_back({mid, frame, is_ack, frame.find(",ttl:") != std::string::npos, false});
        to_go_.insert(sent_.size() - 1);
    }

    // An E3002 confirms that this frame has arrived.
    void confirm(const std::string &mid) {
        for (Sent &one : sent_)
            if (one.mid == mid) one.confirmed = true;
    }
    // An `ack` confirms this frame and all before it.
    void confirm_up_to(const std::string &mid) {
        size_t at = 0;
        while (at < sent_.size() && sent_[at].mid != mid) ++at;
        if (at == sent_.size()) return;
        for (size_t i = 0; i <= at; ++i) sent_[i].confirmed = true;
    }
    // Frames of a cancelled chain are dropped without a reply, like expired ones.
    void expect_no_answer(const std::string &cid) {
        for (Sent &one : sent_)
            if (one.frame.find(",cid:" + cid + "]") != std::string::npos) one.may_be_dropped = true;
    }

    // After an E3003 one of these frames is missing; after a silence, one may be. Sends the oldest
    // one, and some others in turn, because the reply to the oldest may itself wait for one of
    // them. An `ack` that no other frame follows is not sent.
    void send_again() {
        size_t end = sent_.size();
        while (end && sent_[end - 1].is_ack) --end;
        for (size_t i = 0, more = kMaxAgain; i < end && more; ++i) again(i, more);
        for (size_t i = 0, more = kMaxAgain; i < end && more; ++i) {
            turn_ = turn_ + 1 < end ? turn_ + 1 : 0;
            again(turn_, more);
        }
    }
    // Sends the last `ack` again if it is not confirmed, and those before it that only an `ack`
    // follows, because one of them may be the gap.
    void send_ack_again() {
        size_t first = sent_.size();
        while (first && sent_[first - 1].is_ack && !sent_[first - 1].confirmed) --first;
        for (size_t more = kMaxAgain; first < sent_.size() && more; ++first) again(first, more);
        for (size_t i = sent_.size(); i > 0; --i)
            if (sent_[i - 1].is_ack) {
                to_go_.insert(i - 1);
                return;
            }
    }

    std::vector<std::string> take() {
        std::vector<std::string> frames;
        for (size_t i : to_go_) frames.push_back(sent_[i].frame);
        to_go_.clear();
        return frames;
    }
    // Returns the number of frames without a reply. If there are many, a host sends nothing new for
    // now.
    size_t unconfirmed() const {
        size_t count = 0;
        for (const Sent &one : sent_) count += !one.confirmed && !one.is_ack && !one.may_be_dropped;
        return count;
    }

private:
    struct Sent {
        std::string mid, frame;
        bool is_ack, may_be_dropped, confirmed;
    };

    // Replies to repeats are frames too, so sending everything again would cause too many.
    static constexpr size_t kMaxAgain = 8;

    void again(size_t i, size_t &more) {
        if (sent_[i].confirmed || !to_go_.insert(i).second) return;
        --more;
    }

    std::vector<Sent> sent_;
    std::set<size_t> to_go_;
    size_t turn_ = 0;  // the frame that was last sent again
};

}  // namespace accp_ref
