// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message made smaller: the lines of it that are worth most stay, in their order, with gaps
// between them. Few principles say what a line is worth: it has names that stand nowhere yet;
// it says what went wrong; it begins as no other does; it begins or ends the message.
#pragma once

#include "context/lines.h"
#include "context/name_set.h"
#include "token/count.h"

namespace accp::context {

struct ShrinkRules {
    uint32_t max = 0;             // tokens
    uint32_t name_tokens = 0;     // of them, for names of lines that were left out
    uint32_t head = 0, tail = 0;  // percent of them that its first and its last lines have anyway
    bool says_how_many = false;   // a gap says how many lines it has
};

class Shrinker {
public:
    // All are borrowed. Lines and names that stand above already are not said again; NULL: none do.
    Shrinker(Arena &arena, token::TokenCounter &counter, const NameSet *names_above,
             const LineSet *lines_above)
        : arena_(arena), counter_(counter), names_above_(names_above), above_(lines_above) {}

    // Takes a message: what its lines are, and are worth. Then write() may be called.
    Status read(std::string_view message);
    // Appends it. `number`: of one that closes for the first time: its first line then is that of a
    // closed message (write_closed_head()); else 0.
    Status write(uint64_t number, const ShrinkRules &rules, Buffer<char> &out);

private:
    struct Line {
        std::string_view text;
        uint32_t tokens = 0;
        uint32_t worth = 0;  // in sixteenths
        bool kept = false;
        bool whole = false;   // it begins where a line of the message does
        bool closed = false;  // never kept: blank, a gap, or said above
    };
    struct Ranked {
        uint32_t rate, at;
    };

    void take_lines(std::string_view message);
    void score();
    uint32_t names_worth(std::string_view line) const;
    void choose(const ShrinkRules &rules);
    uint32_t take_ends(const ShrinkRules &rules);
    void write_gap(uint32_t lines, bool says_how_many, Buffer<char> &out);
    uint32_t list_names(NameCount **names);
    void write_names(uint32_t room, Buffer<char> &out);
    uint32_t tokens_of(std::string_view text);

    Arena &arena_;
    token::TokenCounter &counter_;
    const NameSet *names_above_;
    const LineSet *above_;
    Line *lines_ = nullptr;
    uint32_t count_ = 0;
    Status status_;
};

}  // namespace accp::context
