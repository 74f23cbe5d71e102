// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/library/loader.h"

#include <windows.h>
#include <system_error>

#include "server/library/failure.h"

namespace host {

void *load_library(const std::string &file) {
    const HMODULE library = LoadLibraryA(file.c_str());
    if (!library)
        throw Failure(file + ": " +
                      std::system_category().message(static_cast<int>(GetLastError())));
    return library;
}

void *find_function(void *library, const char *name) {
    return reinterpret_cast<void *>(GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace host
