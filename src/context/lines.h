// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Lines of a context: gaps where some were left out, and which stand there already.
#pragma once

#include "base/arena.h"
#include "base/memory.h"

namespace accp::context {

inline constexpr std::string_view kGap = "\xE2\x80\xA6";
inline constexpr std::string_view kAsAbove = " lines as above";

// Did the engine write this line where others were left out?
inline bool is_gap(std::string_view line) { return line.substr(0, kGap.size()) == kGap; }

// Is this the gap of a run that stands above?
bool is_above(std::string_view line);

// The digits at the start of a line of a numbered listing ("  12\t", "12:", "12|", "12" and an
// arrow). Empty: the line has no number. `rest` is what follows the number, or the whole line.
std::string_view number_of_line(std::string_view line, std::string_view &rest);

// The next line without its newline; `at` moves after it.
inline std::string_view next_whole_line(std::string_view text, size_t &at) {
    const size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end == text.npos ? end : end - at);
    at = end == text.npos ? text.size() : end + 1;
    return line;
}

// The lines of a text that grows, but for short ones, without the blanks around them.
class LineSet {
public:
    // `text` is borrowed; it may be moved. `bytes`: how long it may become, about.
    // `ignores_numbers`: lines of numbered listings are equal if they differ in their number alone.
    LineSet(Arena &arena, const Buffer<char> &text, size_t bytes, bool ignores_numbers = false);

    // Takes the lines that the text has had since the last call.
    void update();
    bool has(std::string_view line) const;

private:
    struct Line {
        uint64_t hash;
        uint32_t at, len;  // len 0: a free place
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

// Appends a message without the runs of lines that stand in `above`, each
// with a gap in its place; the runs go to `hidden` (write_run()). The first line stays. Short runs
// stay where they are. `by_body`: a set that ignores numbers, or nullptr. A line that it
// contains is left out too, if the line before or after it has the neighbouring number: a part of a
// listing that has moved. The gap of numbered lines states their numbers.
void leave_out(std::string_view message, const LineSet &above, const LineSet *by_body,
               Buffer<char> &out, Buffer<char> &hidden);

// Appends the message with its runs.
void put_back(std::string_view message, std::string_view hidden, Buffer<char> &out);

}  // namespace accp::context
