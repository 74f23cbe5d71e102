// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Output to a file descriptor in big blocks.
#pragma once

#include <string>

namespace cli {

class Writer {
public:
    // What a failed write does. Nobody can be told that standard error failed.
    enum class OnFailure { kThrow, kIgnore };

    Writer(int fd, OnFailure on_failure) : fd_(fd), on_failure_(on_failure) {}

    // What is not written yet: append here.
    std::string text;

    // Writes all of `text` and empties it. Throws ReaderGone when the reader has closed its end,
    // Failure on any other error.
    void flush();

    // Writes when enough has come together.
    void flush_if_full() {
        if (text.size() >= kFull) flush();
    }

private:
    static constexpr size_t kFull = 256 << 10;
    int fd_;
    OnFailure on_failure_;
};

}  // namespace cli
