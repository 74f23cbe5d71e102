// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Base64 of RFC 4648, section 4: bytes in JSON.
#pragma once

#include <string>
#include <string_view>

namespace host {

std::string print_base64(std::string_view bytes);
// False: it is none. The alphabet for addresses (section 5) is taken too, and missing padding.
bool read_base64(std::string_view text, std::string &out);

}  // namespace host
