// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/client.h"

#include <unistd.h>

#include <utility>
#include <vector>

#include "server/http/lws.h"
#include "server/http/message.h"
#include "server/library/failure.h"

namespace server {
namespace {

constexpr unsigned kConnectSeconds = 30;
constexpr unsigned kAnswerSeconds =
    24 * 3600;  // a tool may take long; the client decides when to give up
constexpr int kMaxBlock = 64 << 10;

// Exceptions must not pass through libwebsockets. They end the call.
int on_call(lws *wsi, lws_callback_reasons reason, void *, void *in, size_t length) {
    auto *caller = static_cast<HttpClient *>(web().context_user(web().get_context(wsi)));
    try {
        return caller ? caller->on_event(wsi, reason, in, length) : 0;
    } catch (const std::exception &) {
        return -1;
    }
}

const lws_protocols kCallProtocols[] = {{"http", on_call, 0, kMaxBlock, 0, nullptr, 0},
                                        {nullptr, nullptr, 0, 0, 0, nullptr, 0}};

// libwebsockets reports an invalid certificate only in its log, as "SSL error: WHAT
// (preverify_ok=0…".
std::string certificate_fault;

void note_log(int, const char *line) {
    constexpr std::string_view kBegin = "SSL error: ";
    const std::string_view text(line);
    if (text.starts_with(kBegin) && text.find("preverify_ok") != text.npos)
        certificate_fault = text.substr(kBegin.size(), text.find(" (") - kBegin.size());
}

// Converts a message of libwebsockets to a text for users.
std::string connection_fault(const HttpAddress &address, std::string_view why) {
    constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"read failed", "the server closed the connection before its reply"},
        {"connect SSL err", "the server does not support TLS"},
        {"Unable to connect", "no connection"},
    };
    const std::string place = address.host_header() + ": ";
    const std::string fault = std::exchange(certificate_fault, {});
    if (!fault.empty())
        return place + "the certificate is not trusted (" + fault +
               "); name a file of trusted ones with --ca";
    for (const auto &[begin, words] : kWords)
        if (why.starts_with(begin)) return place + std::string(words);
    return place + (why.empty() ? "unknown host, or no route to it" : std::string(why));
}

}  // namespace

HttpClient::HttpClient(HttpAddress address, const std::string &authorities, int input,
                       HttpClientEvents events)
    : address_(std::move(address)), events_(std::move(events)) {
    web().set_log_level(LLL_ERR, note_log);
    lws_context_creation_info info = {};
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = kCallProtocols;
    info.user = this;
    info.timeout_secs = kAnswerSeconds;
    info.connect_timeout_secs = kConnectSeconds;
    enable_keep_alive(info);
    info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    if (!authorities.empty()) info.client_ssl_ca_filepath = authorities.c_str();
    context_ = web().create_context(&info);
    if (!context_) throw host::Failure("TLS cannot be set up (is --ca a file of certificates?)");
    watch_input(input);
}

HttpClient::~HttpClient() {
    events_ = {};
    timer_.cancel();
    web().context_destroy(context_);
}

// libwebsockets closes the watched descriptor, so it gets a copy.
void HttpClient::watch_input(int input) {
    lws_sock_file_fd_type file = {};
    file.filefd = dup(input);
    if (file.filefd < 0 ||
        !web().adopt_descriptor_vhost(web().get_vhost_by_name(context_, "default"),
                                      LWS_ADOPT_RAW_FILE_DESC, file, "http", nullptr))
        throw host::Failure("the input cannot be watched");
}

void HttpClient::start(HttpCall call) {
    const uint64_t number = call.number;
    Call &made = calls_[number];
    made.call = std::move(call);
    const std::string host = address_.host_header();
    lws_client_connect_info info = {};
    info.context = context_;
    info.address = address_.host.c_str();
    info.port = address_.port;
    info.path = address_.path.c_str();
    info.host = host.c_str();
    info.method = made.call.method.c_str();
    info.protocol = "http";
    info.alpn = "http/1.1";
    info.ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (address_.is_tls ? LCCSCF_USE_SSL : 0);
    info.opaque_user_data = &made;
    if (web().client_connect_via_info(&info) || !calls_.contains(number)) return;
    calls_.erase(number);
    events_.failure(number, connection_fault(address_, {}));
}

