// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_index.h.
#include "packet/code_index.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "packet/paths.h"
#include "text/words.h"

namespace accp::packet {

namespace {

// How much a word counts in the path and in a defined name; one in the text counts once a line.
constexpr int kPathWeight = 6, kSymbolWeight = 3;
constexpr int kMaxCount = 255;

}  // namespace

CodeIndex::~CodeIndex() {
    for (const Entry &entry : entries_) memory_->release(entry.block, entry.bytes);
}

uint64_t CodeIndex::hash_text(std::string_view text) {
    const Digest digest = sha256(text);
    uint64_t hash = 0;
    for (const char c : digest.first(16)) hash = hash << 4 | static_cast<uint64_t>(hex_digit(c));
    return hash;
}

uint64_t CodeIndex::find(std::string_view path, uint64_t hash) const {
    return slots_.find(hash, [&](uint64_t number) { return entries_[number - 1].path() == path; });
}

bool CodeIndex::has(std::string_view path, uint64_t text_hash) const {
    const uint64_t number = find(path, text::hash_word(path));
    return number && entries_[number - 1].is_there && entries_[number - 1].text_hash == text_hash;
}

void CodeIndex::add(std::string_view path, std::string_view text) {
    const uint64_t text_hash = hash_text(text);
    if (has(path, text_hash)) return;
    text = make_valid(text.substr(0, kMaxCodeBytes));
    scanner_.scan(path, text);
    count_words(path, text);
    slots_.reserve(1,
                   [&](uint64_t number) { return text::hash_word(entries_[number - 1].path()); });
    entries_.reserve(1);
    Entry made = make_entry(path);
    made.text_hash = text_hash;
    const uint64_t path_hash = text::hash_word(path);
    if (const uint64_t known = find(path, path_hash)) {
        Entry &old = entries_[known - 1];
        count_ += !old.is_there;
        memory_->release(old.block, old.bytes);
        old = made;
        return;
    }
    entries_.push(made);
    slots_.add(path_hash, entries_.size());
    ++count_;
}

// Its entry stays, as numbers cannot be taken out of slots_, and is used again if the path comes
// back.
bool CodeIndex::remove(std::string_view path) {
    const uint64_t number = find(path, text::hash_word(path));
    if (!number || !entries_[number - 1].is_there) return false;
    entries_[number - 1].is_there = false;
    --count_;
    return true;
}

bool CodeIndex::get(size_t number, CodeFile &out) const {
    const Entry &entry = entries_[number];
    if (!entry.is_there) return false;
    out.path = entry.path();
    const char *const after = out.path.data() + entry.path_len;
    out.summary = {after, entry.summary_len};
    out.symbols = {after + entry.summary_len, entry.symbols_len};
    out.words = {reinterpret_cast<const uint32_t *>(entry.block), entry.words};
    out.counts = reinterpret_cast<const uint8_t *>(entry.block + entry.words * sizeof(uint32_t));
    out.length = entry.length;
    out.text_hash = entry.text_hash;
    out.name_hash = entry.name_hash;
    out.language = entry.language;
    return true;
}

// A text whose broken bytes are blanks; empty for what is no text. A view into valid_, where any
// are.
std::string_view CodeIndex::make_valid(std::string_view text) {
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
void CodeIndex::count_lines(std::string_view text, int weight) {
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

void CodeIndex::count_words(std::string_view path, std::string_view text) {
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

CodeIndex::Entry CodeIndex::make_entry(std::string_view path) {
    Entry made = {};
    made.words = static_cast<uint32_t>(words_.size());
    made.length = length_;
    made.path_len = static_cast<uint32_t>(path.size());
    made.summary_len = static_cast<uint32_t>(scanner_.summary().size());
    made.symbols_len = static_cast<uint32_t>(scanner_.symbols().size());
    made.bytes = words_.size() * size_t{5} + path.size() + made.summary_len + made.symbols_len;
    made.is_there = true;
    made.name_hash = text::hash_word(without_folders(path));
    made.language = scanner_.language();
    made.block = static_cast<char *>(memory_->allocate(made.bytes));
    char *to = made.block;
    const auto put = [&to](const void *from, size_t bytes) {
        if (bytes) std::memcpy(to, from, bytes);
        to += bytes;
    };
    put(words_.data(), words_.size() * sizeof(uint32_t));
    put(counts_.data(), counts_.size());
    for (std::string_view text : {path, scanner_.summary(), scanner_.symbols()})
        put(text.data(), text.size());
    return made;
}

}  // namespace accp::packet
