// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A bus of a library beside this one (include/accp/bus.h): what comes on its thread waits until the
// loop asks.
#pragma once

#include <deque>
#include <functional>
#include <mutex>

#include "accp/bus.h"
#include "server/hub/peer_bus.h"

namespace server {

class TableBus : public PeerBus {
public:
    // Under a name that is new. Throws Failure where the place cannot be reached.
    TableBus(accp_bus_opener open, std::string_view place);
    ~TableBus() override { table_->close(user_); }
    TableBus(const TableBus &) = delete;
    TableBus &operator=(const TableBus &) = delete;

    // `wake` is called, on another thread, when something has come and nobody was told yet.
    void on_news(std::function<void()> wake);

    const std::string &self() const override { return self_; }
    size_t max_message() const override { return table_->max_message(user_); }
    void send(std::string_view peer, std::string_view message) override;
    bool take(BusNews &out) override;

private:
    static void hear(int32_t news, accp_text text, void *context);

    std::string self_;
    std::mutex lock_;
    std::deque<BusNews> news_;  // guarded by lock_, as the next
    std::function<void()> wake_;
    const accp_bus *table_ = nullptr;
    void *user_ = nullptr;
};

}  // namespace server
