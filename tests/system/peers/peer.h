// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An honest side: a session that sends and receives. Beside it a simple model: a list of what each
// agent sent, and how much of it was received.
#pragma once

#include <memory>

#include "peers/payloads.h"
#include "session/sessions.h"

namespace accp_peers {

using accp_sessions::Handle;

class Peer {
public:
    Peer(std::string agent, const Setup &setup, Dice &dice)
        : agent_(std::move(agent)), setup_(setup), dice_(dice) {}
    void open(accp_store *store, Peer &other);
    void reopen();

    // Sends a new message. Its frames are repeated until the other side has received them.
    void say();
    void say_state();
    bool may_say() const;
    // Returns the frames that the other side has not received yet, oldest first.
    std::vector<std::string> unheard() const;

    // Receives a frame from the other side, or from a stranger. A stranger is an agent of its own,
    // or no agent with one common sequence.
    void hear(const std::string &frame);
    accp_status hear_stranger(const std::string &frame, const std::string &agents);

    void look();  // reads context, state, budget and log
    bool has_heard_all() const { return heard_ == other_->said_.size(); }
    void check_at_rest();

    const std::string &agent() const { return agent_; }
    const std::vector<std::string> &frames() const { return frames_; }
    accp_session *session() const { return session_.get(); }
    int64_t now = accp_sessions::kNow;

private:
    struct Message {
        std::string expected;
        size_t end;  // of its frames in frames_
    };
    static accp_status resolve(const char *ref, size_t ref_len, accp_text *json, void *user);
    void keep(const std::string &frames, const std::string &expected);
    [[noreturn]] void stop_deaf();
    void take_deliveries();
    void take_message(const accp_delivery &one);
    void expect_known(accp_status status, const std::string &frame) const;

    const std::string agent_;
    const Setup setup_;
    Dice &dice_;
    Peer *other_ = nullptr;
    Handle<accp_engine> engine_;
    Handle<accp_session> session_;
    std::vector<std::string> frames_;
    std::vector<Message> said_;
    size_t heard_ = 0;  // of the other side's messages
};

}  // namespace accp_peers
