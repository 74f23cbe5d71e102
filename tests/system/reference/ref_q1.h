// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The reference for extension q1 (docs/wire.md 3): how one string, one number and one key are
// spelled on the wire, and read back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace accp_ref {

/**
 * Returns the wire form of a string; empty if it is not UTF-8 (E1004). raw: code points of the u8
 * dialect are not escaped.
 */
std::optional<std::string> write_text(std::string_view utf8, bool raw);

/**
 * Extension w1 (docs/wire.md 10): converts a quantity between words and symbols; empty if the text
 * is not a quantity.
 */
std::optional<std::string> words_to_symbols(const std::string &text);
std::optional<std::string> symbols_to_words(const std::string &text);

/** Like write_text() and read_text(), under w1. */
std::optional<std::string> write_text_w1(const std::string &utf8, bool raw);

/**
 * The value of a string of a frame, given without its escapes: always a string, except for `=`
 * followed by a JSON number.
 */
struct ReadText {
    enum { kString, kNumber, kMalformed } kind;  // kMalformed: an invalid %u (E1001)
    std::string text;
};
ReadText read_text(std::string_view text);
ReadText read_text_w1(const std::string &text);

/** Returns the wire form of a JSON number, from its literal. */
std::string write_number(std::string_view literal);

/**
 * Writes the wire form of a key; empty if it is not UTF-8. In the payload itself `schema` is
 * reserved, and so are the codes if they are in force.
 */
struct KeyRule {
    bool payload_level = false;
    bool abbreviate = false;
};
std::optional<std::string> write_key(std::string_view key, KeyRule rule);

/** Reads a key of a frame; empty if its bytes are not UTF-8. */
std::optional<std::string> read_key(std::string_view key, KeyRule rule);

}  // namespace accp_ref
