// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/config/directories.h"

#include <cstdlib>

#include "cli/host.h"
#include "cli/system/files.h"

namespace cli {
namespace {

// Returns the value of the variable if it is an absolute path.
std::string absolute_path(const char *variable) {
    const char *value = variable && *variable ? std::getenv(variable) : nullptr;
    return value && path_of(value).is_absolute() ? value : std::string();
}

}  // namespace

std::string home_directory() {
    const std::string home = absolute_path("HOME");
    return home.empty() ? absolute_path("USERPROFILE") : home;
}

std::string directory_of(const char *variable, const std::string &below_home) {
    const std::string given = absolute_path(variable), home = home_directory();
    if (!given.empty()) return given;
    if (home.empty())
        throw Failure("HOME is not set to a directory, so configurations cannot be found; set it");
    return below_home.empty() ? home : home + "/" + below_home;
}

}  // namespace cli
