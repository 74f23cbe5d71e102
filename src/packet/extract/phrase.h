// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A choice, said in fewer words: what was chosen, and what is said beside it.
#pragma once

#include <span>
#include <string_view>

#include "base/memory.h"

namespace accp::packet {

// `JWT over session tokens` is JWT, and session tokens are not.
struct Choice {
    std::string_view chosen, rejected;
};
Choice split_choice(std::string_view text);

// RS256, PostgreSQL, python-jose, models/user.py: with a digit, a capital that is not its first
// letter or a mark inside; or JWT, all of capitals.
bool is_name(std::string_view word);
std::string_view first_word(std::string_view text);

// Appends a choice as a phrase that may stand beside others: `Use RS256` is RS256, `Store in a
// cookie` is cookie storage, `Token expiry: 24 hours` is 24h token expiry. No word with a meaning
// is left out.
void append_phrase(std::string_view text, Buffer<char> &out);

// The same where the reader knows what it is about: `RS256 signing algorithm` is RS256, `JWT over
// session tokens` JWT, `Token expiry: 24 hours (user preference)` 24h expiry.
void append_brief(std::string_view text, Buffer<char> &out);

// Is it `LABEL: VALUE`?
bool has_label(std::string_view text);

// The one word that tells most of a text: its first name, or its longest word.
std::string_view tag_of(std::string_view text);

}  // namespace accp::packet
