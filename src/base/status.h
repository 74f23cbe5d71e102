// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a step of the library answers: nothing wrong, or a code, a byte offset and static text.
#pragma once

#include <cstdint>

#include "accp/error.h"

namespace accp {

struct [[nodiscard]] Status {
    accp_status code = ACCP_OK;
    uint32_t record = 0;
    uint64_t offset = 0;
    const char *message = nullptr;

    bool ok() const { return code == ACCP_OK; }
    bool failed() const { return code != ACCP_OK; }
};

inline Status fail(accp_status code, uint64_t offset, const char *message) { return {code, 0, offset, message}; }

// The one exception of the library: thrown by Memory, caught in capi/guard.h.
struct OutOfMemory {};

}  // namespace accp
