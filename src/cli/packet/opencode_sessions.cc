// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/packet/opencode_sessions.h"

#include <filesystem>

#include "cli/host.h"
#include "cli/system/files.h"

#ifdef ACCP_SQLITE
#include <sqlite3.h>
#endif

namespace cli {

#ifdef ACCP_SQLITE

namespace {

constexpr int kWaitMs = 2000;  // while opencode writes

// The newest first. A session's own time does not change with each of its messages.
constexpr const char *kSessions =
    "SELECT id, directory, max(time_updated, coalesce((SELECT max(time_updated) FROM part "
    "WHERE part.session_id = session.id), 0)) AS changed FROM session "
    "WHERE parent_id IS NULL AND (?1 = '' OR id = ?1) ORDER BY changed DESC, id DESC";
// Ids are in the order of time. `revert` names the first message that was undone.
constexpr const char *kMessages =
    "SELECT '{\"info\":' || m.data || ',\"parts\":[' || coalesce((SELECT group_concat(data) FROM "
    "(SELECT data FROM part WHERE message_id = m.id ORDER BY id)), '') || ']}' "
    "FROM message m JOIN session s ON s.id = m.session_id WHERE m.session_id = ?1 AND "
    "(s.revert IS NULL OR m.id < json_extract(s.revert, '$.messageID')) ORDER BY m.id";

}  // namespace

void OpenCodeSessions::Close::operator()(sqlite3 *file) const { sqlite3_close(file); }

// A statement with one text as its parameter.
class OpenCodeSessions::Query {
public:
    Query(const OpenCodeSessions &sessions, const char *sql, const std::string &parameter)
        : sessions_(sessions) {
        if (sqlite3_prepare_v2(sessions.file_.get(), sql, -1, &statement_, nullptr) != SQLITE_OK)
            fail();
        sqlite3_bind_text(statement_, 1, parameter.data(), static_cast<int>(parameter.size()),
                          SQLITE_TRANSIENT);
    }
    Query(const Query &) = delete;
    Query &operator=(const Query &) = delete;
    ~Query() { sqlite3_finalize(statement_); }

    bool next() {
        const int result = sqlite3_step(statement_);
        if (result != SQLITE_ROW && result != SQLITE_DONE) fail();
        return result == SQLITE_ROW;
    }
    std::string_view text(int column) {
        const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(statement_, column));
        return bytes ? std::string_view(
                           bytes, static_cast<size_t>(sqlite3_column_bytes(statement_, column)))
                     : std::string_view();
    }
    int64_t number(int column) { return sqlite3_column_int64(statement_, column); }

private:
    [[noreturn]] void fail() {
        const std::string reason = sqlite3_errmsg(sessions_.file_.get());
        sqlite3_finalize(statement_);
        throw Failure(sessions_.path_ + ": the sessions of opencode cannot be read: " + reason +
                      "; give --conversation FILE with the output of opencode export");
    }

    const OpenCodeSessions &sessions_;
    sqlite3_stmt *statement_ = nullptr;
};

OpenCodeSessions::OpenCodeSessions(const std::string &path) : path_(path) {
    if (!std::filesystem::exists(path_of(path))) return;
    sqlite3 *file = nullptr;
    const int result = sqlite3_open_v2(path.c_str(), &file, SQLITE_OPEN_READONLY, nullptr);
    file_.reset(file);
    if (result != SQLITE_OK)
        throw Failure(path + ": " + (file ? sqlite3_errmsg(file) : "cannot be opened"));
    sqlite3_busy_timeout(file, kWaitMs);
}

std::optional<OpenCodeSession> OpenCodeSessions::newest(
    const std::function<bool(std::string_view directory)> &is_wanted, const std::string &id) const {
    if (!file_) return std::nullopt;
    for (Query query(*this, kSessions, id); query.next();)
        if (is_wanted(query.text(1)))
            return OpenCodeSession{std::string(query.text(0)), query.number(2)};
    return std::nullopt;
}

std::string OpenCodeSessions::messages(const std::string &id) const {
    std::string lines;
    for (Query query(*this, kMessages, id); query.next();) lines.append(query.text(0)).append("\n");
    return lines;
}

#else

// Without SQLite no sessions are found.
void OpenCodeSessions::Close::operator()(sqlite3 *) const {}
OpenCodeSessions::OpenCodeSessions(const std::string &path) : path_(path) {}
std::optional<OpenCodeSession> OpenCodeSessions::newest(
    const std::function<bool(std::string_view directory)> &, const std::string &) const {
    return std::nullopt;
}
std::string OpenCodeSessions::messages(const std::string &) const { return {}; }

#endif

}  // namespace cli
