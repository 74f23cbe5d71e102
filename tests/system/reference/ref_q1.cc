// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Extension q1, in the order of its text.
#include "reference/ref_q1.h"

#include <cstdio>
#include <vector>

#include "reference/ref_json.h"
#include "reference/ref_print.h"
#include "reference/ref_utf8.h"

namespace accp_ref {
namespace {

const char *const kCodes[][2] = {{"d", "data"},
                                 {"f", "findings"},
                                 {"nx", "next_action"},
                                 {"src", "source"},
                                 {"dst", "destination"},
                                 {"q", "query"},
                                 {"fmt", "format"},
                                 {"pri", "priority"},
                                 {"err", "error"},
                                 {"v", "version"},
                                 {"ts", "timestamp"},
                                 {"ttl", "time_to_live"},
                                 {"ctx", "context_reference"},
                                 {"who", "target"},
                                 {"when", "temporal_constraint"},
                                 {"why", "rationale_code"}};

bool is_hex(char32_t c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); }
bool is_alnum(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string format(const char *pattern, unsigned value) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, pattern, value);
    return buffer;
}

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// true, false, -?[0-9]+(\.[0-9]+)?
bool looks_like_a_literal(std::string_view text) {
    if (text == "true" || text == "false") return true;
    if (text.substr(0, 1) == "-") text.remove_prefix(1);
    const size_t point = text.find('.');
    if (point == std::string_view::npos) return all_digits(text);
    return all_digits(text.substr(0, point)) && all_digits(text.substr(point + 1));
}

// ^=-?[0-9]
bool looks_like_a_number_after_equals(std::string_view text) {
    return all_digits(text.substr(0, 2) == "=-"  ? text.substr(2, 1)
                      : text.substr(0, 1) == "=" ? text.substr(1, 1)
                                                 : "");
}

bool is_quoted(std::string_view text) {
    return text.size() >= 2 && text.front() == '"' && text.back() == '"';
}

bool is_plain(std::string_view text, const std::vector<char32_t> &points, bool raw) {
    if (text.empty() || looks_like_a_literal(text) || looks_like_a_number_after_equals(text) ||
        is_quoted(text))
        return false;
    for (const char32_t point : points) {
        if (!((point >= 0x21 && point <= 0x7E) || (raw && is_raw_code_point(point)))) return false;
    }
    return true;
}

// Returns one code point as written inside quotes, given the next two (0 at the end). Empty: it
// belongs to a %u run.
std::string quoted_point(char32_t point, char32_t next, char32_t after, bool raw) {
    if (point == ' ') return next == ' ' || next == '_' ? "%20" : "_";
    if (point == '_') return "__";
    if (point == '%') return (is_hex(next) && is_hex(after)) || next == 'u' ? "%25" : "%";
    std::string bytes;
    append_code_point(point, bytes);
    if (point >= 0x21 && point <= 0x7E) return escape(bytes);
    if (raw && is_raw_code_point(point)) return bytes;
    return point <= 0xFF ? format("%%%02X", point) : "";
}

std::string write_quoted(const std::vector<char32_t> &points, bool raw) {
    std::string out = "\"";
    bool run = false;
    for (size_t i = 0; i < points.size(); ++i) {
        const char32_t next = i + 1 < points.size() ? points[i + 1] : 0,
                       after = i + 2 < points.size() ? points[i + 2] : 0;
        const std::string written = quoted_point(points[i], next, after, raw);
        if (written.empty() != run) out += run ? ";" : "%u";
        run = written.empty();
        out += run ? format(points[i] > 999999 ? "x%07u" : "%06u", points[i]) : written;
    }
    return out + (run ? ";\"" : "\"");
}

