// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The connection between gateways of one store. A bus may lose messages but keeps their order.
// PeerLinks detects the loss.
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

// An event of a bus.
struct BusEvent {
    enum class Kind {
        kMessage,  // `text` is a message of another gateway
        kNobody,   // gateway `text` is gone, and the last message to it was lost
        kBroken    // the bus was interrupted: any message may be lost
    };
    Kind kind = Kind::kMessage;
    std::string text;
};

class PeerBus {
public:
    virtual ~PeerBus() = default;
    // The name of this gateway, unique for all time: letters and digits.
    virtual const std::string &self() const = 0;
    virtual size_t max_message() const = 0;
    virtual void send(std::string_view peer, std::string_view message) = 0;
    // Returns false if there are no more events.
    virtual bool take(BusEvent &out) = 0;
};

// A bus from a separately loaded library (include/accp/bus.h). Its events arrive on another thread
// and are queued for the loop.
class TableBus : public PeerBus {
public:
    // Uses a new name. Throws Failure if the place cannot be reached.
    TableBus(accp_bus_opener open, std::string_view place);
    ~TableBus() override { table_->close(user_); }
    TableBus(const TableBus &) = delete;
    TableBus &operator=(const TableBus &) = delete;

    // `wake` runs on another thread when the first event enters the empty queue.
    void on_news(std::function<void()> wake);

    const std::string &self() const override { return self_; }
    size_t max_message() const override { return table_->max_message(user_); }
    void send(std::string_view peer, std::string_view message) override;
    bool take(BusEvent &out) override;

private:
    static void on_event(int32_t news, accp_text text, void *context);

    std::string self_;
    std::mutex lock_;
    std::deque<BusEvent> events_;  // guarded by lock_, like wake_
    std::function<void()> wake_;
    const accp_bus *table_ = nullptr;
    void *user_ = nullptr;
};

// The messages between gateways: notes about the connections of one gateway to sessions of another.
// A message is a JSON object with the notes of one turn.
struct PeerNote {
    enum class Kind {
        // To the owner of the session, about a connection of the sender:
        kPost,     // Hub::post(): `text` is the frame
        kJoin,     // a WebSocket of `agent`
        kHear,     // the WebSocket has sent the frame `text`
        kPong,     // Hub::pong() with `text`
        kDrained,  // Hub::drained()
        kLeave,    // the connection has ended
        // From the owner back:
        kAnswer,  // the kinds of HubEffect
        kPiece,
        kSend,
        kPing,
        kClose,
        kAway,  // the session has moved; nothing was done
        // To the previous owner of a session:
        kLost  // the sender now owns `session`
    };
    static constexpr int kKinds = 13;

    Kind kind = Kind::kPost;
    uint64_t connection = 0;  // numbered by the gateway of the connection
    std::string session, agent, text;
    std::string agents;  // as in Grant
    std::string trace;
    int64_t status = 0;
    bool is_trusted = false, may_write = false, sees_all = false, is_last = false;

    // Is this the reply to a request, or the last piece of it?
    bool ends_request() const { return is_last && (kind == Kind::kAnswer || kind == Kind::kPiece); }
};

// A message between two gateways, over one link.
struct PeerMessage {
    std::string from;
    std::string link;   // the sender changes it after a loss
    std::string heard;  // the receiver's link, if known
    uint64_t number = 0;
    std::vector<PeerNote> notes;
};

std::string print_note(const PeerNote &note);
// `notes`: printed, with commas between them.
std::string print_message(const PeerMessage &head, std::string_view notes);
// Returns false if the text is not a message of a gateway.
bool read_message(std::string_view text, PeerMessage &out);

// An event from another gateway.
struct PeerEvent {
    enum class Kind {
        kNote,
        kGone,     // the gateway is gone; `has_received_nothing`: no message of ours
        kLost,     // the gateway runs, but messages between the two were lost
        kSuspect,  // others may consider this gateway gone
    };
    Kind kind;
    std::string peer;
    PeerNote note = {};
    bool has_received_nothing = false;
};

// Links to other gateways. A link delivers each message once and in order, or reports its loss to
// both sides. A running gateway sends a message at least twice a second.
class PeerLinks {
public:
    using Needs = std::function<bool(const std::string &peer)>;

    // `bus` outlives it. `needs`: is a link to this gateway still needed? An unneeded link ends
    // after a while without notes.
    PeerLinks(PeerBus &bus, Needs needs) : bus_(bus), needs_(std::move(needs)) {}

    std::vector<PeerEvent> receive(int64_t now_ms);
    // Queues a note for the next flush().
    void queue(std::string_view peer, const PeerNote &note, int64_t now_ms);
    void flush(int64_t now_ms);

    bool is_gone(std::string_view peer) const { return gone_.count(std::string(peer)) != 0; }
    const std::string &self() const { return bus_.self(); }
    size_t count() const { return links_.size(); }
    // Does a note with a text of this size fit into a message?
    bool has_space_for(size_t text_bytes) const;

private:
    struct Link {
        std::string ours,
            theirs;  // names of the two directions; `theirs` is empty until its first message
        uint64_t sent = 0, received = 0;
        int64_t sent_at_ms = 0, received_at_ms = 0;
        bool is_used = true;  // since the last beat
        std::string notes;    // to send
    };

    Link &link_to(std::string_view peer, int64_t now_ms);
    void handle_message(const PeerMessage &message, int64_t now_ms, std::vector<PeerEvent> &events);
    void lose(const std::string &peer, PeerEvent::Kind kind, bool has_received_nothing,
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
    int64_t received_at_ms_ = 0;  // time of the last receive()
};

}  // namespace server
