// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shared libraries that are loaded while the program runs, and stay loaded. loader.cc is for POSIX,
// loader_windows.cc for Windows.
#pragma once

#include <string>

namespace host {

// Throws Failure if the library cannot be loaded.
void *load_library(const std::string &file);
// Returns nullptr if the library has no such function.
void *find_function(void *library, const char *name);

}  // namespace host
