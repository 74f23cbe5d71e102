// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Why a text could not even be indexed as JSON, found one byte at a time.
#pragma once

#include <cstddef>

#include "base/status.h"

namespace accp::value {

// Always a failure: invalid UTF-8 is ACCP_E1004, a raw control character in a string or a string
// without an end ACCP_E1001.
Status json_fault(const char *text, size_t len);

}  // namespace accp::value
