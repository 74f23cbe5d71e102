// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Verdicts of SACP as failures of calls.
#pragma once

#include "accp/error.h"
#include "base/status.h"
#include "sacp/message/verdict.h"

namespace accp::capi {

inline accp_status accp_code_of(sacp::Code code) {
    constexpr accp_status kCodes[] = {
        ACCP_OK,
#define ACCP_SACP_CODE(name, accp_code, retryable) ACCP_##accp_code,
#include "sacp/message/codes.def"
#undef ACCP_SACP_CODE
    };
    return kCodes[static_cast<size_t>(code)];
}

// A refused text, in the face's own codes.
inline Status failure_of(const sacp::Verdict &verdict) {
    return verdict.failed() ? fail(accp_code_of(verdict.code()), verdict.byte(), verdict.reason())
                            : Status{};
}

}  // namespace accp::capi
