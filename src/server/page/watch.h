// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the page shows of sessions, as JSON: frames as they arrive, contexts, and the values of
// refs. Only reads, and changes nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/http/access.h"
#include "server/http/message.h"
#include "server/hub/frames.h"
#include "server/hub/session_pool.h"
#include "server/library/handles.h"
#include "server/sacp/sacp.h"

namespace server {

class Watch {
public:
    // `config`: for frames, with their registry. All arguments outlive it. Throws Failure.
    Watch(SessionPool &pool, const accp_config *config, const accp_tokenizer *tokenizer);

    // Handles a path below /api/. Returns nothing if the connection follows a session: events are
    // sent from the next turn on.
    std::optional<HttpReply> answer(uint64_t connection, const HttpRequest &request,
                                    const Grant &grant, int64_t now_ms);
    // Returns a slow request as a job for another thread: a packet, a context or the pages of one,
    // which the job opens for reading. Returns nothing for other requests; use answer() for those.
    std::function<HttpReply()> find_job(const HttpRequest &request, const Grant &grant,
                                        int64_t now_ms);
    // Appends the events for all followers of sessions.
    void turn(int64_t now_ms, std::vector<HubEffect> &effects);
    // Does the next turn have work to do even if nothing arrives?
    bool is_busy() const { return has_more_; }
    void drained(uint64_t connection);
    void leave(uint64_t connection);
    // The next turn ends this connection's events.
    void end(uint64_t connection);
    // Ends the events of all connections, including later ones.
    void shut_down() { ends_ = true; }

private:
    // A rendered record, shared by all followers of its session.
    using Event = std::shared_ptr<const std::string>;
    struct Follower {
        std::string session;
        uint64_t next;
        std::shared_ptr<CallerUse> caller;
        Event event;            // of which a part was sent
        size_t sent_bytes = 0;  // bytes of it that were sent
        size_t pending = 0;
        bool has_begun = false, ends = false;
    };
    struct Rendered {
        std::string session;
        uint64_t record;
        Event event;
    };

    HttpReply sessions(const Grant &grant);
    // Returns an empty text if the record cannot be read, with the reason in `err`.
    std::string record_json(accp_session *session, uint64_t number, accp_error &err);
    void append_frame(std::string_view frame, std::string &json);
    void append_budget(std::string_view frame, std::string &json);
    uint64_t count(std::string_view text);
    static HttpReply context(accp_session *session, uint64_t budget);
    static HttpReply pages(accp_session *session);
    HttpReply packet(accp_session *session, const HttpRequest &request, int64_t now_ms);
    HttpReply resolve(accp_session *session, std::string_view ref, int64_t now_ms);
    HttpReply parse(std::string_view frame);
    std::optional<HttpReply> follow(uint64_t connection, std::string id, uint64_t after,
                                    const Grant &grant);
    void send_events(uint64_t connection, Follower &follower, int64_t now_ms,
                     std::vector<HubEffect> &effects);
    // nullptr: it cannot be read yet.
    Event event_of(accp_session *session, const Follower &follower);

    SessionPool &pool_;
    const accp_config *config_;
    host::Handle<accp_codec> codec_;
    host::Handle<accp_counter> counter_;
    FrameReader reader_;
    SacpReader sacp_;
    std::map<uint64_t, Follower> followers_;
    std::unordered_map<const CallerUse *, size_t> counts_;  // followers of each caller
    std::deque<Rendered> rendered_;                         // the newest last
    size_t rendered_bytes_ = 0;
    uint64_t first_ = 0;  // the follower that the next turn begins with
    size_t bytes_ = 0;    // sent in this turn
    bool ends_ = false, has_more_ = false;
};

// {"error":…}
HttpReply json_refusal(int status, std::string_view why);

// [{"name":"$warm.ckpt_3","value":…}…], the newest first: all that the session still has, up to 1
// MiB in total.
HttpReply view_checkpoints(accp_session *session, int64_t now_ms);

// {"packet":…,"tokens":N,"layers":{"goals":N,…}} of the packet in a message (JSON), if its checksum
// is right; else {"error":…}.
HttpReply view_carried_packet(accp_session *session, const accp_config *config,
                              std::string_view message, int64_t now_ms);
// The same for a new packet of the session, which is not stored, for the request's `task` (or the
// session's first request), `depth` and `budget`.
HttpReply view_made_packet(accp_session *session, const accp_config *config,
                           const HttpRequest &request, int64_t now_ms);

}  // namespace server
