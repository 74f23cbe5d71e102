// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How many messages a session has, up to which record, and what stands for them: history.h.
#pragma once

#include "base/memory.h"
#include "base/sha256.h"

namespace accp::session {

struct HistoryMark {
    uint64_t count = 0, record = 0;
    Digest chain = {};  // of the count; of 0 it is empty
    bool is_loaded = false;

    std::string_view view() const { return count ? chain.view() : std::string_view(); }
};

// The form that is kept; and back: false for what write_mark() did not write.
void write_mark(const HistoryMark &mark, Buffer<char> &out);
bool read_mark(std::string_view bytes, HistoryMark &out);

}  // namespace accp::session
