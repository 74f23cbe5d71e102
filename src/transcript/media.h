// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Images, documents and audio as a line of text: what it is, how long, and which. Never their
// bytes.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp::transcript {

// Appends `[image image/png, 34,112 bytes, sha256 1f2e3d4c5b6a7988]` for base64: of what is none,
// the length and the hash of the text itself. `scratch` is written over.
void write_media(std::string_view kind, std::string_view media_type, std::string_view base64,
                 Buffer<char> &scratch, Buffer<char> &out);

// The same for a data: url; any other stands as it is, `[image https://…]`.
void write_media_url(std::string_view kind, std::string_view url, Buffer<char> &scratch,
                     Buffer<char> &out);

}  // namespace accp::transcript
