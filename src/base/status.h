// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a step of the library answers: nothing wrong, or a code, a byte offset and static text.
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
    // Of a limit that was passed: what there was, and how much may be; else 0.
    uint64_t had = 0;
    uint64_t limit = 0;

    bool ok() const { return code == ACCP_OK; }
    bool failed() const { return code != ACCP_OK; }
};

inline Status fail(accp_status code, uint64_t offset, const char *message) {
    return {code, 0, offset, message, 0, 0};
}
// More than a limit allows: the message says of what.
inline Status fail_limit(accp_status code, uint64_t offset, const char *message, uint64_t had,
                         uint64_t limit) {
    return {code, 0, offset, message, had, limit};
}
// The same of a budget: the message says what to do, too.
inline Status fail_limit(uint64_t had, uint64_t limit, const char *message, uint64_t offset = 0) {
    return fail_limit(ACCP_E2003, offset, message, had, limit);
}
// The same failure, at another byte.
inline Status move_to(Status status, uint64_t offset) {
    status.offset = offset;
    return status;
}

// The text that the pieces are together; `otherwise` where that is too long or not a line of
// printable ASCII, or where the table has no place left. Any thread.
const char *lasting_text(std::initializer_list<std::string_view> pieces, const char *otherwise);

// The one exception of the library: thrown by Memory, caught in capi/guard.h.
struct OutOfMemory {};

}  // namespace accp
