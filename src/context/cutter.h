// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How a long message is cut, step by step: see cut.h.
#pragma once

#include <cstring>

#include "context/cut.h"

namespace accp::context {

constexpr uint32_t kWordPlaces = 8192;  // a power of two

constexpr std::string_view kGap = "\xE2\x80\xA6";

// Of a line of a message as it was written: does it name what was left out?
bool is_reference(std::string_view line);

// Also a line of a listing that has nothing but its number.
bool is_blank(std::string_view line);

// How many lines have a word. By its hash alone: two words that meet only make each other seem more
// common.
class WordCounts {
public:
    explicit WordCounts(Arena &arena) : counts_(arena.allocate<uint16_t>(kWordPlaces)) {
        std::memset(counts_, 0, kWordPlaces * sizeof *counts_);
    }
    uint16_t &operator[](uint32_t hash) { return counts_[hash & (kWordPlaces - 1)]; }

private:
    uint16_t *counts_;
};

struct Cutter {
    const Cut &cut;
    const Warm &warm;
    token::TokenCounter &counter;
    Arena &arena;
    Occurrences names;
    WordCounts words, asked, shapes, alike;
    struct Line {
        std::string_view text;
        uint32_t own = 0, score = 0;
        uint16_t tokens = 0;
        bool kept = false;
        bool ours = false;  // a gap, or names and a ref, of an earlier cut: its names count
    };
    Line *lines;
    uint32_t count = 0;
    Status status;

    Cutter(const Cut &cut, const Warm &warm, token::TokenCounter &counter, Arena &arena)
        : cut(cut),
          warm(warm),
          counter(counter),
          arena(arena),
          names(arena, warm),
          words(arena),
          asked(arena),
          shapes(arena),
          alike(arena),
          lines(arena.allocate<Line>(kMaxCutLines)) {}

    uint32_t tokens_of(std::string_view text);
    void read();   // the lines, their words and names,
    void score();  // and what each is worth
    void choose(uint32_t room);
    void write(Buffer<char> &out);
    void write_names(uint32_t room, Buffer<char> &out);

private:
    void take_lines(std::string_view text, uint32_t max);
    uint32_t own_score(std::string_view line);
    bool asked_about(std::string_view name);
    bool begins_line(std::string_view line) const;
};

}  // namespace accp::context
