// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Does not use the library's search for names, because it measures that.
#include "cli/replay/recall.h"

#include <algorithm>
#include <iterator>

namespace cli {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool joins(char c) { return c == '_' || c == '.' || c == '/' || c == '-'; }
bool is_word(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; }

bool is_name(std::string_view run) {
    bool letter = false, mark = false;
    for (size_t i = 0; i < run.size(); ++i) {
        letter |= is_letter(run[i]);
        mark |= is_digit(run[i]) || joins(run[i]) || (i && run[i] >= 'A' && run[i] <= 'Z');
    }
    return run.size() >= 4 && letter && mark;
}

template <typename Use>
void each_name(std::string_view text, Use use) {
    for (size_t i = 0; i < text.size();) {
        size_t from = i;
        while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]) || joins(text[i]))) ++i;
        std::string_view run = text.substr(from, i - from);
        while (!run.empty() && (run.front() == '.' || run.front() == '-')) run.remove_prefix(1);
        while (!run.empty() && (run.back() == '.' || run.back() == '-')) run.remove_suffix(1);
        if (is_name(run)) use(run);
        if (i == from) ++i;
    }
}

std::vector<uint64_t> words_as_hashes(std::string_view text) {
    std::vector<uint64_t> words;
    for (size_t i = 0; i < text.size();) {
        size_t from = i;
        while (i < text.size() && is_word(text[i])) ++i;
        if (i == from && !is_blank(text[i++]))
            words.push_back(std::hash<std::string_view>()(text.substr(from, 1)));
        else if (is_word(text[from]))
            words.push_back(std::hash<std::string_view>()(text.substr(from, i - from)));
    }
    return words;
}

template <typename Use>
void each_phrase(std::string_view text, Use use) {
    constexpr size_t kRun = 6;
    const std::vector<uint64_t> words = words_as_hashes(text);
    for (size_t i = 0; i + kRun <= words.size(); ++i) {
        uint64_t hash = 0;
        for (size_t j = 0; j < kRun; ++j)
            hash = (hash ^ words[i + j]) * 0x9E3779B97F4A7C15 + (hash >> 29);
        use(hash);
    }
}

}  // namespace

void each_use(std::string_view text, const std::function<void(uint64_t)> &name,
              const std::function<void(uint64_t)> &phrase) {
    each_name(text, [&](std::string_view run) { name(std::hash<std::string_view>()(run)); });
    each_phrase(text, [&](uint64_t hash) { phrase(hash); });
}

void UsedItems::add(std::string_view text) {
    each_use(
        text, [this](uint64_t name) { names.insert(name); },
        [this](uint64_t phrase) { phrases.insert(phrase); });
}

