// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages of errors that have a name in them. A message is valid for ever (accp/error.h), so these
// stand in one table of the process, of a fixed size, without a lock and never changed.
#pragma once

#include <initializer_list>
#include <string_view>

namespace accp {

// The text that the pieces are together; `otherwise` where that is too long or not a line of
// printable ASCII, or where the table has no place left. Any thread.
const char *lasting_text(std::initializer_list<std::string_view> pieces, const char *otherwise);

}  // namespace accp
