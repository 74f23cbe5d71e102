// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hub through which agents speak (docs/server.md): frames come in by HTTP and WebSocket, are
// received into their sessions, and go on, byte for byte, to the agents that they are for. It has
// neither a socket nor a clock: calls say what has come, turn() what is to be done. What calls took
// between two turns is made durable by one write, and nothing is answered or passed on before.
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
    std::string agent = "hub";      // the hub's own name
    std::string default_session;    // of frames that name none; empty: they must
    int64_t wait_ms = 25'000;       // that an HTTP request waits for its answer
    int64_t ping_ms = 30'000;       // between two pings; who has missed two is closed
    int64_t handshake_ms = 10'000;  // in which a WebSocket must have negotiated
    size_t max_waiters = 16'384;    // HTTP requests that wait
    bool logs = false;              // take_log() has a line for each frame
};

class Hub {
public:
    // `config`: of frames, the registry and the extensions that the engine has too. It, `pool` and
    // `registry` outlive the hub. Throws Failure.
    Hub(HubRules rules, SessionPool &pool, accp_config *config, const accp_registry *registry);

    // Other gateways of the same store: what is for a session that one of them has goes there, and
    // what it says comes back. To be called first; `bus` outlives the hub.
    void join_gateways(PeerBus &bus);

    // The hub answers requests for agents, in frames that are for it or for nobody. `spawner`
    // outlives the hub.
    void make_agents(Spawner &spawner) { spawner_ = &spawner; }

    // A frame by HTTP: the connection gets one answer (kAnswer, or kPiece until the last), by the
    // next turn or later. `session`: what the request names; empty: nothing. `trace`: its
    // traceparent, for the log.
    void post(uint64_t connection, const Grant &grant, std::string_view session,
              std::string_view frame, int64_t now_ms, std::string_view trace = {});
    // A WebSocket: it opens, says something, answers a ping.
    void open(uint64_t connection, std::shared_ptr<const Grant> grant, std::string_view session,
              bool sees_all, int64_t now_ms);
    void hear(uint64_t connection, std::string_view frame, int64_t now_ms);
    void pong(uint64_t connection, std::string_view payload);
    // All that it was to be sent has gone; it has ended.
    void drained(uint64_t connection);
    void leave(uint64_t connection);

    // For protocols that carry frames in messages of their own (a2a.h). Takes a frame as post()
    // does, and answers nothing to it: ACCP_OK and its record, ACCP_DROPPED, or `err` says why it
    // was refused.
    accp_status receive(const Grant &grant, std::string_view session, std::string_view frame,
                        int64_t now_ms, uint64_t &record, accp_error &err);
    // May one more request wait?
    bool has_place() const {
        return waiting_.size() + (peers_ ? peers_->waiting() : 0) < rules_.max_waiters;
    }
    // From now on a connection is told of each frame of a chain, until it leaves. False: too many
    // wait, or the session cannot be opened.
    bool watch(uint64_t connection, std::string_view session, std::string_view chain,
               int64_t now_ms);
    // A session, to be read as far as `passed`: what comes after that may not be durable yet. One
    // that is another gateway's stays there, and is seen as it stood half a second ago. Until the
    // next call. nullptr: it cannot be opened.
    accp_session *look(std::string_view session, int64_t now_ms, uint64_t &passed);
    // A message that takes no frame; durable with the next turn.
    accp_status append(std::string_view session, std::string_view message, int64_t now_ms,
                       accp_error &err);
    // Which agents are connected, in the sessions of this grant.
    struct Connected {
        std::string agent, session;
    };
    std::vector<Connected> connected(const Grant &grant) const;
    // A session of this grant that an agent is connected in: the first by its id; empty: none.
    std::string session_with(std::string_view agent, const Grant &grant) const;
    // Why perhaps nobody will ever answer what `agent` asked; empty: somebody may.
    std::string why_unanswered(std::string_view session, std::string_view chain,
                               std::string_view agent, int64_t now_ms);

    // Appends what is to be done. True: call again at once, there is more.
    bool turn(int64_t now_ms, std::vector<HubEffect> &effects);

    // The rights of tokens have changed: WebSockets whose grant is over are closed by the next
    // turn.
    void close_sockets(const std::function<bool(const Grant &)> &is_over);
    // Whoever waits is told to ask again, and WebSockets are closed, by the next turn.
    void shut_down(int64_t now_ms);

    Metrics &metrics() { return metrics_; }
    // The text of /metrics.
    std::string print_metrics() const;
    // Lines of JSON: who said what kind of frame to whom, and what became of it. No payload.
    std::string take_log() { return std::exchange(log_, {}); }
    // The store cannot be written: nothing is taken.
    bool is_failing() const { return retry_at_ms_ != 0; }
    // Why what was taken cannot be written, or nobody can be asked for a session; empty: it can.
    std::string why_failing() const;
    std::string_view registry_hash() const { return registry_hash_; }
    const HubRules &rules() const { return rules_; }

private:
    struct Socket {
        std::shared_ptr<const Grant> grant;
        std::string session, agent;
        std::optional<Handshake> handshake;
        int64_t ping_at_ms = 0;  // before it joined: when it must have
        int missed = 0;
        bool sees_all = false, has_joined = false;
        bool is_guest = false;  // another gateway's, which looks whether it is there
    };