void HttpClient::close(Call &call) {
    lws *wsi = call.wsi;
    calls_.erase(call.call.number);
    if (!wsi) return;
    web().set_opaque_user_data(wsi, nullptr);
    web().set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

void HttpClient::drop(uint64_t number) {
    const auto found = calls_.find(number);
    if (found != calls_.end()) close(found->second);
}

void HttpClient::wait(int64_t max_ms) {
    timer_.set(context_, max_ms * LWS_US_PER_MS);
    web().service(context_, 0);
}

void HttpClient::wake() { web().cancel_service(context_); }

int HttpClient::add_headers(lws *wsi, const Call &call, unsigned char **at, unsigned char *end) {
    const auto add = [&](std::string_view name, std::string_view value) {
        const std::string line = std::string(name) + ":";
        return web().add_http_header_by_name(wsi,
                                             reinterpret_cast<const unsigned char *>(line.c_str()),
                                             reinterpret_cast<const unsigned char *>(value.data()),
                                             static_cast<int>(value.size()), at, end);
    };
    for (const auto &[name, value] : call.call.headers)
        if (add(name, value)) return -1;
    if (call.call.method != "POST") return 0;
    if (add("content-length", std::to_string(call.call.body.size()))) return -1;
    web().client_http_body_pending(wsi, 1);
    web().callback_on_writable(wsi);
    return 0;
}

int HttpClient::send_body(lws *wsi, Call &call) {
    if (call.call.method != "POST" || std::exchange(call.was_sent, true)) return 0;
    std::vector<unsigned char> text(LWS_PRE);
    text.insert(text.end(), call.call.body.begin(), call.call.body.end());
    call.call.body.clear();
    web().client_http_body_pending(wsi, 0);
    const size_t length = text.size() - LWS_PRE;
    return web().write(wsi, text.data() + LWS_PRE, length, LWS_WRITE_HTTP_FINAL) < 0 ? -1 : 0;
}

int HttpClient::read_head(lws *wsi, Call &call) {
    HttpCallHead head;
    head.status = static_cast<int>(web().http_client_http_response(wsi));
    head.type = media_type(header_text(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE));
    head.location = header_text(wsi, WSI_TOKEN_HTTP_LOCATION);
    head.session = header_text(wsi, "mcp-session-id:");
    events_.head(call.call.number, head);
    return 0;
}

int HttpClient::on_event(lws *wsi, lws_callback_reasons reason, void *in, size_t length) {
    if (reason == LWS_CALLBACK_RAW_RX_FILE || reason == LWS_CALLBACK_RAW_CLOSE_FILE) {
        if (events_.input) events_.input();
        return 0;
    }
    auto *call = static_cast<Call *>(web().get_opaque_user_data(wsi));
    if (call) call->wsi = wsi;
    const auto ended = [&](std::string_view why) {
        if (!call) return;
        const uint64_t number = call->call.number;
        web().set_opaque_user_data(wsi, nullptr);
        calls_.erase(number);
        if (why.empty() && events_.end) events_.end(number);
        if (!why.empty() && events_.failure) events_.failure(number, why);
    };
    switch (reason) {
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
            ended(connection_fault(address_, {static_cast<const char *>(in), in ? length : 0}));
            break;
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: {
            auto **at = static_cast<unsigned char **>(in);
            return call ? add_headers(wsi, *call, at, *at + length) : -1;
        }
        case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE: return call ? send_body(wsi, *call) : -1;
        case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP: return call ? read_head(wsi, *call) : -1;
        case LWS_CALLBACK_RECEIVE_CLIENT_HTTP: {
            std::vector<char> block(LWS_PRE + kMaxBlock);
            char *at = block.data() + LWS_PRE;
            int size = kMaxBlock;
            return call && web().http_client_read(wsi, &at, &size) >= 0 ? 0 : -1;
        }
        case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
            if (!call) return -1;
            events_.body(call->call.number, {static_cast<const char *>(in), length});
            return 0;
        case LWS_CALLBACK_COMPLETED_CLIENT_HTTP: ended({}); return -1;
        case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
            ended(address_.host_header() + ": the connection was closed");
            break;
        default: break;
    }
    return 0;
}

}  // namespace server
