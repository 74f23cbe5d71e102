// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/loop.h"

#include <netdb.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "server/http/clock.h"
#include "server/http/lws.h"
#include "server/library/failure.h"

namespace server {
namespace {

struct EndAddresses {
    void operator()(addrinfo *all) const { freeaddrinfo(all); }
};

// Returns an empty text if the address can be bound.
std::string bind_fault(const WebOptions &options) {
    addrinfo hints = {};
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *found = nullptr;
    const int status =
        getaddrinfo(options.address.c_str(), std::to_string(options.port).c_str(), &hints, &found);
    if (status == EAI_NONAME) return "not a number, such as 127.0.0.1";
    if (status != 0) return gai_strerror(status);
    const std::unique_ptr<addrinfo, EndAddresses> all(found);
    const int socket = ::socket(found->ai_family, found->ai_socktype, 0);
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const bool is_bound =
        bind(socket, found->ai_addr, found->ai_addrlen) == 0 && listen(socket, 1) == 0;
    const std::string fault = is_bound ? "" : std::strerror(errno);
    close(socket);
    return fault;
}

constexpr int kTickUs = 200'000;

// Exceptions must not pass through libwebsockets. They end the connection; the usual cause is a
// lack of memory.
int on_lws(lws *wsi, lws_callback_reasons reason, void *, void *in, size_t length) {
    auto *loop = static_cast<WebLoop *>(web().context_user(web().get_context(wsi)));
    try {
        return loop ? loop->on_event(wsi, reason, in, length) : 0;
    } catch (const std::exception &) {
        return -1;
    }
}

// Bytes of one read and one write. Each WebSocket has a read buffer.
constexpr unsigned kReadBytes = 16'384, kWriteBytes = 65'536;

// A WebSocket may request the second protocol, or none.
const lws_protocols kProtocols[] = {
    {"http", on_lws, 0, WebLoop::kSocketReadBytes, 0, nullptr, kWriteBytes},
    {"accp", on_lws, 0, WebLoop::kSocketReadBytes, 0, nullptr, kWriteBytes},
    {nullptr, nullptr, 0, 0, 0, nullptr, 0}};

// Excludes RSA key exchange, because a key that leaks later would decrypt recorded traffic. Also
// excludes CBC.
constexpr const char *kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL";

GateLimits gate_limits(const WebOptions &options) {
    constexpr size_t kMinOfOne = 64, kMin = 128, kPartOfOne = 16, kPart = 4;
    GateLimits limits;
    limits.head_ms = options.read_ms;
    limits.per_address = options.max_unknown_of_one;
    limits.in_all = options.max_unknown;
    if (!limits.per_address)
        limits.per_address = std::max(kMinOfOne, options.max_connections / kPartOfOne);
    if (!limits.in_all) limits.in_all = std::max(kMin, options.max_connections / kPart);
    return limits;
}

std::string listen_fault(const WebOptions &options) {
    for (const std::string &file : {options.certificate, options.key})
        if (!file.empty() && access(file.c_str(), R_OK) != 0)
            return "the certificate: " + file + ": " + std::strerror(errno);
    const std::string fault = bind_fault(options);
    const std::string where = options.address + ", port " + std::to_string(options.port);
    if (!fault.empty()) return "cannot listen on " + where + ": " + fault;
    if (!options.certificate.empty())
        return "the certificate " + options.certificate + " and the key " + options.key +
               " are not a pair of PEM files";
    return "cannot listen on " + where;
}

}  // namespace

ReadySockets::ReadySockets() : poll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (poll_ < 0) throw host::Failure(std::string("epoll: ") + std::strerror(errno));
}

ReadySockets::~ReadySockets() { ::close(poll_); }

// Edge-triggered: epoll reports new data only once. If it is left unread, the next poll of
// libwebsockets finds it.
void ReadySockets::add(int socket) {
    epoll_event event = {};
    event.events = EPOLLIN | EPOLLET;
    event.data.fd = socket;
    ::epoll_ctl(poll_, EPOLL_CTL_ADD, socket, &event);
}

const std::vector<int> &ReadySockets::take(int max_ms) {
    std::array<epoll_event, 256> events;
    const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), max_ms);
    ready_.clear();
    for (int i = 0; i < count; ++i) ready_.push_back(events[static_cast<size_t>(i)].data.fd);
    return ready_;
}

