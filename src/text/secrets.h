// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds secrets in a text: keys of known providers (secrets.def), and random values after names
// such as `password`, `token` or `api_key`. Works on any bytes. Cost: linear in the text.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp::text {

struct Secret {
    size_t begin, end;      // bytes of the text
    std::string_view kind;  // such as "github-token"; static
};

// Returns the secrets of a text in order. They do not overlap. Allocates nothing.
class SecretFinder {
public:
    explicit SecretFinder(std::string_view text) : text_(text) {}

    // Returns false after the last one.
    bool next(Secret &out);

private:
    bool find_in_word(size_t begin, size_t end, Secret &out);
    bool find_in_url(size_t colon, Secret &out) const;
    bool take_password(Secret &out);

    std::string_view text_;
    size_t at_ = 0;
    Secret password_ = {};  // of the address at at_; end 0: none
};

constexpr std::string_view kRedactedMark = "[redacted:";

// Appends the text with `[redacted:KIND]` in place of each secret, and their places in the text to
// `places`, unless it is NULL. Returns false, with nothing appended, if the text has no secrets.
// Redacting the result again changes nothing.
bool redact_secrets(std::string_view text, Buffer<char> &out, Buffer<Secret> *places = nullptr);

// The same in place. `scratch` must have the Memory of `text`.
inline void redact_in_place(Buffer<char> &text, Buffer<char> &scratch) {
    scratch.clear();
    if (redact_secrets(text.view(), scratch)) text.swap(scratch);
}

// Returns whether a value under this name may be a secret: `api_key`, `clientSecret`.
bool is_secret_name(std::string_view name);

// For tests and documents: the number of known shapes, and the kind and the pattern of each.
size_t secret_shape_count();
std::string_view secret_shape_kind(size_t i);
std::string_view secret_shape_pattern(size_t i);

}  // namespace accp::text
