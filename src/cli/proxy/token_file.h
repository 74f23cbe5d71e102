// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The file of --token-file.
#pragma once

#include <string>

namespace cli {

// Returns the token in the file. Throws Failure if it cannot be read or has no token, or if other
// users have rights to it, because it has the token itself.
std::string read_token(const std::string &path);

}  // namespace cli
