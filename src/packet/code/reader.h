// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A file of code as an index keeps it: what it is for, the names that it defines, and how often it
// has which words.
#pragma once

#include "packet/code/files.h"
#include "packet/code/scan.h"

namespace accp::packet {

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
