// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The text is read once, word by word; a word is a run of letters, digits, `_` and `-`. A shape is
// tried where a word begins, a value is sought after a word that ends like a name of a secret. The
// look ahead is bounded, so the cost is linear for any text.
#include "text/secrets.h"

#include <algorithm>

#include "text/looks.h"
#include "text/secret_bytes.h"
#include "text/secret_names.h"
#include "text/secret_shapes.h"

namespace accp::text {

namespace {

// Returns the length of an escaped character before a word, of which the word has a part: \n, %3D,
// \u003d.
size_t escape_size(std::string_view text, size_t begin, size_t end) {
    if (!begin) return 0;
    const size_t size = end - begin;
    if (text[begin - 1] == '\\') {
        if (size > 5 && text[begin] == 'u') return 5;
        const char c = text[begin];
        return size > 1 && (c == 'n' || c == 'r' || c == 't') ? 1 : 0;
    }
    if (text[begin - 1] == '%' && size > 2 &&
        hex_digit(static_cast<unsigned char>(text[begin])) >= 0)
        return 2;
    return 0;
}

// Returns whether find_in_word() can find anything. Most words end here.
bool may_matter(std::string_view text, size_t begin, size_t end) {
    if (end - begin >= kLongWord) return true;
    if (end < text.size() && kBytes.has(text[end], kJoinByte)) return true;
    if (text[begin] == '-') return true;
    return end - begin > 2 && may_end_name(text[end - 2], text[end - 1]);
}

// Returns the end of a mark [redacted:KIND] at this byte, or `at` for another text.
size_t skip_mark(std::string_view text, size_t at) {
    if (text.substr(at, kRedactedMark.size()) != kRedactedMark) return at;
    size_t end = at + kRedactedMark.size();
    while (end < text.size() && (kBytes.has(text[end], kLowerAlnum) || text[end] == '-')) ++end;
    return end < text.size() && text[end] == ']' ? end + 1 : at;
}

constexpr std::string_view kNotInUser = "\"'`<>/?[]{}()\\";
constexpr std::string_view kPlainPasswords[] = {"password", "pass", "passwd", "pwd",   "secret",
                                                "token",    "port", "PASS",   "TOKEN", "PASSWORD",
                                                "postgres", "root", "admin",  "test",  "guest"};

}  // namespace

// Looks for a secret that begins with this word, or is the value of the name that it ends with.
bool SecretFinder::find_in_word(size_t begin, size_t end, Secret &out) {
    size_t first = begin + escape_size(text_, begin, end);
    if (text_[first] == '-') {
        if (text_.substr(first, kPemBegin.size()) == kPemBegin) {
            const size_t key_end = find_private_key(text_, first);
            if (key_end) return out = {first, key_end, "private-key"}, true;
        }
        while (first + 1 < end && text_[first] == '-') ++first;
    }
    if (find_shape(text_, first, end, out)) return true;
    if (text_.substr(first, 3) == "bot" && end - first > 8 &&
        find_shape(text_, first + 3, end, out))
        return true;  // in an address of Telegram
    const SecretName *name = find_name(text_.substr(first, end - first));
    if (!name) return false;
    const bool is_option = first > begin + 1, is_tag = begin && text_[begin - 1] == '<';
    size_t value = 0, value_end = 0;
    if (!find_value(text_, end, *name, is_option, is_tag, value, value_end)) return false;
    size_t word_end = value;
    while (word_end < value_end && kBytes.has(text_[word_end], kRunByte)) ++word_end;
    if (find_shape(text_, value, word_end, out) && out.end == value_end) return true;
    if (!is_value_random(text_.substr(value, value_end - value), *name)) return false;
    out = {value, value_end, name->kind};
    return true;
}

// Looks for the password of an address: scheme://user:password@host.
bool SecretFinder::find_in_url(size_t colon, Secret &out) const {
    const size_t first = colon + 3, last = std::min(text_.size(), first + kMaxValue);
    size_t password = 0, at = first;
    for (; at < last && text_[at] != '@'; ++at) {
        const auto c = static_cast<unsigned char>(text_[at]);
        if (c <= ' ' || c >= 0x7F || kNotInUser.find(text_[at]) != kNotInUser.npos) return false;
        if (c == ':' && !password) password = at + 1;
    }
    if (at >= last || !password || at == password) return false;
    const std::string_view user = text_.substr(first, password - 1 - first);
    const std::string_view value = text_.substr(password, at - password);
    size_t word_end = password;
    while (word_end < at && kBytes.has(text_[word_end], kRunByte)) ++word_end;
    if (find_shape(text_, password, word_end, out) && out.end == at) return true;
    const Looks looks = look_at(value);
    if (value == user || value[0] == '$' || value[0] == '%' || is_placeholder(value, looks) ||
        looks.distinct < 3)
        return false;
    for (std::string_view harmless : kPlainPasswords)
        if (value == harmless) return false;
    out = {password, at, "password"};
    return true;
}

bool SecretFinder::next(Secret &out) {
    const size_t size = text_.size();
    if (password_.end) return take_password(out);
    while (at_ < size) {
        const char c = text_[at_];
        if (kBytes.has(c, kRunByte)) {
            const size_t begin = at_;
            do ++at_;
            while (at_ < size && kBytes.has(text_[at_], kRunByte));
            if (may_matter(text_, begin, at_) && find_in_word(begin, at_, out))
                return at_ = out.end, true;
            continue;
        }
        if (c == ':' && text_.substr(at_, 3) == "://") {
            const bool has_password = find_in_url(at_, password_);
            at_ += 3;
            if (has_password) return take_password(out);
            continue;
        }
        at_ = c == '[' ? std::max(skip_mark(text_, at_), at_ + 1) : at_ + 1;
    }
    return false;
}

// Secrets in the user's name come first. It contains no address.
bool SecretFinder::take_password(Secret &out) {
    const size_t user = at_;
    SecretFinder in_user(text_.substr(user, password_.begin - 1 - user));
    if (in_user.next(out)) {
        out.begin += user, out.end += user;
        at_ = out.end;
        return true;
    }
    out = password_;
    password_ = {};
    at_ = out.end;
    return true;
}

bool redact_secrets(std::string_view text, Buffer<char> &out, Buffer<Secret> *places) {
    SecretFinder finder(text);
    size_t copied = 0;
    bool any = false;
    for (Secret found; finder.next(found); any = true) {
        out.append(text.substr(copied, found.begin - copied));
        out.append(kRedactedMark);
        out.append(found.kind);
        out.push(']');
        copied = found.end;
        if (places) places->push(found);
    }
    if (any) out.append(text.substr(copied));
    return any;
}

bool is_secret_name(std::string_view name) { return find_name(name) != nullptr; }

}  // namespace accp::text
