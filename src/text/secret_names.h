// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Names of secrets, such as `api_key` and `clientSecret`, and the values after them.
#pragma once

#include <string_view>

namespace accp::text {

enum class NameKind : uint8_t {
    kPassword,  // a value of eight bytes can be one
    kStrong,    // any random value
    kWeak,      // `key` alone: also names keys of maps, caches and files
    kBearer,    // a value follows after a blank
};

struct SecretName {
    std::string_view name;  // in lower case, `-` as `_`
    std::string_view kind;
    NameKind strength;
    bool is_part;  // must begin a part of the name, as in `db_pass`
};

constexpr size_t kMaxValue = 512;  // bytes

// Returns the name that a word ends with; NULL: none.
const SecretName *find_name(std::string_view word);
// Returns whether a word that ends with these letters may end with a name.
bool may_end_name(char a, char b);

// Reads the syntax after a name that ends at `at`, and sets the bytes of the value. `is_option`:
// the name begins with `--`; `is_tag`: with `<`. Returns false if there is no value.
bool find_value(std::string_view text, size_t at, const SecretName &name, bool is_option,
                bool is_tag, size_t &begin, size_t &end);

// Returns whether a value under this name looks random.
bool is_value_random(std::string_view value, const SecretName &name);

}  // namespace accp::text
