// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/error.h: the table of status codes, made from errors.def. include/accp/version.h
#include "accp/error.h"

#include "accp/version.h"
#include "base/status.h"
#include "capi/guard.h"

namespace {

struct Row {
    accp_status number;
    const char *symbol;
    const char *name;
    const char *meaning;
    int retryable;
};

constexpr Row kRows[] = {
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) \
    {number, #symbol, name, meaning, retryable},
#include "accp/errors.def"
#undef ACCP_STATUS
};

const Row *find(accp_status status) {
    for (const Row &row : kRows)
        if (row.number == status) return &row;
    return nullptr;
}

}  // namespace

size_t accp::capi::row_of(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? static_cast<size_t>(row - kRows) : SIZE_MAX;
}

extern "C" {

const char *accp_status_name(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? row->name : "UNKNOWN";
}

const char *accp_status_meaning(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? row->meaning : "";
}

int32_t accp_status_category(accp_status status) noexcept {
    const accp_status digit = status / 1000;
    return (digit >= 1 && digit <= 5) || digit == 9 ? digit : ACCP_CATEGORY_NONE;
}

int accp_status_is_retryable(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? row->retryable : 0;
}

const char *accp_status_code_name(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? row->symbol : "UNKNOWN";
}

const char *accp_version(void) noexcept { return ACCP_VERSION_STRING; }

int32_t accp_abi_version(void) noexcept { return ACCP_ABI_VERSION; }

}  // extern "C"
