// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// So many calls a second on average, and those of one second at once.
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
    // 0: any number.
    explicit RateLimit(uint64_t per_second) { set(per_second); }

    // Another number; what was counted stays.
    void set(uint64_t per_second) {
        interval_us_ = per_second ? kSecondUs / static_cast<int64_t>(per_second) : 0;
    }

    // Counts a call, and answers 0, where one may come now. Else the milliseconds until then, at
    // least 1; nothing is counted.
    int64_t take(int64_t now_ms) {
        const int64_t wait_ms = wait(now_ms);
        if (!wait_ms) charge(now_ms);
        return wait_ms;
    }
    // Counts a call that has come already. The milliseconds until the next may come; 0: now.
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
    int64_t due_us_ = 0;  // when all that was counted had come, one after the other
};

// Sessions in which the library keeps things of its own, such as the registry of agents: nobody
// speaks in them, and nobody reads them from outside.

constexpr std::string_view kTaskIndex = "a2a.tasks";  // which tasks of A2A there are

inline bool is_own_session(std::string_view id) {
    return id.starts_with("accp.") || id == kTaskIndex;
}

// Who may what: bearer tokens, each bound to agents and sessions. The file has a JSON object a
// line; it holds the tokens' SHA-256, so who reads it cannot speak.

// How much may be asked by one token; 0: any number.
struct CallerLimits {
    uint64_t rate = 0;          // requests, and frames of WebSockets, a second
    uint64_t max_sessions = 0;  // that it makes, as long as the server runs

    bool operator==(const CallerLimits &) const = default;
};

// What was asked by it. It outlives a new reading of the file.
struct CallerUse {
    RateLimit rate{0};
    std::unordered_set<std::string> made;  // sessions
};

// What a connection may do.
struct Grant {
    std::string name;                   // of whom; for logs
    std::string agents = "*";           // as accp_peer.agents: names with a comma between, or *
    std::vector<std::string> sessions;  // ids; one that ends with * is a prefix
    bool is_trusted = false;            // what its agents say is no data from outside
    bool may_write = true;              // false: it looks on
    CallerLimits limits;
    std::shared_ptr<CallerUse> use;  // nullptr: it is not counted

    // May it create this session? False if it has created as many as it may.
    bool may_create_session(std::string_view id) const;
    // Counts a session that it has created.
    void count_session(std::string_view id) const;
    // No grant allows the library's own sessions (own_sessions.h).
    bool allows_session(std::string_view id) const;
    bool allows_agent(std::string_view id) const;
    // Does it allow every session?
    bool sees_all() const;
    // Does the other have the same token and the same rights?
    bool operator==(const Grant &) const = default;
};

// 64 unpredictable digits. Throws Failure.
std::string random_digits();

class Access {
public:
    // Nobody has to show a token: everybody may everything, and all are one caller.
    explicit Access(const CallerLimits &limits = {});
    // Throws Failure with the line and what is wrong with it. `limits`: of tokens that have none of
    // their own. `before`: whose counts go on.
    explicit Access(std::string_view file, const CallerLimits &limits = {},
                    const Access *before = nullptr);

    // By the value of an Authorization header; nullptr: it is nobody's. It takes as long for a
    // token that is almost right as for any other.
    std::shared_ptr<const Grant> find(std::string_view authorization) const;
    // Is there a token with just these rights?
    bool has(const Grant &grant) const;
    bool is_open() const { return everybody_ != nullptr; }
    size_t count() const { return entries_.size(); }

    // A new token, and the line of the file for it.
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
