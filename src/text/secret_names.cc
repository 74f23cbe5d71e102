// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/secret_names.h"

#include <algorithm>

#include "text/looks.h"
#include "text/secret_bytes.h"
#include "text/secrets.h"

namespace accp::text {

namespace {

// Longer names come first.
constexpr SecretName kNames[] = {
    {"passphrase", "password", NameKind::kPassword, false},
    {"password", "password", NameKind::kPassword, false},
    {"passwd", "password", NameKind::kPassword, false},
    {"pwd", "password", NameKind::kPassword, true},
    {"pass", "password", NameKind::kPassword, true},
    {"credentials", "credential", NameKind::kStrong, false},
    {"credential", "credential", NameKind::kStrong, false},
    {"authorization", "authorization", NameKind::kStrong, true},
    {"bearer", "token", NameKind::kBearer, true},
    {"secret", "secret", NameKind::kStrong, false},
    {"token", "token", NameKind::kStrong, false},
    {"auth", "token", NameKind::kStrong, true},
    {"api_key", "key", NameKind::kStrong, false},
    {"apikey", "key", NameKind::kStrong, false},
    {"access_key", "key", NameKind::kStrong, false},
    {"accesskey", "key", NameKind::kStrong, false},
    {"private_key", "key", NameKind::kStrong, false},
    {"privatekey", "key", NameKind::kStrong, false},
    {"secret_key", "key", NameKind::kStrong, false},
    {"secretkey", "key", NameKind::kStrong, false},
    {"account_key", "key", NameKind::kStrong, false},
    {"accountkey", "key", NameKind::kStrong, false},
    {"signing_key", "key", NameKind::kStrong, false},
    {"encryption_key", "key", NameKind::kStrong, false},
    {"master_key", "key", NameKind::kStrong, false},
    {"auth_key", "key", NameKind::kStrong, false},
    {"authkey", "key", NameKind::kStrong, false},
    {"license_key", "key", NameKind::kStrong, false},
    {"subscription_key", "key", NameKind::kStrong, false},
    {"key", "key", NameKind::kWeak, true},
    {"signature", "signature", NameKind::kStrong, true},
    {"sig", "signature", NameKind::kStrong, true},
    {"sas", "signature", NameKind::kStrong, true},
};

// Names of things that are not secrets, by the part before the last one.
constexpr std::string_view kHarmless[] = {
    "public",       "cache",   "primary", "foreign", "sort", "partition",
    "idempotency",  "row",     "object",  "sort",    "hash", "unique",
    "publishable",  "site",    "map",     "page",    "next", "cursor",
    "continuation", "storage", "dedupe",  "trial",
};

// The last two letters of the names, as bits: letter pairs a to z.
struct NameEnds {
    uint32_t of[26] = {};
    constexpr NameEnds() {
        for (const SecretName &each : kNames) {
            const size_t n = each.name.size();
            of[each.name[n - 2] - 'a'] |= uint32_t{1} << (each.name[n - 1] - 'a');
        }
    }
    bool has(char a, char b) const {
        if (!is_alpha(static_cast<unsigned char>(a)) || !is_alpha(static_cast<unsigned char>(b)))
            return false;
        return of[(a | 0x20) - 'a'] >> ((b | 0x20) - 'a') & 1;
    }
};
constexpr NameEnds kNameEnds;

bool is_upper_letter(char c) { return c >= 'A' && c <= 'Z'; }

// Compares in any case; `-` counts as `_`, and `_` matches the beginning of a part in camelCase.
// Returns the first byte of the name in the word, or npos.
size_t match_name(std::string_view word, std::string_view name) {
    size_t at = word.size();
    for (size_t i = name.size(); i--;) {
        if (name[i] == '_') {
            if (at && (word[at - 1] == '_' || word[at - 1] == '-')) --at;
            else if (at == word.size() || !is_upper_letter(word[at])) return word.npos;
            continue;
        }
        if (!at || to_lower(word[at - 1]) != name[i]) return word.npos;
        --at;
    }
    return at;
}

// Returns whether a part of a name begins here: first_part, first-part, firstPart.
bool begins_part(std::string_view word, size_t at) {
    if (!at) return true;
    const char before = word[at - 1];
    if (before == '_' || before == '-' || is_digit(static_cast<unsigned char>(before))) return true;
    return is_upper_letter(word[at]) && !is_upper_letter(before);
}

bool is_harmless(std::string_view before) {
    while (!before.empty() && (before.back() == '_' || before.back() == '-'))
        before.remove_suffix(1);
    for (std::string_view each : kHarmless) {
        const size_t at = match_name(before, each);
        if (at != before.npos && begins_part(before, at)) return true;
    }
    return false;
}

constexpr size_t kMaxBlanks = 8, kMaxType = 24;

// Reads the syntax between a name and its value. Positions are bytes of the text.
class ValueFinder {
public:
    ValueFinder(std::string_view text, size_t at) : text_(text), at_(at) {}

