// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How many tokens each part of a frame should have at most (specification 3.4): beyond the soft limit is a warning, beyond the hard one a session
// acts.
#pragma once

#include <cstdint>

namespace cli {

struct PartLimit {
    const char *name;
    uint64_t soft, hard;
};

enum FramePart { kHeaderPart, kBodyPart, kMetadataPart, kWholePart, kFrameParts };

inline constexpr PartLimit kPartLimits[kFrameParts] = {{"header", 5, 10}, {"body", 50, 200}, {"metadata", 10, 30}, {"total", 65, 240}};

}  // namespace cli
