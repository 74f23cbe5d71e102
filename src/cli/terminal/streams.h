// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Standard output and standard error of one run. Both are buffered until a block is full or the
// next read would block, so a person who types a line sees its result at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "accp/error.h"
#include "cli/system/descriptors.h"

namespace cli {

// Writes to a file descriptor in large blocks.
class Writer {
public:
    enum class OnFailure { kThrow, kIgnore };

    Writer(int fd, OnFailure on_failure) : fd_(fd), on_failure_(on_failure) {}

    // Text that is not written yet. Append output here.
    std::string text;

    // Writes all of `text` and empties it. A failed write throws ReaderGone if the reader closed
    // its end, else OutputFailure; with kIgnore it throws nothing.
    void flush();

    // Writes if `text` has grown to a block.
    void flush_if_full() {
        if (text.size() >= kBlockBytes) flush();
    }

private:
    static constexpr size_t kBlockBytes = 256 << 10;
    int fd_;
    OnFailure on_failure_;
};

// A progress line on a terminal. It is overwritten in place and erased before any other output.
class Progress {
public:
    // Counts input records. Shows a line only if standard error is a terminal and neither standard
    // input nor standard output is one.
    Progress() : Progress("records", true) {}
    // Counts `unit`. If reads_input is false, standard input and output may be terminals.
    Progress(const char *unit, bool reads_input);

    // Call this often. The first line appears after one second, then five a second.
    void show(uint64_t records, uint64_t bytes);
    void erase();

private:
    using Clock = std::chrono::steady_clock;
    const char *unit_;
    bool is_enabled_;
    bool is_shown_ = false;
    Clock::time_point next_;
};

struct Streams {
    Writer out{STDOUT_FILENO, Writer::OnFailure::kThrow};
    Writer err{STDERR_FILENO, Writer::OnFailure::kIgnore};
    Progress progress;
    uint64_t records = 0;  // started so far, over all inputs
    uint64_t refused = 0;
    uint64_t bytes = 0;  // read so far

    // Counts the current record as refused and reports the error on standard error. If `text`, the
    // text that the error's offset counts in, is given, the report quotes it at that offset.
    void refuse(const accp_error &error, std::string_view text = {});
    void flush();
    void flush_if_full();
    int status() const { return refused == 0 ? 0 : 1; }
};

// Returns the word, number, JSON string or single character at `offset`, in printable form. Long
// ones are cut. Returns "" at the end of the text and at a space.
std::string excerpt_at(std::string_view text, uint64_t offset);

// Returns whether standard output is a terminal that shows colours (NO_COLOR is unset and TERM is
// not "dumb").
bool has_colour();

}  // namespace cli
