// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The schemas that come with the library: ER, and one for each profile (specification 10).
#pragma once

#include <cstdint>
#include <string_view>

namespace accp::registry {

// A registry document with all of them, in the order of accp_profile's bits; the first, ER, belongs
// to none and is always there.
extern const std::string_view kBuiltIn;

// The bit of accp_profile that brings the built-in schema number i in; 0 for ER.
constexpr uint32_t built_in_profile(uint32_t i) { return i ? uint32_t{1} << (i - 1) : 0; }

}  // namespace accp::registry
