// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/forward_loop.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "proxy/forward/headers.h"
#include "server/http/caller.h"
#include "server/library/failure.h"

namespace proxy {
namespace {

constexpr int64_t kCheckMs = 1000;  // between two checks of time limits
constexpr size_t kRefused = 256;    // connections beyond the limit that get a reply
constexpr int kNeedsOwnToken = 401, kForbidden = 403, kNotFound = 404, kWrongMethod = 405,
              kNeedsToken = 407, kUnavailable = 503;
enum Own : uint32_t { kListener, kWake };  // sockets of the loop itself

// Each call needs two descriptors.
void raise_descriptor_limit() {
    rlimit limit = {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

struct EndAddresses {
    void operator()(addrinfo *all) const { freeaddrinfo(all); }
};

}  // namespace

ForwardLoop::ForwardLoop(ForwardOptions options, Upstreams upstreams, Traffic *traffic,
                         OwnPaths *own)
    : options_(std::move(options)),
      upstreams_(std::move(upstreams)),
      own_(own),
      client_(poller_, options_.upstream),
      context_{upstreams_, client_, traffic, options_.log, [this] { return clock_.ms(); }} {
    raise_descriptor_limit();
    listen();
    wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    poller_.set(wake_, EPOLLIN, Poller::Owner::kLoop, kWake);
}

ForwardLoop::~ForwardLoop() {
    connections_.clear();
    if (listener_ >= 0) ::close(listener_);
    ::close(wake_);
}

void ForwardLoop::listen() {
    const auto fail = [&](const std::string &why) {
        return host::Failure("cannot listen on " + options_.address + ", port " +
                             std::to_string(options_.port) + ": " + why);
    };
    addrinfo hints = {};
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *found = nullptr;
    const int status = ::getaddrinfo(options_.address.c_str(),
                                     std::to_string(options_.port).c_str(), &hints, &found);
    if (status == EAI_NONAME) throw fail("the address is not a number, such as 127.0.0.1");
    if (status != 0) throw fail(gai_strerror(status));
    const std::unique_ptr<addrinfo, EndAddresses> all(found);
    listener_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(listener_, found->ai_addr, found->ai_addrlen) != 0 ||
        ::listen(listener_, SOMAXCONN) != 0) {
        const std::string why = std::strerror(errno);
        ::close(listener_);
        throw fail(why);
    }
    sockaddr_in6 bound = {};  // the port is at the same place in sockaddr_in
    socklen_t size = sizeof bound;
    ::getsockname(listener_, reinterpret_cast<sockaddr *>(&bound), &size);
    port_ = ntohs(bound.sin6_port);
    poller_.set(listener_, EPOLLIN, Poller::Owner::kLoop, kListener);
}

void ForwardLoop::stop() {
    ++stops_;
    const uint64_t one = 1;
    (void)!::write(wake_, &one, sizeof one);
}

void ForwardLoop::run() {
    while (!ends_at_ms_ || (!connections_.empty() && now_ms_ < ends_at_ms_ && stops_ < 2)) {
        const auto events = poller_.wait(wait_ms());
        now_ms_ = clock_.ms();
        for (const Poller::Event &event : events) on_event(event);
        client_.on_time(server::clock_us());
        settle();
        if (now_ms_ - checked_ms_ >= kCheckMs) check_times();
        if (stops_ && !ends_at_ms_) begin_end();
    }
    connections_.clear();
}

int ForwardLoop::wait_ms() {
    const int64_t upstream_ms = client_.wait_ms(server::clock_us());
    if (!attended_.empty()) return 0;
    if (connections_.empty() && !is_full_) return static_cast<int>(upstream_ms);
    return static_cast<int>(upstream_ms < 0 ? kCheckMs : std::min(kCheckMs, upstream_ms));
}

void ForwardLoop::on_event(const Poller::Event &event) {
    if (event.owner == Poller::Owner::kUpstream)
        return client_.on_ready(static_cast<int>(event.number), event.events);
    if (event.owner == Poller::Owner::kLoop) {
        uint64_t count = 0;
        if (event.number == kListener) accept_some();
        else (void)!::read(wake_, &count, sizeof count);
        return;
    }
    const auto found = connections_.find(event.number);
    if (found == connections_.end()) return;
    found->second->on_ready(event.events, now_ms_);
    attend(event.number);
}

void ForwardLoop::accept_some() {
    constexpr int kMaxAccepted = 64;
    ConnectionOwner &owner = *this;
    for (int i = 0; i < kMaxAccepted; ++i) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0) {
            is_full_ = errno == EMFILE || errno == ENFILE;
            if (is_full_) poller_.remove(listener_);  // until check_times()
            return;
        }
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (connections_.size() >= options_.max_connections + kRefused) {
            ::close(socket);
            continue;
        }
        const uint32_t id = next_id_++;
        connections_[id] =
            std::make_unique<ClientConnection>(id, socket, options_.limits, owner, now_ms_);
        attend(id);
    }
}

