// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The place of a status in errors.def.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accp/error.h"

namespace accp::capi {

// SIZE_MAX: it is unknown.
size_t row_of(accp_status status) noexcept;

}  // namespace accp::capi