    // Sets the bytes of the value. `is_option`: the name begins with `--`; `is_tag`: with `<`.
    bool find(bool is_option, bool is_tag, bool is_bearer, size_t &begin, size_t &end) {
        if (!skip_separator(is_option, is_tag, is_bearer)) return false;
        if (read_value(begin, end)) return true;
        // a type, as in `password: str = "…"`
        if (end <= begin || end - begin > kMaxType || is_bearer) return false;
        for (size_t i = begin; i < end; ++i)
            if (!is_alpha(static_cast<unsigned char>(text_[i])) && text_[i] != '.') return false;
        at_ = end;
        skip_blanks();
        if (peek() != '=' || peek(1) == '=') return false;
        ++at_;
        skip_blanks();
        return read_value(begin, end);
    }

private:
    char peek(size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    static bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
    bool has(std::string_view part) const { return text_.substr(at_, part.size()) == part; }

    size_t skip_blanks() {
        size_t count = 0;
        while (count < kMaxBlanks && (peek() == ' ' || peek() == '\t')) ++at_, ++count;
        return count;
    }

    bool skip_separator(bool is_option, bool is_tag, bool is_bearer) {
        const size_t name_end = at_;
        while (at_ - name_end < 4 && (peek() == '\\' || is_quote(peek()) || peek() == ']')) ++at_;
        const bool is_quoted = at_ > name_end;
        if (is_tag && peek() == '>') return ++at_, true;
        const bool is_apart = skip_blanks() > 0;
        if (has("%3D") || has("%3A")) at_ += 3;
        else if (has("=>") || has(":=") || has("==")) at_ += 2;
        else if (peek() == ':' || peek() == '=') ++at_;
        else if (is_quoted && peek() == ',') return ++at_, skip_blanks(), opens_quote();
        else if (is_apart && has("is ")) at_ += 3;
        else return is_apart && (is_option || is_bearer || is_quote(peek()));
        skip_blanks();
        return true;
    }
    bool opens_quote() const { return is_quote(peek()) || (peek() == '\\' && is_quote(peek(1))); }

    void skip_scheme() {
        for (std::string_view scheme :
             {"Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token ", "ApiKey ", "Bearer%20",
              "Bearer+", "SSWS ", "Key "})
            if (has(scheme)) {
                at_ += scheme.size();
                return;
            }
    }

    bool read_value(size_t &begin, size_t &end) {
        skip_scheme();
        const char prefix = peek();  // of a string literal: b"…", r'…'
        if ((prefix == 'b' || prefix == 'r' || prefix == 'f' || prefix == '@') && is_quote(peek(1)))
            ++at_;
        if (opens_quote()) return read_quoted(begin, end);
        begin = end = at_;
        const size_t last = std::min(text_.size(), at_ + kMaxValue);
        while (end < last && kBytes.has(text_[end], kValueByte)) ++end;
        while (end > begin && end < last && text_[end] == '=') ++end;  // of base64
        if (end == last && last < text_.size()) return end = begin, false;
        const char next = end < text_.size() ? text_[end] : '\0';
        const bool is_expression = next == '(' || next == '[' || next == '{';
        while (end > begin && (text_[end - 1] == '.' || text_[end - 1] == ':' ||
                               text_[end - 1] == '?' || text_[end - 1] == '!'))
            --end;
        if (is_expression || end == begin || text_[begin] == '$') return false;
        // code: a name, perhaps of a member
        bool has_digit = false;
        for (size_t i = begin; i < end; ++i)
            has_digit |= is_digit(static_cast<unsigned char>(text_[i]));
        return has_digit;
    }

    // Reads to the quote that closes the value, on the same line.
    bool read_quoted(size_t &begin, size_t &end) {
        const bool is_escaped = peek() == '\\';
        at_ += is_escaped;
        const char quote = peek();
        ++at_;
        skip_scheme();
        begin = end = at_;
        const size_t last = std::min(text_.size(), at_ + kMaxValue);
        for (size_t i = begin; i < last; ++i) {
            const auto c = static_cast<unsigned char>(text_[i]);
            if (c <= ' ' || c == 0x7F) return false;
            if (c == '[' && text_.substr(i, kRedactedMark.size()) == kRedactedMark) return false;
            if (is_escaped ? c == '\\' : text_[i] == quote) return end = i, i > begin;
            if (is_quote(text_[i]) || c == '\\') return false;
        }
        return false;
    }

    std::string_view text_;
    size_t at_;
};

bool is_password_random(const Looks &looks) {
    if (looks.size < 8) return false;
    if (looks.classes() >= 3 && (looks.marks || looks.words < -15)) return true;
    return looks.letters() && looks.words < (looks.digits ? -20 : -50);
}

}  // namespace

const SecretName *find_name(std::string_view word) {
    if (word.size() < 3 || !kNameEnds.has(word[word.size() - 2], word.back())) return nullptr;
    for (const SecretName &each : kNames) {
        const size_t at = match_name(word, each.name);
        if (at == word.npos) continue;
        if (each.is_part && !begins_part(word, at)) continue;
        return is_harmless(word.substr(0, at)) ? nullptr : &each;
    }
    return nullptr;
}

bool may_end_name(char a, char b) { return kNameEnds.has(a, b); }

bool find_value(std::string_view text, size_t at, const SecretName &name, bool is_option,
                bool is_tag, size_t &begin, size_t &end) {
    return ValueFinder(text, at).find(is_option, is_tag, name.strength == NameKind::kBearer, begin,
                                      end);
}

bool is_value_random(std::string_view value, const SecretName &name) {
    const Looks looks = look_at(value);
    if (is_uuid(value) || is_placeholder(value, looks)) return false;
    if (name.strength == NameKind::kPassword) return is_password_random(looks);
    if (looks.size < 16 || !looks.letters()) return false;
    if (name.strength == NameKind::kWeak)
        return looks.size >= 24 && looks.words < (looks.digits ? -60 : -100) && !is_digest(looks) &&
               value.find_first_of("/.:") == value.npos;
    if (looks.is_hex && looks.size >= 32 && looks.digits) return true;
    return looks.words < (looks.digits ? -35 : -80);
}

}  // namespace accp::text
