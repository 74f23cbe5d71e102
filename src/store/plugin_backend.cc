// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Opening, and calls on whole sessions.
#include "store/plugin_backend.h"

namespace accp::store {

namespace {

constexpr int kHeadTries = 64;  // of a write that other writes overtake
constexpr size_t kPruneBatch = 1000;
constexpr const char *kNoRow = "the session's row is damaged";
constexpr const char *kTooBusy =
    "other writers overtook every attempt to write this session: try again";

uint64_t random_token() {
    const uint64_t token = random_secret();
    return token ? token : 1;
}

}  // namespace

Status PluginBackend::find_row(std::string_view id, SessionRow &out) {
    SessionRow row;
    bool is_valid = false;
    Status status = port_.head(id, [&](uint64_t number, std::string_view bytes) {
        row.head = number;
        is_valid = read_row(bytes, row);
        return true;
    });
    if (status.code == ACCP_E2001) return fail(ACCP_E2001, 0, kNoSession);
    if (status.ok() && !is_valid) return fail(ACCP_ERR_CORRUPT, 0, kNoRow);
    if (status.failed()) return status;
    out = row;
    return {};
}

// In write mode, writes the row with a new token as its fence.
Status PluginBackend::open_session(std::string_view id, bool writes, SessionRow &out) {
    if (writes && !may_write_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    id_.assign(id);
    const uint64_t number = context_.next_number();
    for (int tries = 0; tries < kHeadTries; ++tries) {
        SessionRow row;
        Status status = find_row(id, row);
        row.number = number;
        if (!writes) {
            if (status.ok()) out = row;
            return status;
        }
        if (status.failed() && status.code != ACCP_E2001) return status;
        if (status.failed()) row.birth = random_token();
        row.fence = random_token();
        row.ops = 0;
        const PluginRow bytes = write_row(row);
        accp_store_write write = {};
        write.session = to_text(id);
        write.after = row.head;
        write.row = to_text(bytes.view());
        write.first = row.last + 1;
        status = port_.write(&write, 1);
        if (status.failed()) return status;
        row.head = write.number;
        if (write.status == ACCP_OK) out = row;
        if (write.status != ACCP_ERR_BUSY) return fail(write.status, 0, write.message);
    }
    return fail(ACCP_ERR_BUSY, 0, kTooBusy);
}

// A write that keeps the fence moves the head but not the token. After a result from memory the
// head is not read: writes check the owner themselves, and a caller that refuses a frame calls
// check().
Status PluginBackend::check(OpenSession &session, bool fresh, SessionRow &now) {
    const bool has_read = port_.take_read();
    if (session.is_lost || (!fresh && !has_read)) return {};
    SessionRow row;
    Status status = find_row(id_of(session), row);
    if (status.failed() && status.code != ACCP_E2001) return status;
    session.is_erased = status.failed() || row.birth != session.row.birth;
    session.is_lost = session.is_erased || (session.writes && row.fence != session.row.fence);
    row.number = session.row.number;
    if (!session.is_erased) now = row;
    return {};
}

Status PluginBackend::status(const StatusSink &sink) { return port_.status(sink); }

Status PluginBackend::next_session(uint64_t &after, Buffer<char> &out) {
    const uint64_t before = after;
    bool found = false;
    Status status = port_.sessions(before, [&](uint64_t number, std::string_view id) {
        out.assign(id);
        after = number;
        found = true;
        return false;
    });
    if (status.ok() && !found) return fail(ACCP_E2001, 0, kNoSession);
    if (status.ok() && after <= before)
        return fail(ACCP_ERR_CORRUPT, 0, "sessions are out of order");
    if (status.ok() && (out.empty() || out.size() > kMaxSessionIdBytes))
        return fail_limit(ACCP_ERR_CORRUPT, 0, kBadSessionId, out.size(), kMaxSessionIdBytes);
    return status;
}

template <class Choose>
Status PluginBackend::change_keeping_fence(std::string_view id, Choose choose) {
    for (int tries = 0; tries < kHeadTries; ++tries) {
        SessionRow row;
        Status status = find_row(id, row);
        begin_group();
        if (status.ok()) status = choose(row);
        if (status.failed() || changes_.empty()) return status;
        const PluginRow bytes = write_row(row);
        accp_store_write write = {};
        write.session = to_text(id);
        write.after = row.head;
        write.row = to_text(bytes.view());
        write.first = row.last + 1;
        write.changes = changes_.data();
        write.change_count = changes_.size();
        status = port_.write(&write, 1);
        if (status.failed()) return status;
        if (write.status == ACCP_OK) return {};
        if (write.status != ACCP_ERR_BUSY) return fail(write.status, 0, write.message);
    }
    return fail(ACCP_ERR_BUSY, 0, kTooBusy);
}

void PluginBackend::erase_key(std::string_view key) {
    char *kept = arena_.allocate<char>(key.size());
    key.copy(kept, key.size());
    changes_.push({{kept, key.size()}, {"", 0}, {"", 0}, ACCP_STORE_ERASE, 0});
}

Status PluginBackend::prune_session(std::string_view id, const PrunePolicy &policy,
                                    uint64_t &pruned) {
    bool whole = false, is_valid = true;
    while (!whole) {
        Status status = change_keeping_fence(id, [&](const SessionRow &row) {
            const uint64_t below = pruned_below(policy, row);
            const auto look = [&](std::string_view key, std::string_view bytes, uint64_t) {
                PluginNote note;
                is_valid = is_valid && read_note(bytes, note);
                if (is_valid && (has_expired(note.expires, policy.now) ||
                                 (note.generation && note.generation < below)))
                    erase_key(key);
                return changes_.size() < kPruneBatch;
            };
            Status found = port_.keys(id, "b", look);
            if (found.ok() && changes_.size() < kPruneBatch) found = port_.keys(id, "g", look);
            return found;
        });
        if (status.ok() && !is_valid) status = fail(ACCP_ERR_CORRUPT, 0, "a note is damaged");
        if (status.failed()) return status;
        pruned += changes_.size();
        whole = changes_.size() < kPruneBatch;
    }
    return {};
}

// A session that disappears meanwhile has nothing left to prune.
Status PluginBackend::prune(const PrunePolicy &policy, uint64_t &pruned) {
    if (!may_write_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    pruned = 0;
    return each_session([&](std::string_view id) {
        Status status = prune_session(id, policy, pruned);
        return status.code == ACCP_E2001 ? Status{} : status;
    });
}

// Erases the grants to the session first, so that a new session with the same id finds none of
// them.
Status PluginBackend::erase_session(std::string_view id) {
    if (!may_write_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    SessionRow row;
    Status status = find_row(id, row);
    if (status.failed()) return status;
    const PluginKey grants = grants_key(id);
    status = each_session([&](std::string_view owner) {
        Status changed = change_keeping_fence(owner, [&](const SessionRow &) {
            return port_.keys(owner, grants.view(),
                              [&](std::string_view key, std::string_view, uint64_t) {
                                  erase_key(key);
                                  return true;
                              });
        });
        return changed.code == ACCP_E2001 ? Status{} : changed;
    });
    return status.ok() ? port_.erase(id) : status;
}

}  // namespace accp::store
