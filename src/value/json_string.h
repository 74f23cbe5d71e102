// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The text of one JSON string, its escapes taken out.
#pragma once

#include "base/status.h"

namespace accp::value {

struct StringCopy {
    char *written;      // where the copy ends
    const char *fault;  // an unknown escape, or the lone surrogate; nullptr when all is well
};

// Copies from after the opening quote to the closing one, which must be there. `to` needs room for
// the string and 16 bytes more.
StringCopy copy_json_string(const char *from, const char *end, char *to);

// Copies the escape at `from`, which is a backslash, and moves both on; false when it is none. `to`
// needs room for 4 bytes.
bool copy_json_escape(const char *&from, const char *end, char *&to);

// The failure for such a fault: an unknown escape is no JSON, a lone surrogate is JSON that no
// UTF-8 can carry.
Status json_string_fault(const char *fault, const char *text);

}  // namespace accp::value
