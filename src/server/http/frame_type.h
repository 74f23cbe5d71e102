// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The media type of frames (docs/wire.md 11).
#pragma once

namespace server {

constexpr const char *kFrameType = "application/accp";

}  // namespace server
