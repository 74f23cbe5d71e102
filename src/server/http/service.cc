// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/service.h"

#include <exception>
#include <utility>

#include "server/http/caller.h"
#include "server/json/writer.h"
#include "server/page/page.h"

namespace server {
namespace {

HttpReply plain(int status, std::string text) {
    return {status, "text/plain; charset=utf-8", std::move(text) + "\n"};
}

struct Route {
    std::string_view path, methods, type;  // type: of a posted body
    bool is_json;                          // the size limit of JSON applies
};
constexpr std::string_view kReads = "GET, HEAD";
constexpr Route kRoutes[] = {{HttpService::kFrames, "POST", kFrameType, false},
                             {"/api/parse", "POST", kFrameType, false},
                             {SacpHttp::kValidate, "POST", "application/json", true},
                             {SacpHttp::kSpawn, "POST", "application/json", true},
                             {"/mcp", "GET, POST, DELETE", "application/json", true},
                             {A2a::kPath, "POST", "application/json", true},
                             {A2a::kCard, kReads, "", false},
                             {HttpService::kSocket, kReads, "", false},
                             {"/healthz", kReads, "", false},
                             {"/metrics", kReads, "", false}};
constexpr Route kRead = {"", kReads, "", false};  // a file or a view of the page

// Returns nullptr if there is no such path.
const Route *route_of(std::string_view path) {
    for (const Route &one : kRoutes)
        if (one.path == path) return &one;
    return path.starts_with("/api/") || find_page_file(path) ? &kRead : nullptr;
}

bool takes_method(const Route &route, const std::string &method) {
    return (", " + std::string(route.methods) + ", ").find(", " + method + ", ") !=
           std::string::npos;
}

HttpReply not_found() { return plain(404, "not found; post frames to /accp/v1/frames"); }

HttpReply page_reply(const PageFile &file) {
    HttpReply reply = {200, std::string(file.type), std::string(file.text), {}};
    for (const auto &[name, value] : kPageHeaders) reply.headers.emplace_back(name, value);
    return reply;
}

}  // namespace

WorkPool::WorkPool(size_t threads) {
    for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkPool::~WorkPool() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        waiting_.clear();
    }
    has_work_.notify_all();
    for (std::thread &thread : threads_) thread.join();
}

void WorkPool::on_done(std::function<void()> wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
}

bool WorkPool::start(uint64_t connection, const void *caller, Job job) {
    {
        const std::lock_guard lock(mutex_);
        size_t &of_caller = counts_[caller];
        if (count_ >= kMaxJobs || of_caller >= kMaxOfCaller) {
            if (!of_caller) counts_.erase(caller);
            return false;
        }
        ++of_caller;
        ++count_;
        waiting_.push_back({connection, caller, std::move(job)});
    }
    has_work_.notify_one();
    return true;
}

std::vector<WorkPool::Done> WorkPool::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, {});
}

void WorkPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        has_work_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
        if (ends_) return;
        Waiting one = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        HttpReply reply;
        try {
            reply = one.job();
        } catch (const std::exception &) {
            constexpr int kUnavailable = 503;
            reply = {kUnavailable, "text/plain", "there is not enough memory for this\n"};
        }
        one.job = nullptr;  // free what the job owned
        lock.lock();
        const auto count = counts_.find(one.caller);
        if (--count->second == 0) counts_.erase(count);
        --count_;
        done_.push_back({one.connection, std::move(reply)});
        if (wake_ && !ends_) wake_();
    }
}

// Refuses pages of other sites, and pages with another name for this address (DNS rebinding).
// Refuses tokens in an address, because logs and histories would contain them.
std::optional<HttpReply> HttpService::refuse_origin(const HttpRequest &request) const {
    if (request.has_parameter("token") || request.has_parameter("access_token"))
        return plain(400, "a token in the address is refused: use the header Authorization");
    const std::string_view host = request.header("host");
    if (access_.is_open() && !is_loopback_host(host))
        return plain(403, "without tokens this server accepts only localhost as Host");
    switch (check_page(host, request.header("origin"), request.header("sec-fetch-site"),
                       rules_.origins)) {
        case PageCheck::kOtherSite:
            return plain(403, "requests from pages of other sites are refused");
        case PageCheck::kOtherOrigin: return plain(403, "this origin is not allowed");
        case PageCheck::kAllowed: break;
    }
    return std::nullopt;
}

