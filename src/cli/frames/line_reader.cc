// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See line_reader.h. The buffer starts at one block and doubles only under a line that may be that
// long.
#include "cli/frames/line_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace cli {

LineReader::LineReader(Read read, uint64_t limit, bool drop_cr, size_t block)
    : read_(std::move(read)),
      limit_(std::min(limit, std::numeric_limits<uint64_t>::max() / 4)),
      hold_(limit_ + 2),
      block_(block),
      drop_cr_(drop_cr),
      buffer_(block) {}

bool LineReader::next(std::string_view &line) {
    if (skipping_ && !skip_rest()) return false;
    size_t searched = 0;
    for (;;) {
        const char *start = buffer_.data() + begin_;
        const size_t have = end_ - begin_;
        if (const void *found =
                have == searched ? nullptr : std::memchr(start + searched, '\n', have - searched)) {
            const size_t length = static_cast<size_t>(static_cast<const char *>(found) - start);
            line = finished(length);
            begin_ += length + 1;
            return true;
        }
        if (have >= hold_) {
            line = std::string_view(start, limit_ + 1);
            begin_ = end_;
            skipping_ = true;
            return true;
        }
        searched = have;
        if (!fill()) {
            if (have == 0) return false;
            line = finished(have);
            begin_ = end_;
            return true;
        }
    }
}

// The line of that length at begin_, without its CR, and cut where it is too long.
std::string_view LineReader::finished(size_t length) {
    std::string_view line(buffer_.data() + begin_, length);
    if (drop_cr_ && !line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line.substr(0, limit_ + 1);
}

// Drops the rest of a line that was too long; false where the input ended in it.
bool LineReader::skip_rest() {
    for (;;) {
        const char *start = buffer_.data() + begin_;
        const void *found = begin_ == end_ ? nullptr : std::memchr(start, '\n', end_ - begin_);
        if (found != nullptr) {
            begin_ += static_cast<size_t>(static_cast<const char *>(found) - start) + 1;
            skipping_ = false;
            return true;
        }
        begin_ = end_;
        if (!fill()) return false;
    }
}

// Reads more after end_, making room first; false at the end of the input.
bool LineReader::fill() {
    if (at_end_) return false;
    if (begin_ == end_) begin_ = end_ = 0;
    if (end_ == buffer_.size() && begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    } else if (end_ == buffer_.size()) {
        buffer_.resize(std::min<uint64_t>(buffer_.size() * 2,
                                          std::max<uint64_t>(hold_, buffer_.size()) + block_));
    }
    const size_t got = read_(buffer_.data() + end_, buffer_.size() - end_);
    at_end_ = got == 0;
    end_ += got;
    return got != 0;
}

}  // namespace cli
