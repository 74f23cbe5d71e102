// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How many tokens each part of a frame should have at most (specification 3.4), as the library
// says: beyond the soft limit is a warning, beyond the hard one a session acts.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "accp/codec.h"

namespace host {

struct PartLimit {
    const char *name;
    uint64_t soft, hard;
};

enum FramePart { kHeaderPart, kBodyPart, kMetadataPart, kWholePart, kFrameParts };

inline std::array<PartLimit, kFrameParts> part_limits() {
    accp_frame_budget budget = {};
    accp_codec_budget(nullptr, &budget, nullptr);
    const auto limit = [](const char *name, const accp_part_budget &part) {
        return PartLimit{name, part.soft, part.hard};
    };
    return {limit("header", budget.header), limit("body", budget.body),
            limit("metadata", budget.metadata), limit("total", budget.total)};
}

// The parts of a frame's text, in this order, by the grammar: the header ends before the colon, and
// the body where the metadata begins. A bracket in a string has a backslash before it.
inline std::array<std::string_view, kFrameParts> parts_of(std::string_view frame) {
    const size_t header = frame.find(':');
    const size_t meta = frame.find("}["), end = meta == frame.npos ? frame.size() : meta + 1;
    return {frame.substr(0, header), frame.substr(header, end - header), frame.substr(end), frame};
}

}  // namespace host
