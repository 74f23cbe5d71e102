// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A bus between gateways of one process. A test chooses which messages it loses.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "server/hub/peer_links.h"

namespace hub_test {

class PeerNet {
public:
    // Called for each message: returns whether it is lost.
    std::function<bool()> loses = [] { return false; };

    void deliver(const std::string &from, std::string_view to, std::string_view text) {
        const auto found = inboxes_.find(std::string(to));
        if (loses()) return;
        if (found != inboxes_.end())
            found->second.push_back({server::BusEvent::Kind::kMessage, std::string(text)});
        else inboxes_[from].push_back({server::BusEvent::Kind::kNobody, std::string(to)});
    }
    // `peer` was unreachable for a moment.
    void miss(const std::string &to, const std::string &peer) {
        inboxes_[to].push_back({server::BusEvent::Kind::kNobody, peer});
    }
    void add(const std::string &name) { inboxes_[name]; }
    void remove(const std::string &name) { inboxes_.erase(name); }
    bool take(const std::string &name, server::BusEvent &out) {
        const auto found = inboxes_.find(name);
        if (found == inboxes_.end() || found->second.empty()) return false;
        out = std::move(found->second.front());
        found->second.pop_front();
        return true;
    }

private:
    std::map<std::string, std::deque<server::BusEvent>> inboxes_;
};

class NetBus : public server::PeerBus {
public:
    NetBus(PeerNet &net, std::string name) : net_(net), name_(std::move(name)) { net_.add(name_); }
    ~NetBus() override { net_.remove(name_); }
    NetBus(const NetBus &) = delete;
    NetBus &operator=(const NetBus &) = delete;

    const std::string &self() const override { return name_; }
    size_t max_message() const override { return 1 << 20; }
    void send(std::string_view peer, std::string_view message) override {
        net_.deliver(name_, peer, message);
    }
    bool take(server::BusEvent &out) override { return net_.take(name_, out); }

private:
    PeerNet &net_;
    std::string name_;
};

}  // namespace hub_test