std::optional<HttpReply> HttpService::refuse_caller(const HttpRequest &request,
                                                    std::shared_ptr<const Grant> &grant) const {
    if (std::optional<HttpReply> reply = refuse_origin(request)) return reply;
    grant = access_.find(request.header("authorization"));
    if (grant) return std::nullopt;
    const std::string_view shown = request.header("authorization");
    const bool has_scheme = media_type(shown.substr(0, shown.find(' '))) == "bearer";
    HttpReply reply = plain(401, shown.empty() ? "a bearer token is needed"
                                 : has_scheme  ? "unknown token"
                                               : "the header must be Authorization: Bearer TOKEN");
    reply.headers.emplace_back("www-authenticate", "Bearer realm=\"accp\"");
    return reply;
}

std::optional<HttpReply> HttpService::refuse_rate(const Grant &grant, int64_t now_ms) {
    constexpr int kTooMany = 429;
    constexpr int64_t kSecondMs = 1000;
    const int64_t wait_ms = grant.use ? grant.use->rate.take(now_ms) : 0;
    if (!wait_ms) return std::nullopt;
    HttpReply reply = plain(kTooMany, "this token may send " + std::to_string(grant.limits.rate) +
                                          " requests a second");
    reply.headers.emplace_back("retry-after",
                               std::to_string((wait_ms + kSecondMs - 1) / kSecondMs));
    return reply;
}

std::optional<HttpReply> HttpService::refuse_socket(const HttpRequest &request,
                                                    std::shared_ptr<const Grant> &grant) const {
    if (request.path != kSocket) return plain(404, "WebSockets are at /accp/v1/ws");
    return refuse_caller(request, grant);
}

std::optional<HttpReply> HttpService::refuse_early(const HttpRequest &request,
                                                   uint64_t body_bytes) const {
    const bool is_post = request.method == "POST";
    if (!request.header("transfer-encoding").empty() ||
        (is_post && request.header("content-length").empty()))
        return plain(411, "a body needs a Content-Length");
    const Route *found = route_of(request.path);
    if (!found && is_post) return not_found();
    const Route &route = found ? *found : kRead;
    if (!takes_method(route, request.method)) {
        HttpReply reply = plain(405, "this method is not allowed for this path");
        reply.headers.emplace_back("allow", route.methods);
        return reply;
    }
    const size_t max_bytes = route.is_json ? rules_.max_json : rules_.max_body;
    if (body_bytes > max_bytes)
        return plain(413, "the body has " + std::to_string(body_bytes) + " bytes; the maximum is " +
                              std::to_string(max_bytes));
    if (is_post && media_type(request.header("content-type")) != route.type)
        return plain(415, "the Content-Type must be " + std::string(route.type));
    std::shared_ptr<const Grant> grant;  // only a known caller may send a body
    return is_post || body_bytes ? refuse_caller(request, grant) : std::nullopt;
}

