// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See arguments.h.
#include "property/arguments.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace accp_property {
namespace {

// A sanitizer is ten times slower, the reference even more, and so is an emulator. There the
// standard run is shorter. A count on the command line is not changed.
constexpr uint64_t kShare = ACCP_EMULATED ? 100 : ACCP_SANITIZED ? 40 : 1;

Run the_run;

}  // namespace

const Run &run() { return the_run; }

int main(int argc, char **argv, uint64_t standard_count) {
    testing::InitGoogleTest(&argc, argv);
    the_run.count = standard_count / kShare;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        const bool number =
            !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
        if (!number || (name != "--count" && name != "--from")) {
            std::fprintf(stderr, "usage: %s [--count N] [--from SEED]\n", argv[0]);
            return 2;
        }
        (name == "--count" ? the_run.count : the_run.from) =
            std::strtoull(value.c_str(), nullptr, 10);
    }
    return RUN_ALL_TESTS();
}

}  // namespace accp_property
