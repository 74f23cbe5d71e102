// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The reference for extension q1 (docs/wire.md 3): how one string, one number and one key are
// spelled on the wire, and read back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace accp_ref {

/**
 * The wire form of a string; empty for text that is no UTF-8 (E1004). raw: code points of the u8
 * dialect go as they are.
 */
std::optional<std::string> write_text(std::string_view utf8, bool raw);

/**
 * Extension w1 (docs/wire.md 10): the symbols of a quantity in words, and the words of one in
 * symbols; empty for a text that is none.
 */
std::optional<std::string> words_to_symbols(const std::string &text);
std::optional<std::string> symbols_to_words(const std::string &text);

/** As write_text() and read_text(), under w1. */
std::optional<std::string> write_text_w1(const std::string &utf8, bool raw);

/**
 * What a string of a frame means, given without its escapes: always a string, except for `=` and a
 * JSON number.
 */
struct ReadText {
    enum { kString, kNumber, kMalformed } kind;  // kMalformed: a %u that is none (E1001)
    std::string text;
};
ReadText read_text(std::string_view text);
ReadText read_text_w1(const std::string &text);

/** The wire form of a JSON number, from its literal. */
std::string write_number(std::string_view literal);

/**
 * The wire form of a key; empty for one that is no UTF-8. At payload level `schema` is reserved,
 * and the codes where they are in force.
 */
struct KeyRule {
    bool payload_level = false;
    bool abbreviate = false;
};
std::optional<std::string> write_key(std::string_view key, KeyRule rule);

/** What a key of a frame means; empty where its bytes are no UTF-8. */
std::optional<std::string> read_key(std::string_view key, KeyRule rule);

}  // namespace accp_ref
