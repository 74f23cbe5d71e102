// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Lines that come in pieces of any size.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/host.h"

namespace cli {

class LinePieces {
public:
    static constexpr size_t kMaxLine = 64 << 20;

    // What comes is appended here.
    std::string &text() { return text_; }

    // Takes whole lines off the front, but for empty ones; at the end what is left is one too.
    // Throws Failure where one is too long.
    template <typename Each>
    void each_line(bool at_end, Each each) {
        size_t begin = 0;
        for (size_t end; (end = text_.find('\n', std::max(begin, looked_))) != text_.npos;
             begin = end + 1)
            if (end > begin) each(std::string_view(text_).substr(begin, end - begin));
        if (at_end && begin < text_.size()) each(std::string_view(text_).substr(begin));
        text_.erase(0, at_end ? text_.npos : begin);
        looked_ = text_.size();
        if (looked_ > kMaxLine) throw Failure("mcp wrap: a message has over 64 MiB");
    }

private:
    std::string text_;
    size_t looked_ = 0;  // so far there is no end of a line
};

}  // namespace cli
