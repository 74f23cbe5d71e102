// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The sequences of the last two messages of some subjects, as a consumer of their stream delivers
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace accp_nats {

// The metadata of a message that a consumer delivers.
struct Delivery {
    std::string_view consumer;
    uint64_t number = 0;  // the consumer's: one more than for the message before
    uint64_t seq = 0;     // the stream's
};

// Parses the reply subject of a delivery. Returns false if it is not one.
bool read_delivery(std::string_view reply, Delivery &out);

class RecentMessages {
public:
    // Notes the messages of this subject from now on.
    void follow(const std::string &subject);
    // Messages come in order. If one was lost, everything noted is discarded.
    void note(const Delivery &delivery, std::string_view subject);
    void forget();
    uint64_t newest() const { return newest_; }  // the last noted sequence of any subject
    // Reports whether the subject's newest message has sequence `seq` and directly follows
    // `previous`. Returns false if that is unknown.
    bool follows_directly(const std::string &subject, uint64_t previous, uint64_t seq) const;

private:
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    struct Two {
        uint64_t newest = 0, before = 0;
    };
    std::unordered_map<std::string, Two, Hash, std::equal_to<>> subjects_;
    uint64_t number_ = 0, newest_ = 0;
};

}  // namespace accp_nats
