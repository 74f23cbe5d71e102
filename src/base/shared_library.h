// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Libraries that are loaded while the program runs, and stay loaded.
#pragma once

namespace accp {

// Returns a handle of the library, or nullptr. The loader searches the directory of this library
// first if its RUNPATH says so, then the usual ones.
void *load_library(const char *name);

// Returns the function of this name, or nullptr.
void *find_function(void *library, const char *name);

// Describes why the last load_library() of this thread failed, or returns nullptr.
const char *load_failure();

}  // namespace accp
