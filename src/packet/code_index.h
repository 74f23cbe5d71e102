// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Files of code, as far as finding those of a task needs them: of each its path, a hash, a sentence
// of what it is for, the names that it defines, and how often it has which words. The texts are not
// kept. Deterministic: the order in which files come is nothing.
#pragma once

#include <span>

#include "base/slots.h"
#include "packet/code_scan.h"

namespace accp::packet {

constexpr size_t kMaxCodeBytes = 256 << 10;  // of a file's text; of a longer one its beginning
constexpr size_t kMaxCodePath = 4096;

struct CodeFile {
    std::string_view path, summary, symbols;  // each symbol with a newline after it
    std::span<const uint32_t> words;          // hashes, sorted
    const uint8_t *counts;  // how often it has each, path and symbols weighing more
    uint32_t length;        // of all words
    uint64_t text_hash;
    uint64_t name_hash;            // of the path without folders
    const CodeLanguage *language;  // NULL: unknown
};

// A topic (text/words.h) in the size in which an index keeps it.
inline uint32_t short_hash(uint64_t topic) {
    return static_cast<uint32_t>(topic * 0x9E3779B97F4A7C15 >> 32);
}

class CodeIndex {
public:
    explicit CodeIndex(Memory &memory)
        : memory_(&memory),
          entries_(memory),
          slots_(memory),
          scanner_(memory),
          valid_(memory),
          topics_(memory),
          words_(memory),
          counts_(memory) {}
    CodeIndex(const CodeIndex &) = delete;
    CodeIndex &operator=(const CodeIndex &) = delete;
    ~CodeIndex();

    // Adds a file, or replaces the one of this path; the same text again costs its hash. The path:
    // valid UTF-8, at most kMaxCodePath. Bytes of the text that are no UTF-8 are none of its words;
    // of one with a NUL only the path counts. Throws OutOfMemory, and is then as it was.
    void add(std::string_view path, std::string_view text);
    // Is there one? Then it is none of the index any more.
    bool remove(std::string_view path);

    size_t count() const { return count_; }
    // With a text that has this hash?
    bool has(std::string_view path, uint64_t text_hash) const;
    // The numbers below entries() of which some are no files any more.
    size_t entries() const { return entries_.size(); }
    bool get(size_t number, CodeFile &out) const;

    static uint64_t hash_text(std::string_view text);

private:
    // One block of memory: words, counts, path, summary, symbols.
    struct Entry {
        char *block;
        size_t bytes;
        uint32_t words, length, path_len, summary_len, symbols_len;
        bool is_there;
        uint64_t text_hash, name_hash;
        const CodeLanguage *language;

        std::string_view path() const { return {block + words * size_t{5}, path_len}; }
    };
    uint64_t find(std::string_view path, uint64_t hash) const;
    std::string_view make_valid(std::string_view text);
    void count_words(std::string_view path, std::string_view text);
    void count_lines(std::string_view text, int weight);
    Entry make_entry(std::string_view path);

    Memory *memory_;
    Buffer<Entry> entries_;
    Slots slots_;  // by path: the number of an entry, from 1
    size_t count_ = 0;
    CodeScanner scanner_;
    Buffer<char> valid_;
    Buffer<uint64_t> topics_;
    Buffer<uint32_t> words_;
    Buffer<uint8_t> counts_;
    uint32_t length_ = 0;
};

}  // namespace accp::packet
