// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SHA-256 as written in FIPS 180-4, for tests.
#pragma once

#include <string>
#include <string_view>

namespace accp_ref {

std::string sha256_hex(std::string_view text);

}  // namespace accp_ref
