// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Keys on the wire (docs/wire.md 3). Nearly all keys are unchanged. Others are escaped after `__`,
// and some keys of the payload are abbreviated.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "base/settings.h"
#include "base/status.h"

namespace accp::frame {

// The maximum length of the wire form of a key with `len` bytes.
constexpr size_t wire_key_room(size_t len) { return 2 + 3 * len; }

// The key of a payload that is a text. No other key has this wire form, because an underscore at
// the end of an escaped key is always escaped.
constexpr std::string_view kTextKey = "___";

// Return the abbreviation of a payload key, and the key of an abbreviation; empty if there is none.
std::string_view code_of_key(std::string_view key);
std::string_view key_of_code(std::string_view code);

// A payload's key `schema` is a word, but is written with `__`, because the wire key `schema`
// gives the name of the schema. is_schema() requires a Buffer's slack after the key.
constexpr std::string_view kSchemaKey = "schema";
[[gnu::always_inline]] inline bool is_schema(const char *key, size_t len) {
    uint32_t ends[2], wanted[2];  // two overlapping words
    std::memcpy(&ends[0], key, 4);
    std::memcpy(&ends[1], key + 2, 4);
    std::memcpy(&wanted[0], kSchemaKey.data(), 4);
    std::memcpy(&wanted[1], kSchemaKey.data() + 2, 4);
    return (len == kSchemaKey.size()) & (ends[0] == wanted[0]) & (ends[1] == wanted[1]);
}

class KeyCoder {
public:
    explicit KeyCoder(const Settings &settings)
        : q1_(settings.has(ACCP_EXT_Q1)), abbreviate_(settings.abbreviate) {}

    // Writes the wire form of a key. The key must have a Buffer's slack; `to` needs wire_key_room()
    // bytes and slack. `payload`: the key is one of the payload itself, not of a map in it. Returns
    // the end, or nullptr if the key has no wire form (without q1).
    [[gnu::always_inline]] char *write(std::string_view key, bool payload, char *to) const {
        if (!is_word_text(key) || (q1_ && key.size() > 1 && key[0] == '_' && key[1] == '_') ||
            (payload && abbreviate_))
            return write_mapped(key, payload, to);
        if (payload && q1_ && is_schema(key.data(), key.size())) *to++ = '_', *to++ = '_';
        copy_padded(to, key.data(), key.size());
        return to + key.size();
    }
    // Writes the escaped form of q1, with any extensions.
    static char *write_escaped(std::string_view key, char *to);

    // Returns whether the wire form is the key itself.
    bool is_plain(std::string_view key, bool payload) const;

    // Returns whether the wire key represents another key.
    bool is_mapped(std::string_view wire, bool payload) const;

    // Writes the key that a mapped wire key represents. It is not longer than the wire key, except
    // for abbreviations (at most 32 bytes). Returns nullptr if it is not UTF-8.
    char *read(std::string_view wire, bool payload, char *to) const;

private:
    // Reads whole vectors.
    [[gnu::always_inline]] static bool is_word_text(std::string_view text) {
        size_t at = 0;
        for (; text.size() - at > 16; at += 16)
            if (Bytes16::load(text.data() + at).words() != 0xFFFF) return false;
        uint32_t wanted = (uint32_t{1} << (text.size() - at)) - 1;
        return !text.empty() && (Bytes16::load(text.data() + at).words() & wanted) == wanted;
    }
    char *write_mapped(std::string_view key, bool payload, char *to) const;

    bool q1_;
    bool abbreviate_;
};

// Checks that the entries of a map are written in the order of their wire keys.
// Trivial, so that an array of these costs nothing until one is used. KeyOrder{} has no key yet.
class KeyOrder {
public:
    // Returns false if the wire key at `key` is not greater than the last one. The key must have a
    // Buffer's slack. `begin` is the beginning of the output, which may have moved since the last
    // call.
    [[gnu::always_inline]] bool follows(const char *begin, const char *key, size_t len) {
        const uint64_t word = first_bytes(key, len);
        const std::string_view last(begin + last_, last_len_);
        if (word < word_ || (word == word_ && std::string_view(key, len) <= last)) return false;
        word_ = word;
        last_ = static_cast<size_t>(key - begin);
        last_len_ = len;
        return true;
    }

private:
    // The first bytes as a number, which decides the order of most keys.
    [[gnu::always_inline]] static uint64_t first_bytes(const char *key, size_t len) {
        uint64_t word;
        std::memcpy(&word, key, sizeof word);
        if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
        return len < sizeof word ? word & ~(~uint64_t{0} >> 8 * len) : word;
    }

    uint64_t word_;
    size_t last_, last_len_;
};

}  // namespace accp::frame
