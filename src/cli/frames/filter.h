// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the input of a subcommand line by line, and runs a filter that turns each line into one
// line of output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "accp/error.h"
#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// Splits a stream into lines. The limit bounds the memory whatever the lines look like: of a longer
// line only the first limit + 1 bytes are kept, and the rest is skipped. That is enough for the
// library to refuse the line just as it would refuse all of it.
class LineReader {
public:
    // Works like read(2): fills at most `size` bytes and returns how many, 0 at the end. Throws on
    // failure.
    using Read = std::function<size_t(char *buffer, size_t size)>;

    // If drop_cr is true, one CR before the LF, or at the end of the input, is part of the line
    // end.
    LineReader(Read read, uint64_t limit, bool drop_cr, size_t block = 256 << 10);

    // Sets `line` to the next line without its end and returns true, or returns false after the
    // last line. The view is valid until the next call. A last line without LF counts as a line; an
    // empty text after the last LF does not.
    bool next(std::string_view &line);

private:
    bool fill();
    bool skip_rest();
    std::string_view finished(size_t length);

    Read read_;
    uint64_t limit_;
    uint64_t hold_;  // this many bytes without LF are too long, whether or not a CR ends them
    size_t block_;
    bool drop_cr_;
    bool skipping_ = false;
    bool at_end_ = false;
    std::vector<char> buffer_;
    size_t begin_ = 0;  // bytes begin_ to end_ are read but not returned yet
    size_t end_ = 0;
};

enum class Lines {
    kFrames,   // end in LF
    kMessages  // end in LF or CR LF
};

// Calls `use` for each line of each input. A line longer than `limit` bytes is cut to limit + 1.
// `wait_ms`: if given, it is called before each wait for input, may write output, and returns the
// maximum milliseconds of the wait, after which it is called again; -1: no limit.
void for_each_line(const Arguments &arguments, Streams &io, uint64_t limit, Lines lines,
                   const std::function<void(std::string_view)> &use,
                   const std::function<int64_t()> &wait_ms = {});

// Calls `use` for the bytes of all inputs, block by block.
void for_each_block(const Arguments &arguments, Streams &io,
                    const std::function<void(std::string_view)> &use);

// Processes one record: appends the result, without a newline, to io.out.text and returns ACCP_OK;
// or fills `err` and returns its code.
using FilterFunction =
    std::function<accp_status(std::string_view record, Streams &io, accp_error &err)>;

// Runs `filter` on every record and returns the exit status. Each record gets one line on standard
// output, which is empty if it has no result. A refused record also gets a line on standard error.
int run_filter(const Arguments &arguments, Streams &io, Lines lines, const FilterFunction &filter);

}  // namespace cli
