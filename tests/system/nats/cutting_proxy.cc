// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cutting_proxy.h.
#include "nats/cutting_proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nats/tcp.h"

namespace nats_tests {

namespace {

constexpr int kSliceMs = 5;

}  // namespace

CuttingProxy::CuttingProxy(int to_port) : to_port_(to_port) {
    listener_ = listen_at_free_port(port_);
    thread_ = std::thread([this] { run(); });
}

CuttingProxy::~CuttingProxy() {
    ends_ = true;
    thread_.join();
    close_all();
    close(listener_);
}

void CuttingProxy::run() {
    while (!ends_) {
        std::vector<pollfd> all = {{listener_, POLLIN, 0}};
        for (const Pair &one : pairs_)
            for (const int side : {one.client, one.server}) all.push_back({side, POLLIN, 0});
        (void)poll(all.data(), all.size(), kSliceMs);
        for (size_t i = pairs_.size(); i; --i) {
            const Pair pair = pairs_[i - 1];
            bool goes_on = true;
            if (all[2 * i - 1].revents) goes_on = pump(pair.client, pair.server, false);
            if (all[2 * i].revents && goes_on) goes_on = pump(pair.server, pair.client, true);
            if (goes_on) continue;
            close(pair.client);
            close(pair.server);
            pairs_.erase(pairs_.begin() + static_cast<ptrdiff_t>(i - 1));
        }
        if (all[0].revents) accept_one();
        if (cuts_wanted_.exchange(false)) close_all();
    }
}

void CuttingProxy::accept_one() {
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const int server = connect_to("127.0.0.1", to_port_);
    if (client >= 0 && server >= 0) {
        pairs_.push_back({client, server});
        return;
    }
    if (client >= 0) close(client);
    if (server >= 0) close(server);
}

void CuttingProxy::replace(const std::string &text, const std::string &other, size_t answers) {
    text_ = text;
    other_ = other;
    replaces_ = answers;
}

bool CuttingProxy::pump(int from, int to, bool is_answer) {
    char piece[65536];
    const ssize_t got = recv(from, piece, sizeof piece, MSG_DONTWAIT);
    if (got <= 0) return false;
    if (is_answer && loses_) {
        has_lost_ = true;
        return true;
    }
    const size_t found = std::string_view(piece, static_cast<size_t>(got)).find(text_);
    if (is_answer && replaces_ && found != std::string_view::npos) {
        other_.copy(piece + found, other_.size());
        --replaces_;
    }
    for (ssize_t at = 0; at < got;) {
        const ssize_t sent = send(to, piece + at, static_cast<size_t>(got - at), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        at += sent;
    }
    return true;
}

void CuttingProxy::close_all() {
    for (const Pair &one : pairs_) {
        close(one.client);
        close(one.server);
    }
    pairs_.clear();
    cuts_ += has_lost_;
    has_lost_ = loses_ = false;
}

}  // namespace nats_tests
