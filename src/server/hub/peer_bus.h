// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How gateways of one store reach each other. A bus may lose what it carries, and turns nothing
// round: PeerLinks notices what is missing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace server {

// What has come by a bus.
struct BusNews {
    enum class Kind {
        kMessage,  // `text`, from some gateway
        kNobody,   // there is no gateway `text` any more: what it was sent last is lost
        kBroken    // the bus was away for a while: anything may be lost
    };
    Kind kind = Kind::kMessage;
    std::string text;
};

class PeerBus {
public:
    virtual ~PeerBus() = default;
    // The name of this gateway, which no other ever has: letters and digits.
    virtual const std::string &self() const = 0;
    virtual size_t max_message() const = 0;
    virtual void send(std::string_view peer, std::string_view message) = 0;
    // False: nothing has come.
    virtual bool take(BusNews &out) = 0;
};

}  // namespace server
