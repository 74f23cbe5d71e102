// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a source file into an index entry: its purpose, the symbols it defines, and its words with
// their counts.
#pragma once

#include "base/memory.h"
#include "packet/code/files.h"
#include "packet/code/language.h"

namespace accp::packet {

constexpr size_t kMaxSymbols = 256;       // per file; further ones are ignored
constexpr size_t kMaxSymbolBytes = 80;    // longer names are ignored
constexpr size_t kMaxSummaryBytes = 120;  // of one sentence

class CodeScanner {
public:
    explicit CodeScanner(Memory &memory) : paragraph_(memory), summary_(memory), symbols_(memory) {}

    // Scans a file line by line. The text must be valid UTF-8. Cost: linear in the text.
    void scan(std::string_view path, std::string_view text);

    // summary(): the first sentence of the first meaningful comment, or the first heading; empty if
    // the file has neither. The views are valid until the next call.
    const CodeLanguage *language() const { return language_; }
    std::string_view summary() const { return summary_.view(); }
    // Returns the defined names in order, each once and followed by a newline.
    std::string_view symbols() const { return symbols_.view(); }

private:
    // A line without the blanks around it, and its indent.
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
    size_t count_ = 0;                        // number of symbols
    bool in_comment_ = false;                 // in a comment that must be closed
    bool in_string_ = false;                  // in a Python string over several lines
    bool is_doc_ = false;                     // the comment may become the summary
    bool has_code_ = false;                   // some code other than imports was seen
    bool in_class_ = false;                   // the line before starts a class
    const CodeLanguage *language_ = nullptr;  // of the file
};

constexpr size_t kMaxCodeBytes = 256 << 10;  // longer files are cut

class CodeReader {
public:
    explicit CodeReader(Memory &memory)
        : scanner_(memory), valid_(memory), topics_(memory), words_(memory), counts_(memory) {}

    // The views are valid until the next call. Cost: linear in the text.
    CodeFile read(std::string_view path, std::string_view text, uint64_t text_hash);

    // Returns the first 64 bits of the SHA-256 of a text.
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
