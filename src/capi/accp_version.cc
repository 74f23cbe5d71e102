// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/version.h
#include "accp/version.h"

extern "C" {

const char *accp_version(void) noexcept { return ACCP_VERSION_STRING; }

int32_t accp_abi_version(void) noexcept { return ACCP_ABI_VERSION; }

}  // extern "C"
