// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A frame's text in its parts, without a parser: of one that was parsed, or printed here.
#pragma once

#include <string_view>

namespace accp::frame {

// Brackets and all; `meta` is empty where there is none.
struct FrameText {
    // The three parts of the grammar, which are counted: the header ends before the colon.
    std::string_view header() const { return start.substr(0, start.find(':')); }
    std::string_view body() const {
        const size_t header_len = header().size();
        return {start.data() + header_len, start.size() - header_len + payload.size()};
    }

    std::string_view start, payload, meta;  // the payload is what stands in braces, with them
};
inline FrameText take_apart(std::string_view frame) {
    const size_t payload = frame.find('{');
    // a bracket in a string has a backslash before it, so this stands nowhere else
    size_t meta = frame.find("}[");
    meta = meta == std::string_view::npos ? frame.size() : meta + 1;
    return {frame.substr(0, payload), frame.substr(payload, meta - payload), frame.substr(meta)};
}

}  // namespace accp::frame
