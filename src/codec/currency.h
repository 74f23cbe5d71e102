// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The currencies of ISO 4217.
#pragma once

#include <string_view>

namespace accp::profile {

// Is this one of the alphabetic codes in use (currencies.def)? Case counts.
bool is_currency(std::string_view code);

}  // namespace accp::profile
