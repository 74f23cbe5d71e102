// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/library/loader.h"

#include <dlfcn.h>

#include "server/library/failure.h"

namespace host {

void *load_library(const std::string &file) {
    void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) throw Failure(dlerror());
    return library;
}

void *find_function(void *library, const char *name) { return dlsym(library, name); }

}  // namespace host
