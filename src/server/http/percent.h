// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts as parts of a URI: all but letters, digits and -._~ as % and two digits.
#pragma once

#include <string>
#include <string_view>

namespace server {

std::string percent_encoded(std::string_view text);
// False: there is a % without two digits behind it.
bool percent_decoded(std::string_view text, std::string &out);

}  // namespace server
