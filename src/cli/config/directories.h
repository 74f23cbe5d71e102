// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The directories of a user's files.
#pragma once

#include <string>

namespace cli {

// Returns the user's home: HOME, or USERPROFILE as on Windows. Empty: neither is an absolute path.
std::string home_directory();

// Returns the directory of a variable, or else one below the user's home. Throws Failure without
// a home.
std::string directory_of(const char *variable, const std::string &below_home);

}  // namespace cli
