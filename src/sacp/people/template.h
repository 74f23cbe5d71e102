// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A template: text with slots, in a subset of ICU's message format.
//
//     message  = *(text / slot)
//     slot     = "{" path "}"
//              / "{" path ",number" [",integer" / ",percent"] "}"
//              / "{" path ",currency," 3upper "}"
//              / "{" path (",date" / ",time" / ",datetime") [style] "}"
//              / "{" path (",plural" / ",selectordinal") "," 1*(("=" number / word) case) "}"
//              / "{" path ",select," 1*(word case) "}"
//              / "{" path ",each" ["," order] case ["empty" case] "}"
//     style    = ",short" / ",medium" / ",long" / ",full"
//     order    = ["by" path ["asc" / "desc"]] ["limit" number]
//     case     = "{" message "}"
//     path     = "." / "@" / ["$."] label *("." label)
//
// Blanks are allowed between words. In text '' is an apostrophe; an apostrophe before { } or #
// quotes the text up to the next one. In a case of a plural # is its number.
#pragma once

#include "base/memory.h"
#include "base/status.h"

namespace accp::sacp {

constexpr size_t kMaxTemplateBytes = 256 << 10;
constexpr uint32_t kMaxTemplateDepth = 16;  // nested cases

// A piece of the template. The pieces in it follow it, up to `end`.
struct Piece {
    enum Kind : uint8_t { kText, kValue, kNumber, kDate, kPlural, kSelect, kEach, kCase, kHash };

    Kind kind;
    bool ordinal = false;               // of a plural
    bool descending = false;            // of each
    int8_t date = -1, time = -1;        // styles of ICU; -1: none
    uint32_t text = 0, text_len = 0;    // the text, the path, or the word of a case
    uint32_t extra = 0, extra_len = 0;  // the skeleton of a number, or the path that each sorts by
    uint32_t limit = UINT32_MAX;        // of each
    uint32_t byte = 0;                  // offset in the template
    uint32_t end = 0;
};

class Template {
public:
    explicit Template(Memory &memory) : pieces(memory), texts_(memory) {}

    // Call it once. Returns ACCP_E1001 with the offset of an error.
    Status read(std::string_view text);

    std::string_view text(const Piece &piece) const {
        return {texts_.data() + piece.text, piece.text_len};
    }
    std::string_view extra(const Piece &piece) const {
        return {texts_.data() + piece.extra, piece.extra_len};
    }

    Buffer<Piece> pieces;

private:
    struct Nesting {
        uint32_t depth;
        bool in_plural;  // # is the number of the plural
    };

    bool read_message(Nesting nesting);
    bool read_text(Nesting nesting);
    bool read_quoted();
    bool read_slot(Nesting nesting);
    bool read_type(uint32_t piece, std::string_view type, Nesting nesting);
    bool read_number(uint32_t piece);
    bool read_currency(uint32_t piece);
    bool read_date(uint32_t piece, std::string_view type);
    bool read_cases(uint32_t piece, Nesting nesting);
    bool read_each(uint32_t piece, Nesting nesting);
    bool read_each_order(uint32_t piece);
    bool read_case(std::string_view word, Nesting nesting);

    void pass_blanks();
    bool pass(char c);
    // A word ends before a blank and before { } , '
    std::string_view read_word();
    uint32_t keep(std::string_view text);
    bool set_path(uint32_t piece, std::string_view path);
    uint32_t add(Piece::Kind kind);
    bool refuse(const char *message) { return refuse(message, at_); }
    bool refuse(const char *message, size_t byte) {
        if (status_.ok()) status_ = fail(ACCP_E1001, byte, message);
        return false;
    }

    Buffer<char> texts_;
    std::string_view source_;
    size_t at_ = 0;
    Status status_;
};

}  // namespace accp::sacp
