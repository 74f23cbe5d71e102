// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cues.h: which language somebody speaks.
#include "base/utf8.h"
#include "packet/extract/cues.h"
#include "text/phrases.h"

namespace accp::packet {

namespace {

constexpr size_t kReadBytes = 500;   // of a text: enough to know
constexpr size_t kChineseOfTen = 2;  // characters: program text and names stand between them

bool is_han(uint32_t point) { return point >= 0x4E00 && point <= 0x9FFF; }

bool is_chinese(std::string_view text) {
    size_t han = 0, all = 0;
    for (const char *at = text.data(), *const end = at + text.size(); at < end; ++all)
        han += is_han(read_utf8(at));
    return han * 10 > all * kChineseOfTen;
}

size_t count_marks(const text::Words &words, std::string_view marks) {
    size_t count = 0;
    for (size_t i = 0; i < words.size(); ++i) count += text::matches_element(words[i], marks);
    return count;
}

}  // namespace

const Language &language_of(std::string_view text, const Language &before, text::Words &scratch) {
    text = text.substr(0, kReadBytes);
    text = text.substr(0, valid_utf8_prefix(text.data(), text.size()));
    if (is_chinese(text)) return chinese();
    scratch.read(text);
    const Language *best = &before;
    size_t most = count_marks(scratch, best->marks);
    for (const Language *language : {&english(), &german(), &spanish()}) {
        const size_t count = count_marks(scratch, language->marks);
        if (count > most) best = language, most = count;
    }
    return *best;
}

}  // namespace accp::packet
