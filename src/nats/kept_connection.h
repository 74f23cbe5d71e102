// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A connection to NATS that lasts as long as its owner. libnats reconnects by itself, but gives a
// connection up for good if a server refuses the user twice in a row, for example while the server
// has not read its accounts. A thread then opens another connection.
#pragma once

#include <nats/nats.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include "nats/callback.h"
#include "nats/place.h"

namespace accp_nats {

inline constexpr const char *kRefused = "libnats refused an option";

// Throws if a call of libnats failed.
inline void check_nats(natsStatus status, const char *message) {
    if (status == NATS_NO_MEMORY) throw std::bad_alloc();
    if (status != NATS_OK) throw Failure{ACCP_ERR_IO, message};
}

// One connection of libnats, and what was made on it.
struct Connected {
    Connected() = default;
    ~Connected();
    Connected(const Connected &) = delete;
    Connected &operator=(const Connected &) = delete;

    bool is_up() const;
    // The result lives as long as the connection.
    natsSubscription *subscribe(const std::string &subject, const Callback &take);

    natsConnection *connection = nullptr;
    jsCtx *jetstream = nullptr;

private:
    std::vector<natsSubscription *> subscriptions_;
};

class KeptConnection {
public:
    // Runs for each new connection before anybody else gets it, and may throw a Failure.
    using Prepare = std::function<void(Connected &)>;

    // Connects. Throws a Failure with the reason and what to do. `on_again`, if set, runs on
    // another thread each time that there is a connection again.
    KeptConnection(const Place &place, Prepare prepare, std::function<void()> on_again = nullptr);
    // Waits for an attempt to connect that is under way.
    ~KeptConnection();
    KeptConnection(const KeptConnection &) = delete;
    KeptConnection &operator=(const KeptConnection &) = delete;

    // The newest connection. It stays valid while it is held, even if it has been replaced.
    std::shared_ptr<const Connected> get() const;

private:
    struct EndOptions {
        void operator()(natsOptions *options) const { natsOptions_Destroy(options); }
    };
    using Options = std::unique_ptr<natsOptions, EndOptions>;

    static Options new_options(const Place &place);
    std::shared_ptr<const Connected> open() const;
    bool ends_within(std::chrono::milliseconds time);
    void keep();

    const Place place_;
    const Prepare prepare_;
    const std::function<void()> on_again_;
    std::optional<Callback> reconnected_;  // calls on_again_
    Options options_;
    mutable std::mutex lock_;  // guards the members below
    std::condition_variable ends_changed_;
    std::shared_ptr<const Connected> newest_;
    bool ends_ = false;
    std::thread keeper_;
};

}  // namespace accp_nats
