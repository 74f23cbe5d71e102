// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "stand_in.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "server/json/writer.h"

namespace {

// Reads the head of a request and its body.
std::string read_request(int socket) {
    std::string text;
    for (char bytes[16 << 10];;) {
        const size_t head = text.find("\r\n\r\n");
        if (head != text.npos) {
            const size_t at = text.find("Content-Length: ");
            const size_t length =
                at < head ? std::strtoull(text.c_str() + at + 16, nullptr, 10) : 0;
            if (text.size() >= head + 4 + length) return text;
        }
        const ssize_t got = ::recv(socket, bytes, sizeof bytes, 0);
        if (got <= 0) return text;
        text.append(bytes, static_cast<size_t>(got));
    }
}

void send_all(int socket, const std::string &text) {
    for (size_t at = 0; at < text.size();) {
        const ssize_t sent = ::send(socket, text.data() + at, text.size() - at, MSG_NOSIGNAL);
        if (sent <= 0) return;
        at += static_cast<size_t>(sent);
    }
}

}  // namespace

std::string http_reply(const std::string &body, const std::string &status) {
    return "HTTP/1.1 " + status +
           "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string chat_reply(const std::string &answer, const std::string &finish_reason) {
    return http_reply(R"({"choices":[{"index":0,"finish_reason":")" + finish_reason +
                      R"(","message":{"role":"assistant","content":)" + host::json_string(answer) +
                      "}}]}");
}

StandIn::StandIn(Answer answer)
    : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    socklen_t size = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto *const any = reinterpret_cast<sockaddr *>(&address);
    if (listener_ < 0 || ::bind(listener_, any, size) != 0 || ::listen(listener_, 8) != 0 ||
        ::getsockname(listener_, any, &size) != 0)
        throw std::runtime_error("no socket for the stand-in");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
}

StandIn::~StandIn() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
}

std::string StandIn::url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

std::vector<std::string> StandIn::requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
}

void StandIn::serve() {
    for (int socket; (socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;
         ::close(socket)) {
        const std::string request = read_request(socket);
        {
            const std::lock_guard lock(mutex_);
            requests_.push_back(request);
        }
        send_all(socket, answer_(request));
    }
}
