// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Base64 of RFC 4648, section 4.
#pragma once

#include <string>
#include <string_view>

namespace host {

std::string print_base64(std::string_view bytes);
// Returns false if the text is not Base64. The URL-safe alphabet (section 5) and missing padding
// are accepted.
bool read_base64(std::string_view text, std::string &out);

}  // namespace host
