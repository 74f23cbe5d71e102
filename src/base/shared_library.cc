// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "base/shared_library.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace accp {

#ifdef _WIN32

// Not from the working directory or PATH: others may write there.
void *load_library(const char *name) {
    return reinterpret_cast<void *>(
        LoadLibraryExA(name, nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS));
}

void *find_function(void *library, const char *name) {
    return reinterpret_cast<void *>(GetProcAddress(static_cast<HMODULE>(library), name));
}

const char *load_failure() { return nullptr; }

#else

void *load_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

void *find_function(void *library, const char *name) { return dlsym(library, name); }

const char *load_failure() { return dlerror(); }

#endif

}  // namespace accp
