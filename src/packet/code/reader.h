// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a file of code is for and what it defines, by its lines alone.
//
// A file of code as an index keeps it: what it is for, the names that it defines, and how often it
// has which words.
#pragma once

#include "base/memory.h"
#include "packet/code/files.h"
#include "packet/code/language.h"

namespace accp::packet {

constexpr size_t kMaxSymbols = 256;       // of one file; the first ones
constexpr size_t kMaxSymbolBytes = 80;    // a longer name is none that anybody speaks of
constexpr size_t kMaxSummaryBytes = 120;  // of the sentence

class CodeScanner {
public:
    explicit CodeScanner(Memory &memory) : paragraph_(memory), summary_(memory), symbols_(memory) {}

    // Reads a file: valid UTF-8. Cost: linear in the text.
    void scan(std::string_view path, std::string_view text);

    // The first sentence of the first comment that says something, or the first heading; empty:
    // there is none. Views until the next call.
    const CodeLanguage *language() const { return language_; }
    std::string_view summary() const { return summary_.view(); }
    // The names that it defines, in order, each once, each with a newline after it.
    std::string_view symbols() const { return symbols_.view(); }

private:
    // A line without blanks around it, and how far in it begins.
    struct Line {
        std::string_view text;
        size_t indent;
    };
    void read_line(const Line &line, const CodeLanguage &language);
    bool describes_file(const Line &line, const CodeLanguage &language) const;
    bool read_comment(const Line &line, const CodeLanguage &language);
    void read_prose(const Line &line);
    void add_prose(std::string_view text);
    void end_paragraph();
    void track_code(std::string_view line);
    void add_symbol(const Line &line, const CodeLanguage &language);

    Buffer<char> paragraph_, summary_, symbols_;
    size_t count_ = 0;                        // of the symbols
    bool in_comment_ = false;                 // one that goes on until it is closed
    bool in_string_ = false;                  // of Python, over lines
    bool is_doc_ = false;                     // the comment may be a summary
    bool has_code_ = false;                   // there was some that is no import
    bool in_class_ = false;                   // the line before began one
    const CodeLanguage *language_ = nullptr;  // of the file
};

constexpr size_t kMaxCodeBytes = 256 << 10;  // of a file's text; of a longer one its beginning

class CodeReader {
public:
    explicit CodeReader(Memory &memory)
        : scanner_(memory), valid_(memory), topics_(memory), words_(memory), counts_(memory) {}

    // Cost: linear in the text. The views last until the next call.
    CodeFile read(std::string_view path, std::string_view text, uint64_t text_hash);

    // The first digits of the SHA-256 of a text.
    static uint64_t hash_text(std::string_view text);

private:
    std::string_view make_valid(std::string_view text);
    void count_words(std::string_view path, std::string_view text);
    void count_lines(std::string_view text, int weight);

    CodeScanner scanner_;
    Buffer<char> valid_;
    Buffer<uint64_t> topics_;
    Buffer<uint32_t> words_;
    Buffer<uint8_t> counts_;
    uint32_t length_ = 0;
};

}  // namespace accp::packet
