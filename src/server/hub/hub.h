// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hub connects agents (docs/server.md). Frames arrive by HTTP and WebSocket, are received into
// their sessions, and are passed on unchanged to the agents that they address. The hub has neither
// a socket nor a clock: calls report events, and turn() returns the effects. One write of the store
// makes the events between two turns durable. Replies are sent and frames are passed on only after
// that write.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/http/access.h"
#include "server/http/message.h"
#include "server/http/metrics.h"
#include "server/http/origin.h"
#include "server/hub/frames.h"
#include "server/hub/peers.h"
#include "server/hub/session.h"
#include "server/hub/session_pool.h"
#include "server/sacp/sacp.h"

namespace server {

struct HubRules {
    std::string agent = "hub";      // of the hub itself
    std::string default_session;    // for frames without a session; empty: those are refused
    int64_t wait_ms = 25'000;       // that an HTTP request waits for its reply
    int64_t ping_ms = 30'000;       // between two pings; after two missed ones the socket is closed
    int64_t handshake_ms = 10'000;  // for the negotiation of a WebSocket
    size_t max_waiters = 16'384;    // waiting HTTP requests
    bool logs = false;              // take_log() returns a line for each frame
};

class Hub {
public:
    // `config` needs the registry and the extensions of the engine. It, `pool` and `registry`
    // outlive the hub. Throws Failure.
    Hub(HubRules rules, SessionPool &pool, accp_config *config, const accp_registry *registry);

    // Connects other gateways of the same store. Frames for a session of another gateway are
    // forwarded to it, and its replies come back. Call it first; `bus` outlives the hub.
    void join_gateways(PeerBus &bus);

    // The hub replies to requests for new agents, if they are addressed to it or to nobody.
    // `spawner` outlives the hub.
    void set_spawner(Spawner &spawner) { spawner_ = &spawner; }

    // Receives a frame by HTTP. The connection gets one reply (kAnswer, or kPiece up to the last
    // one), in the next turn or later. `session`: from the request; may be empty. `trace`: the
    // request's traceparent, for the log.
    void post(uint64_t connection, const Grant &grant, std::string_view session,
              std::string_view frame, int64_t now_ms, std::string_view trace = {});
    // A WebSocket was opened, sent a frame, or replied to a ping.
    void open(uint64_t connection, std::shared_ptr<const Grant> grant, std::string_view session,
              bool sees_all, int64_t now_ms);
    void on_frame(uint64_t connection, std::string_view frame, int64_t now_ms);
    void pong(uint64_t connection, std::string_view payload);
    // drained(): all data for the connection was sent. leave(): the connection has ended.
    void drained(uint64_t connection);
    void leave(uint64_t connection);

    // For protocols that carry frames in their own messages (a2a.h). Receives a frame as post()
    // does, without a reply. Returns ACCP_OK and the record, ACCP_DROPPED, or the reason in `err`.
    accp_status receive(const Grant &grant, std::string_view session, std::string_view frame,
                        int64_t now_ms, uint64_t &record, accp_error &err);
    // Is there space for another waiting request?
    bool can_add_waiter() const {
        return waiting_.size() + (peers_ ? peers_->waiting() : 0) < rules_.max_waiters;
    }
    // Reports each frame of a chain to a connection, until leave(). Returns false if too many
    // requests wait, or if the session cannot be opened.
    bool watch(uint64_t connection, std::string_view session, std::string_view chain,
               int64_t now_ms);
    // Returns a session to read, or nullptr with the reason in `err`. Read only up to record
    // `passed`; later records may not be durable yet. If another gateway owns the session, it keeps
    // it, and the view is up to half a second old. Valid until the next call.
    accp_session *open_view(std::string_view session, int64_t now_ms, uint64_t &passed,
                            accp_error &err);
    // Appends a message that does not fit a frame. It is durable after the next turn.
    accp_status append(std::string_view session, std::string_view message, int64_t now_ms,
                       accp_error &err);
    // The connected agents in the sessions of this grant.
    struct Connected {
        std::string agent, session;
    };
    std::vector<Connected> connected(const Grant &grant) const;
    // Returns the first session of this grant, by id, in which an agent is connected; empty: none.
    std::string session_with(std::string_view agent, const Grant &grant) const;
    // Returns why a request of `agent` may never be answered; empty: an agent may still answer.
    std::string unanswered_reason(std::string_view session, std::string_view chain,
                                  std::string_view agent, int64_t now_ms);

