// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See lasting.h. A row is written once, by the thread that has claimed it; two threads that come
// with one text at the same time may take two rows for it.
#include "base/status.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "base/random.h"

namespace accp {

namespace {

constexpr size_t kLastingRows = 512, kLastingTries = 16, kLastingBytes = 160;

enum State : uint8_t { kFree, kClaimed, kWritten };

struct LastingRow {
    std::atomic<uint8_t> state;
    char text[kLastingBytes];
};
constinit LastingRow lasting_rows[kLastingRows] = {};

size_t place_of(std::string_view text) {
    return static_cast<size_t>(seeded_hash(text.data(), text.size(), 0) % kLastingRows);
}

// Printable ASCII: a name that came from outside turns no line of a log around.
bool is_line(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

// Writes the text into a free row; false where another thread was faster.
bool claim(LastingRow &row, std::string_view text) {
    uint8_t state = kFree;
    if (!row.state.compare_exchange_strong(state, kClaimed)) return false;
    std::memcpy(row.text, text.data(), text.size());
    row.state.store(kWritten, std::memory_order_release);
    return true;
}

}  // namespace

const char *lasting_text(std::initializer_list<std::string_view> pieces, const char *otherwise) {
    char made[kLastingBytes];
    size_t len = 0;
    for (std::string_view piece : pieces) {
        if (piece.size() >= kLastingBytes - len) return otherwise;
        std::memcpy(made + len, piece.data(), piece.size());
        len += piece.size();
    }
    const std::string_view text(made, len);
    if (!is_line(text)) return otherwise;
    for (size_t i = 0, at = place_of(text); i < kLastingTries; ++i, ++at) {
        LastingRow &row = lasting_rows[at % kLastingRows];
        const uint8_t state = row.state.load(std::memory_order_acquire);
        if (state == kWritten && row.text == text) return row.text;
        if (state == kFree && claim(row, text)) return row.text;
    }
    return otherwise;
}

}  // namespace accp
