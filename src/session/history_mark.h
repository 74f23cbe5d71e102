// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The number of messages in a session up to a record, and the chain of their hashes: history.h.
#pragma once

#include "base/memory.h"
#include "base/sha256.h"

namespace accp::session {

struct HistoryMark {
    uint64_t count = 0, record = 0;
    Digest chain = {};  // of these messages; unused if count is 0
    bool is_loaded = false;

    std::string_view view() const { return count ? chain.view() : std::string_view(); }
};

// Write the stored form, and read it. read_mark() returns false for other bytes.
void write_mark(const HistoryMark &mark, Buffer<char> &out);
bool read_mark(std::string_view bytes, HistoryMark &out);

}  // namespace accp::session
