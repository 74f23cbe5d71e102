// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See growing.h. What more text can change: no pattern reaches back over more than three pieces
// (white space whose newline or follower comes late; "don" "'" and then "t"; letters whose case
// turns the split; each with a broken character after it that becomes whole). Four are left open.
#include "token/growing.h"

#include <algorithm>

#include "base/limits.h"
#include "base/utf8.h"

namespace accp::token {

namespace {

constexpr size_t kOpenPieces = 4;
constexpr char kReplacement[] = "\xEF\xBF\xBD";

// Counts, and remembers where the last few steps began; a step is at least one piece.
struct SettleSink {
    Pieces &pieces;
    uint64_t total = 0;
    size_t steps = 0;
    struct {
        const char *at;
        uint64_t before;
    } last[kOpenPieces] = {};

    bool window(const char *text, const char *end, const Window &window) {
        remember(text);
        total += pieces.count(text, end, window);
        return true;
    }
    bool piece(const char *piece, size_t len, const char *end) {
        remember(piece);
        total += pieces.count(piece, len, end);
        return true;
    }
    void remember(const char *at) { last[steps++ % kOpenPieces] = {at, total}; }
};

// How many bytes at the end of `text` may be the beginning of a character.
size_t open_bytes(std::string_view text) {
    for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        auto lead = static_cast<unsigned char>(text[text.size() - back]);
        if (lead < 0x80) return 0;
        if (lead < 0xC0) continue;
        size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        bool open = lead >= 0xC2 && lead < 0xF5 && size > back &&
                    broken_utf8_size(text.data() + text.size() - back, back) == back;
        return open ? back : 0;
    }
    return 0;
}

}  // namespace

void GrowingCount::append(std::string_view text) {
    // Everything that may fail comes first. Each broken byte may become three.
    if (tail_.size() >= due_ && counter_.tokenizer().kind != TokenizerKind::kHost) settle();
    char *to = tail_.reserve(3 * (text.size() + open_size_) + sizeof kReplacement);
    auto take = [&](const char *from, size_t len) {
        std::memcpy(to, from, len);
        to += len;
    };
    if (open_size_) {  // completes the character that is open, or finds that it never will be
        char begun[4];
        size_t more = std::min(sizeof begun - open_size_, text.size());
        std::memcpy(begun, open_, open_size_);
        if (more) std::memcpy(begun + open_size_, text.data(), more);
        std::string_view joined(begun, open_size_ + more);
        if (open_bytes(joined) == joined.size()) {
            std::memcpy(open_, begun, open_size_ = joined.size());
            return;
        }
        auto lead = static_cast<unsigned char>(begun[0]);
        bool valid = valid_utf8_prefix(joined.data(), joined.size()) > 0;
        size_t used = !valid        ? broken_utf8_size(joined.data(), joined.size())
                      : lead < 0xE0 ? 2
                      : lead < 0xF0 ? 3
                                    : 4;
        if (valid) take(joined.data(), used);
        else take(kReplacement, 3);
        text.remove_prefix(used - open_size_);
        open_size_ = 0;
    }
    size_t open = open_bytes(text);
    std::string_view whole = text.substr(0, text.size() - open);
    while (!whole.empty()) {
        size_t valid = valid_utf8_prefix(whole.data(), whole.size());
        take(whole.data(), valid);
        whole.remove_prefix(valid);
        if (whole.empty()) break;
        take(kReplacement, 3);
        whole.remove_prefix(broken_utf8_size(whole.data(), whole.size()));
    }
    if (open) std::memcpy(open_, text.data() + text.size() - open, open);
    open_size_ = open;
    tail_.set_end(to);
}

// Counts the tail, and lets go of what cannot change any more.
uint64_t GrowingCount::settle() {
    size_t size = tail_.size();
    std::memcpy(tail_.reserve(sizeof kReplacement), kReplacement, 3);
    SettleSink sink = {counter_.pieces()};
    counter_.walk({tail_.data(), size + (open_size_ ? 3 : 0)}, sink);
    uint64_t all = settled_ + sink.total;
    if (sink.steps > kOpenPieces) {
        const auto &from = sink.last[sink.steps % kOpenPieces];
        auto done = static_cast<size_t>(from.at - tail_.data());
        std::memmove(tail_.data(), from.at, size - done);
        tail_.resize_down(size - done);
        settled_ += from.before;
    }
    due_ = std::max(kSettleBytes, 2 * tail_.size());
    return all;
}

Status GrowingCount::total(uint64_t &out) {
    if (counter_.tokenizer().kind == TokenizerKind::kHost) {
        std::memcpy(tail_.reserve(sizeof kReplacement), kReplacement, 3);
        return counter_.count({tail_.data(), tail_.size() + (open_size_ ? 3 : 0)}, UINT64_MAX, out);
    }
    out = settle();
    return {};
}

void GrowingCount::reset() {
    tail_.recycle(kKeptBytes);
    settled_ = 0;
    due_ = kSettleBytes;
    open_size_ = 0;
}

}  // namespace accp::token
