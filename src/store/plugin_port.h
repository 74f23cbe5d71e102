// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls the functions of a back end's table (include/accp/store_backend.h) with C++ types and
// lambdas. If a lambda runs out of memory, its exception is thrown again after the host's code has
// returned. Any thread may call. If the table's functions may not be called concurrently, a lock
// orders the calls.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>

#include "accp/store_backend.h"
#include "base/text.h"
#include "store/backend.h"
#include "store/mid_filter.h"

namespace accp::store {

// The table, its user pointer and its lock. The destructor closes the back end.
class PluginTable {
public:
    PluginTable(const accp_store_backend &table, void *user) : table_(table), user_(user) {}
    PluginTable(const PluginTable &) = delete;
    PluginTable &operator=(const PluginTable &) = delete;
    ~PluginTable() { table_.close(user_); }

    const accp_store_backend *operator->() const { return &table_; }
    void *user() const { return user_; }
    std::unique_lock<std::mutex> lock_if_needed() {
        if (table_.flags & ACCP_STORE_BACKEND_THREADS) return {};
        return std::unique_lock<std::mutex>(lock_);
    }

private:
    const accp_store_backend &table_;
    void *user_;
    std::mutex lock_;
};

// One thread at a time may use a port. A table may have any number of ports.
class PluginPort {
public:
    explicit PluginPort(PluginTable &table) : table_(table) {}

    // Calls give(number, row).
    template <class Give>
    Status head(std::string_view id, Give give) {
        EntryCallback<Give> to(give);
        const auto alone = table_.lock_if_needed();
        return finish(to, table_->head(to_text(id), to.call, &to, &to.err, table_.user()));
    }
    Status write(accp_store_write *writes, size_t count) {
        accp_error err = {};
        const auto alone = table_.lock_if_needed();
        return status_of(table_->write(writes, count, &err, table_.user()), err);
    }
    // Calls give(sequence, record) until it returns false.
    template <class Give>
    Status records(std::string_view id, uint64_t first, uint64_t last, bool newest_first,
                   Give give) {
        EntryCallback<Give> to(give);
        const auto alone = table_.lock_if_needed();
        has_read_ = true;
        return finish(to, table_->records(to_text(id), first, last, newest_first, to.call, &to,
                                          &to.err, table_.user()));
    }
    // Calls give(note, value).
    template <class Give>
    Status value(std::string_view id, std::string_view key, Give give) {
        auto all = [&](std::string_view, std::string_view note, const accp_text &value) {
            give(note, to_view(value));
            return true;
        };
        KeyCallback<decltype(all)> to(all);
        const auto alone = table_.lock_if_needed();
        has_read_ = true;
        return finish(
            to, table_->value(to_text(id), to_text(key), to.call, &to, &to.err, table_.user()));
    }
    // Calls give(key, note, size of the value) until it returns false.
    template <class Give>
    Status keys(std::string_view id, std::string_view prefix, Give give) {
        auto all = [&](std::string_view key, std::string_view note, const accp_text &value) {
            return give(key, note, uint64_t{value.len});
        };
        KeyCallback<decltype(all)> to(all);
        const auto alone = table_.lock_if_needed();
        has_read_ = true;
        return finish(
            to, table_->keys(to_text(id), to_text(prefix), to.call, &to, &to.err, table_.user()));
    }
    // Calls give(number, id) until it returns false.
    template <class Give>
    Status sessions(uint64_t after, Give give) {
        EntryCallback<Give> to(give);
        const auto alone = table_.lock_if_needed();
        return finish(to, table_->sessions(after, to.call, &to, &to.err, table_.user()));
    }
    // Reports whether anything of a session was read since the last call.
    bool take_read() { return std::exchange(has_read_, false); }
    // Neither the table's function nor the sink throws.
    Status status(const StatusSink &sink) {
        if (!table_->status) {
            (void)sink({}, "kind", "a host's back end");
            return {};
        }
        accp_error err = {};
        const auto alone = table_.lock_if_needed();
        return status_of(table_->status(sink.function, sink.user, &err, table_.user()), err);
    }
    Status erase(std::string_view id) {
        accp_error err = {};
        const auto alone = table_.lock_if_needed();
        return status_of(table_->erase(to_text(id), &err, table_.user()), err);
    }

private:
    struct CallbackState {
        accp_error err = {};
        bool no_memory = false;

        template <class Body>
        int guarded(Body body) noexcept {
            if (no_memory) return 1;
            try {
                return body() ? 0 : 1;
            } catch (const OutOfMemory &) {
                no_memory = true;
                return 1;
            }
        }
    };
    template <class Give>
    struct EntryCallback : CallbackState {
        explicit EntryCallback(Give &to) : give(to) {}
        static int call(uint64_t number, accp_text text, void *context) noexcept {
            auto &it = *static_cast<EntryCallback *>(context);
            return it.guarded([&] { return it.give(number, to_view(text)); });
        }
        Give &give;
    };
    template <class Give>
    struct KeyCallback : CallbackState {
        explicit KeyCallback(Give &to) : give(to) {}
        static int call(accp_text key, accp_text note, accp_text value, void *context) noexcept {
            auto &it = *static_cast<KeyCallback *>(context);
            return it.guarded([&] { return it.give(to_view(key), to_view(note), value); });
        }
        Give &give;
    };

    static Status status_of(accp_status code, const accp_error &err) {
        if (code == ACCP_OK) return {};
        return fail(
            code, 0,
            err.message ? err.message : "the store's back end reported an error without a message");
    }
    static Status finish(const CallbackState &to, accp_status code) {
        if (to.no_memory) throw OutOfMemory{};
        return status_of(code, to.err);
    }

    PluginTable &table_;
    bool has_read_ = false;
};

// What all sessions of a store over a host's back end share: the table, and the filters of mids.
// Any number of threads may use it.
class PluginContext {
public:
    // Several threads may call the allocator at once.
    PluginContext(const accp_allocator &from, const accp_store_backend &table, void *user)
        : table(table, user), memory_(from, UINT64_MAX), filters_(memory_) {}

    PluginTable table;

    // Returns a new SessionRow::number for a session that is opened.
    uint64_t next_number() { return numbers_.fetch_add(1) + 1; }

    enum class FilterResult : uint8_t { kNoFilter, kNo, kMaybe };
    // Looks a word up in the session's filter; kNoFilter if it has none.
    FilterResult test_filter(const SessionRow &row, uint64_t word) {
        std::lock_guard<std::mutex> held(lock_);
        if (!filters_.has(row)) return FilterResult::kNoFilter;
        return filters_.may_have(row, word) ? FilterResult::kMaybe : FilterResult::kNo;
    }
    void make_filter(const SessionRow &row, const Buffer<uint64_t> &words) {
        std::lock_guard<std::mutex> held(lock_);
        filters_.make(row, words);
    }
    void extend_filter(const SessionRow &before, const SessionRow &after,
                       const Buffer<uint64_t> &words) {
        std::lock_guard<std::mutex> held(lock_);
        filters_.extend(before, after, words);
    }

private:
    std::mutex lock_;
    Memory memory_;  // guarded by lock_, like filters_
    MidFilters filters_;
    std::atomic<uint64_t> numbers_{0};
};

}  // namespace accp::store
