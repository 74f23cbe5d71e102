// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The table of a back end (include/accp/store_backend.h) with the library's own words, and a
// lambda for each function that is given something. Want of memory there does not pass through the
// host's code: it is thrown after it. Any thread may call; where the table does not say that its
// functions may be called at once, one waits for another here.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>

#include "accp/store_backend.h"
#include "base/text.h"
#include "store/backend.h"
#include "store/mid_filter.h"

namespace accp::store {

// The table and what goes with it; ended with it.
class PluginTable {
public:
    PluginTable(const accp_store_backend &table, void *user) : table_(table), user_(user) {}
    PluginTable(const PluginTable &) = delete;
    PluginTable &operator=(const PluginTable &) = delete;
    ~PluginTable() { table_.close(user_); }

    const accp_store_backend *operator->() const { return &table_; }
    void *user() const { return user_; }
    std::unique_lock<std::mutex> take_turn() {
        if (table_.flags & ACCP_STORE_BACKEND_THREADS) return {};
        return std::unique_lock<std::mutex>(lock_);
    }

private:
    const accp_store_backend &table_;
    void *user_;
    std::mutex lock_;
};

// One thread at a time; any number of ports to one table.
class PluginPort {
public:
    explicit PluginPort(PluginTable &table) : table_(table) {}

    // give(number, row)
    template <class Give>
    Status head(std::string_view id, Give give) {
        Entry<Give> to(give);
        const auto alone = table_.take_turn();
        return end(to, table_->head(to_text(id), to.call, &to, &to.err, table_.user()));
    }
    Status write(accp_store_write *writes, size_t count) {
        accp_error err = {};
        const auto alone = table_.take_turn();
        return status_of(table_->write(writes, count, &err, table_.user()), err);
    }
    // give(sequence, record): whether to go on
    template <class Give>
    Status records(std::string_view id, uint64_t first, uint64_t last, bool newest_first,
                   Give give) {
        Entry<Give> to(give);
        const auto alone = table_.take_turn();
        has_read_ = true;
        return end(to, table_->records(to_text(id), first, last, newest_first, to.call, &to,
                                       &to.err, table_.user()));
    }
    // give(note, value)
    template <class Give>
    Status value(std::string_view id, std::string_view key, Give give) {
        auto all = [&](std::string_view, std::string_view note, const accp_text &value) {
            give(note, to_view(value));
            return true;
        };
        Key<decltype(all)> to(all);
        const auto alone = table_.take_turn();
        has_read_ = true;
        return end(to,
                   table_->value(to_text(id), to_text(key), to.call, &to, &to.err, table_.user()));
    }
    // give(key, note, bytes of the value): whether to go on
    template <class Give>
    Status keys(std::string_view id, std::string_view prefix, Give give) {
        auto all = [&](std::string_view key, std::string_view note, const accp_text &value) {
            return give(key, note, uint64_t{value.len});
        };
        Key<decltype(all)> to(all);
        const auto alone = table_.take_turn();
        has_read_ = true;
        return end(
            to, table_->keys(to_text(id), to_text(prefix), to.call, &to, &to.err, table_.user()));
    }
    // give(number, id): whether to go on
    template <class Give>
    Status sessions(uint64_t after, Give give) {
        Entry<Give> to(give);
        const auto alone = table_.take_turn();
        return end(to, table_->sessions(after, to.call, &to, &to.err, table_.user()));
    }
    // Was anything of a session read since this was asked last?
    bool take_read() { return std::exchange(has_read_, false); }
    // A host's function, which is given to another's: neither throws.
    Status status(const StatusSink &sink) {
        if (!table_->status) {
            (void)sink({}, "kind", "a host's back end");
            return {};
        }
        accp_error err = {};
        const auto alone = table_.take_turn();
        return status_of(table_->status(sink.function, sink.user, &err, table_.user()), err);
    }
    Status erase(std::string_view id) {
        accp_error err = {};
        const auto alone = table_.take_turn();
        return status_of(table_->erase(to_text(id), &err, table_.user()), err);
    }

private:
    struct Giver {
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
    struct Entry : Giver {
        explicit Entry(Give &to) : give(to) {}
        static int call(uint64_t number, accp_text text, void *context) noexcept {
            auto &it = *static_cast<Entry *>(context);
            return it.guarded([&] { return it.give(number, to_view(text)); });
        }
        Give &give;
    };
    template <class Give>
    struct Key : Giver {
        explicit Key(Give &to) : give(to) {}
        static int call(accp_text key, accp_text note, accp_text value, void *context) noexcept {
            auto &it = *static_cast<Key *>(context);
            return it.guarded([&] { return it.give(to_view(key), to_view(note), value); });
        }
        Give &give;
    };

    static Status status_of(accp_status code, const accp_error &err) {
        if (code == ACCP_OK) return {};
        return fail(code, 0, err.message ? err.message : "the store's back end refused");
    }
    static Status end(const Giver &to, accp_status code) {
        if (to.no_memory) throw OutOfMemory{};
        return status_of(code, to.err);
    }

    PluginTable &table_;
    bool has_read_ = false;
};

class PluginPlace {
public:
    // Its Memory's allocator may be called by several threads at once.
    PluginPlace(const accp_allocator &from, const accp_store_backend &table, void *user)
        : table(table, user), memory_(from, UINT64_MAX), filters_(memory_) {}

    PluginTable table;

    // A name for a session that is opened, as SessionRow::number.
    uint64_t next_number() { return numbers_.fetch_add(1) + 1; }

    enum class Seen : uint8_t { kUnknown, kNo, kMaybe };
    // What the session's filter says of a word; kUnknown: it has none.
    Seen look(const SessionRow &row, uint64_t word) {
        std::lock_guard<std::mutex> held(lock_);
        if (!filters_.has(row)) return Seen::kUnknown;
        return filters_.may_have(row, word) ? Seen::kMaybe : Seen::kNo;
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
    Memory memory_;  // guarded by lock_, as the next one
    MidFilters filters_;
    std::atomic<uint64_t> numbers_{0};
};

}  // namespace accp::store
