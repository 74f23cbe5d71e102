// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/gate.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <utility>

#include "server/http/web_library.h"

namespace server {
namespace {

constexpr int64_t kLingerMs = 500;           // the time for a refused client to read the reason
constexpr uint64_t kMaxHttp2Bytes = 32'768;  // allowed between two heads or bodies

// The network that one client may control alone: an IPv4 address, or a /64 of IPv6.
std::string address_of(int socket) {
    sockaddr_storage peer = {};
    socklen_t size = sizeof peer;
    if (::getpeername(socket, reinterpret_cast<sockaddr *>(&peer), &size) != 0) return {};
    if (peer.ss_family == AF_INET) {
        const auto *four = reinterpret_cast<const sockaddr_in *>(&peer);
        return {reinterpret_cast<const char *>(&four->sin_addr), sizeof four->sin_addr};
    }
    if (peer.ss_family != AF_INET6) return {};
    const auto *six = reinterpret_cast<const sockaddr_in6 *>(&peer);
    const char *bytes = reinterpret_cast<const char *>(&six->sin6_addr);
    return IN6_IS_ADDR_V4MAPPED(&six->sin6_addr) ? std::string(bytes + 12, 4)
                                                 : std::string(bytes, 8);
}

// Copies received bytes without consuming them. Returns 0 if the connection has ended. Returns -1
// if nothing was received, or after an error that the next read reports.
ssize_t peek(lws *wsi, int socket, char *out, size_t size) {
    SSL *ssl = web().get_ssl(wsi);
    if (!ssl) {
        const ssize_t got = ::recv(socket, out, size, MSG_PEEK | MSG_DONTWAIT);
        return got < 0 && errno != EAGAIN && errno != EINTR ? 0 : got;
    }
    web().clear_ssl_errors();  // SSL_get_error() would report an older error for this call
    const int got = web().ssl_peek(ssl, out, static_cast<int>(size));
    if (got > 0) return got;
    const int fault = web().ssl_get_error(ssl, got);
    return fault == SSL_ERROR_WANT_READ || fault == SSL_ERROR_WANT_WRITE ? -1 : 0;
}

// Returns true if the other side sends nothing more. Bytes that it sent before may be unread.
bool is_closed_by_peer(int socket) {
    pollfd state = {socket, POLLRDHUP, 0};
    return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

// Reads the received bytes and discards them. False if the other side has closed the connection.
bool drain(lws *wsi, int socket) {
    constexpr int kMaxReads = 16;
    std::array<char, 8192> bytes;
    SSL *ssl = web().get_ssl(wsi);
    web().clear_ssl_errors();
    for (int i = 0; i < kMaxReads; ++i) {
        const ssize_t got = ssl ? web().ssl_read(ssl, bytes.data(), static_cast<int>(bytes.size()))
                                : ::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got == 0) return false;
        if (got < 0) return true;
    }
    return true;
}

void send_last(lws *wsi, int socket, const std::string &text) {
    SSL *ssl = web().get_ssl(wsi);
    if (ssl) {
        web().clear_ssl_errors();
        web().ssl_write(ssl, text.data(), static_cast<int>(text.size()));
        web().ssl_shutdown(ssl);
    } else {
        (void)!::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    ::shutdown(socket, SHUT_WR);
}

uint64_t received_bytes(int socket) {
    tcp_info info = {};
    socklen_t size = sizeof info;
    if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
    return info.tcpi_bytes_received;
}

bool is_http2_agreed(lws *wsi) {
    const unsigned char *name = nullptr;
    unsigned size = 0;
    web().ssl_get0_alpn_selected(web().get_ssl(wsi), &name, &size);
    return size == 2 && name[0] == 'h' && name[1] == '2';
}

// A close frame of RFC 6455 with this code.
std::string close_frame(int code, std::string_view why) {
    std::string frame = "\x88";
    frame += static_cast<char>(why.size() + 2);
    frame += static_cast<char>(code >> 8);
    frame += static_cast<char>(code & 255);
    return frame.append(why);
}

}  // namespace

WebGate::Entry *WebGate::find(int socket) {
    const auto found = entries_.find(socket);
    return found != entries_.end() ? &found->second : nullptr;
}

WebGate::Entry *WebGate::find(lws *wsi) {
    const auto found = sockets_.find(web().get_network_wsi(wsi));
    return found != sockets_.end() ? find(found->second) : nullptr;
}

void WebGate::add(lws *wsi, int64_t now_ms) {
    const int socket = web().get_socket_fd(wsi);
    if (Entry *old = find(socket)) remove(old->wsi);
    Entry &entry = entries_[socket];
    entry.wsi = wsi;
    entry.socket = socket;
    entry.state = web().get_ssl(wsi) ? State::kHandshake : State::kHead;
    entry.address = address_of(socket);
    entry.since_ms = entry.head_at_ms = now_ms;
    entry.place = unknown_.insert(unknown_.end(), &entry);
    sockets_[wsi] = socket;
    web().rx_flow_control(wsi, 0);
    end_handshake(entry);
    const size_t count = ++counts_[entry.address];
    if (count > limits_.per_address) {
        for (Entry *one : unknown_)
            if (one->address == entry.address) return evict(*one, ClosedFor::kUnknown);
    } else if (unknown_.size() > limits_.in_all) {
        evict(*unknown_.front(), ClosedFor::kUnknown);
    }
}

// Stops counting the connection and closes it as soon as the loop allows.
void WebGate::evict(Entry &entry, ClosedFor reason) {
    metrics_.count_closed(reason);
    forget(entry);
    end(entry, 0);
}

void WebGate::end(Entry &entry, int64_t end_at_ms) {
    if (entry.state != State::kEnding) ending_.push_back(entry.socket);
    entry.state = State::kEnding;
    entry.end_at_ms = end_at_ms;
}

void WebGate::forget(Entry &entry) {
    if (!std::exchange(entry.is_unknown, false)) return;
    unknown_.erase(entry.place);
    const auto count = counts_.find(entry.address);
    if (--count->second == 0) counts_.erase(count);
}

void WebGate::remove(lws *wsi) {
    const auto found = sockets_.find(wsi);
    if (found == sockets_.end()) return;
    const int socket = found->second;
    sockets_.erase(found);
    Entry *entry = find(socket);
    if (!entry || entry->wsi != wsi) return;
    forget(*entry);
    entries_.erase(socket);
}

void WebGate::mark_known(lws *wsi) {
    if (Entry *entry = find(wsi)) forget(*entry);
}

bool WebGate::admit(int socket, int64_t now_ms) {
    Entry *entry = find(socket);
    if (!entry) return true;
    switch (entry->state) {
        case State::kHandshake: web().rx_flow_control(entry->wsi, 1); return true;
        case State::kHead: return admit_head(*entry, now_ms);
        case State::kFrame: return admit_frame(*entry, now_ms);
        case State::kHttp2: return admit_http2(*entry);
        case State::kEnding:
            if (!drain(entry->wsi, socket)) entry->end_at_ms = 0;
            return false;
        case State::kSeen:
        case State::kRequest:
        case State::kFree: return true;
    }
    return true;
}

bool WebGate::after_read(int socket) {
    Entry *entry = find(socket);
    if (!entry) return false;
    if (entry->state == State::kHandshake) {
        if (end_handshake(*entry)) return true;
        web().rx_flow_control(entry->wsi, 0);
        return false;
    }
    if (entry->state != State::kHead || entry->seen.empty()) return false;
    web().rx_flow_control(entry->wsi, 0);  // libwebsockets has read a part of its head
    return true;
}

// Returns true if the handshake has just ended. It may end at once, while the connection is
// accepted.
bool WebGate::end_handshake(Entry &entry) {
    if (entry.state != State::kHandshake || !web().ssl_is_init_finished(web().get_ssl(entry.wsi)))
        return false;
    const bool is_http2 = is_http2_agreed(entry.wsi);
    entry.state = is_http2 ? State::kHttp2 : State::kHead;
    if (is_http2) entry.head_at_ms = 0;
    web().rx_flow_control(entry.wsi, is_http2);
    return true;
}

bool WebGate::admit_head(Entry &entry, int64_t now_ms) {
    std::array<char, kMaxHeadBytes + 1> bytes;
    const ssize_t got = peek(entry.wsi, entry.socket, bytes.data(), bytes.size());
    if (got < 0) return false;
    if (got == 0) return end(entry, 0), false;
    if (!entry.head_at_ms) entry.head_at_ms = now_ms;
    const std::string_view text(bytes.data(), static_cast<size_t>(got));
    const bool is_plain = !web().get_ssl(entry.wsi);
    if (!is_plain) entry.seen.append(text);
    const HeadCheck check = check_head(is_plain ? text : std::string_view(entry.seen));
    if (check.state == HeadCheck::State::kRefused) return refuse(entry, check, now_ms), false;
    // over TLS, only reading this part makes space for more
    if (check.state == HeadCheck::State::kPartial && is_plain) {
        if (is_closed_by_peer(entry.socket)) end(entry, 0);  // its head stays incomplete
        return false;
    }
    if (check.state == HeadCheck::State::kWhole) {
        entry.has_more_bytes = (is_plain ? text.size() : entry.seen.size()) > check.bytes;
        entry.state = State::kSeen;
        entry.head_at_ms = 0;
        entry.seen.clear();
    }
    web().rx_flow_control(entry.wsi, 1);
    return true;
}

void WebGate::refuse(Entry &entry, const HeadCheck &check, int64_t now_ms) {
    ++metrics_.refused_heads;
    metrics_.count_reply(check.status);
    const std::string why = std::string(check.why) + "\n";
    drain(entry.wsi, entry.socket);
    send_last(entry.wsi, entry.socket,
              "HTTP/1.1 " + std::to_string(check.status) +
                  " Refused\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n"
                  "x-content-type-options: nosniff\r\ncontent-length: " +
                  std::to_string(why.size()) + "\r\n\r\n" + why);
    end(entry, now_ms + kLingerMs);
}

// libwebsockets accepts frames without a mask, which RFC 6455 (5.1) forbids, and waits for the end
// of a frame of 2^62 bytes.
bool WebGate::admit_frame(Entry &entry, int64_t now_ms) {
    std::array<unsigned char, 10> head = {};
    const ssize_t got =
        peek(entry.wsi, entry.socket, reinterpret_cast<char *>(head.data()), head.size());
    if (got == 0) return end(entry, 0), false;
    const bool is_long = (head[1] & 0x7f) == 127;
    if (got < 2 || (is_long && got < 10)) return false;
    constexpr int kProtocol = 1002, kTooBig = 1009;
    const bool is_masked = (head[1] & 0x80) != 0;
    const bool is_huge =
        is_long && std::any_of(head.begin() + 2, head.begin() + 6, [](auto b) { return b != 0; });
    if (!is_masked || is_huge) {
        metrics_.count_socket_close(is_masked ? kTooBig : kProtocol);
        drain(entry.wsi, entry.socket);
        send_last(entry.wsi, entry.socket,
                  is_masked ? close_frame(kTooBig, "the message is too long")
                            : close_frame(kProtocol, "the frame is not masked"));
        end(entry, now_ms + kLingerMs);
        return false;
    }
    entry.state = State::kFree;
    web().rx_flow_control(entry.wsi, 1);
    return true;
}

// libwebsockets accepts any number of CONTINUATION frames and does not report them. So this uses
// the kernel's count of received bytes, and closes a connection that sends too many without a head
// or a body.
bool WebGate::admit_http2(Entry &entry) {
    const uint64_t bytes = received_bytes(entry.socket);
    if (!entry.base_bytes) entry.base_bytes = bytes;
    if (bytes - entry.base_bytes <= kMaxHttp2Bytes) return true;
    evict(entry, ClosedFor::kFlood);
    return false;
}

void WebGate::note_use(lws *wsi) {
    Entry *entry = find(wsi);
    if (entry && entry->state == State::kHttp2) entry->base_bytes = 0;
}

bool WebGate::take_head(lws *wsi) {
    Entry *entry = find(wsi);
    if (!entry || entry->state == State::kHttp2) return true;
    if (entry->state != State::kSeen) return false;
    entry->state = State::kRequest;
    return true;
}

void WebGate::await_head(lws *wsi) {
    Entry *entry = find(wsi);
    if (!entry || entry->state != State::kRequest) return;
    entry->state = State::kHead;
    web().rx_flow_control(wsi, 0);
}

void WebGate::await_frame(lws *wsi) {
    Entry *entry = find(wsi);
    if (!entry || entry->state != State::kRequest) return;
    entry->state = State::kFrame;
    web().rx_flow_control(wsi, 0);
}

bool WebGate::has_more_bytes(lws *wsi) {
    const Entry *entry = find(wsi);
    return entry && entry->has_more_bytes;
}

bool WebGate::is_unknown(lws *wsi) {
    const Entry *entry = find(wsi);
    return entry && entry->is_unknown;
}

void WebGate::close_expired(int64_t now_ms) {
    std::vector<Entry *> late;
    for (auto &[socket, entry] : entries_) {
        const bool is_late = entry.head_at_ms && entry.head_at_ms + limits_.head_ms < now_ms;
        const bool is_expired_unknown =
            entry.is_unknown && entry.since_ms + limits_.token_ms < now_ms;
        if (is_late || (is_expired_unknown && entry.state != State::kRequest))
            late.push_back(&entry);
    }
    for (Entry *one : late) evict(*one, ClosedFor::kLate);
}

std::vector<int> WebGate::take_ended(int64_t now_ms) {
    std::vector<int> ended;
    std::erase_if(ending_, [&](int socket) {
        const Entry *entry = find(socket);
        if (!entry || entry->state != State::kEnding) return true;
        if (entry->end_at_ms > now_ms) return false;
        ended.push_back(socket);
        return true;
    });
    return ended;
}

}  // namespace server
