// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/frames/filter.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <limits>
#include <utility>

#include "cli/host.h"
#include "cli/settings.h"

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

// Returns the line of that length at begin_, without its CR, and cut if it is too long.
std::string_view LineReader::finished(size_t length) {
    std::string_view line(buffer_.data() + begin_, length);
    if (drop_cr_ && !line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line.substr(0, limit_ + 1);
}

// Skips the rest of a line that was too long. Returns false if the input ended within it.
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

// Makes room after end_ and reads more. Returns false at the end of the input. The buffer starts at
// one block and doubles only if a line fills it.
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

namespace {

// An input that is closed by the destructor. "-" is standard input.
class Input {
public:
    explicit Input(const std::string &name) : name_(name) {
        if (name != "-") fd_ = open_to_read(name);
        if (fd_ < 0) fail();
    }
    ~Input() {
        if (fd_ > STDERR_FILENO) close(fd_);
    }
    Input(const Input &) = delete;
    Input &operator=(const Input &) = delete;

    // Returns when there is something to read, or there is no limit to wait for it.
    void wait(const std::function<int64_t()> &wait_ms, Streams &io) const {
        for (;;) {
            const int64_t ms = std::min<int64_t>(wait_ms(), INT_MAX);
            if (ms < 0 || has_input(fd_, 0)) return;
            io.flush();
            if (has_input(fd_, static_cast<int>(ms))) return;
        }
    }

    // As LineReader::Read. Flushes the output first if the read would block.
    size_t read(char *buffer, size_t size, Streams &io) {
        io.progress.show(io.records, io.bytes);
        if (!has_input(fd_, 0)) io.flush();
        const ssize_t got = read_bytes(fd_, buffer, size);
        if (got < 0) fail();
        io.bytes += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
    }

private:
    [[noreturn]] void fail() const {
        throw Failure((name_ == "-" ? "standard input" : name_) + ": " + std::strerror(errno));
    }

    std::string name_;
    int fd_ = STDIN_FILENO;
};

}  // namespace

void for_each_block(const Arguments &arguments, Streams &io,
                    const std::function<void(std::string_view)> &use) {
    std::vector<char> block(256 << 10);
    for (const std::string &name : input_names(arguments)) {
        Input input(name);
        while (const size_t got = input.read(block.data(), block.size(), io))
            use({block.data(), got});
    }
}

void for_each_line(const Arguments &arguments, Streams &io, uint64_t limit, Lines lines,
                   const std::function<void(std::string_view)> &use,
                   const std::function<int64_t()> &wait_ms) {
    for (const std::string &name : input_names(arguments)) {
        Input input(name);
        LineReader reader(
            [&](char *buffer, size_t size) {
                if (wait_ms) input.wait(wait_ms, io);
                return input.read(buffer, size, io);
            },
            limit, lines == Lines::kMessages);
        std::string_view line;
        while (reader.next(line)) {
            use(line);
            io.flush_if_full();
        }
    }
}

int run_filter(const Arguments &arguments, Streams &io, Lines lines, const FilterFunction &filter) {
    const uint64_t limit = record_limit(
        arguments, lines == Lines::kFrames ? ACCP_LIMIT_FRAME_BYTES : ACCP_LIMIT_JSON_BYTES);
    for_each_line(arguments, io, limit, lines, [&](std::string_view line) {
        accp_error err = {};
        ++io.records;
        if (filter(line, io, err) != ACCP_OK) io.refuse(err, line);
        io.out.text.push_back('\n');
    });
    return io.status();
}

}  // namespace cli
