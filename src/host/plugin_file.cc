// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See plugin_file.h.
#include "host/plugin_file.h"

#include <dlfcn.h>

#include "host/failure.h"

namespace host {

accp_store_opener load_backend(const std::string &file) {
    void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) throw Failure(dlerror());
    void *function = dlsym(library, ACCP_STORE_BACKEND_ENTRY);
    if (!function)
        throw Failure(file + ": no back end of stores: it has no " ACCP_STORE_BACKEND_ENTRY);
    return reinterpret_cast<accp_store_opener>(function);
}

}  // namespace host
