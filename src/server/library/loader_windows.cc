// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/library/loader.h"

#include <windows.h>
#include <filesystem>
#include <system_error>

#include "server/library/failure.h"

namespace host {

// As with dlopen(), a plain name is not looked for in the working directory: others may write
// there.
void *load_library(const std::string &file) {
    const std::filesystem::path name = std::u8string(file.begin(), file.end());
    const HMODULE library =
        name.has_parent_path() || name.has_root_path()
            ? LoadLibraryExW(absolute(name).c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH)
            : LoadLibraryExW(name.c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    if (!library)
        throw Failure(file + ": " +
                      std::system_category().message(static_cast<int>(GetLastError())));
    return library;
}

void *find_function(void *library, const char *name) {
    return reinterpret_cast<void *>(GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace host
