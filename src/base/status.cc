// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The table of interned messages. A row is claimed by one thread and written once. Two threads that
// intern the same text at the same time may use two rows for it.
#include "base/status.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "base/random.h"

namespace accp {

namespace {

constexpr size_t kInternedRows = 512, kMaxProbes = 16, kMaxInternedBytes = 160;

enum State : uint8_t { kFree, kClaimed, kWritten };

struct InternedRow {
    std::atomic<uint8_t> state;
    char text[kMaxInternedBytes];
};
constinit InternedRow interned_rows[kInternedRows] = {};

size_t first_row_of(std::string_view text) {
    return static_cast<size_t>(seeded_hash(text.data(), text.size(), 0) % kInternedRows);
}

// Printable ASCII only: a name from outside must not change the layout of a log.
bool is_printable_line(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

// Writes the text into a free row. Returns false if another thread claimed the row first.
bool claim(InternedRow &row, std::string_view text) {
    uint8_t state = kFree;
    if (!row.state.compare_exchange_strong(state, kClaimed)) return false;
    std::memcpy(row.text, text.data(), text.size());
    row.state.store(kWritten, std::memory_order_release);
    return true;
}

}  // namespace

const char *interned_text(std::initializer_list<std::string_view> pieces, const char *fallback) {
    char made[kMaxInternedBytes];
    size_t len = 0;
    for (std::string_view piece : pieces) {
        if (piece.size() >= kMaxInternedBytes - len) return fallback;
        std::memcpy(made + len, piece.data(), piece.size());
        len += piece.size();
    }
    const std::string_view text(made, len);
    if (!is_printable_line(text)) return fallback;
    for (size_t i = 0, at = first_row_of(text); i < kMaxProbes; ++i, ++at) {
        InternedRow &row = interned_rows[at % kInternedRows];
        const uint8_t state = row.state.load(std::memory_order_acquire);
        if (state == kWritten && row.text == text) return row.text;
        if (state == kFree && claim(row, text)) return row.text;
    }
    return fallback;
}

}  // namespace accp
