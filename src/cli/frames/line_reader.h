// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cuts what it reads into lines, in memory that the limit bounds whatever the lines look like: of a
// line longer than the limit only the first limit + 1 bytes are kept, enough for the library to
// refuse it just as it would refuse the whole; the rest is skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace cli {

class LineReader {
public:
    // As read(2): fills at most `size` bytes, answers how many, 0 at the end. Failing is by
    // exception.
    using Read = std::function<size_t(char *buffer, size_t size)>;

    // drop_cr: one CR before the LF, or at the end of the input, belongs to the line's end.
    LineReader(Read read, uint64_t limit, bool drop_cr, size_t block = 256 << 10);

    // The next line without its end, which is a view until the next call; false after the last. A
    // last line without LF counts; nothing after the last LF does not.
    bool next(std::string_view &line);

private:
    bool fill();
    bool skip_rest();
    std::string_view finished(size_t length);

    Read read_;
    uint64_t limit_;
    uint64_t hold_;  // so many bytes without LF are a line too long, CR or not
    size_t block_;
    bool drop_cr_;
    bool skipping_ = false;
    bool at_end_ = false;
    std::vector<char> buffer_;
    size_t begin_ = 0;  // the bytes read and not yet handed out are begin_ to end_
    size_t end_ = 0;
};

}  // namespace cli
