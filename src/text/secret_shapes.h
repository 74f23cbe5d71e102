// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Keys of known providers, by their shapes (secrets.def), and private keys.
#pragma once

#include <string_view>

#include "text/secrets.h"

namespace accp::text {

constexpr size_t kLongWord = 16;  // a shorter word is a secret only with the words after it
constexpr std::string_view kPemBegin = "-----BEGIN";

// Returns whether a secret of a known shape begins here. `word_end`: of the word at `begin`.
bool find_shape(std::string_view text, size_t begin, size_t word_end, Secret &out);

// Returns the end of a private key whose first line begins here with kPemBegin, or 0. A block
// without an end goes as far as its lines look like Base64.
size_t find_private_key(std::string_view text, size_t begin);

}  // namespace accp::text
