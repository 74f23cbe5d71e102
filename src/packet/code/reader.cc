// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_reader.h.
#include "packet/code/reader.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "packet/file/paths.h"
#include "text/words.h"

namespace accp::packet {

namespace {

// How much a word counts in the path and in a defined name; one in the text counts once a line.
constexpr int kPathWeight = 6, kSymbolWeight = 3;
constexpr int kMaxCount = 255;

CodeKind kind_of(const CodeLanguage *language) {
    if (!language) return CodeKind::kData;
    return language->definers.empty() ? CodeKind::kProse : CodeKind::kCode;
}

}  // namespace

CodeFile CodeReader::read(std::string_view path, std::string_view text, uint64_t text_hash) {
    CodeFile file = {};
    file.text_hash = text_hash;
    text = make_valid(text.substr(0, kMaxCodeBytes));
    scanner_.scan(path, text);
    count_words(path, text);
    file.path = path;
    file.summary = scanner_.summary();
    file.symbols = scanner_.symbols();
    file.words = {words_.data(), words_.size()};
    file.counts = counts_.data();
    file.length = length_;
    file.name_hash = text::hash_word(without_folders(path));
    file.kind = kind_of(scanner_.language());
    return file;
}

uint64_t CodeReader::hash_text(std::string_view text) {
    const Digest digest = sha256(text);
    uint64_t hash = 0;
    for (const char c : digest.first(16)) hash = hash << 4 | static_cast<uint64_t>(hex_digit(c));
    return hash;
}

// A text whose broken bytes are blanks; empty for what is no text. A view into valid_, where any
// are.
std::string_view CodeReader::make_valid(std::string_view text) {
    if (text.find('\0') != text.npos) return {};
    size_t good = valid_utf8_prefix(text.data(), text.size());
    if (good == text.size()) return text;
    valid_.clear();
    while (!text.empty()) {
        valid_.append(text.substr(0, good));
        text.remove_prefix(good);
        if (text.empty()) break;
        valid_.push(' ');
        text.remove_prefix(broken_utf8_size(text.data(), text.size()));
        good = valid_utf8_prefix(text.data(), text.size());
    }
    return valid_.view();
}

// Of each line its words, once.
void CodeReader::count_lines(std::string_view text, int weight) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const size_t begin = topics_.size();
        text::append_topics(text.substr(at, end - at), topics_);
        for (size_t i = begin; i < topics_.size(); ++i) topics_[i] = short_hash(topics_[i]);
        const size_t count = topics_.size() - begin;
        for (int i = 1; i < weight; ++i) {
            topics_.reserve(count);
            topics_.append(topics_.data() + begin, count);
        }
        at = end + 1;
    }
}

void CodeReader::count_words(std::string_view path, std::string_view text) {
    topics_.clear(), words_.clear(), counts_.clear();
    count_lines(path, kPathWeight);
    count_lines(scanner_.symbols(), kSymbolWeight);
    count_lines(text, 1);
    std::sort(topics_.begin(), topics_.end());
    length_ = static_cast<uint32_t>(topics_.size());
    for (size_t i = 0; i < topics_.size();) {
        size_t end = i;
        while (end < topics_.size() && topics_[end] == topics_[i]) ++end;
        words_.push(static_cast<uint32_t>(topics_[i]));
        counts_.push(static_cast<uint8_t>(std::min<size_t>(end - i, kMaxCount)));
        i = end;
    }
    topics_.recycle(kKeptBytes);
}

}  // namespace accp::packet
