// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files below a directory, as git has them: those that are tracked, and those that are new and
// not ignored.
#pragma once

#include <string>
#include <vector>

namespace cli {

// Paths from the directory on, sorted, each once. What git cannot tell (it is not there, or the
// directory is in no repository, or ignored) are all files that are in no folder with a dot before
// its name. None is a symbolic link, or below one. A Failure where there is no such directory.
std::vector<std::string> list_files(const std::string &directory);

}  // namespace cli
