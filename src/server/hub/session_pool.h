// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The sessions of one engine that are open, by their ids. Each is opened when it is first asked
// for; of too many, the one that was asked for longest ago is closed, and opened again when it is
// asked for anew.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/library/handles.h"

namespace server {

class SessionPool {
public:
    // Both must outlive the pool.
    SessionPool(accp_engine *engine, accp_store *store, size_t max_open = 4096)
        : engine_(engine), store_(store), max_open_(max_open) {}

    // The session, to be written until the next call; nullptr: `err` says why.
    accp_session *open(std::string_view id, accp_error &err);
    // The session where it is open here, else nullptr.
    accp_session *find(std::string_view id);
    // Is there such a session?
    bool has(std::string_view id);
    // Sets an engine for trials, with the same rules as the pool's. Its sessions are discarded. A
    // frame that would begin a session is tried there first, so a refused frame leaves no session.
    // The engine and its store outlive the pool.
    void try_in(accp_engine *engine, accp_store *store) { trial_ = {engine, store}; }
    // Opens an empty session of that engine, valid until the next call. Returns nullptr without an
    // error if there is no such engine, and with `err` set if the session cannot be opened.
    accp_session *open_trial(std::string_view id, accp_error &err);
    // A session to read until the next call; nullptr: it does not exist or cannot be opened. If
    // others use the store too, the session may be up to half a second old.
    accp_session *look(std::string_view id, int64_t now_ms);
    // Opens an existing session to read its current state. It does not interrupt the writer, in
    // this or another process. nullptr: `err` has the reason.
    host::Handle<accp_session> open_to_read(std::string_view id, accp_error &err);
    // Closes it, if it is open: after ACCP_ERR_CLOSED, where another process has taken it over.
    void close(std::string_view id);
    // Makes all that was changed durable: one write of the device for all. That a session was taken
    // over by another process, and what was said in it is lost, accp_session_sync() of it tells.
    accp_status sync(accp_error &err);
    // Others have the store open too, and whoever opens a session to write takes it from them.
    // `told` is called with each session that was opened so.
    void share(std::function<void(const std::string &id, accp_session *session)> told) {
        on_open_ = std::move(told);
    }
    bool is_shared() const { return on_open_ != nullptr; }
    // Sessions that are not to be closed to make room.
    void spare(std::function<bool(const std::string &id)> is_busy) {
        is_busy_ = std::move(is_busy);
    }
    // How long the newest one took, in microseconds.
    int64_t sync_us() const { return sync_us_; }

    size_t open_count() const { return open_.size(); }
    accp_store *store() const { return store_; }
    const accp_engine *engine() const { return engine_; }

private:
    struct Open {
        std::string id;
        host::Handle<accp_session> session;
    };

    struct View {
        host::Handle<accp_session> session;
        int64_t opened_at_ms = 0;
    };

    void close_oldest();

    struct Trial {
        accp_engine *engine = nullptr;
        accp_store *store = nullptr;
        std::string id = {};
        host::Handle<accp_session> session = {};
    };

    accp_engine *engine_;
    accp_store *store_;
    size_t max_open_;
    int64_t sync_us_ = 0;
    std::function<bool(const std::string &)> is_busy_;
    std::map<std::string, View, std::less<>> views_;
    std::function<void(const std::string &, accp_session *)> on_open_;
    std::list<Open> open_;                                                   // the newest use first
    std::unordered_map<std::string_view, std::list<Open>::iterator> by_id_;  // keys: of open_
    Trial trial_;
};

}  // namespace server
