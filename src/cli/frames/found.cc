// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See found.h.
#include "cli/frames/found.h"

#include <algorithm>

#include "cli/host.h"

namespace cli {
namespace {

constexpr size_t kMaxFoundBytes = 60;
constexpr std::string_view kEndsWord = "@>:{}[]|,~\"";

bool is_of_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte != 0x7F && kEndsWord.find(c) == std::string_view::npos;
}

// Up to the quote that ends it.
size_t string_length(std::string_view text) {
    for (size_t i = 1; i < text.size(); i += text[i] == '\\' ? 2 : 1)
        if (text[i] == '"') return i + 1;
    return text.size();
}

// A backslash takes the character after it along.
size_t word_length(std::string_view text) {
    size_t len = 0;
    while (len < text.size() && is_of_word(text[len])) len += text[len] == '\\' ? 2 : 1;
    return std::min(len, text.size());
}

}  // namespace

std::string found_at(std::string_view text, uint64_t offset) {
    if (offset >= text.size() || text[offset] == ' ') return {};
    text.remove_prefix(offset);
    const size_t len =
        text[0] == '"' ? string_length(text) : std::max<size_t>(word_length(text), 1);
    std::string found;
    append_printable(text.substr(0, std::min(len, kMaxFoundBytes)), found);
    return len > kMaxFoundBytes ? found + "..." : found;
}

}  // namespace cli
