// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Says frames for agents that are connected by another protocol: with mid, seq and ts of its own.
// It keeps nothing: a session that awaits another seq says which, and is told again.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "server/hub/frames.h"
#include "server/hub/hub.h"

namespace server {

class Speaker {
public:
    // All outlive it; the config is that of the hub. Throws Failure.
    Speaker(Hub &hub, accp_config *config, const accp_registry *registry);

    // Where something is said, and what it answers: a chain, and the mid that caused it, or
    // nothing.
    struct Place {
        std::string_view session, agent, cid = {}, aid = {};
    };
    struct Said {
        std::string mid;
        uint64_t record = 0;
    };
    // A message in JSON, without metadata. Answers as Hub::receive(); a failure to make the frame
    // is one of these codes too.
    accp_status say(const Grant &grant, const Place &place, std::string_view message,
                    int64_t now_ms, Said &out, accp_error &err);
    // A frame that has no metadata.
    accp_status complete(const Grant &grant, const Place &place, std::string_view frame,
                         int64_t now_ms, Said &out, accp_error &err);

    std::string next_mid() { return mids_.next(); }

private:
    accp_status encode(const Place &place, std::string_view message, int64_t seq, int64_t now_ms,
                       const Said &said, std::string &frame, accp_error &err);
    template <typename Make>
    accp_status attempt(const Grant &grant, const Place &place, int64_t now_ms, Said &out,
                        accp_error &err, Make make);

    Hub &hub_;
    host::Handle<accp_codec> codec_;
    std::unordered_map<std::string, int64_t> next_;  // seq by session and agent, as far as known
    MidCounter mids_{4};
};

}  // namespace server
