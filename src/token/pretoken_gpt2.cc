// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// GPT-2's pattern, which byte-level tokenizers have when they name none:
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
#include <string_view>

#include "token/pretoken.h"
#include "token/pretoken_parts.h"

namespace accp::token {

const char *gpt2_piece(const char *text, const char *end, const PatternRules &) {
    std::string_view rest(text, static_cast<size_t>(end - text));
    for (std::string_view contraction : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
        if (rest.substr(0, contraction.size()) == contraction) return text + contraction.size();
    const char *from = text + (*text == ' ');
    for (uint32_t kind : {uint32_t{kLetter}, uint32_t{kNumber}})
        if (const char *at = skip_any(from, end, kind); at > from) return at;
    if (const char *at = skip_none(from, end, kSpace | kLetter | kNumber); at > from) return at;
    const char *last = text, *at = text;
    while (at < end && point_at(at).is(kSpace)) {
        last = at;
        at += point_at(at).size;
    }
    return at == end || last == text ? at : last;
}

}  // namespace accp::token
