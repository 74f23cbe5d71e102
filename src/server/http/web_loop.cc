// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/web_loop.h"

#include <openssl/ssl.h>
#include <unistd.h>

#include <algorithm>

#include "server/library/failure.h"
#include "server/http/dead_peers.h"
#include "server/http/listen_fault.h"
#include "server/http/lws_log.h"
#include "server/http/web_clock.h"

namespace server {
namespace {

constexpr int kTickUs = 200'000;

// No exception goes through libwebsockets: what a connection asked for, and there is no memory for,
// ends the connection.
int on_lws(lws *wsi, lws_callback_reasons reason, void *, void *in, size_t length) {
    auto *loop = static_cast<WebLoop *>(lws_context_user(lws_get_context(wsi)));
    try {
        return loop ? loop->on_event(wsi, reason, in, length) : 0;
    } catch (const std::exception &) {
        return -1;
    }
}

// What is read and written at once. Each WebSocket has memory for what is read of it.
constexpr unsigned kReadBytes = 16'384, kWriteBytes = 65'536;

// A WebSocket may name the second, or none.
const lws_protocols kProtocols[] = {
    {"http", on_lws, 0, WebLoop::kSocketReadBytes, 0, nullptr, kWriteBytes},
    {"accp", on_lws, 0, WebLoop::kSocketReadBytes, 0, nullptr, kWriteBytes},
    {nullptr, nullptr, 0, 0, 0, nullptr, 0}};

// Excludes key exchange by RSA alone, because whoever obtains the key later could decrypt recorded
// traffic. Excludes CBC too.
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

}  // namespace

WebLoop::WebLoop(WebOptions options, HttpService &service, Hub &hub)
    : options_(std::move(options)), service_(service), hub_(hub), gate_(gate_limits(options_)) {
    limit_lws_log();
    lws_context_creation_info info = {};
    info.port = options_.port;
    info.iface = options_.address.c_str();
    info.protocols = kProtocols;
    info.user = this;
    info.pt_serv_buf_size = kReadBytes;
    info.timeout_secs = static_cast<unsigned>(options_.read_ms / 1000);
    info.keepalive_timeout = 60;
    notice_dead_peers(info);
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
    context_ = lws_create_context(&info);
    lws_vhost *host = context_ ? lws_get_vhost_by_name(context_, "default") : nullptr;
    if (!host) {
        if (context_) lws_context_destroy(context_);
        throw host::Failure(listen_fault(options_));
    }
    port_ = lws_get_vhost_listen_port(host);
    watch_ready(host);
    service_.on_news([this] { wake(); });
}

// libwebsockets does not poll the connections that the gate holds. It polls the epoll descriptor
// that watches them.
void WebLoop::watch_ready(lws_vhost *host) {
    lws_sock_file_fd_type ready = {};
    ready.filefd = ::dup(ready_.descriptor());
    if (ready.filefd < 0 || !lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, ready,
                                                        kProtocols[0].name, nullptr))
        throw host::Failure("epoll cannot be watched");
    open_ = 0;
}

WebLoop::~WebLoop() {
    service_.on_news(nullptr);
    lws_context_destroy(context_);
}

void WebLoop::stop() {
    is_stopped_ = true;
    lws_cancel_service(context_);
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
    return lws_adopt_socket_vhost(lws_get_vhost_by_name(context_, "default"), socket) != nullptr;
}

bool WebLoop::has_work() const {
    for (const auto &[wsi, client] : clients_)
        if (client->is_socket || client->reply || client->deadline_ms) return true;
    return false;
}

// A connection that is kept alive is another one for the hub with each request.
WebClient &WebLoop::add(lws *wsi) {
    std::unique_ptr<WebClient> &client = clients_[wsi];
    if (client) forget(*client), *client = {};
    else client = std::make_unique<WebClient>();
    client->id = next_id_++;
    client->wsi = wsi;
    by_id_[client->id] = client.get();
    return *client;
}

WebClient *WebLoop::find(lws *wsi) {
    const auto found = clients_.find(wsi);
    return found != clients_.end() ? found->second.get() : nullptr;
}

WebClient *WebLoop::find(uint64_t id) {
    const auto found = by_id_.find(id);
    return found != by_id_.end() ? found->second : nullptr;
}

void WebLoop::remove(lws *wsi) {
    const auto found = clients_.find(wsi);
    if (found == clients_.end()) return;
    if (found->second) forget(*found->second);
    clients_.erase(found);
}

void WebLoop::forget(const WebClient &client) {
    has_more_ = true;
    service_.leave(client.id);
    by_id_.erase(client.id);
}

void WebLoop::reply(WebClient &client, HttpReply reply) {
    hub_.metrics().count_reply(reply.status);
    if (client.began_us) hub_.metrics().replies_took.add(clock_us() - client.began_us);
    client.reply = std::move(reply);
    client.deadline_ms = 0;
    ask_to_write(client);
}

}  // namespace server
