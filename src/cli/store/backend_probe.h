// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A back end of stores as its checks ask it: texts in, texts out, and a failed check as an
// exception.
#pragma once

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
    // what came of it
    accp_status status = ACCP_OK;
    uint64_t number = 0;
};

// What a call gave, an entry a line: "1=text".
struct ProbeAnswer {
    accp_status status = ACCP_OK;
    uint64_t number = 0;  // of the last entry
    std::string text;     // of the last entry
    std::string note;
    std::vector<std::string> all;
    size_t max = SIZE_MAX;  // that are taken

    std::string joined() const;
};

class BackendProbe {
public:
    // Opens the place anew.
    BackendProbe(accp_store_opener open, const std::string &place, uint32_t flags = 0);
    ~BackendProbe() { close(); }
    BackendProbe(const BackendProbe &) = delete;
    BackendProbe &operator=(const BackendProbe &) = delete;
    void close();
    // For a store over it, whose it then is.
    void *release();
    const accp_store_backend &table() const { return *table_; }

    void write(std::vector<ProbeWrite> &writes);
    // One that must succeed; returns its number.
    uint64_t wrote(ProbeWrite write);
    accp_status refused(ProbeWrite write);
    ProbeAnswer head(const std::string &session);
    ProbeAnswer records(const std::string &session, uint64_t first, uint64_t last,
                        bool newest_first = false, size_t max = SIZE_MAX);
    ProbeAnswer value(const std::string &session, const std::string &key);
    ProbeAnswer keys(const std::string &session, const std::string &prefix, size_t max = SIZE_MAX);
    ProbeAnswer sessions(uint64_t after, size_t max = SIZE_MAX);
    accp_status erase(const std::string &session);

private:
    const accp_store_backend *table_ = nullptr;
    void *user_ = nullptr;
};

}  // namespace cli