    // Counts a frame and logs it.
    void note(const FrameFacts &facts, std::string_view session, accp_status status,
              int64_t now_ms);
    // Says why a frame was refused; `facts`: as far as it was read.
    void refuse(uint64_t connection, const accp_error &err, const FrameFacts &facts,
                std::string_view session, int64_t now_ms);
    void greet(Socket &socket, uint64_t connection, const FrameFacts &facts, int64_t now_ms);
    void join(Socket &socket, uint64_t connection, int64_t now_ms);
    accp_status take(HubSession &held, std::string_view frame, const Origin &origin, int64_t now_ms,
                     accp_error &err);
    std::string session_of(const FrameFacts &facts, std::string_view named, const Grant &grant,
                           accp_error &err) const;
    static bool may_speak(const Grant &grant, accp_error &err);
    // It has something that is to be made durable, and then passed on.
    void note_change(HubSession &held) {
        taken_.insert(&held);
        changed_.insert(&held);
    }
    HubSession *find(std::string_view id, int64_t now_ms, accp_error &err);
    // Like find(), for a caller that may create only a limited number of sessions and sends
    // `frame`. If the frame is refused, no session is created. An empty frame means that nothing is
    // sent yet.
    HubSession *find_for(const Grant &grant, std::string_view id, std::string_view frame,
                         int64_t now_ms, accp_error &err);
    bool try_frame(const Grant &grant, std::string_view id, std::string_view frame, int64_t now_ms,
                   accp_error &err);
    bool commit(int64_t now_ms);
    void refuse_promised(int64_t now_ms);
    void end_lost(int64_t now_ms);
    void end_lost(HubSession &held, int64_t now_ms);
    bool pass_on(std::vector<HubEffect> &effects);
    bool say(HubSession &held, std::string_view message, int64_t now_ms);
    void answer_route(HubSession &held, const FrameFacts &facts, std::string_view frame,
                      const Origin &origin, int64_t now_ms);
    // After this time it is looked whether somebody is to be told that it takes longer.
    void look_late(HubSession &held, int64_t deadline_ms);
    void tell_late(int64_t now_ms);
    void tell_late(HubSession &held, int64_t now_ms);
    std::string wait_for(const HubSession::Late &late) const;
    void beat(int64_t now_ms);
    void keep_positions(int64_t now_ms);
    bool turn_here(int64_t now_ms, std::vector<HubEffect> &effects);

    // hub_peers.cc
    bool has_here(const std::string &session) {
        return sessions_.count(session) != 0 || pool_.find(session) != nullptr;
    }
    std::string home_of(const std::string &session);
    std::string kept_home(const std::string &session);
    void claim(const std::string &id, accp_session *session);
    void tell_claims(int64_t now_ms);
    void post_away(std::string_view home, uint64_t connection, const Grant &grant,
                   std::string_view session, std::string_view frame, std::string_view trace,
                   int64_t now_ms);
    void join_away(std::string_view home, const Socket &socket, uint64_t connection,
                   int64_t now_ms);
    void hear_peers(int64_t now_ms);
    void hear_peer(const PeerEvent &event, int64_t now_ms);
    void serve(const std::string &peer, const PeerNote &note, int64_t now_ms);
    void serve_guest(const std::string &peer, const PeerNote &note, int64_t now_ms);
    void take_back(const std::string &peer, const PeerNote &note, int64_t now_ms);
    void begin_again(uint64_t connection, const AwayConnection &away, int64_t now_ms);
    void end_link(const std::string &peer, bool got_nothing, int64_t now_ms);
    void end_away(uint64_t connection, bool is_socket, const char *why, int64_t now_ms);
    void end_waiting_away(int64_t now_ms);
    void check_doubted(int64_t now_ms);
    void carry(std::vector<HubEffect> &effects, int64_t now_ms);

    HubRules rules_;
    SessionPool &pool_;
    accp_config *config_;
    std::string registry_hash_;
    Spawner *spawner_ = nullptr;  // nullptr: the hub makes none
    FrameReader reader_;
    FrameReader log_reader_;  // what sessions had before: reader_'s facts are in use then
    HubWords words_;
    std::unordered_map<std::string, std::unique_ptr<HubSession>> sessions_;
    std::unordered_map<uint64_t, Socket> sockets_;
    std::unordered_map<uint64_t, HubSession *> waiting_;   // HTTP connections
    std::unordered_set<HubSession *> changed_;             // sessions with something to pass on
    std::vector<HubEffect> held_;                          // until the next commit
    std::unordered_set<HubSession *> taken_;               // sessions that are to be made durable
    std::unordered_map<uint64_t, HubSession *> promised_;  // whom it was for, of what is held
    std::vector<HubEffect> at_once_;                       // rests on nothing that was taken
    // Of taken_: those that another process has taken over.
    std::unordered_set<HubSession *> lost_;
    Metrics metrics_;
    std::string log_;
    std::deque<std::pair<int64_t, std::string>> late_;  // when a session has late waiters
    int64_t failed_at_ms_ = 0;  // since when the store fails; 0: it does not
    int64_t retry_at_ms_ = 0;   // when the store that failed is tried again; 0: it did not
    int64_t positions_at_ms_ = 0, beat_at_ms_ = 0;
    int64_t now_ms_ = 0;            // of the last turn
    std::unique_ptr<Peers> peers_;  // nullptr: this gateway is the only one
    // Sessions that are to be found here once that is durable, and who had them; empty: nobody.
    std::vector<std::pair<std::string, std::string>> claims_;
    std::vector<std::string> doubted_;  // sessions that others may have taken
};

}  // namespace server
