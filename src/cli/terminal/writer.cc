// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See writer.h.
#include "cli/terminal/writer.h"

#include <poll.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "cli/host.h"

namespace cli {

void Writer::flush() {
    size_t done = 0;
    while (done < text.size()) {
        const ssize_t wrote = write(fd_, text.data() + done, text.size() - done);
        if (wrote >= 0) {
            done += static_cast<size_t>(wrote);
        } else if (errno == EAGAIN) {
            pollfd ready = {fd_, POLLOUT, 0};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            const int error = errno;
            text.clear();  // so that nobody tries again
            if (on_failure_ == OnFailure::kIgnore) return;
            if (error == EPIPE) throw ReaderGone();
            throw OutputFailure(std::string("standard output: ") + std::strerror(error));
        }
    }
    text.clear();
}

}  // namespace cli
