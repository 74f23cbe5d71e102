// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The result of an internal operation: OK, or an error code with a byte offset and static text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "accp/error.h"

namespace accp {

struct [[nodiscard]] Status {
    accp_status code = ACCP_OK;
    uint32_t record = 0;
    uint64_t offset = 0;
    const char *message = nullptr;
    // If a limit was exceeded: the actual value and the limit, else 0.
    uint64_t had = 0;
    uint64_t limit = 0;

    bool ok() const { return code == ACCP_OK; }
    bool failed() const { return code != ACCP_OK; }
};

inline Status fail(accp_status code, uint64_t offset, const char *message) {
    return {code, 0, offset, message, 0, 0};
}
// For a value over a limit. The message names what is limited.
inline Status fail_limit(accp_status code, uint64_t offset, const char *message, uint64_t had,
                         uint64_t limit) {
    return {code, 0, offset, message, had, limit};
}
// The same for a budget. The message also describes what to do.
inline Status fail_limit(uint64_t had, uint64_t limit, const char *message, uint64_t offset = 0) {
    return fail_limit(ACCP_E2003, offset, message, had, limit);
}
// Returns the same failure at another offset.
inline Status move_to(Status status, uint64_t offset) {
    status.offset = offset;
    return status;
}

// Concatenates the pieces and returns the text, which stays valid for the life of the process
// (accp/error.h). Such error messages are interned in a fixed table without a lock. Returns
// `fallback` if the text is too long or not a line of printable ASCII, or if the table is full. Can
// be called from any thread.
const char *interned_text(std::initializer_list<std::string_view> pieces, const char *fallback);

// The only exception of the library: thrown by Memory, caught in capi/guard.h.
struct OutOfMemory {};

}  // namespace accp
