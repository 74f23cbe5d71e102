// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How gateways of one store reach each other. A bus may lose what it carries, and turns nothing
// round: PeerLinks notices what is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "accp/bus.h"

namespace server {

// What has come by a bus.
struct BusNews {
    enum class Kind {
        kMessage,  // `text`, from some gateway
        kNobody,   // there is no gateway `text` any more: what it was sent last is lost
        kBroken    // the bus was away for a while: anything may be lost
    };
    Kind kind = Kind::kMessage;
    std::string text;
};

class PeerBus {
public:
    virtual ~PeerBus() = default;
    // The name of this gateway, which no other ever has: letters and digits.
    virtual const std::string &self() const = 0;
    virtual size_t max_message() const = 0;
    virtual void send(std::string_view peer, std::string_view message) = 0;
    // False: nothing has come.
    virtual bool take(BusNews &out) = 0;
};

// A bus of a library beside this one (include/accp/bus.h): what comes on its thread waits until the
// loop asks.
class TableBus : public PeerBus {
public:
    // Under a name that is new. Throws Failure where the place cannot be reached.
    TableBus(accp_bus_opener open, std::string_view place);
    ~TableBus() override { table_->close(user_); }
    TableBus(const TableBus &) = delete;
    TableBus &operator=(const TableBus &) = delete;

    // `wake` is called, on another thread, when something has come and nobody was told yet.
    void on_news(std::function<void()> wake);

    const std::string &self() const override { return self_; }
    size_t max_message() const override { return table_->max_message(user_); }
    void send(std::string_view peer, std::string_view message) override;
    bool take(BusNews &out) override;

private:
    static void hear(int32_t news, accp_text text, void *context);

    std::string self_;
    std::mutex lock_;
    std::deque<BusNews> news_;  // guarded by lock_, as the next
    std::function<void()> wake_;
    const accp_bus *table_ = nullptr;
    void *user_ = nullptr;
};

// What gateways say to each other: notes about connections that one has and sessions that another
// has. A message has a JSON object with the notes of one turn.
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

// Links to other gateways: what one says comes to the other once and in its order, or both are told
// that the link is lost. A gateway that is there is heard twice a second.

// What has come from a gateway.
struct PeerEvent {
    enum class Kind {
        kNote,
        kGone,   // it is not there; `got_nothing`: it has done nothing of what it was told
        kLost,   // it is there, and something between the two was lost
        kDoubt,  // others may have taken this gateway for gone
    };
    Kind kind;
    std::string peer;
    PeerNote note = {};
    bool got_nothing = false;
};

class PeerLinks {
public:
    using Needs = std::function<bool(const std::string &peer)>;

    // `bus` outlives it. `needs`: is a link to this gateway still needed? One that is not ends when
    // nobody has said anything for a while.
    PeerLinks(PeerBus &bus, Needs needs) : bus_(bus), needs_(std::move(needs)) {}

    std::vector<PeerEvent> hear(int64_t now_ms);
    // Goes with the next flush().
    void say(std::string_view peer, const PeerNote &note, int64_t now_ms);
    void flush(int64_t now_ms);

    bool is_gone(std::string_view peer) const { return gone_.count(std::string(peer)) != 0; }
    const std::string &self() const { return bus_.self(); }
    size_t count() const { return links_.size(); }
    // May a note with a text of this size be said?
    bool has_room_for(size_t text_bytes) const;

private:
    struct Link {
        std::string ours, theirs;  // names of the two directions; of theirs, empty: not heard yet
        uint64_t said = 0, heard = 0;
        int64_t said_at_ms = 0, heard_at_ms = 0;
        bool is_used = true;  // since the last beat
        std::string notes;    // to be said
    };

    Link &link_to(std::string_view peer, int64_t now_ms);
    void hear(const PeerMessage &message, int64_t now_ms, std::vector<PeerEvent> &events);
    void lose(const std::string &peer, PeerEvent::Kind kind, bool got_nothing,
              std::vector<PeerEvent> &events);
    void lose_nobody(const std::string &peer, std::vector<PeerEvent> &events);
    void end_silent(int64_t now_ms, std::vector<PeerEvent> &events);
    void send(const std::string &peer, Link &link, int64_t now_ms);
    std::string new_name();

    PeerBus &bus_;
    Needs needs_;
    std::unordered_map<std::string, Link> links_;
    std::unordered_set<std::string> gone_;
    uint64_t names_ = 0;
    int64_t heard_at_ms_ = 0;  // when it was asked last what has come
};

}  // namespace server
