// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A table in front of the linked back end, to make its calls fail or wait, or to count them.
#pragma once

#include "store/stores.h"

namespace store_tests {

// Each function calls enter() first, and then the same function of `table`.
class Front {
public:
    virtual ~Front() = default;
    // Opens the place of `file`.
    accp_status open(const std::string &file) {
        accp_error err = {};
        return accp_store_backend_entry(file.data(), file.size(), 0, &table, &user, &err);
    }

    // Gets the name of the function and the session. The result is held until the call ends.
    virtual std::shared_ptr<void> enter(const char *, const accp_text &) { return nullptr; }
    virtual accp_status write_all(accp_store_write *writes, size_t count, accp_error *err) {
        const auto held = enter("write", count ? writes[0].session : accp_text{});
        return table->write(writes, count, err, user);
    }

    static accp_store_backend table_of(uint32_t flags) {
        return {sizeof(accp_store_backend),
                ACCP_STORE_BACKEND_VERSION,
                flags,
                0,
                close,
                head,
                write,
                records,
                value,
                keys,
                sessions,
                erase,
                nullptr};
    }

    const accp_store_backend *table = nullptr;
    void *user = nullptr;
    int closed = 0;

private:
    static Front &of(void *user) { return *static_cast<Front *>(user); }
    static void close(void *user) { ++of(user).closed; }
    static accp_status head(accp_text id, accp_store_entry_function give, void *context,
                            accp_error *err, void *user) {
        const auto held = of(user).enter("head", id);
        return of(user).table->head(id, give, context, err, of(user).user);
    }
    static accp_status write(accp_store_write *writes, size_t count, accp_error *err, void *user) {
        return of(user).write_all(writes, count, err);
    }
    static accp_status records(accp_text id, uint64_t first, uint64_t last, int32_t newest_first,
                               accp_store_entry_function give, void *context, accp_error *err,
                               void *user) {
        const auto held = of(user).enter("records", id);
        return of(user).table->records(id, first, last, newest_first, give, context, err,
                                       of(user).user);
    }
    static accp_status value(accp_text id, accp_text key, accp_store_key_function give,
                             void *context, accp_error *err, void *user) {
        const auto held = of(user).enter("value", id);
        return of(user).table->value(id, key, give, context, err, of(user).user);
    }
    static accp_status keys(accp_text id, accp_text prefix, accp_store_key_function give,
                            void *context, accp_error *err, void *user) {
        const auto held = of(user).enter("keys", id);
        return of(user).table->keys(id, prefix, give, context, err, of(user).user);
    }
    static accp_status sessions(uint64_t after, accp_store_entry_function give, void *context,
                                accp_error *err, void *user) {
        const auto held = of(user).enter("sessions", accp_text{});
        return of(user).table->sessions(after, give, context, err, of(user).user);
    }
    static accp_status erase(accp_text id, accp_error *err, void *user) {
        const auto held = of(user).enter("erase", id);
        return of(user).table->erase(id, err, of(user).user);
    }
};

}  // namespace store_tests
