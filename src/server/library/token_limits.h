// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The token limits for the parts of a frame (specification 3.4). Above the soft limit the library
// warns; above the hard limit a session acts.
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

// Returns the parts of a frame's text in the order of FramePart. The header ends before the colon,
// the body before the metadata. A bracket in a string has a backslash before it.
inline std::array<std::string_view, kFrameParts> parts_of(std::string_view frame) {
    const size_t header = frame.find(':');
    const size_t meta = frame.find("}["), end = meta == frame.npos ? frame.size() : meta + 1;
    return {frame.substr(0, header), frame.substr(header, end - header), frame.substr(end), frame};
}

}  // namespace host
