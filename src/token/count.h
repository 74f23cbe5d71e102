// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From a text to the number of its tokens, or to their ids. One context, one thread; the cache
// lives here.
#pragma once

#include "base/status.h"
#include "token/pieces.h"

namespace accp::token {

class TokenCounter {
public:
    explicit TokenCounter(Memory &memory) : pieces_(memory), repaired_(memory) {}

    // Before anything else, and once. The tokenizer is borrowed.
    void open(const Tokenizer &tokenizer, uint32_t cache_entries) {
        pieces_.open(tokenizer, cache_entries);
    }
    const Tokenizer &tokenizer() const { return pieces_.tokenizer(); }
    // 1: special tokens in a text are themselves.
    void set_special(bool on) { special_ = on; }

    // Has a text as many tokens as its pieces, whatever stands beside them? Not where a host
    // counts, or special tokens are looked for.
    bool adds_up() const { return tokenizer().kind != TokenizerKind::kHost && !special_; }
    // Does a piece end with the newline that blanks follow?
    bool newline_ends_piece() const {
        static constexpr char kText[] = "\n  a";
        return adds_up() && tokenizer().pattern->piece(kText, kText + 4,
                                                       tokenizer().pattern->rules) == kText + 1;
    }

    // The number of tokens into `out`. Where it is more than `max`, some number above `max`, and
    // what is left of the text is not looked at.
    Status count(std::string_view text, uint64_t max, uint64_t &out);
    // Appends the ids.
    void encode(std::string_view text, Buffer<uint32_t> &ids);
    // Appends the bytes of a token; false for an unknown id.
    bool decode(uint32_t id, Buffer<char> &out) const;

    // Walks the pieces of a text without special tokens, valid UTF-8 or not. The sink has
    // window(text, end, window) and piece(text, len, end), and answers whether to go on.
    template <class Sink>
    void walk(std::string_view text, Sink &sink);

    // For the sinks of walk().
    Pieces &pieces() { return pieces_; }

    // Gives back what one very long text took.
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

template <class Sink>
void TokenCounter::walk(std::string_view text, Sink &sink) {
    const Pattern &pattern = *tokenizer().pattern;
    const char *at = text.data(), *end = at + text.size();
    bool repaired = false;
    while (at < end) {
        // needs two bytes of ASCII, or one at the end: a shorter window finds nothing
        auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
        const bool ascii = is_ascii(*at) && (end - at < 2 || is_ascii(at[1]));
        Window window = ascii ? pattern.window(at, end, pattern.rules) : Window{};
        if (window.length) {
            if (!sink.window(at, end, window)) return;
            at += window.length;
            continue;
        }
        if (!repaired) {  // only what is no ASCII, or very long, comes here
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

// Counts a text while it grows. Pieces far enough from the end can never change again: they are
// counted once and forgotten. What is kept is the text from the last such place on, as valid UTF-8,
// and the first bytes of a character that is not whole yet.

class GrowingCount {
public:
    GrowingCount(Memory &memory, TokenCounter &counter) : counter_(counter), tail_(memory) {}

    void append(std::string_view text);
    Status total(uint64_t &out);
    void reset();

private:
    // so much unsettled text is worth a walk even if nobody asks
    static constexpr size_t kSettleBytes = 64 << 10;

    uint64_t settle();

    TokenCounter &counter_;
    Buffer<char> tail_;
    uint64_t settled_ = 0;  // tokens of what is not in tail_ any more
    size_t due_ = kSettleBytes;
    char open_[4];  // a character that was begun, open_size_ bytes of it
    size_t open_size_ = 0;
};

}  // namespace accp::token
