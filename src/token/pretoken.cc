// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See pretoken.h: the patterns by name.
#include "token/pretoken.h"

namespace accp::token {

namespace {

constexpr Pattern kPatterns[] = {
    {"o200k_base", {3, true, true, false}, o200k_piece, o200k_window},
    {"cl100k_base", {3, true, false, false}, cl100k_piece, cl100k_window},
    {"llama3", {3, true, false, false}, cl100k_piece, cl100k_window},
    {"qwen2", {1, true, false, false}, cl100k_piece, cl100k_window},
    {"qwen35", {1, true, false, true}, cl100k_piece, cl100k_window},
    {"gpt2", {0, true, false, false}, gpt2_piece, no_window},
    {"deepseek3", {3, false, false, true}, deepseek_piece, no_window},
    {"tekken", {1, false, true, false}, o200k_piece, o200k_window},
};

}  // namespace

const Pattern *find_pattern(std::string_view name) {
    for (const Pattern &pattern : kPatterns)
        if (name == pattern.name) return &pattern;
    return nullptr;
}

}  // namespace accp::token
