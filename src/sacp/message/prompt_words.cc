// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See prompt_words.h.
#include "sacp/message/prompt_words.h"

#include "base/bytes.h"

namespace accp::plan {

namespace {

constexpr std::string_view kBlanks = " \t\r\n", kMarks = ".,;:!?()'\"";

std::string_view strip(std::string_view word) {
    const size_t begin = word.find_first_not_of(kMarks);
    if (begin == word.npos) return {};
    return word.substr(begin, word.find_last_not_of(kMarks) - begin + 1);
}

}  // namespace

void read_prompt(std::string_view prompt, Buffer<PromptWord> &out) {
    out.clear();
    while (!prompt.empty()) {
        if (prompt.front() == '"' && prompt.find('"', 1) != prompt.npos) {
            const size_t end = prompt.find('"', 1);
            if (end > 1) out.push({prompt.substr(1, end - 1), true});
            prompt.remove_prefix(end + 1);
            continue;
        }
        const size_t end = prompt.find_first_of(kBlanks);
        const std::string_view word = strip(prompt.substr(0, end));
        if (!word.empty()) out.push({word, false});
        prompt.remove_prefix(end == prompt.npos ? prompt.size() : end + 1);
    }
}

bool is_same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (to_lower(a[i]) != to_lower(b[i])) return false;
    return true;
}

}  // namespace accp::plan
