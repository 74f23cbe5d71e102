// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A person's prompt as words: parted by blanks, without the marks around them. What stands in
// double quotes is one word, and taken as it is.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp::plan {

// A person's request, not a document.
constexpr uint32_t kMaxPromptBytes = 4096, kMaxPromptWords = 256;

struct PromptWord {
    std::string_view text;
    bool quoted;
};

// Replaces `out`, whose texts are views into the prompt.
void read_prompt(std::string_view prompt, Buffer<PromptWord> &out);

// The same without regard to the case of ASCII letters.
bool is_same_word(std::string_view a, std::string_view b);

}  // namespace accp::plan
