// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counts or encodes the tokens of a text. A counter has a cache and belongs to one thread.
#pragma once

#include <cstring>

#include "base/status.h"
#include "token/pieces.h"

namespace accp::token {

class TokenCounter {
public:
    explicit TokenCounter(Memory &memory) : pieces_(memory), repaired_(memory) {}

    // Call this once, before all other functions. The tokenizer must outlive the counter.
    void open(const Tokenizer &tokenizer, uint32_t cache_entries) {
        pieces_.open(tokenizer, cache_entries);
    }
    const Tokenizer &tokenizer() const { return pieces_.tokenizer(); }
    // Sets whether special tokens in a text are recognised.
    void set_special(bool on) { special_ = on; }

    // Returns whether the count of a text is the sum of the counts of its pieces. It is not if the
    // host counts, or if special tokens are recognised.
    bool adds_up() const { return tokenizer().kind != TokenizerKind::kHost && !special_; }
    // Sets `out` to the number of tokens. If there are more than `max`, stops early and sets `out`
    // to some number above `max`.
    Status count(std::string_view text, uint64_t max, uint64_t &out);
    // Appends the ids.
    void encode(std::string_view text, Buffer<uint32_t> &ids);
    // Appends the bytes of a token. Returns false for an unknown id.
    bool decode(uint32_t id, Buffer<char> &out) const;

    // Walks the pieces of a text without special tokens, which may be invalid UTF-8. The sink has
    // window(text, end, window) and piece(text, len, end), which return false to stop.
    template <class Sink>
    void walk(std::string_view text, Sink &sink);

    // For the sinks of walk().
    Pieces &pieces() { return pieces_; }

    // Frees memory that was allocated for a very long text.
    void recycle();

private:
    template <class Plain, class Special>
    void split_specials(std::string_view text, Plain plain, Special special) const;
    const SpecialToken *special_at(std::string_view text) const;
    std::string_view repair(std::string_view text);

    Pieces pieces_;
    Buffer<char> repaired_;
    bool special_ = false;
};

// Returns whether the next bytes are ASCII: four, or at the end of the text fewer. For less than
// that, one piece at a time costs less than a window.
[[gnu::always_inline]] inline bool begins_ascii(const char *at, const char *end) {
    uint32_t bytes;
    if (__builtin_expect(end - at < 4, 0)) return !((*at | end[-1]) & 0x80);
    std::memcpy(&bytes, at, 4);
    return !(bytes & 0x80808080);
}

template <class Sink>
void TokenCounter::walk(std::string_view text, Sink &sink) {
    const Pattern &pattern = *tokenizer().pattern;
    const char *at = text.data(), *end = at + text.size();
    bool repaired = false;
    while (at < end) {
        // A window needs some ASCII bytes, or all to the end of the text.
        Window window = begins_ascii(at, end) ? pattern.window(at, end, pattern.rules) : Window{};
        if (window.length) {
            if (!sink.window(at, end, window)) return;
            at += window.length;
            continue;
        }
        if (!repaired) {  // only for text that is not ASCII, or very long
            std::string_view rest = repair({at, static_cast<size_t>(end - at)});
            at = rest.data();
            end = at + rest.size();
            repaired = true;
        }
        const char *next = pattern.piece(at, end, pattern.rules);
        if (!sink.piece(at, static_cast<size_t>(next - at), end)) return;
        at = next;
    }
}

// Counts the tokens of a text while it grows. Pieces far enough from the end cannot change any
// more: they are counted once and discarded. The counter keeps the text after them as valid UTF-8,
// and the first bytes of an incomplete character.
class IncrementalCounter {
public:
    IncrementalCounter(Memory &memory, TokenCounter &counter) : counter_(counter), tail_(memory) {}

    void append(std::string_view text);
    Status total(uint64_t &out);
    void reset();

private:
    // With this much unsettled text, append() settles.
    static constexpr size_t kSettleBytes = 64 << 10;

    uint64_t settle();

    TokenCounter &counter_;
    Buffer<char> tail_;
    uint64_t settled_ = 0;  // tokens of the discarded text
    size_t due_ = kSettleBytes;
    char open_[4];  // an incomplete character of open_size_ bytes
    size_t open_size_ = 0;
};

}  // namespace accp::token
