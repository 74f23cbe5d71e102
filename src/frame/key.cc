// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/key.h"

#include <cstring>

#include "base/bytes.h"
#include "base/utf8.h"

namespace accp::frame {

namespace {

struct Abbreviation {
    std::string_view code, name;
};
constexpr Abbreviation kAbbreviations[] = {
#define ACCP_KEY(code, name) {code, name},
#include "frame/keys.def"
#undef ACCP_KEY
};

const Abbreviation *find_code(std::string_view code) {
    for (const Abbreviation &row : kAbbreviations)
        if (row.code == code) return &row;
    return nullptr;
}

const Abbreviation *find_name(std::string_view name) {
    for (const Abbreviation &row : kAbbreviations)
        if (row.name == name) return &row;
    return nullptr;
}

bool is_escaped(std::string_view wire) {
    return wire.size() >= 2 && wire[0] == '_' && wire[1] == '_';
}

unsigned char byte(std::string_view text, size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

char *write_key_byte(unsigned char c, char *to) {
    constexpr char kHex[] = "0123456789ABCDEF";
    *to++ = '_';
    *to++ = kHex[c >> 4];
    *to++ = kHex[c & 15];
    return to;
}

// `_` is not escaped before a letter or digit, unless the result looks like _HH.
bool may_stand(std::string_view key, size_t underscore) {
    unsigned char next = byte(key, underscore + 1);
    if (!is_digit(next) && !is_alpha(next)) return false;
    return !(is_upper_hex(next) && is_upper_hex(byte(key, underscore + 2)));
}

}  // namespace

std::string_view code_of_key(std::string_view key) {
    const Abbreviation *row = find_name(key);
    return row ? row->code : std::string_view();
}

std::string_view key_of_code(std::string_view code) {
    const Abbreviation *row = find_code(code);
    return row ? row->name : std::string_view();
}

bool KeyCoder::is_plain(std::string_view key, bool payload) const {
    if (!is_word_text(key) || (q1_ && is_escaped(key))) return false;
    if (!payload) return true;
    if (q1_ && key == "schema") return false;
    return !abbreviate_ || (!find_code(key) && !find_name(key));
}

char *KeyCoder::write_mapped(std::string_view key, bool payload, char *to) const {
    if (is_plain(key, payload)) {
        std::memcpy(to, key.data(), key.size());
        return to + key.size();
    }
    const Abbreviation *short_form = payload && abbreviate_ ? find_name(key) : nullptr;
    if (short_form) {
        std::memcpy(to, short_form->code.data(), short_form->code.size());
        return to + short_form->code.size();
    }
    return q1_ ? write_escaped(key, to) : nullptr;
}

char *KeyCoder::write_escaped(std::string_view key, char *to) {
    *to++ = '_';
    *to++ = '_';
    for (size_t i = 0; i < key.size(); ++i) {
        unsigned char c = byte(key, i);
        if (is_digit(c) || is_alpha(c)) {
            *to++ = static_cast<char>(c);
        } else if (c == '-') {
            *to++ = '_';
            *to++ = '_';
        } else if (c == '_' && may_stand(key, i)) {
            *to++ = '_';
        } else {
            to = write_key_byte(c, to);
        }
    }
    return to;
}

bool KeyCoder::is_mapped(std::string_view wire, bool payload) const {
    return (q1_ && is_escaped(wire)) || (payload && abbreviate_ && find_code(wire));
}

char *KeyCoder::read(std::string_view wire, bool payload, char *to) const {
    const Abbreviation *full = payload && abbreviate_ ? find_code(wire) : nullptr;
    if (full) {
        std::memcpy(to, full->name.data(), full->name.size());
        return to + full->name.size();
    }
    char *begin = to;
    for (size_t i = 2; i < wire.size(); ++i) {
        unsigned char c = byte(wire, i);
        if (c != '_') {
            *to++ = static_cast<char>(c);
        } else if (byte(wire, i + 1) == '_') {
            *to++ = '-';
            ++i;
        } else if (const int escaped = upper_hex_pair(byte(wire, i + 1), byte(wire, i + 2));
                   escaped >= 0) {
            *to++ = static_cast<char>(escaped);
            i += 2;
        } else {
            *to++ = '_';
        }
    }
    auto len = static_cast<size_t>(to - begin);
    return valid_utf8_prefix(begin, len) == len ? to : nullptr;
}

}  // namespace accp::frame
