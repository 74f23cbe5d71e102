// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes an image (image.h) out of merges: at build time for the vocabularies that are linked in, at
// run time for one that a host loads.
#pragma once

#include "base/memory.h"
#include "token/image.h"

namespace accp::token {

struct Merge {
    uint32_t left, right;
};

// Writes the image of `merges`, of which merge i is token 256 + i and names only tokens below
// itself. byte_token: the token of every byte.
void build_image(Memory &memory, const uint32_t *byte_token, const Merge *merges, uint32_t count,
                 Buffer<char> &image);

}  // namespace accp::token
