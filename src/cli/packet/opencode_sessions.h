// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The sessions in the database of opencode, an SQLite file with the tables session, message and
// part. It is only read, also while opencode runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;

namespace cli {

struct OpenCodeSession {
    std::string id;
    int64_t time_ms = 0;  // of its last change
};

class OpenCodeSessions {
public:
    // A file that does not exist has no sessions. Throws Failure if it cannot be read.
    explicit OpenCodeSessions(const std::string &path);

    // Returns the session that was changed last, of those in a wanted directory. Sessions of
    // sub-agents are left out. `id`: only that session; may be empty.
    std::optional<OpenCodeSession> newest(
        const std::function<bool(std::string_view directory)> &is_wanted,
        const std::string &id) const;
    // Returns its messages as lines {"info","parts"}, without those that the user has undone.
    std::string messages(const std::string &id) const;

private:
    struct Close {
        void operator()(sqlite3 *file) const;
    };
    class Query;

    std::string path_;
    std::unique_ptr<sqlite3, Close> file_;
};

}  // namespace cli
