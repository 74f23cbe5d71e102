// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compact JSON laid out over lines, two spaces a level, as JSON.stringify(value, null, 2) and most
// tools write it.
#pragma once

#include <string>
#include <string_view>

namespace cli {

// `compact` is JSON without white space between tokens, as accp_value_print_json() writes it.
std::string pretty_json(std::string_view compact);

}  // namespace cli
