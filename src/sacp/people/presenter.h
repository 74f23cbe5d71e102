// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Presents data as text for people by a template. Text in the data is never read as a template.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "sacp/message/reference.h"
#include "sacp/people/locale.h"
#include "sacp/people/template.h"

namespace accp::sacp {

// Compares two JSON numbers by exact value: negative, 0 or positive. An exponent that is too large
// to read counts as the largest.
int compare_numbers(std::string_view a, std::string_view b);

// Returns whether a word is this number; false if it is not a number.
bool is_same_number(std::string_view word, std::string_view number);

constexpr uint64_t kMaxWritten = 16 << 20;  // bytes; nested `each` slots multiply
constexpr uint64_t kMaxSteps = 8 << 20;     // pieces written and elements sorted

class Presenter {
public:
    explicit Presenter(Memory &memory)
        : template_(memory),
          locale_(memory),
          numbers_(memory),
          index_(memory),
          arena_(memory),
          word_(memory) {}
    ~Presenter();

    // Call it once.
    Status open(std::string_view source, std::string_view locale, std::string_view zone);

    // Appends the text. The offset of a failure is that of the slot in the template.
    Status write(value::TreeView tree, Buffer<char> &out);

private:
    // What the names in a piece refer to.
    struct Binding {
        uint32_t item;    // node
        uint32_t number;  // position in its array, from 1; 0: outside `each`
        uint32_t plural;  // node of the number for #; kNone: none
    };
    static constexpr uint32_t kNone = UINT32_MAX;

    // An element to sort: numbers first, then texts, then elements without the key.
    struct Item {
        uint32_t node;
        uint32_t position;  // in the data
        uint8_t rank;       // 0: number; 1: text; 2: neither
        uint32_t number;    // node
        const char *key;
        uint32_t key_len;
    };

    Status write_range(uint32_t begin, uint32_t end, const Binding &binding, Buffer<char> &out);
    Status write_piece(const Piece &piece, uint32_t at, const Binding &binding, Buffer<char> &out);
    Status write_value(const Piece &piece, uint32_t node, Buffer<char> &out);
    Status write_date(const Piece &piece, uint32_t node, Buffer<char> &out);
    Status write_plural(const Piece &piece, uint32_t at, uint32_t node, Binding binding,
                        Buffer<char> &out);
    Status write_select(const Piece &piece, uint32_t at, uint32_t node, const Binding &binding,
                        Buffer<char> &out);
    Status write_each(const Piece &piece, uint32_t at, uint32_t node, Binding binding,
                      Buffer<char> &out);
    Status sort(const Piece &piece, Item *items, uint32_t count);
    bool is_before(const Item &a, const Item &b, bool descending) const;
    Status write_case(uint32_t piece, const Binding &binding, Buffer<char> &out) {
        return write_range(piece + 1, template_.pieces[piece].end, binding, out);
    }
    uint32_t find_case(const Piece &piece, uint32_t at, std::string_view word) const;
    // Finds the node at a path. Returns false if there is none.
    bool find(std::string_view path, const Binding &binding, uint32_t &out);
    Status count(uint64_t steps, uint64_t byte);

    Template template_;
    Locale locale_;
    Buffer<UNumberFormatter *> numbers_;  // the formatter of each piece with a skeleton
    TreeIndex index_;
    Arena arena_;
    Buffer<char> word_;
    value::TreeView tree_ = {};
    uint64_t steps_ = 0;
    size_t begin_ = 0;  // start of the output in `out`
};

}  // namespace accp::sacp
