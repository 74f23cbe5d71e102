// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/yaml_preprocessor.h"

#include "base/bytes.h"
#include "base/utf8.h"
#include "value/yaml_writer.h"

namespace accp::value {

namespace {

constexpr std::string_view kLineEnds[] = {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
constexpr size_t kPairBytes = 12;  // \ud83d\ude00

// Returns the value of `digits` hexadecimal digits at `at`, or -1.
int64_t read_hex(std::string_view text, size_t at, size_t digits) {
    if (text.size() - at < digits) return -1;
    int64_t number = 0;
    for (size_t i = 0; i < digits; ++i) {
        const int digit = hex_digit(text[at + i]);
        if (digit < 0) return -1;
        number = number << 4 | digit;
    }
    return number;
}

// Returns the code point of the escaped surrogate pair at `at`, or 0.
uint32_t read_pair(std::string_view text, size_t at) {
    if (text.size() - at < kPairBytes || text[at + 1] != 'u' || text[at + 6] != '\\' ||
        text[at + 7] != 'u')
        return 0;
    const int64_t high = read_hex(text, at + 2, 4), low = read_hex(text, at + 8, 4);
    if (high < 0xD800 || high > 0xDBFF || low < 0xDC00 || low > 0xDFFF) return 0;
    return static_cast<uint32_t>(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
}

// Returns whether this backslash begins an escape: the number of backslashes before it is even.
bool begins_escape(std::string_view text, size_t at) {
    size_t before = at;
    while (before && text[before - 1] == '\\') --before;
    return (at - before) % 2 == 0;
}

// Returns the index of the line end at `at`, or -1.
int find_line_end(std::string_view text, size_t at) {
    for (int i = 0; i < 3; ++i)
        if (text.substr(at, kLineEnds[i].size()) == kLineEnds[i]) return i;
    return -1;
}

}  // namespace

Status YamlPreprocessor::prepare(std::string_view text) {
    source_ = text;
    is_changed_ = false;
    pairs_.clear();
    next_pair_ = 0;
    for (size_t at = 0; at < text.size() && !is_changed_; ++at) {
        const char c = text[at];
        is_changed_ = ((c == '\xC2' || c == '\xE2') && find_line_end(text, at) >= 0) ||
                      (c == '\\' && read_pair(text, at));
    }
    if (!is_changed_) return {};
    note_used(text);
    if (!choose())
        return fail(ACCP_E1001, 0, "too many different characters of plane 16 in one YAML text");
    replace(text);
    return {};
}

// Marks code points as used, raw or escaped. A text that only looks like an escape does no harm.
void YamlPreprocessor::note_used(std::string_view text) {
    used_.clear();
    const size_t words = kCount / 64 + 1;
    std::memset(used_.reserve(words), 0, words * sizeof(uint64_t));
    used_.advance(words);
    auto note = [this](uint32_t point) {
        if (point >= kFirst && point < kFirst + kCount)
            used_[(point - kFirst) / 64] |= uint64_t{1} << (point - kFirst) % 64;
    };
    for (size_t at = 0; at < text.size(); ++at) {
        const char *from = text.data() + at;
        if (text[at] == '\xF4') note(read_utf8(from));
        if (text[at] != '\\') continue;
        note(read_pair(text, at));
        if (at + 1 < text.size() && text[at + 1] == 'U')
            note(static_cast<uint32_t>(read_hex(text, at + 2, 8)));
    }
}

bool YamlPreprocessor::choose() {
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < kCount && chosen < kHiddenCount; ++i)
        if (!(used_[i / 64] >> i % 64 & 1)) points_[chosen++] = kFirst + i;
    return chosen == kHiddenCount;
}

void YamlPreprocessor::replace(std::string_view text) {
    text_.clear();
    auto put = [this](Hidden what) { text_.set_end(write_utf8(points_[what], text_.reserve(4))); };
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        const int line_end = c == '\xC2' || c == '\xE2' ? find_line_end(text, at) : -1;
        // In this order, a long run of backslashes is searched only once.
        const uint32_t seen = c == '\\' ? read_pair(text, at) : 0;
        const uint32_t pair = seen && begins_escape(text, at) ? seen : 0;
        if (line_end >= 0) {
            put(static_cast<Hidden>(line_end));
            at += kLineEnds[line_end].size();
        } else if (pair) {
            pairs_.push(static_cast<uint32_t>(at));
            put(kPair), put(kPair);
            write_yaml_escape('U', pair, text_);
            at += kPairBytes;
        } else {
            text_.push(c);
            ++at;
        }
    }
}

void YamlPreprocessor::restore(std::string_view read, bool double_quoted, size_t at,
                               Buffer<char> &out) {
    if (!is_changed_) return out.append(read);
    while (next_pair_ < pairs_.size() && pairs_[next_pair_] < at) ++next_pair_;
    const char *from = read.data(), *const end = from + read.size();
    while (from != end) {
        const char *const begin = from;
        const uint32_t point = *begin == '\xF4' ? read_utf8(from) : 0;
        if (point == 0 ||
            (point != points_[kPair] && point != points_[kNextLine] &&
             point != points_[kLineSeparator] && point != points_[kParagraphSeparator])) {
            if (!point) ++from;
            out.append({begin, static_cast<size_t>(from - begin)});
        } else if (point == points_[kPair]) {
            from += 4;  // the second of the two
            const size_t pair = pairs_[next_pair_++];
            if (double_quoted) continue;  // the code point follows
            out.append(source_.substr(pair, kPairBytes));
            from += 10;  // \U0001F600
        } else {
            for (int i = 0; i < 3; ++i)
                if (point == points_[i]) out.append(kLineEnds[i]);
        }
    }
}

}  // namespace accp::value
