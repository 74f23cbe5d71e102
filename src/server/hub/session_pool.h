// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The open sessions of one engine, by id. A session is opened at its first use. If there are too
// many, the least recently used one is closed, and reopened at its next use.
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

    // Opens the session for writing, valid until the next call. Returns nullptr with the reason in
    // `err`.
    accp_session *open(std::string_view id, accp_error &err);
    // Returns the session if it is open here, else nullptr.
    accp_session *find(std::string_view id);
    // Does the session exist?
    bool has(std::string_view id);
    // Sets an engine for trials, with the same rules as the pool's. Its sessions are discarded. A
    // frame that would create a session is first tried there, so a refused frame leaves no session.
    // The engine and its store outlive the pool.
    void set_trial_engine(accp_engine *engine, accp_store *store) { trial_ = {engine, store}; }
    // Opens an empty session of that engine, valid until the next call. Returns nullptr without an
    // error if there is no such engine, and with `err` set if the session cannot be opened.
    accp_session *open_trial(std::string_view id, accp_error &err);
    // Opens a session for reading, valid until the next call. Returns nullptr with the reason in
    // `err`: ACCP_E2001 if it does not exist. If others use the store too, both may be up to half a
    // second old.
    accp_session *open_view(std::string_view id, int64_t now_ms, accp_error &err);
    // Opens an existing session to read its current state. It does not interrupt the writer, in
    // this or another process. On failure it returns nullptr, with the reason in `err`.
    host::Handle<accp_session> open_to_read(std::string_view id, accp_error &err);
    // Closes the session if it is open.
    void close(std::string_view id);
    // Closes the session if it is open, after its ACCP_ERR_CLOSED: another process has taken it
    // over.
    void close_lost(std::string_view id);
    // Makes all changes durable with one write of the device. It does not report sessions that
    // another process has taken over; accp_session_sync() of the session does.
    accp_status sync(accp_error &err);
    // Other processes use the store too, and take a session over when they open it for writing.
    // `on_open` is called with each session that is opened for writing here.
    void set_shared(std::function<void(const std::string &id, accp_session *session)> on_open) {
        on_open_ = std::move(on_open);
    }
    bool is_shared() const { return on_open_ != nullptr; }
    // Sessions for which `is_busy` is true are not closed to make space.
    void set_busy_check(std::function<bool(const std::string &id)> is_busy) {
        is_busy_ = std::move(is_busy);
    }
    // `on_lost` is called with each session that another process has taken over.
    void set_on_lost(std::function<void(const std::string &id)> on_lost) {
        on_lost_ = std::move(on_lost);
    }
    // Duration of the last sync(), in microseconds.
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
        host::Handle<accp_session> session;  // nullptr: see `why_not`
        int64_t opened_at_ms = 0;
        accp_status why_not = ACCP_OK;
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
    std::function<void(const std::string &)> on_lost_;
    std::map<std::string, View, std::less<>> views_;
    std::function<void(const std::string &, accp_session *)> on_open_;
    std::list<Open> open_;  // most recently used first
    std::unordered_map<std::string_view, std::list<Open>::iterator> by_id_;  // keys: of open_
    Trial trial_;
};

}  // namespace server
