// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What gateways say to each other: notes about connections that one has and sessions that another
// has. A message has a JSON object with the notes of one turn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace server {

struct PeerNote {
    enum class Kind {
        // To the gateway that has the session, of a connection of who says it.
        kPost,     // Hub::post(): `text` is the frame
        kJoin,     // a WebSocket of `agent`
        kHear,     // it says the frame `text`
        kPong,     // Hub::pong() with `text`
        kDrained,  // Hub::drained()
        kLeave,    // the connection has ended
        // And back.
        kAnswer,  // HubEffect's kinds
        kPiece,
        kSend,
        kPing,
        kClose,
        kAway,  // the session is not here; nothing was done
        // To the gateway that had a session.
        kLost  // who says this has `session` now
    };
    static constexpr int kKinds = 13;

    Kind kind = Kind::kPost;
    uint64_t connection = 0;  // a number of the gateway that has it
    std::string session, agent, text;
    std::string agents;  // as of Grant
    std::string trace;
    int64_t status = 0;
    bool is_trusted = false, may_write = false, sees_all = false, is_last = false;

    // Is this the answer to a request, or the last piece of it?
    bool ends_request() const { return is_last && (kind == Kind::kAnswer || kind == Kind::kPiece); }
};

// A message between two gateways, as one link of PeerLinks.
struct PeerMessage {
    std::string from;
    std::string link;   // who says it begins another one when something was lost
    std::string heard;  // the link of who hears it, as far as it is known
    uint64_t number = 0;
    std::vector<PeerNote> notes;
};

std::string print_note(const PeerNote &note);
// `notes`: printed, with a comma between two.
std::string print_message(const PeerMessage &head, std::string_view notes);
// False: it is no message of a gateway.
bool read_message(std::string_view text, PeerMessage &out);

}  // namespace server
