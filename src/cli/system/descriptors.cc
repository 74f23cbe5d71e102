// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/system/descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <cerrno>
#include <csignal>

namespace cli {

void prepare_descriptors() { std::signal(SIGPIPE, SIG_IGN); }

int open_to_read(const std::string &path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }

ssize_t read_bytes(int fd, char *buffer, size_t size) {
    for (;;) {
        const ssize_t got = ::read(fd, buffer, size);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
        pollfd ready = {fd, POLLIN, 0};
        if (errno == EAGAIN) poll(&ready, 1, -1);
    }
}

ssize_t write_bytes(int fd, const char *bytes, size_t size) {
    for (;;) {
        const ssize_t wrote = ::write(fd, bytes, size);
        if (wrote >= 0 || (errno != EINTR && errno != EAGAIN)) return wrote;
        pollfd ready = {fd, POLLOUT, 0};
        if (errno == EAGAIN) poll(&ready, 1, -1);
    }
}

bool has_input(int fd, int max_ms) {
    pollfd ready = {fd, POLLIN, 0};
    const int found = poll(&ready, 1, max_ms);
    return found > 0 || (found < 0 && errno != EINTR);
}

bool is_terminal(int fd) { return isatty(fd); }

TerminalSize terminal_size() {
    winsize size = {};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col || !size.ws_row)
        return {80, 24};
    return {size.ws_col, size.ws_row};
}

}  // namespace cli
