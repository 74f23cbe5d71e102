// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a file of code is in an index on disk: a row of bytes, and terms by which it is found. A
// term is a letter and digits of base 16, and stands for
//
//   w 8 2   a word, by its hash, and how often the file has it
//   s 16    a symbol that it defines, by its hash
//   n 16    its name without folders, by its hash
#pragma once

#include "packet/code/files.h"
#include "store/code_rows.h"

namespace accp::packet {

// The first term of its kind and hash, and the one after the last: FTS5 has them in the order of
// their bytes.
class CodeTermRange {
public:
    static CodeTermRange word_score(uint32_t hash) { return CodeTermRange('w', hash, 8); }
    static CodeTermRange of_symbol(uint64_t hash) { return CodeTermRange('s', hash, 16); }
    static CodeTermRange of_name(uint64_t hash) { return CodeTermRange('n', hash, 16); }
    std::string_view first() const { return {text_, len_}; }
    std::string_view end() const { return {text_, len_ + 1}; }  // a letter after all digits

private:
    CodeTermRange(char kind, uint64_t hash, int digits);

    char text_[18];
    size_t len_;
};

// How often the file of a word's term has it; 0: it is no such term.
int count_of_term(std::string_view term);

class CodeTerms {
public:
    explicit CodeTerms(Memory &memory)
        : texts_(memory), words_(memory), terms_(memory), hashes_(memory), counts_(memory) {}

    // The row of a file, and its terms with a blank between them: views until the next call.
    store::CodeSourceRow pack(const CodeFile &file, uint64_t number);
    std::string_view terms_of(const CodeFile &file);
    // The file of a row; false: it is none. Views into the row, and until the next call.
    bool unpack(const store::CodeSourceRow &row, CodeFile &out);

private:
    bool unpack_words(std::string_view words);

    Buffer<char> texts_, words_, terms_;
    Buffer<uint32_t> hashes_;
    Buffer<uint8_t> counts_;
};

}  // namespace accp::packet
