// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files that git lists. git_files.cc is for POSIX; on Windows git is not run.
#pragma once

#include <string>
#include <vector>

namespace cli {

// Returns the files that git tracks, and new ones that it does not ignore. Returns none if git
// cannot list them.
std::vector<std::string> list_git_files(const std::string &directory);

}  // namespace cli
