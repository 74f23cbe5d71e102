// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Threads for work that is too slow for a turn of the loop, such as a packet of a long conversation
// or a context. A job owns the data it works on or only reads it, and opens sessions itself, for
// reading. take() returns its reply to the loop's thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "server/a2a/a2a.h"
#include "server/http/access.h"
#include "server/http/message.h"
#include "server/hub/hub.h"
#include "server/mcp/http.h"
#include "server/page/watch.h"
#include "server/sacp/sacp.h"

namespace server {

class WorkPool {
public:
    using Job = std::function<HttpReply()>;
    struct Done {
        uint64_t connection;
        HttpReply reply;
    };

    explicit WorkPool(size_t threads = 2);
    // Waits for the running jobs; the waiting ones are discarded.
    ~WorkPool();
    WorkPool(const WorkPool &) = delete;
    WorkPool &operator=(const WorkPool &) = delete;

    // Sets a function that runs on any thread when a job is done.
    void on_done(std::function<void()> wake);
    // False if this caller, or all callers together, already have the maximum number of jobs.
    bool start(uint64_t connection, const void *caller, Job job);
    // Returns the replies of the jobs that are done.
    std::vector<Done> take();

    static constexpr size_t kMaxOfCaller = 4, kMaxJobs = 64;

private:
    struct Waiting {
        uint64_t connection;
        const void *caller;
        Job job;
    };
    void work();

    std::mutex mutex_;
    std::condition_variable has_work_;
    // guarded by mutex_
    std::deque<Waiting> waiting_;
    std::unordered_map<const void *, size_t> counts_;  // waiting and running jobs of each caller
    size_t count_ = 0;
    std::vector<Done> done_;
    std::function<void()> wake_;
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

// Routes HTTP requests: checks the caller, selects the handler of the path, and refuses invalid
// requests.
struct HttpRules {
    std::vector<std::string> origins;  // allowed origins of pages; empty: only this host
    size_t max_body = 65'536;          // bytes of a frame
    size_t max_json = 4 << 20;         // bytes of a message of MCP
};

// The handlers.
struct HttpParts {
    const Access &access;
    Hub &hub;
    Watch &watch;
    McpHttp &mcp;
    A2a &a2a;
    SacpHttp &sacp;
};

class HttpService {
public:
    // All outlive it.
    HttpService(HttpRules rules, HttpParts parts)
        : rules_(std::move(rules)),
          access_(parts.access),
          hub_(parts.hub),
          watch_(parts.watch),
          mcp_(parts.mcp),
          a2a_(parts.a2a),
          sacp_(parts.sacp),
          model_calls_(parts.mcp.has_model() ? kMaxModelCalls : 0) {}

    // Replies to a request. Returns no reply if a later turn sends it.
    std::optional<HttpReply> answer(uint64_t connection, const HttpRequest &request,
                                    int64_t now_ms);
    // Appends the effects after a turn of calls. Returns true if it must be called again at once.
    bool turn(int64_t now_ms, std::vector<HubEffect> &effects);
    // Does the next turn have work even without a new event?
    bool is_busy() const { return a2a_.is_busy() || watch_.is_busy(); }
    // drained(): all data for an HTTP connection was sent. leave(): it has ended.
    void drained(uint64_t connection) {
        watch_.drained(connection);
        a2a_.drained(connection);
    }
    void leave(uint64_t connection);
    // Call it after the tokens were read again. Ends connections whose rights have changed.
    void end_revoked();
    // In the next turn, waiting requests get an error.
    void shut_down(int64_t now_ms);
    // The HTTP reply for a reply of the hub.
    HttpReply frame_reply(int status, std::string text, const char *type = kFrameType) const;

    // Sets a function that runs on any thread when the next turn has work to do.
    void on_news(const std::function<void()> &wake) {
        work_.on_done(wake);
        model_calls_.on_done(wake);
    }
    // Returns the replies to requests that took longer than a turn.
    std::vector<WorkPool::Done> take_replies();

    // Runs before a WebSocket opens. Returns a reply if it is refused; else nothing, and sets
    // `grant` to the caller's.
    std::optional<HttpReply> refuse_socket(const HttpRequest &request,
                                           std::shared_ptr<const Grant> &grant) const;
    // Does the request show a known token, or is none needed?
    bool is_known(const HttpRequest &request) const {
        return access_.find(request.header("authorization")) != nullptr;
    }
    // Counts a message of a WebSocket. Returns the milliseconds until the next may be read; 0: at
    // once.
    static int64_t charge(const Grant &grant, int64_t now_ms);
    // Runs before a body is read. Returns a reply if the request is wrong so far.
    std::optional<HttpReply> refuse_early(const HttpRequest &request, uint64_t body_bytes) const;

    // at a time; each holds a conversation
    static constexpr size_t kMaxModelCalls = 16;
    static constexpr std::string_view kFrames = "/accp/v1/frames";
    static constexpr std::string_view kSocket = "/accp/v1/ws";

private:
    std::optional<HttpReply> refuse_origin(const HttpRequest &request) const;
    std::optional<HttpReply> refuse_caller(const HttpRequest &request,
                                           std::shared_ptr<const Grant> &grant) const;
    static std::optional<HttpReply> refuse_rate(const Grant &grant, int64_t now_ms);
    HttpReply health() const;
    static std::optional<HttpReply> begin(WorkPool &pool, uint64_t connection, const Grant &grant,
                                          WorkPool::Job job);
    std::optional<HttpReply> follow(uint64_t connection, const HttpRequest &request,
                                    const std::shared_ptr<const Grant> &grant, int64_t now_ms);

    HttpRules rules_;
    const Access &access_;
    Hub &hub_;
    Watch &watch_;
    McpHttp &mcp_;
    A2a &a2a_;
    SacpHttp &sacp_;
    // open connections with waiting requests or streams
    std::unordered_map<uint64_t, std::shared_ptr<const Grant>> followers_;
    // These must come last: their jobs use the members above. Calls that wait for a model have
    // threads of their own, so that nothing else waits for them.
    WorkPool work_;
    WorkPool model_calls_;
};

}  // namespace server
