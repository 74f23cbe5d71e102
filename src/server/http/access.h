// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Access control: bearer tokens, each bound to agents and sessions, and limits of their use. The
// token file has a JSON object a line. It contains only the SHA-256 of each token, so reading it
// does not grant access. RateLimit allows a number of calls a second on average, and as many at
// once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace server {

class RateLimit {
public:
    // 0: unlimited.
    explicit RateLimit(uint64_t per_second) { set(per_second); }

    // Changes the limit and keeps the count.
    void set(uint64_t per_second) {
        interval_us_ = per_second ? kSecondUs / static_cast<int64_t>(per_second) : 0;
    }

    // If a call may come now, counts it and returns 0. Else returns the milliseconds until then, at
    // least 1, and counts nothing.
    int64_t take(int64_t now_ms) {
        const int64_t wait_ms = wait(now_ms);
        if (!wait_ms) charge(now_ms);
        return wait_ms;
    }
    // Counts a call that has already come. Returns the milliseconds until the next one may come; 0:
    // now.
    int64_t charge(int64_t now_ms) {
        due_us_ = std::max(due_us_, now_ms * kMs) + interval_us_;
        return wait(now_ms);
    }

private:
    static constexpr int64_t kMs = 1000, kSecondUs = 1'000'000;

    int64_t wait(int64_t now_ms) const {
        const int64_t early_us = due_us_ + interval_us_ - (now_ms * kMs + kSecondUs);
        return interval_us_ && early_us > 0 ? (early_us + kMs - 1) / kMs : 0;
    }

    int64_t interval_us_ = 0;
    int64_t due_us_ = 0;  // when all counted calls would have come one by one
};

constexpr std::string_view kTaskIndex = "a2a.tasks";  // the list of A2A's tasks
// Is it a session that is reserved for the library, such as the registry of agents? Clients can
// neither write nor read those.
inline bool is_own_session(std::string_view id) {
    return id.starts_with("accp.") || id == kTaskIndex;
}

// The limits of one token; 0: unlimited.
struct CallerLimits {
    uint64_t rate = 0;          // requests, and frames of WebSockets, a second
    uint64_t max_sessions = 0;  // to create, as long as the server runs

    bool operator==(const CallerLimits &) const = default;
};

// The use of a token. It is kept when the file is read again.
struct CallerUse {
    RateLimit rate{0};
    std::unordered_set<std::string> created;  // created sessions
};

// The rights of a connection.
struct Grant {
    std::string name;                   // of the caller; for logs
    std::string agents = "*";           // as accp_peer.agents: names separated by commas, or *
    std::vector<std::string> sessions;  // ids; one that ends with * is a prefix
    bool is_trusted = false;            // messages of its agents are not marked as untrusted
    bool may_write = true;              // false: read only
    CallerLimits limits;
    std::shared_ptr<CallerUse> use;  // nullptr: not counted

    // May the caller create this session? False if it has created its maximum number.
    bool may_create_session(std::string_view id) const;
    // Counts a created session.
    void count_session(std::string_view id) const;
    // No grant allows the reserved sessions.
    bool allows_session(std::string_view id) const;
    bool allows_agent(std::string_view id) const;
    // Does it allow every session?
    bool sees_all() const;
    // Compares token and rights.
    bool operator==(const Grant &) const = default;
};

// Returns 64 unpredictable hexadecimal digits. Throws Failure.
std::string random_digits();

class Access {
public:
    // Without tokens: everybody has all rights, and all count as one caller.
    explicit Access(const CallerLimits &limits = {});
    // Reads a token file. Throws Failure with the line and the error. `limits`: for tokens without
    // their own. `before`: keeps the use of its tokens.
    explicit Access(std::string_view file, const CallerLimits &limits = {},
                    const Access *before = nullptr);

    // Finds the grant for the value of an Authorization header; nullptr: none. The time does not
    // depend on how similar a wrong token is.
    std::shared_ptr<const Grant> find(std::string_view authorization) const;
    // Does a token with exactly these rights exist?
    bool has(const Grant &grant) const;
    bool is_open() const { return everybody_ != nullptr; }
    size_t count() const { return entries_.size(); }

    // A new token, and its line for the file.
    struct Token {
        std::string token, line;
    };
    static Token make(const Grant &grant);

private:
    struct Entry {
        std::string hash;
        std::shared_ptr<const Grant> grant;
    };
    static Entry read_line(std::string_view line, const CallerLimits &limits, const Access *before);
    std::shared_ptr<CallerUse> use_of(std::string_view hash) const;

    std::vector<Entry> entries_;
    std::shared_ptr<const Grant> everybody_;
};

}  // namespace server
