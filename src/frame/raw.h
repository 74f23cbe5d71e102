// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Raw non-ASCII text of the u8 dialect: which code points may stand in a frame as they are
// (docs/wire.md section 3).
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::frame {

// True for a code point that u8 writes raw; the rest (controls, odd spaces, bidi, zero-width,
// private use, tags) stay escaped.
bool is_raw_point(uint32_t point);

// The length of the longest prefix that some continuation makes legal: `len` when everything from
// 0x80 up is a whole, allowed code point. ASCII bytes are passed over.
size_t raw_text_prefix(const char *text, size_t len);

// One code point at `text`, whose first byte is 0x80 or above: how many bytes it has when it is
// whole and allowed, else 0, and then *good is how many of its bytes can be continued to one that
// is.
int raw_point(const char *text, size_t len, int *good);

}  // namespace accp::frame