// Settles connections until none has changed.
void ForwardLoop::settle() {
    while (!attended_.empty()) {
        for (const uint32_t id : std::exchange(attended_, {})) {
            const auto found = connections_.find(id);
            if (found == connections_.end()) continue;
            ClientConnection &client = *found->second;
            if (!client.settle(now_ms_)) connections_.erase(found);
            else if (const auto interest = client.take_new_interest())
                poller_.set(client.socket(), *interest, Poller::Owner::kClient, id);
        }
    }
}

void ForwardLoop::check_times() {
    checked_ms_ = now_ms_;
    if (is_full_ && listener_ >= 0)
        poller_.set(listener_, EPOLLIN, Poller::Owner::kLoop, kListener);
    is_full_ = false;
    for (const auto &[id, client] : connections_) {
        client->check_time(now_ms_);
        attend(id);
    }
    settle();
}

void ForwardLoop::begin_end() {
    ends_at_ms_ = now_ms_ + options_.max_end_ms;
    poller_.remove(listener_);
    ::close(std::exchange(listener_, -1));
    for (const auto &[id, client] : connections_) {
        client->end_if_idle();
        attend(id);
    }
    settle();
}

std::unique_ptr<RunningCall> ForwardLoop::begin(ClientConnection &client, Request request) {
    try {
        if (is_own_path(request.target)) return answer_own(client, request), nullptr;
        return std::make_unique<ForwardCall>(context_, next_call_++, client, std::move(request));
    } catch (const std::exception &failure) {
        client.send_refusal({kUnavailable, failure.what(), {{"Retry-After", "1"}}}, "");
        return nullptr;
    }
}

void ForwardLoop::answer_own(ClientConnection &client, const Request &request) {
    constexpr int kOk = 200;
    OwnAnswer answer = {kNotFound, "", ""};
    if (own_)
        answer = own_->answer({request.target, request.headers, connections_.size()}, now_ms_);
    if (answer.status == kNotFound)
        return client.send_refusal({kNotFound, "the proxy has no such path of its own"}, "");
    AnswerHead head{answer.status, std::string(reason_of(answer.status)), answer.headers};
    head.headers.emplace_back("X-Content-Type-Options", "nosniff");
    if (answer.status == kOk) head.headers.emplace_back("Content-Type", answer.type);
    client.send_whole(std::move(head), answer.body);
}

std::optional<Refusal> ForwardLoop::check(const Request &request) {
    if (connections_.size() > options_.max_connections)
        return Refusal{kUnavailable, "too many connections", {{"Retry-After", "1"}}};
    if (auto refusal = check_origin(request)) return refusal;
    if (is_own_path(request.target)) return check_own(request);
    if (options_.token.empty() || shows_token(request, "proxy-authorization")) return std::nullopt;
    const bool is_missing = !has_header(request.headers, "proxy-authorization");
    return Refusal{kNeedsToken,
                   is_missing ? "the token of --token-file is needed: Proxy-Authorization: Bearer "
                                "TOKEN"
                              : "the token in Proxy-Authorization is not that of --token-file",
                   {{"Proxy-Authenticate", "Bearer realm=\"accp\""}}};
}

// Authorization is free for the token here, because these requests are not forwarded.
std::optional<Refusal> ForwardLoop::check_own(const Request &request) const {
    if (request.method != "GET" && request.method != "HEAD")
        return Refusal{
            kWrongMethod, "the proxy's own paths are only read: use GET", {{"Allow", "GET, HEAD"}}};
    if (options_.token.empty() || (own_ && own_->is_public(request.target)) ||
        shows_token(request, "authorization") || shows_token(request, "proxy-authorization"))
        return std::nullopt;
    return Refusal{kNeedsOwnToken,
                   "the token of --token-file is needed: Authorization: Bearer TOKEN",
                   {{"WWW-Authenticate", "Bearer realm=\"accp\""}}};
}

bool ForwardLoop::shows_token(const Request &request, std::string_view header) const {
    constexpr std::string_view kScheme = "Bearer ";
    const std::string_view shown = find_header(request.headers, header);
    return shown.size() > kScheme.size() &&
           equals_ignoring_case(shown.substr(0, kScheme.size()), kScheme) &&
           server::is_same_secret(trimmed(shown.substr(kScheme.size())), options_.token);
}

// Refuses pages of other sites, and pages with another name for this address (DNS rebinding).
std::optional<Refusal> ForwardLoop::check_origin(const Request &request) const {
    const std::string_view host = find_header(request.headers, "host");
    if (options_.token.empty() && !server::is_loopback_host(host))
        return Refusal{kForbidden, "without --token-file, only localhost is accepted as Host"};
    switch (server::check_page(host, find_header(request.headers, "origin"),
                               find_header(request.headers, "sec-fetch-site"), options_.origins)) {
        case server::PageCheck::kOtherSite:
            return Refusal{kForbidden, "requests from pages of other sites are refused"};
        case server::PageCheck::kOtherOrigin:
            return Refusal{kForbidden, "this Origin is not allowed; name it with --origins"};
        case server::PageCheck::kAllowed: break;
    }
    return std::nullopt;
}

}  // namespace proxy
