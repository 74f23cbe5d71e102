// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sends frames for agents that are connected by another protocol. It assigns mid, seq and ts. Its
// counters are only a cache: if the session expects another seq, the error contains that seq, and
// the frame is sent again.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/hub/frames.h"
#include "server/hub/hub.h"

namespace server {

class FrameSender {
public:
    // All arguments outlive the sender; the config is that of the hub. Throws Failure.
    FrameSender(Hub &hub, accp_config *config, const accp_registry *registry);

    // The session and the sending agent. Optional: the chain (cid) and the mid that caused the
    // frame (aid).
    struct Header {
        std::string_view session, agent, cid = {}, aid = {};
    };
    struct SentFrame {
        std::string mid;
        uint64_t record = 0;
    };
    // Sends a message in JSON, without metadata. Returns the same codes as Hub::receive(), also if
    // the frame cannot be encoded.
    accp_status send(const Grant &grant, const Header &header, std::string_view message,
                     int64_t now_ms, SentFrame &out, accp_error &err);
    // Sends a frame that has no metadata yet.
    accp_status send_frame(const Grant &grant, const Header &header, std::string_view frame,
                           int64_t now_ms, SentFrame &out, accp_error &err);

    // Mids for which `is_taken` is true are never used.
    void set_mid_check(std::function<bool(std::string_view mid)> is_taken) {
        is_taken_ = std::move(is_taken);
    }
    std::string next_mid() {
        std::string mid = mids_.next();
        while (is_taken_ && is_taken_(mid)) mid = mids_.next();
        return mid;
    }

private:
    accp_status encode(const Header &header, std::string_view message, int64_t seq, int64_t now_ms,
                       const SentFrame &sent, std::string &frame, accp_error &err);
    template <typename Make>
    accp_status attempt(const Grant &grant, const Header &header, int64_t now_ms, SentFrame &out,
                        accp_error &err, Make make);

    Hub &hub_;
    host::Handle<accp_codec> codec_;
    std::unordered_map<std::string, int64_t> next_;  // the next seq, by session and agent
    std::function<bool(std::string_view)> is_taken_;
    MidGenerator mids_{4};
};

}  // namespace server
