// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Numbers as text by their exact values.
//
// Data as a text for people, by a template. What the data says is never read as a template.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "sacp/message/reference.h"
#include "sacp/people/locale.h"
#include "sacp/people/template.h"

namespace accp::sacp {

// Below 0, 0, or above 0. Both are JSON numbers; an exponent beyond what is read counts as the
// largest.
int compare_numbers(std::string_view a, std::string_view b);

// Is a word that number? One that is no number is none.
bool is_same_number(std::string_view word, std::string_view number);

constexpr uint64_t kMaxWritten = 16 << 20;  // bytes; one each inside another multiplies
constexpr uint64_t kMaxSteps = 8 << 20;     // parts of the template, elements sorted

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

    // Once.
    Status open(std::string_view source, std::string_view locale, std::string_view zone);

    // Appends the text. A failure's offset is the byte of the template where the slot is.
    Status write(value::TreeView tree, Buffer<char> &out);

private:
    // What names in a part are of.
    struct Binding {
        uint32_t item;    // node
        uint32_t number;  // of it, from 1; 0: it is not of an each
        uint32_t plural;  // node of the number of #; kNone
    };
    static constexpr uint32_t kNone = UINT32_MAX;

    // An element that is sorted: what has none of the name comes last, numbers before texts.
    struct Item {
        uint32_t node;
        uint32_t binding;  // in the data
        uint8_t rank;      // 0 number, 1 text, 2 neither
        uint32_t number;   // node
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
    // The node that a path leads to. False: there is none.
    bool find(std::string_view path, const Binding &binding, uint32_t &out);
    Status count(uint64_t steps, uint64_t byte);

    Template template_;
    Locale locale_;
    Buffer<UNumberFormatter *> numbers_;  // of each piece that has a skeleton
    TreeIndex index_;
    Arena arena_;
    Buffer<char> word_;
    value::TreeView tree_ = {};
    uint64_t steps_ = 0;
    size_t begin_ = 0;  // of what is written, in `out`
};

}  // namespace accp::sacp