// Reads a run after its "%u" up to its ';'. Returns its number of bytes, or 0 if it is malformed.
size_t read_run(std::string_view text, std::string &out) {
    size_t at = 0;
    while (at < text.size() && text[at] != ';') {
        const bool wide = text[at] == 'x';
        const std::string_view digits = wide ? text.substr(at + 1, 7) : text.substr(at, 6);
        if (digits.size() != (wide ? 7u : 6u) || !all_digits(digits)) return 0;
        const unsigned long point = std::stoul(std::string(digits));
        if ((wide && point <= 999999) || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
            return 0;
        append_code_point(static_cast<char32_t>(point), out);
        at += wide ? 8 : 6;
    }
    return at == 0 || at == text.size() ? 0 : at + 1;
}

char32_t hex_value(std::string_view two) {
    return static_cast<char32_t>(std::stoul(std::string(two), nullptr, 16));
}

// w1: each row has the word and the symbol.
const char *const kSigns[][2] = {
    {"plus ", "+"}, {"minus ", "-"}, {"greater than ", ">"}, {"less than ", "<"}, {"", ""}};
const char *const kPercent[2] = {" percent", "%"};

// (0|[1-9][0-9]*)(\.[0-9]+)?
bool is_amount(std::string_view text) {
    const size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    if (!all_digits(whole) || (whole.size() > 1 && whole[0] == '0')) return false;
    return point == std::string_view::npos || all_digits(text.substr(point + 1));
}

// Converts a quantity from form `from` (0: words, 1: symbols) to the other form. The sign alone is
// enough, except for minus.
std::optional<std::string> other_form(std::string_view text, int from) {
    const std::string_view percent = kPercent[from];
    const bool has_percent =
        text.size() > percent.size() && text.substr(text.size() - percent.size()) == percent;
    if (has_percent) text.remove_suffix(percent.size());
    for (const auto &sign : kSigns) {
        const std::string_view own = sign[from], symbol = sign[1];
        if (text.substr(0, own.size()) != own || !is_amount(text.substr(own.size()))) continue;
        if (!has_percent && (symbol.empty() || symbol == "-")) return std::nullopt;
        return sign[1 - from] + std::string(text.substr(own.size())) +
               (has_percent ? kPercent[1 - from] : "");
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> write_text(std::string_view utf8, bool raw) {
    const auto points = code_points(utf8);
    if (!points) return std::nullopt;
    if (is_plain(utf8, *points, raw)) return escape(utf8);
    return write_quoted(*points, raw);
}

ReadText read_text(std::string_view text) {
    if (text.substr(0, 1) == "=" && is_json_number(text.substr(1)))
        return {ReadText::kNumber, std::string(text.substr(1))};
    if (!is_quoted(text)) return {ReadText::kString, std::string(text)};
    text = text.substr(1, text.size() - 2);
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        if (rest[0] == '_') {
            const bool twice = rest.substr(0, 2) == "__";
            out += twice ? '_' : ' ';
            at += twice ? 2 : 1;
        } else if (rest[0] == '%' && rest.size() >= 3 &&
                   is_hex(static_cast<unsigned char>(rest[1])) &&
                   is_hex(static_cast<unsigned char>(rest[2]))) {
            append_code_point(hex_value(rest.substr(1, 2)), out);
            at += 3;
        } else if (rest.substr(0, 2) == "%u") {
            const size_t length = read_run(rest.substr(2), out);
            if (length == 0) return {ReadText::kMalformed, {}};
            at += 2 + length;
        } else {
            out += text[at++];
        }
    }
    return {ReadText::kString, out};
}

std::optional<std::string> words_to_symbols(const std::string &text) { return other_form(text, 0); }

std::optional<std::string> symbols_to_words(const std::string &text) { return other_form(text, 1); }

std::optional<std::string> write_text_w1(const std::string &utf8, bool raw) {
    if (const auto symbols = words_to_symbols(utf8)) return escape(*symbols);
    if (symbols_to_words(utf8)) return "\"" + escape(utf8) + "\"";
    return write_text(utf8, raw);
}

ReadText read_text_w1(const std::string &text) {
    if (const auto words = symbols_to_words(text)) return {ReadText::kString, *words};
    return read_text(text);
}

std::string write_number(std::string_view literal) {
    std::string text(literal);
    if (text.find_first_of("eE") != std::string::npos) return "=" + text;
    const size_t point = text.find('.');
    if (point == std::string::npos) return text == "-0" ? "=-0" : text;
    while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
    const size_t places = text.size() - point - 1, whole = point - (text[0] == '-' ? 1 : 0);
    return places > 6 || whole > 17 || text == "-0.0" ? "=" + text : text;
}

std::optional<std::string> write_key(std::string_view key, KeyRule rule) {
    if (!code_points(key)) return std::nullopt;
    bool reserved = key.substr(0, 2) == "__" || key.empty();
    for (const char c : key) reserved |= !is_alnum(c) && c != '_';
    if (rule.payload_level) reserved |= key == "schema";
    for (const auto &code : kCodes) {
        if (!rule.payload_level || !rule.abbreviate) break;
        if (key == code[1]) return code[0];
        reserved |= key == code[0];
    }
    if (!reserved) return std::string(key);
    std::string out = "__";
    for (size_t i = 0; i < key.size(); ++i) {
        const bool before_alnum = i + 1 < key.size() && is_alnum(key[i + 1]);
        const bool reads_as_hex = i + 2 < key.size() &&
                                  is_hex(static_cast<unsigned char>(key[i + 1])) &&
                                  is_hex(static_cast<unsigned char>(key[i + 2]));
        if (is_alnum(key[i])) out += key[i];
        else if (key[i] == '-') out += "__";
        else if (key[i] == '_' && before_alnum && !reads_as_hex) out += '_';
        else out += format("_%02X", static_cast<unsigned char>(key[i]));
    }
    return out;
}

std::optional<std::string> read_key(std::string_view key, KeyRule rule) {
    if (key.substr(0, 2) != "__") {
        for (const auto &code : kCodes) {
            if (rule.payload_level && rule.abbreviate && key == code[0]) return code[1];
        }
        return std::string(key);
    }
    key.remove_prefix(2);
    std::string out;
    for (size_t i = 0; i < key.size();) {
        const bool hex = key[i] == '_' && i + 2 < key.size() &&
                         is_hex(static_cast<unsigned char>(key[i + 1])) &&
                         is_hex(static_cast<unsigned char>(key[i + 2]));
        const bool dash = key.substr(i, 2) == "__";
        out += hex ? static_cast<char>(hex_value(key.substr(i + 1, 2))) : dash ? '-' : key[i];
        i += hex ? 3 : dash ? 2 : 1;
    }
    return code_points(out) ? std::optional<std::string>(out) : std::nullopt;
}

}  // namespace accp_ref
