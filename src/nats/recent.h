// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The last two messages of some subjects, as a consumer of their stream is told of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace accp_nats {

// What a consumer says of a message that it delivers.
struct Delivery {
    std::string_view consumer;
    uint64_t number = 0;  // the consumer's own: one more than the one before
    uint64_t seq = 0;     // the stream's
};

// Of the subject to which a delivery would be acknowledged. False: it is none.
bool read_delivery(std::string_view reply, Delivery &out);

class Recent {
public:
    // Notes the subject's messages from here on.
    void follow(const std::string &subject);
    // Messages come in their order; where one was lost between two, nothing is known any more.
    void note(const Delivery &delivery, std::string_view subject);
    void forget();
    uint64_t newest() const { return newest_; }  // sequence of what was noted last, of any subject
    // Is the subject's newest message this one, and comes directly after that one? False also
    // where that is not known.
    bool comes_after(const std::string &subject, uint64_t previous, uint64_t seq) const;

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