std::optional<HttpReply> HttpService::answer(uint64_t connection, const HttpRequest &request,
                                             int64_t now_ms) {
    if (request.path == "/healthz") return health();
    if (const PageFile *file = find_page_file(request.path)) return page_reply(*file);
    std::shared_ptr<const Grant> grant;
    if (request.path == A2a::kCard) {  // a client that looks for an agent has no token yet
        if (std::optional<HttpReply> reply = refuse_origin(request)) return reply;
        return a2a_.card(request, access_.find(request.header("authorization")).get());
    }
    if (std::optional<HttpReply> reply = refuse_caller(request, grant)) return reply;
    if (std::optional<HttpReply> reply = refuse_rate(*grant, now_ms)) return reply;
    if (WorkPool::Job job = watch_.find_job(request, *grant, now_ms))
        return begin(work_, connection, *grant, std::move(job));
    if (request.path == A2a::kPath || request.path.starts_with("/api/"))
        return follow(connection, request, grant, now_ms);
    if (request.path == kFrames) {
        std::string_view frame = request.body;
        if (frame.ends_with('\n')) frame.remove_suffix(1);
        hub_.post(connection, *grant, request.parameter("session"), frame, now_ms,
                  request.header("traceparent"));
        return std::nullopt;
    }
    if (request.path == SacpHttp::kValidate || request.path == SacpHttp::kSpawn)
        return sacp_.answer(request, *grant);
    if (request.path == "/mcp") {
        if (std::optional<McpHttp::Job> job = mcp_.find_job(request, grant, now_ms))
            return begin(job->waits_for_model ? model_calls_ : work_, connection, *grant,
                         std::move(job->run));
        return mcp_.answer(request, grant, now_ms);
    }
    if (request.path == "/metrics" && !grant->sees_all())
        return plain(403, "/metrics covers all sessions: use a token with --sessions '*'");
    if (request.path == "/metrics")
        return HttpReply{200, "text/plain; version=0.0.4; charset=utf-8", hub_.print_metrics()};
    if (request.path == kSocket)
        return plain(426, "this is a WebSocket: its address begins with ws:// or wss://");
    return not_found();
}

// Runs slow work outside the loop. A later turn sends its reply.
std::optional<HttpReply> HttpService::begin(WorkPool &pool, uint64_t connection, const Grant &grant,
                                            WorkPool::Job job) {
    if (pool.start(connection, grant.use.get(), std::move(job))) return std::nullopt;
    constexpr int kUnavailable = 503;
    HttpReply reply = plain(kUnavailable, "too much of this work is waiting: try again");
    reply.headers.emplace_back("retry-after", "1");
    return reply;
}

std::vector<WorkPool::Done> HttpService::take_replies() {
    std::vector<WorkPool::Done> replies = work_.take();
    for (WorkPool::Done &one : model_calls_.take()) replies.push_back(std::move(one));
    return replies;
}

// Without an immediate reply, the connection is kept in followers_.
std::optional<HttpReply> HttpService::follow(uint64_t connection, const HttpRequest &request,
                                             const std::shared_ptr<const Grant> &grant,
                                             int64_t now_ms) {
    std::optional<HttpReply> reply = request.path == A2a::kPath
                                         ? a2a_.answer(connection, request, *grant, now_ms)
                                         : watch_.answer(connection, request, *grant, now_ms);
    if (!reply) followers_[connection] = grant;
    return reply;
}

void HttpService::end_revoked() {
    const auto is_over = [&](const Grant &grant) { return !access_.has(grant); };
    hub_.close_sockets(is_over);
    for (const auto &[connection, grant] : followers_) {
        if (!is_over(*grant)) continue;
        watch_.end(connection);
        a2a_.end(connection);
    }
}

HttpReply HttpService::frame_reply(int status, std::string text, const char *type) const {
    HttpReply reply{status, text.empty() ? "" : type, std::move(text)};
    reply.headers.emplace_back("accp-registry", hub_.registry_hash());
    if (status == 503) reply.headers.emplace_back("retry-after", "1");
    return reply;
}

bool HttpService::turn(int64_t now_ms, std::vector<HubEffect> &effects) {
    const bool hub_has_more = hub_.turn(now_ms, effects);
    a2a_.turn(now_ms, effects);
    watch_.turn(now_ms, effects);
    return hub_has_more;
}

void HttpService::shut_down(int64_t now_ms) {
    hub_.shut_down(now_ms);
    watch_.shut_down();
}

void HttpService::leave(uint64_t connection) {
    hub_.leave(connection);
    watch_.leave(connection);
    a2a_.leave(connection);
    followers_.erase(connection);
}

int64_t HttpService::charge(const Grant &grant, int64_t now_ms) {
    return grant.use ? grant.use->rate.charge(now_ms) : 0;
}

HttpReply HttpService::health() const {
    const std::string why = hub_.failure_reason();
    if (why.empty()) return json_reply("{\"status\":\"ok\"}\n");
    return json_reply(host::JsonObject().text("status", why).end() + "\n", 503);
}

}  // namespace server
