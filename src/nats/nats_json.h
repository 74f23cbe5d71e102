// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What servers answer: JSON with few members, of which a few are read.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace accp_nats {

// An error that an answer says, by the server's numbers.
struct ServerError {
    uint64_t code = 0;    // as of HTTP; 0: none
    uint64_t number = 0;  // err_code
};

// Reads one answer after the other, with the same memory.
class Reply {
public:
    Reply();
    ~Reply();
    Reply(const Reply &) = delete;
    Reply &operator=(const Reply &) = delete;

    // False: it is no JSON, and has no members.
    bool read(std::string_view json);

    ServerError error() const;
    // Members by their paths (RFC 6901). Where there is none of this type: 0, and an empty text,
    // which is valid until the next read().
    uint64_t number(std::string_view path) const;
    std::string_view text(std::string_view path) const;
    bool has(std::string_view path) const;

private:
    struct Tree;
    const std::unique_ptr<Tree> tree_;
};

}  // namespace accp_nats
