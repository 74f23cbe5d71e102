// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/code/memory.h"

#include <algorithm>

#include "text/words.h"

namespace accp::packet {

CodeFileTable::~CodeFileTable() { clear(); }

void CodeFileTable::clear() {
    for (const Entry &entry : entries_) memory_->release(entry.block, entry.bytes);
    entries_.clear();
    slots_.clear();
    count_ = 0;
}

uint64_t CodeFileTable::find(std::string_view path, uint64_t hash) const {
    return slots_.find(hash, [&](uint64_t number) { return entries_[number - 1].path() == path; });
}

uint64_t CodeFileTable::find_present(std::string_view path) const {
    const uint64_t number = find(path, text::hash_word(path));
    return number && entries_[number - 1].is_present ? number : 0;
}

bool CodeFileTable::has(std::string_view path, uint64_t text_hash) const {
    const uint64_t number = find_present(path);
    return number && entries_[number - 1].text_hash == text_hash;
}

void CodeFileTable::set_stamp(std::string_view path, uint64_t stamp) {
    if (const uint64_t number = find_present(path)) entries_[number - 1].stamp = stamp;
}

uint64_t CodeFileTable::stamp(std::string_view path) const {
    const uint64_t number = find_present(path);
    return number ? entries_[number - 1].stamp : 0;
}

void CodeFileTable::add(std::string_view path, std::string_view text, uint64_t stamp) {
    const uint64_t text_hash = CodeReader::hash_text(text);
    if (has(path, text_hash)) return set_stamp(path, stamp);
    add(reader_.read(path, text, text_hash), stamp);
}

void CodeFileTable::add(const CodeFile &file, uint64_t stamp) {
    slots_.reserve(1,
                   [&](uint64_t number) { return text::hash_word(entries_[number - 1].path()); });
    entries_.reserve(1);
    Entry made = make_entry(file);
    made.stamp = stamp;
    const uint64_t path_hash = text::hash_word(file.path);
    if (const uint64_t known = find(file.path, path_hash)) {
        Entry &old = entries_[known - 1];
        count_ += !old.is_present;
        memory_->release(old.block, old.bytes);
        old = made;
        return;
    }
    entries_.push(made);
    slots_.add(path_hash, entries_.size());
    ++count_;
}

// Keeps the entry, because numbers cannot be removed from slots_. It is reused if the path is added
// again.
bool CodeFileTable::remove(std::string_view path) {
    const uint64_t number = find_present(path);
    if (!number) return false;
    entries_[number - 1].is_present = false;
    --count_;
    return true;
}

bool CodeFileTable::get(size_t number, CodeFile &out) const {
    const Entry &entry = entries_[number];
    if (!entry.is_present) return false;
    out.path = entry.path();
    const char *const after = out.path.data() + entry.path_len;
    out.summary = {after, entry.summary_len};
    out.symbols = {after + entry.summary_len, entry.symbols_len};
    out.words = {reinterpret_cast<const uint32_t *>(entry.block), entry.words};
    out.counts = reinterpret_cast<const uint8_t *>(entry.block + entry.words * sizeof(uint32_t));
    out.length = entry.length;
    out.text_hash = entry.text_hash;
    out.name_hash = entry.name_hash;
    out.kind = entry.kind;
    return true;
}

CodeFileTable::Entry CodeFileTable::make_entry(const CodeFile &file) {
    Entry made = {};
    made.words = static_cast<uint32_t>(file.words.size());
    made.length = file.length;
    made.path_len = static_cast<uint32_t>(file.path.size());
    made.summary_len = static_cast<uint32_t>(file.summary.size());
    made.symbols_len = static_cast<uint32_t>(file.symbols.size());
    made.bytes =
        file.words.size() * size_t{5} + file.path.size() + made.summary_len + made.symbols_len;
    made.is_present = true;
    made.text_hash = file.text_hash;
    made.name_hash = file.name_hash;
    made.kind = file.kind;
    made.block = static_cast<char *>(memory_->allocate(made.bytes));
    char *to = made.block;
    const auto put = [&to](const void *from, size_t bytes) {
        if (bytes) std::memcpy(to, from, bytes);
        to += bytes;
    };
    put(file.words.data(), file.words.size() * sizeof(uint32_t));
    put(file.counts, file.words.size());
    for (std::string_view text : {file.path, file.summary, file.symbols})
        put(text.data(), text.size());
    return made;
}

Status MemoryCodeIndex::add(std::string_view path, std::string_view text, uint64_t stamp) {
    index_.add(path, text, stamp);
    return {};
}

Status MemoryCodeIndex::remove(std::string_view path, bool &was_there) {
    was_there = index_.remove(path);
    return {};
}

Status MemoryCodeIndex::count(uint64_t &out) const {
    out = index_.count();
    return {};
}

Status MemoryCodeIndex::has(std::string_view path, uint64_t text_hash, bool &out) const {
    out = index_.has(path, text_hash);
    return {};
}

Status MemoryCodeIndex::stamp(std::string_view path, uint64_t &out) const {
    out = index_.stamp(path);
    return {};
}

Status MemoryCodeIndex::list(Buffer<char> &out) const {
    Buffer<std::string_view> paths(*memory_);
    CodeFile file;
    for (size_t i = 0; i < index_.entries(); ++i)
        if (index_.get(i, file)) paths.push(file.path);
    std::sort(paths.begin(), paths.end());
    for (const std::string_view path : paths) {
        out.append(path);
        out.push('\0');
    }
    return {};
}

Status MemoryCodeIndex::find_candidates(const CodeQuery &query, CodeCandidates &out) const {
    out.view = &index_;
    out.files = index_.count();
    out.length = 0;
    out.document_counts.clear();
    for (size_t i = 0; i < query.words.size(); ++i) out.document_counts.push(0);
    CodeFile file;
    for (size_t i = 0; i < index_.entries(); ++i) {
        if (!index_.get(i, file)) continue;
        out.length += file.length;
        for (size_t word = 0; word < query.words.size(); ++word)
            out.document_counts[word] +=
                std::binary_search(file.words.begin(), file.words.end(), query.words[word]);
    }
    return {};
}

}  // namespace accp::packet