    // Appends the effects of this turn. Returns true if turn() must be called again at once.
    bool turn(int64_t now_ms, std::vector<HubEffect> &effects);

    // Call it after the rights of tokens have changed. The next turn closes the WebSockets for
    // which `is_over` is true.
    void close_sockets(const std::function<bool(const Grant &)> &is_over);
    // In the next turn, waiting requests get an error, and WebSockets are closed.
    void shut_down(int64_t now_ms);

    Metrics &metrics() { return metrics_; }
    // The text of /metrics.
    std::string print_metrics() const;
    // Returns a line of JSON for each frame: sender, kind, session and result, without the payload.
    std::string take_log() { return std::exchange(log_, {}); }
    // True if the store cannot be written. Frames are refused then.
    bool is_store_failing() const { return retry_at_ms_ != 0; }
    // Returns why the store cannot be written or reached; empty: it can.
    std::string failure_reason() const;
    std::string_view registry_hash() const { return registry_hash_; }
    const HubRules &rules() const { return rules_; }

private:
    struct Socket {
        std::shared_ptr<const Grant> grant;
        std::string session, agent;
        std::optional<Negotiation> handshake;
        int64_t ping_at_ms = 0;  // before the join: when the join is due
        int missed = 0;
        bool sees_all = false, has_joined = false;
        bool is_guest = false;  // belongs to another gateway, which sends the pings
    };

    // Counts a frame and logs it.
    void log_frame(const FrameFacts &facts, std::string_view session, accp_status status,
                   int64_t now_ms);
    // Replies with the reason for a refusal. `facts`: as far as the frame was read.
    void refuse(uint64_t connection, const accp_error &err, const FrameFacts &facts,
                std::string_view session, int64_t now_ms);
    void negotiate(Socket &socket, uint64_t connection, const FrameFacts &facts, int64_t now_ms);
    void join(Socket &socket, uint64_t connection, int64_t now_ms);
    accp_status receive_frame(HubSession &held, std::string_view frame, const Origin &origin,
                              int64_t now_ms, accp_error &err);
    std::string session_of(const FrameFacts &facts, std::string_view named, const Grant &grant,
                           accp_error &err) const;
    static bool may_speak(const Grant &grant, accp_error &err);
    // Marks a session that must be made durable and then passed on.
    void mark_changed(HubSession &held) {
        taken_.insert(&held);
        changed_.insert(&held);
    }
    HubSession *find(std::string_view id, int64_t now_ms, accp_error &err);
    // Like find(), for a caller that sends `frame` and may create only a limited number of
    // sessions. If the frame is refused, no session is created. An empty frame means that no frame
    // is sent yet.
    HubSession *find_for(const Grant &grant, std::string_view id, std::string_view frame,
                         int64_t now_ms, accp_error &err);
    bool try_frame(const Grant &grant, std::string_view id, std::string_view frame, int64_t now_ms,
                   accp_error &err);
    bool commit(int64_t now_ms);
    void refuse_promised(int64_t now_ms);
    void end_lost(int64_t now_ms);
    void end_lost(HubSession &held, int64_t now_ms);
    bool pass_on(std::vector<HubEffect> &effects);
    bool append_own(HubSession &held, std::string_view message, int64_t now_ms);
    void answer_route(HubSession &held, const FrameFacts &facts, std::string_view frame,
                      const Origin &origin, int64_t now_ms);
    // Schedules a check for overdue requests of a session after this time.
    void schedule_overdue_check(HubSession &held, int64_t deadline_ms);
    void report_overdue(int64_t now_ms);
    void report_overdue(HubSession &held, int64_t now_ms);
    std::string wait_message(const HubSession::OverdueChain &late) const;
    void send_pings(int64_t now_ms);
    void store_positions(int64_t now_ms);
    bool run_local_turn(int64_t now_ms, std::vector<HubEffect> &effects);

