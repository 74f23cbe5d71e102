// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The generated table of unicode.h.
#include "token/unicode.h"

namespace accp::token {

#include "token/generated/unicode_16.inc"

}  // namespace accp::token
