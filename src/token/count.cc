// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See count.h. The hot loop: a window of ASCII gives the starts of pieces as bits; pieces of one
// byte and numbers are counted all at once, the others are looked up in the cache, and only what is
// not there is merged. What is no ASCII goes one piece at a time.
#include "token/count.h"

#include <algorithm>

#include "base/limits.h"
#include "base/utf8.h"
#include "token/estimate.h"

namespace accp::token {

namespace {

struct CountSink {
    TokenCounter &counter;
    uint64_t max, total;

    bool window(const char *text, const char *end, const Window &window) {
        total += counter.count_window(text, end, window);
        return total <= max;
    }
    bool piece(const char *piece, size_t len) {
        // So much longer than any token that it has more than `max`: nothing need be merged to
        // know that.
        uint64_t min = len / counter.tokenizer().longest();
        total += min > max - total ? min : counter.count_piece(piece, len);
        return total <= max;
    }
};

// The token that the piece is although no merge makes it, or NULL.
const SpecialToken *whole_token(const Tokenizer &tokenizer, std::string_view piece) {
    const SpecialToken *end = tokenizer.whole + tokenizer.whole_count;
    auto before = [](const SpecialToken &token, std::string_view text) {
        return token.text < text;
    };
    const SpecialToken *found = std::lower_bound(tokenizer.whole, end, piece, before);
    return found != end && found->text == piece ? found : nullptr;
}

}  // namespace

struct EncodeSink {
    TokenCounter &counter;
    Buffer<uint32_t> &ids;

