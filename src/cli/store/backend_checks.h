// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks of a store back end: one check for each promise of include/accp/store_backend.h.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "accp/store_backend.h"

namespace cli {

class CheckFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline void expect(bool is_so, const std::string &what) {
    if (!is_so) throw CheckFailed(what);
}

struct ProbeChange {
    int32_t kind;
    std::string key, note, value;
};

struct ProbeWrite {
    std::string session;
    uint64_t after = 0;
    std::string row = "row";
    uint64_t first = 1;
    std::vector<std::string> records = {};
    std::vector<ProbeChange> changes = {};
    // the result
    accp_status status = ACCP_OK;
    uint64_t number = 0;
};

// The entries that a call returned, each as "1=text".
struct ProbeResult {
    accp_status status = ACCP_OK;
    uint64_t number = 0;  // of the last entry
    std::string text;     // of the last entry
    std::string note;
    std::vector<std::string> all;
    size_t max = SIZE_MAX;  // stop after this many entries

    std::string joined() const;
};

// Calls the functions of a back end with C++ types. A failed check throws CheckFailed.
class BackendProbe {
public:
    // Opens the place.
    BackendProbe(accp_store_opener open, const std::string &place, uint32_t flags = 0);
    ~BackendProbe() { close(); }
    BackendProbe(const BackendProbe &) = delete;
    BackendProbe &operator=(const BackendProbe &) = delete;
    void close();
    // Gives up the ownership of the open place, for a store over this back end.
    void *release();
    const accp_store_backend &table() const { return *table_; }

    void write(std::vector<ProbeWrite> &writes);
    // Does one write that must succeed, and returns its number.
    uint64_t write_one(ProbeWrite write);
    // Does one write and returns its status.
    accp_status try_write(ProbeWrite write);
    ProbeResult head(const std::string &session);
    ProbeResult records(const std::string &session, uint64_t first, uint64_t last,
                        bool newest_first = false, size_t max = SIZE_MAX);
    ProbeResult value(const std::string &session, const std::string &key);
    ProbeResult keys(const std::string &session, const std::string &prefix, size_t max = SIZE_MAX);
    ProbeResult sessions(uint64_t after, size_t max = SIZE_MAX);
    accp_status erase(const std::string &session);

private:
    const accp_store_backend *table_ = nullptr;
    void *user_ = nullptr;
};

// What a check works on: the open place, and session names that no other check uses.
struct CheckBench {
    accp_store_opener open;
    std::string place;
    BackendProbe probe;
    std::string session;                   // of this check
    std::vector<std::string> others = {};  // more sessions; all are erased after the check

    std::string other(const std::string &name) {
        others.push_back(session + name);
        return others.back();
    }
};

struct BackendCheck {
    const char *name;
    std::function<void(CheckBench &)> run;
};

// Checks of the back end by itself.
std::vector<BackendCheck> table_checks();
// Checks of a store over the back end.
std::vector<BackendCheck> store_checks();

}  // namespace cli
