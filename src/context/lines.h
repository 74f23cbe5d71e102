// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds lines that a context already has, and replaces them with gaps.
#pragma once

#include "base/arena.h"
#include "base/memory.h"

namespace accp::context {

inline constexpr std::string_view kGap = "\xE2\x80\xA6";
inline constexpr std::string_view kAsAbove = " lines as above";

// Returns whether the line stands for others that were left out. Only the engine writes such lines.
inline bool is_gap(std::string_view line) { return line.substr(0, kGap.size()) == kGap; }

// Returns whether the line is the gap of lines that the context has above it.
bool is_above(std::string_view line);

// Returns the digits at the start of a line of a numbered listing ("  12\t", "12:", "12|", "12" and
// an arrow), or an empty text. Sets `rest` to the text after the number, or to the whole line.
std::string_view number_of_line(std::string_view line, std::string_view &rest);

// Returns the next line without its newline, and moves `at` after it.
inline std::string_view next_whole_line(std::string_view text, size_t &at) {
    const size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end == text.npos ? end : end - at);
    at = end == text.npos ? text.size() : end + 1;
    return line;
}

// The lines of a growing text, without short lines and without the blanks around each line. Of
// equal lines it has the newest.
class LineSet {
public:
    // `text` is borrowed and may be moved. `bytes`: about the size that it may reach.
    // `ignores_numbers`: lines of numbered listings are equal if they differ in their number alone.
    LineSet(Arena &arena, const Buffer<char> &text, size_t bytes, bool ignores_numbers = false);

    // Adds the lines that were appended to the text since the last call.
    void update();
    bool has(std::string_view line) const { return end_of(line) != npos; }
    // Returns the position after the line in the text, or npos if it is short or not there.
    size_t end_of(std::string_view line) const;
    // Returns whether this line, of any length, is at a position of the text, and moves `at` after
    // it. If `at` is npos, it is not.
    bool continues(std::string_view line, size_t &at) const;

    static constexpr size_t npos = std::string_view::npos;

private:
    struct Line {
        uint64_t hash;
        uint32_t at, len;  // len 0: free
    };
    std::string_view key_of(std::string_view line) const;
    const Line *find(std::string_view line, uint64_t hash) const;
    void use_places(size_t count);
    void grow();

    Arena &arena_;
    const Buffer<char> &text_;
    const size_t max_places_;
    const bool ignores_numbers_;
    size_t taken_ = 0, count_ = 0, places_;
    Line *lines_;
};

// Appends a message in which a gap replaces each run of lines that `above` contains. Appends the
// runs to `hidden` (write_run()). The first line and short runs stay. A short line is left out only
// where the context has it after the same line. `by_body`: a set that ignores numbers, or nullptr.
// A line that it contains is left out too, if the line before or after it has the neighbouring
// number: it is part of a listing that has moved. The gap of numbered lines states their numbers.
void leave_out(std::string_view message, const LineSet &above, const LineSet *by_body,
               Buffer<char> &out, Buffer<char> &hidden);

// Appends a message with its runs in place of their gaps.
void put_back(std::string_view message, std::string_view hidden, Buffer<char> &out);

}  // namespace accp::context
