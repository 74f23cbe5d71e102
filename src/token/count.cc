// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// ASCII text is processed one window of pieces at a time, other text one piece at a time.
#include "token/count.h"

#include <algorithm>

#include "base/limits.h"
#include "base/utf8.h"

namespace accp::token {

namespace {

struct CountSink {
    Pieces &pieces;
    uint64_t max, total;

    bool window(const char *text, const char *end, const Window &window) {
        total += pieces.count(text, end, window);
        return total <= max;
    }
    bool piece(const char *piece, size_t len, const char *end) {
        // A lower bound from the longest token. If it exceeds `max`, the piece need not be merged.
        const uint64_t left = max - total;
        const bool is_above = len > left && len / pieces.tokenizer().longest() > left;
        total += is_above ? left + 1 : pieces.count(piece, len, end);
        return total <= max;
    }
};

struct EncodeSink {
    Pieces &pieces;
    Buffer<uint32_t> &ids;

    bool window(const char *text, const char *end, const Window &window) {
        pieces.encode(text, end, window, ids);
        return true;
    }
    bool piece(const char *piece, size_t len, const char *end) {
        pieces.encode(piece, len, end, ids);
        return true;
    }
};

}  // namespace

// Replaces invalid bytes by U+FFFD, one for each maximal subpart of a sequence (as TextDecoder and
// Python's "replace" do).
std::string_view TokenCounter::repair(std::string_view text) {
    if (is_valid_utf8(text)) return text;
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

// Returns the longest special token at the beginning of `text`, or NULL.
const SpecialToken *TokenCounter::special_at(std::string_view text) const {
    const SpecialToken *found = nullptr;
    for (uint32_t i = 0; i < tokenizer().special_count; ++i) {
        const SpecialToken &special = tokenizer().specials[i];
        bool here = text.substr(0, special.text.size()) == special.text;
        if (here && (!found || special.text.size() > found->text.size())) found = &special;
    }
    return found;
}

// Calls plain() for the texts between special tokens and special() for each special token, until
// one of them returns false.
template <class Plain, class Special>
void TokenCounter::split_specials(std::string_view text, Plain plain, Special special) const {
    bool begins[256] = {};
    for (uint32_t i = 0; special_ && i < tokenizer().special_count; ++i)
        begins[static_cast<unsigned char>(tokenizer().specials[i].text[0])] = true;
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
    if (tokenizer().kind == TokenizerKind::kHost) {
        int64_t answer = tokenizer().count(text.data(), text.size(), tokenizer().user);
        if (answer < 0) return fail(ACCP_ERR_IO, 0, "the host's tokenizer returned an error");
        out = static_cast<uint64_t>(answer);
        return {};
    }
    CountSink sink = {pieces_, max, 0};
    auto plain = [&](std::string_view part) {
        walk(part, sink);
        return sink.total <= max;
    };
    split_specials(text, plain, [&](const SpecialToken &) { return ++sink.total <= max; });
    out = sink.total;
    return {};
}

void TokenCounter::encode(std::string_view text, Buffer<uint32_t> &ids) {
    pieces_.keep_ids();
    EncodeSink sink = {pieces_, ids};
    auto plain = [&](std::string_view part) {
        walk(part, sink);
        return true;
    };
    split_specials(text, plain, [&](const SpecialToken &special) {
        ids.push(special.id);
        return true;
    });
}

bool TokenCounter::decode(uint32_t id, Buffer<char> &out) const {
    uint32_t number = tokenizer().number_of(id);
    if (number < tokenizer().vocabulary.size()) {
        tokenizer().vocabulary.append(number, out);
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
    return append(tokenizer().specials, tokenizer().special_count) ||
           append(tokenizer().whole, tokenizer().whole_count);
}

void TokenCounter::recycle() {
    pieces_.recycle();
    repaired_.recycle(kKeptBytes);
}

// How far new text can change old pieces: no pattern looks back over more than three pieces.
// Examples are white space before a newline or another character, "don" "'" before "t", letters
// whose case changes the split, and each of these with an incomplete character after it. So four
// pieces stay open.

namespace {

constexpr size_t kOpenPieces = 4;
constexpr char kReplacement[] = "\xEF\xBF\xBD";

// Counts tokens, and stores where the last steps began. A step is at least one piece.
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

// Returns how many bytes at the end of `text` may begin an incomplete character.
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

void IncrementalCounter::append(std::string_view text) {
    // First everything that can fail. Each invalid byte may become three bytes.
    if (tail_.size() >= due_ && counter_.tokenizer().kind != TokenizerKind::kHost) settle();
    char *to = tail_.reserve(3 * (text.size() + open_size_) + sizeof kReplacement);
    auto take = [&](const char *from, size_t len) {
        std::memcpy(to, from, len);
        to += len;
    };
    if (open_size_) {  // complete the open character, or replace it
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

// Counts the tail, and discards the part that cannot change any more.
uint64_t IncrementalCounter::settle() {
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

Status IncrementalCounter::total(uint64_t &out) {
    if (counter_.tokenizer().kind == TokenizerKind::kHost) {
        std::memcpy(tail_.reserve(sizeof kReplacement), kReplacement, 3);
        return counter_.count({tail_.data(), tail_.size() + (open_size_ ? 3 : 0)}, UINT64_MAX, out);
    }
    out = settle();
    return {};
}

void IncrementalCounter::reset() {
    tail_.recycle(kKeptBytes);
    settled_ = 0;
    due_ = kSettleBytes;
    open_size_ = 0;
}

}  // namespace accp::token
