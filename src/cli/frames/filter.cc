// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See filter.h.
#include "cli/frames/filter.h"

#include <fcntl.h>
#include <poll.h>
#include <cerrno>
#include <cstring>

#include "cli/host.h"
#include "cli/frames/line_reader.h"
#include "cli/settings.h"

namespace cli {
namespace {

// One input, open as long as this lives. "-" is standard input.
class Input {
public:
    explicit Input(const std::string &name) : name_(name) {
        if (name != "-") fd_ = open(name.c_str(), O_RDONLY | O_CLOEXEC);
        if (fd_ < 0) fail();
    }
    ~Input() {
        if (fd_ > STDERR_FILENO) close(fd_);
    }
    Input(const Input &) = delete;
    Input &operator=(const Input &) = delete;

    // As LineReader::Read. Before a read that has to wait, what is done so far goes out.
    size_t read(char *buffer, size_t size, Streams &io) {
        io.progress.show(io.records, io.bytes);
        pollfd ready = {fd_, POLLIN, 0};
        if (poll(&ready, 1, 0) == 0) io.flush();
        for (;;) {
            const ssize_t got = ::read(fd_, buffer, size);
            if (got >= 0) {
                io.bytes += static_cast<uint64_t>(got);
                return static_cast<size_t>(got);
            }
            if (errno == EAGAIN) {
                poll(&ready, 1, -1);
            } else if (errno != EINTR) {
                fail();
            }
        }
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
                   const std::function<void(std::string_view)> &use) {
    for (const std::string &name : input_names(arguments)) {
        Input input(name);
        LineReader reader([&](char *buffer, size_t size) { return input.read(buffer, size, io); },
                          limit, lines == Lines::kMessages);
        std::string_view line;
        while (reader.next(line)) {
            use(line);
            io.flush_if_full();
        }
    }
}

int run_filter(const Arguments &arguments, Streams &io, Lines lines, const Work &work) {
    const uint64_t limit = record_limit(
        arguments, lines == Lines::kFrames ? ACCP_LIMIT_FRAME_BYTES : ACCP_LIMIT_JSON_BYTES);
    for_each_line(arguments, io, limit, lines, [&](std::string_view line) {
        accp_error err = {};
        ++io.records;
        if (work(line, io, err) != ACCP_OK) io.refuse(err, line);
        io.out.text.push_back('\n');
    });
    return io.status();
}

}  // namespace cli
