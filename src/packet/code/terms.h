// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A file as the index on disk stores it: a packed row, and the terms by which it is found. A term
// is a letter and hexadecimal digits:
//
//   w 8 2   hash of a word, and its count in the file
//   s 16    hash of a symbol that the file defines
//   n 16    hash of the file name without folders
#pragma once

#include "packet/code/files.h"
#include "store/code_rows.h"

namespace accp::packet {

// The range of terms of one kind and hash, in the byte order of FTS5.
class CodeTermRange {
public:
    static CodeTermRange word_score(uint32_t hash) { return CodeTermRange('w', hash, 8); }
    static CodeTermRange of_symbol(uint64_t hash) { return CodeTermRange('s', hash, 16); }
    static CodeTermRange of_name(uint64_t hash) { return CodeTermRange('n', hash, 16); }
    std::string_view first() const { return {text_, len_}; }
    std::string_view end() const { return {text_, len_ + 1}; }  // greater than all digits

private:
    CodeTermRange(char kind, uint64_t hash, int digits);

    char text_[18];
    size_t len_;
};

// Returns the count in a word's term; 0 if it is not one.
int count_of_term(std::string_view term);

class CodeTerms {
public:
    explicit CodeTerms(Memory &memory)
        : texts_(memory), words_(memory), terms_(memory), hashes_(memory), counts_(memory) {}

    // Return the row of a file, and its terms separated by blanks. Views are valid until the next
    // call.
    store::CodeSourceRow pack(const CodeFile &file, uint64_t number);
    std::string_view terms_of(const CodeFile &file);
    // Unpacks the file of a row. Returns false if the row is malformed. Views are valid as long as
    // the row, until the next call.
    bool unpack(const store::CodeSourceRow &row, CodeFile &out);

private:
    bool unpack_words(std::string_view words);

    Buffer<char> texts_, words_, terms_;
    Buffer<uint32_t> hashes_;
    Buffer<uint8_t> counts_;
};

}  // namespace accp::packet
