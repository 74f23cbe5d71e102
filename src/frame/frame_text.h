// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A frame's text in its three parts, without a parser: of one that was parsed, or printed here.
#pragma once

#include <string_view>

namespace accp::frame {

// Brackets and all; `meta` is empty where there is none.
struct FrameText {
    std::string_view header, payload, meta;
};
inline FrameText take_apart(std::string_view frame) {
    const size_t payload = frame.find('{');
    // a bracket in a string has a backslash before it, so this stands nowhere else
    size_t meta = frame.find("}[");
    meta = meta == std::string_view::npos ? frame.size() : meta + 1;
    return {frame.substr(0, payload), frame.substr(payload, meta - payload), frame.substr(meta)};
}

}  // namespace accp::frame
