// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A journal in a store (docs/store.md): one session, whose log has the records. A record is written
// before append() returns, so it survives the end of the process; after a power failure the newest
// records may be missing.
#pragma once

#include <string>

#include "proxy/journal.h"
#include "store/store.h"

namespace proxy {

class StoreJournal final : public Journal {
public:
    StoreJournal();
    ~StoreJournal() override;

    // Opens the store "sqlite:PATH" or "memory:", and creates it if it does not exist. Call it
    // once, first. Another process that opens the same store takes the journal over: append() then
    // fails.
    accp::Status open(const std::string &place);

    bool load(const std::function<void(std::string_view)> &use) override;
    bool append(std::string_view record) override;
    bool replace(const std::vector<std::string> &records) override;

private:
    void close_session();

    accp::Memory memory_;
    accp::store::Store store_;
    accp::store::StoreSession *session_ = nullptr;
    uint64_t generation_ = 0;  // the number in the name of the session
};

}  // namespace proxy
