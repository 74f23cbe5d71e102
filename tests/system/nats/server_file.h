// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The nats-server of the tests: the one that CMake found, or the one in NATS_SERVER.
#pragma once

#include <cstdlib>

namespace nats_tests {

inline const char *server_file() {
    const char *const other = std::getenv("NATS_SERVER");
    return other ? other : ACCP_NATS_SERVER;
}

}  // namespace nats_tests