namespace {

struct Character {
    uint32_t code;
    size_t bytes;
};

// `text` must be UTF-8.
Character character_at(std::string_view text, size_t at) {
    const auto byte = [&](size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const uint32_t lead = byte(at);
    if (lead < 0x80) return {lead, 1};
    if (lead < 0xE0) return {(lead & 0x1F) << 6 | (byte(at + 1) & 0x3F), 2};
    const uint32_t middle = (byte(at + 1) & 0x3F) << 6 | (byte(at + 2) & 0x3F);
    if (lead < 0xF0) return {(lead & 0x0F) << 12 | middle, 3};
    return {(lead & 0x07) << 18 | middle << 6 | (byte(at + 3) & 0x3F), 4};
}

bool is_blank_character(uint32_t c) {
    return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

bool ends_line(uint32_t c) {
    return (c >= 10 && c <= 13) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
           c == 0x2029;
}

// Ranges outside ASCII, in order, of characters that are neither letters nor digits.
struct Block {
    uint32_t first, last;
};
constexpr Block kNonWordBlocks[] = {
    {0x80, 0xA9},       {0xAB, 0xB1},     {0xB4, 0xB4},     {0xB6, 0xB8},       {0xBB, 0xBB},
    {0xBF, 0xBF},       {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2C2, 0x2C5},     {0x2D2, 0x2DF},
    {0x2E5, 0x2EB},     {0x2ED, 0x2ED},   {0x2EF, 0x36F},   {0x1680, 0x1680},   {0x2000, 0x206F},
    {0x207A, 0x207E},   {0x208A, 0x208F}, {0x209D, 0x2101}, {0x2103, 0x2106},   {0x2108, 0x2109},
    {0x2114, 0x2114},   {0x2116, 0x2118}, {0x211E, 0x2123}, {0x218A, 0x245F},   {0x249C, 0x24E9},
    {0x2500, 0x2775},   {0x2794, 0x2BFF}, {0x2E30, 0x3004}, {0x3008, 0x3020},   {0x3030, 0x3030},
    {0x30FB, 0x30FB},   {0xE000, 0xF8FF}, {0xFE00, 0xFE6F}, {0xFEFF, 0xFF0F},   {0xFF1A, 0xFF20},
    {0xFF3B, 0xFF40},   {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFD}, {0x1F000, 0x1F0FF}, {0x1F10D, 0x1FAFF},
    {0xE0000, 0xE0FFF},
};

bool is_word_character(uint32_t c) {
    if (c < 0x80)
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' ||
               (c >= 'a' && c <= 'z');
    const Block *block = std::lower_bound(std::begin(kNonWordBlocks), std::end(kNonWordBlocks), c,
                                          [](const Block &a, uint32_t b) { return a.last < b; });
    return block == std::end(kNonWordBlocks) || c < block->first;
}

bool has_three_words(std::string_view text) {
    int words = 0;
    bool blank = true;
    for (size_t at = 0; at < text.size() && words < 3;) {
        const Character c = character_at(text, at);
        const bool is_blank = is_blank_character(c.code);
        words += blank && !is_blank;
        blank = is_blank;
        at += c.bytes;
    }
    return words == 3;
}

// Returns how many bytes of blanks, or of the end of a line, at `at` separate two sentences.
size_t sentence_end(std::string_view text, size_t at) {
    const bool is_end =
        at > 0 && (text[at - 1] == '.' || text[at - 1] == '!' || text[at - 1] == '?');
    size_t to = at;
    while (is_end && to < text.size()) {
        const Character c = character_at(text, to);
        if (!is_blank_character(c.code)) break;
        to += c.bytes;
    }
    return to == at && text[at] == '\n' ? 1 : to - at;
}

}  // namespace

std::string words_of(std::string_view text) {
    std::string words;
    words.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        if (is_word_character(c.code)) words.append(text.substr(at, c.bytes));
        else if (!words.empty() && words.back() != ' ') words.push_back(' ');
        at += c.bytes;
    }
    if (!words.empty() && words.back() == ' ') words.pop_back();
    return words;
}

std::vector<std::string> long_lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (size_t begin = 0, at = 0; begin < text.size();) {
        while (at < text.size() && !ends_line(character_at(text, at).code))
            at += character_at(text, at).bytes;
        const std::string_view line = text.substr(begin, std::min(at, text.size()) - begin);
        std::string words = has_three_words(line) ? words_of(line) : std::string();
        if (!words.empty()) lines.push_back(std::move(words));
        at += at < text.size() ? character_at(text, at).bytes : 0;
        begin = at;
    }
    return lines;
}

std::vector<std::string> sentences_of(std::string_view text) {
    std::vector<std::string> sentences;
    const auto add = [&](std::string_view sentence) {
        if (has_three_words(sentence)) sentences.push_back(words_of(sentence));
    };
    size_t begin = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t between = sentence_end(text, at);
        if (between != 0) {
            add(text.substr(begin, at - begin));
            begin = at + between;
        }
        at += between != 0 ? between : character_at(text, at).bytes;
    }
    if (begin < text.size()) add(text.substr(begin));
    return sentences;
}

std::string_view first_share(std::string_view text, uint64_t part, uint64_t whole) {
    const auto is_first = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    const auto characters =
        static_cast<uint64_t>(std::count_if(text.begin(), text.end(), is_first));
    uint64_t left = part >= whole ? characters : characters * part / whole;
    size_t at = 0;
    while (at < text.size() && (left != 0 || !is_first(text[at]))) left -= is_first(text[at++]);
    return text.substr(0, at);
}

}  // namespace cli
