// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shared by the tests of stores: a temporary directory, a store with its sessions, and short
// functions to write and read.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "store/store.h"

// docs/examples/store_backend/memory_backend.c
extern "C" accp_status accp_store_backend_entry(const char *place, size_t place_len, uint32_t flags,
                                                const accp_store_backend **out, void **user_out,
                                                accp_error *err);

namespace store_tests {

using namespace accp;

// Returns the name by which the linked back end opens a place for `file`.
std::string backend_place(const std::string &file);

class Directory {
public:
    Directory();
    ~Directory();
    std::string file(const std::string &name = "store") const { return path_ + "/" + name; }
    std::string place(const std::string &name = "store") const { return "sqlite:" + file(name); }
    // kind: memory, sqlite or plugin
    std::string place_of(const std::string &kind) const {
        return kind == "memory"   ? "memory:"
               : kind == "sqlite" ? place()
                                  : "plugin:" + backend_place(file());
    }

private:
    std::string path_;
};

// Opens a place of any of these kinds.
Status open_place(store::Store &store, const store::StorePlace &place);

// A session, which is closed at the end of its scope.
class Open {
public:
    Open(store::Store &store, const std::string &id, bool writes = true);
    ~Open();
    Open(const Open &) = delete;
    Open &operator=(const Open &) = delete;
    store::StoreSession *operator->() { return session_; }
    store::StoreSession &operator*() { return *session_; }
    void close();

    accp_status append(const std::string &record, const std::string &mid = "");
    accp_status put(store::Tier tier, const std::string &key, const std::string &bytes,
                    uint64_t expires = 0, uint64_t generation = 0);
    accp_status set_state(const std::string &state);
    std::string state();
    // Returns "1:text 2:text", or the name of the error.
    std::string records(uint64_t first = 1, uint64_t last = 0, bool newest_first = false);
    // Returns the blob, or the name of the error.
    std::string blob(store::Tier tier, const std::string &key, uint64_t now = 0);
    std::string shared(const std::string &owner, store::Tier tier, const std::string &key,
                       uint64_t now = 0);
    bool has_mid(const std::string &mid);

    accp_status status = ACCP_OK;  // result of opening

private:
    Memory memory_;
    store::StoreSession *session_ = nullptr;
};

// Opens a store and asserts that this succeeds.
struct Opened {
    explicit Opened(const std::string &place);
    Opened(const std::string &name, const store::StorePlace &place);
    store::Store *operator->() { return &store; }
    operator store::Store &() { return store; }
    std::string damage();  // what verify() reports, one per line; "" if all is well
    std::string exported(const std::string &id);

    store::Store store;
    accp_status status;
};

}  // namespace store_tests
