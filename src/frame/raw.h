// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Raw non-ASCII text in the u8 dialect: the code points that a frame can contain without an escape
// (docs/wire.md section 3).
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::frame {

// Returns whether u8 writes the code point raw. Controls, unusual spaces, and bidi, zero-width,
// private-use and tag characters are escaped.
bool is_raw_point(uint32_t point);

// Returns the length of the longest prefix with which a valid text can begin: `len` if all bytes
// from 0x80 up form complete, allowed code points. ASCII bytes are skipped.
size_t raw_text_prefix(const char *text, size_t len);

// Returns the length of the code point at `text`, whose first byte is 0x80 or above. If it is
// incomplete or not allowed, returns 0 and sets *good: so many of its bytes can begin an allowed
// code point.
int raw_point(const char *text, size_t len, int *good);

}  // namespace accp::frame
