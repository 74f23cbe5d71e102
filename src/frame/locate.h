// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Why a frame was refused: the byte at which no continuation could mend it, found one byte at a
// time by the machine of ragel/locate.rl.
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "base/status.h"

namespace accp::frame {

// Always a failure, ACCP_E1001: to be asked about refused frames only.
Status locate_fault(const char *text, size_t len, const Settings &settings, Arena &arena);

}  // namespace accp::frame