    bool window(const char *text, const char *, const Window &window) {
        for (uint64_t rest = window.starts; rest;) {
            auto at = static_cast<uint32_t>(__builtin_ctzll(rest));
            rest &= rest - 1;
            piece(text + at,
                  (rest ? static_cast<uint32_t>(__builtin_ctzll(rest)) : window.length) - at);
        }
        return true;
    }
    bool piece(const char *piece, size_t len) {
        counter.encode_piece({piece, len}, ids);
        return true;
    }
};

// Invalid bytes are U+FFFD, one for each maximal part of a sequence that was begun (the way of
// TextDecoder, and of Python's "replace").
std::string_view TokenCounter::repair(std::string_view text) {
    if (valid_utf8_prefix(text.data(), text.size()) == text.size()) return text;
    repaired_.clear();
    while (!text.empty()) {
        size_t valid = valid_utf8_prefix(text.data(), text.size());
        repaired_.append(text.data(), valid);
        text.remove_prefix(valid);
        if (text.empty()) break;
        repaired_.append("\xEF\xBF\xBD", 3);
        text.remove_prefix(broken_utf8_size(text.data(), text.size()));
    }
    return {repaired_.data(), repaired_.size()};
}

// The longest special token that `text` begins with, or NULL.
const SpecialToken *TokenCounter::special_at(std::string_view text) const {
    const SpecialToken *found = nullptr;
    for (uint32_t i = 0; i < tokenizer_->special_count; ++i) {
        const SpecialToken &special = tokenizer_->specials[i];
        bool here = text.substr(0, special.text.size()) == special.text;
        if (here && (!found || special.text.size() > found->text.size())) found = &special;
    }
    return found;
}

// Calls plain() for the texts between special tokens and special() for each of these, until one of
// them answers false.
template <class Plain, class Special>
void TokenCounter::split_specials(std::string_view text, Plain plain, Special special) const {
    bool begins[256] = {};
    for (uint32_t i = 0; special_ && i < tokenizer_->special_count; ++i)
        begins[static_cast<unsigned char>(tokenizer_->specials[i].text[0])] = true;
    size_t from = 0;
    for (size_t at = 0; special_ && at < text.size();) {
        const SpecialToken *found =
            begins[static_cast<unsigned char>(text[at])] ? special_at(text.substr(at)) : nullptr;
        if (!found) {
            ++at;
            continue;
        }
        if (!plain(text.substr(from, at - from)) || !special(*found)) return;
        from = at += found->text.size();
    }
    plain(text.substr(from));
}

Status TokenCounter::count(std::string_view text, uint64_t max, uint64_t &out) {
    if (tokenizer_->kind == TokenizerKind::kHost) {
        int64_t answer = tokenizer_->count(text.data(), text.size(), tokenizer_->user);
        if (answer < 0) return fail(ACCP_ERR_IO, 0, "the host's tokenizer answered with an error");
        out = static_cast<uint64_t>(answer);
        return {};
    }
    CountSink sink = {*this, max, 0};
    auto plain = [&](std::string_view part) {
        walk(part, sink);
        return sink.total <= max;
    };
    split_specials(text, plain, [&](const SpecialToken &) { return ++sink.total <= max; });
    out = sink.total;
    return {};
}

void TokenCounter::encode(std::string_view text, Buffer<uint32_t> &ids) {
    EncodeSink sink = {*this, ids};
    auto plain = [&](std::string_view part) {
        walk(part, sink);
        return true;
    };
    split_specials(text, plain, [&](const SpecialToken &special) {
        ids.push(special.id);
        return true;
    });
}

void TokenCounter::encode_piece(std::string_view piece, Buffer<uint32_t> &ids) {
    if (const SpecialToken *whole = whole_token(*tokenizer_, piece)) return ids.push(whole->id);
    size_t count = merger_.merge(tokenizer_->vocabulary, piece.data(), piece.size());
    if (!tokenizer_->ids) return ids.append(merger_.tokens(), count);
    uint32_t *to = ids.reserve(count);
    for (size_t i = 0; i < count; ++i) to[i] = tokenizer_->ids[merger_.tokens()[i]];
    ids.advance(count);
}

uint32_t Tokenizer::number_of(uint32_t id) const {
    if (!ids) return id;
    const uint32_t *end = by_id + vocabulary.size();
    auto before = [&](uint32_t number, uint32_t wanted) { return ids[number] < wanted; };
    const uint32_t *found = std::lower_bound(by_id, end, id, before);
    return found != end && ids[*found] == id ? *found : kNoToken;
}

bool TokenCounter::decode(uint32_t id, Buffer<char> &out) const {
    uint32_t number = tokenizer_->number_of(id);
    if (number < tokenizer_->vocabulary.size()) {
        tokenizer_->vocabulary.append(number, out);
        return true;
    }
    auto append = [&](const SpecialToken *tokens, uint32_t count) {
        for (uint32_t i = 0; i < count; ++i) {
            if (tokens[i].id != id) continue;
            out.append(tokens[i].text);
            return true;
        }
        return false;
    };
    return append(tokenizer_->specials, tokenizer_->special_count) ||
           append(tokenizer_->whole, tokenizer_->whole_count);
}

uint64_t TokenCounter::count_window(const char *text, const char *end, const Window &window) {
    // the last byte of each piece
    uint64_t ends = window.starts >> 1 | uint64_t{1} << (window.length - 1);
    uint64_t single = window.starts & ends;
    if (tokenizer_->numbers_are_tokens) single |= window.numbers;
    auto total = static_cast<uint64_t>(__builtin_popcountll(single));
    bool padded = end - text >= 64 + 16;
    for (uint64_t rest = window.starts & ~single; rest; rest &= rest - 1) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(rest));
        auto len = static_cast<size_t>(__builtin_ctzll(ends >> at)) + 1;
        total += count_piece(text + at, len, padded || end - (text + at) >= 16);
    }
    return total;
}

uint64_t TokenCounter::count_piece(const char *piece, size_t len, bool padded) {
    if (len > PieceCache::kLongest) return measure(piece, len);
    PieceCache::Entry key =
        padded ? PieceCache::key_padded(piece, len) : PieceCache::key(piece, len);
    if (uint32_t known = cache_.find(key)) return known;
    size_t count = measure(piece, len);
    cache_.add(key, static_cast<uint32_t>(count));
    return count;
}

size_t TokenCounter::measure(const char *piece, size_t len) {
    if (whole_token(*tokenizer_, {piece, len})) return 1;
    return tokenizer_->kind == TokenizerKind::kEstimate
               ? estimate_piece(piece, len)
               : merger_.merge(tokenizer_->vocabulary, piece, len);
}

void TokenCounter::recycle() {
    merger_.recycle();
    repaired_.recycle(kKeptBytes);
}

}  // namespace accp::token
