// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace server {

// The SHA-256 of a text: 64 digits of 0-9 and a-f.
std::string sha256_of(std::string_view text);

}  // namespace server