    // Defined in hub_peers.cc.
    bool owns_session(const std::string &session) {
        return sessions_.count(session) != 0 || pool_.find(session) != nullptr;
    }
    std::string owner_of(const std::string &session);
    std::string stored_owner(const std::string &session);
    void claim(const std::string &id, accp_session *session);
    void announce_claims(int64_t now_ms);
    void forward_post(std::string_view owner, uint64_t connection, const Grant &grant,
                      std::string_view session, std::string_view frame, std::string_view trace,
                      int64_t now_ms);
    void forward_join(std::string_view owner, const Socket &socket, uint64_t connection,
                      int64_t now_ms);
    void receive_peer_events(int64_t now_ms);
    void handle_peer_event(const PeerEvent &event, int64_t now_ms);
    void handle_peer_request(const std::string &peer, const PeerNote &note, int64_t now_ms);
    void serve_guest(const std::string &peer, const PeerNote &note, int64_t now_ms);
    void handle_peer_reply(const std::string &peer, const PeerNote &note, int64_t now_ms);
    void restart_locally(uint64_t connection, const ForwardedConnection &forwarded, int64_t now_ms);
    void end_link(const std::string &peer, bool has_received_nothing, int64_t now_ms);
    void end_forwarded(uint64_t connection, bool is_socket, const char *why, int64_t now_ms);
    void end_waiting_forwarded(int64_t now_ms);
    void check_suspect_sessions(int64_t now_ms);
    void forward_effects(std::vector<HubEffect> &effects, int64_t now_ms);

    HubRules rules_;
    SessionPool &pool_;
    accp_config *config_;
    std::string registry_hash_;
    Spawner *spawner_ = nullptr;  // nullptr: the hub creates no agents
    FrameReader reader_;
    FrameReader
        log_reader_;  // for older records of sessions, while the facts of reader_ are in use
    HubFrames own_frames_;
    std::unordered_map<std::string, std::unique_ptr<HubSession>> sessions_;
    std::unordered_map<uint64_t, Socket> sockets_;
    std::unordered_map<uint64_t, HubSession *> waiting_;  // by HTTP connection
    std::unordered_set<HubSession *> changed_;            // sessions with frames to pass on
    std::vector<HubEffect> held_;                         // wait for the next commit
    std::unordered_set<HubSession *> taken_;              // sessions that are not durable yet
    // Senders of frames that are not durable yet, by HTTP connection.
    std::unordered_map<uint64_t, HubSession *> promised_;
    std::vector<HubEffect> at_once_;  // effects that need no commit
    // The sessions of taken_ that another process has taken over.
    std::unordered_set<HubSession *> lost_;
    Metrics metrics_;
    std::string log_;
    std::deque<std::pair<int64_t, std::string>> overdue_;  // when sessions have overdue requests
    int64_t failed_at_ms_ = 0;  // when the store began to fail; 0: it works
    int64_t retry_at_ms_ = 0;   // when to try the failed store again; 0: it works
    int64_t reread_at_ms_ = 0;  // when to read records that could not be read; 0: all could
    int64_t positions_at_ms_ = 0, beat_at_ms_ = 0;
    int64_t now_ms_ = 0;            // time of the last turn
    std::unique_ptr<Peers> peers_;  // nullptr: this is the only gateway
    // Sessions that this gateway has opened, and their previous owner (may be empty). The owner
    // gets a notice after the next commit.
    std::vector<std::pair<std::string, std::string>> claims_;
    std::vector<std::string> suspect_sessions_;  // sessions that others may have taken over
};

}  // namespace server
