// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A file beside a target, which replaces the target whole or is removed.
#pragma once

#include <sys/stat.h>
#include <string>
#include <string_view>

#include "cli/host.h"

namespace cli {

// Only its owner can read the file until it gets the rights of the target. All functions throw
// Failure, which names the target; the target is then unchanged.
class Replacement {
public:
    explicit Replacement(const std::string &target);
    ~Replacement();
    Replacement(const Replacement &) = delete;
    Replacement &operator=(const Replacement &) = delete;

    // Sets the rights and the owner to those of the file that it replaces.
    void resemble(const struct stat &about) const;
    // Writes the text to the device.
    void write(std::string_view text) const;
    // Replaces the target. Call this last.
    void finish();

private:
    Failure fault(const char *what) const;

    std::string target_, path_;
    int descriptor_ = -1;
    bool is_done_ = false;
};

}  // namespace cli