WebLoop::WebLoop(WebOptions options, HttpService &service, Hub &hub)
    : options_(std::move(options)),
      service_(service),
      hub_(hub),
      gate_(gate_limits(options_), hub.metrics()) {
    limit_lws_log();
    lws_context_creation_info info = {};
    info.port = options_.port;
    info.iface = options_.address.c_str();
    info.protocols = kProtocols;
    info.user = this;
    info.pt_serv_buf_size = kReadBytes;
    constexpr unsigned kGateFirst = 2;  // so that the gate closes late connections and counts them
    info.timeout_secs = static_cast<unsigned>(options_.read_ms / 1000) + kGateFirst;
    info.timeout_secs_ah_idle = info.timeout_secs;
    info.keepalive_timeout = 60;
    enable_keep_alive(info);
    info.options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   LWS_SERVER_OPTION_VALIDATE_UTF8;
    if (options_.address.find(':') != std::string::npos)
        info.options &= ~uint64_t{LWS_SERVER_OPTION_DISABLE_IPV6};
    if (!options_.certificate.empty()) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = options_.certificate.c_str();
        info.ssl_private_key_filepath = options_.key.c_str();
        info.ssl_cipher_list = kCiphers;
        info.ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1;
    }
    context_ = web().create_context(&info);
    lws_vhost *host = context_ ? web().get_vhost_by_name(context_, "default") : nullptr;
    if (!host) {
        if (context_) web().context_destroy(context_);
        throw host::Failure(listen_fault(options_));
    }
    port_ = web().get_vhost_listen_port(host);
    watch_ready(host);
    service_.on_news([this] { wake(); });
}

// libwebsockets does not poll the connections that the gate holds. It polls the epoll descriptor
// that watches them.
void WebLoop::watch_ready(lws_vhost *host) {
    lws_sock_file_fd_type ready = {};
    ready.filefd = ::dup(ready_.descriptor());
    if (ready.filefd < 0 || !web().adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, ready,
                                                          kProtocols[0].name, nullptr))
        throw host::Failure("epoll cannot be watched");
    open_ = 0;
}

WebLoop::~WebLoop() {
    service_.on_news(nullptr);
    web().context_destroy(context_);
}

void WebLoop::stop() {
    is_stopped_ = true;
    web().cancel_service(context_);
}

void WebLoop::run(const std::function<void()> &each, int64_t max_end_ms) {
    int64_t ends_at_ms = 0;
    while (!ends_at_ms || (has_work() && clock_.ms() < ends_at_ms)) {
        if (!step(kTickUs)) break;
        each();
        if (!is_stopped_ || ends_at_ms) continue;
        ends_at_ms = clock_.ms() + max_end_ms;
        ends_ = true;
        service_.shut_down(clock_.ms());
        turn();
    }
    timer_.cancel();
}

bool WebLoop::adopt(int socket) {
    return web().adopt_socket_vhost(web().get_vhost_by_name(context_, "default"), socket) !=
           nullptr;
}

bool WebLoop::has_work() const {
    for (const auto &[wsi, client] : clients_)
        if (client->is_socket || client->reply || client->deadline_ms) return true;
    return false;
}

// Each request of a kept-alive connection is a new connection for the hub.
WebConnection &WebLoop::add(lws *wsi) {
    std::unique_ptr<WebConnection> &client = clients_[wsi];
    if (client) forget(*client), *client = {};
    else client = std::make_unique<WebConnection>();
    client->id = next_id_++;
    client->wsi = wsi;
    by_id_[client->id] = client.get();
    return *client;
}

WebConnection *WebLoop::find(lws *wsi) {
    const auto found = clients_.find(wsi);
    return found != clients_.end() ? found->second.get() : nullptr;
}

WebConnection *WebLoop::find(uint64_t id) {
    const auto found = by_id_.find(id);
    return found != by_id_.end() ? found->second : nullptr;
}

void WebLoop::remove(lws *wsi) {
    const auto found = clients_.find(wsi);
    if (found == clients_.end()) return;
    if (found->second) forget(*found->second);
    clients_.erase(found);
}

void WebLoop::forget(const WebConnection &client) {
    has_more_ = true;
    service_.leave(client.id);
    by_id_.erase(client.id);
}

void WebLoop::reply(WebConnection &client, HttpReply reply) {
    hub_.metrics().count_reply(reply.status);
    if (client.began_us) hub_.metrics().replies_took.add(clock_us() - client.began_us);
    client.reply = std::move(reply);
    client.deadline_ms = 0;
    ask_to_write(client);
}

}  // namespace server
