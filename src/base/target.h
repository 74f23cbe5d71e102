// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Functions for a newer processor than the one that the library is built for.
//
// Those between ACCP_TARGET_BEGIN("avx2,bmi") and ACCP_TARGET_END may use these instruction sets,
// and are called only where the processor has them. The first include of other files stands above
// the region: an inline function that is compiled in it is compiled for the newer processor, and
// the linker may keep this copy for the whole library. tests/system/static/archives.sh looks for
// such.
#pragma once

#define ACCP_PRAGMA(text) _Pragma(#text)

#if defined(__clang__)
#define ACCP_TARGET_BEGIN(sets) \
    ACCP_PRAGMA(clang attribute push(__attribute__((target(sets))), apply_to = function))
#define ACCP_TARGET_END ACCP_PRAGMA(clang attribute pop)
#else
#define ACCP_TARGET_BEGIN(sets)   \
    ACCP_PRAGMA(GCC push_options) \
    ACCP_PRAGMA(GCC target(sets))
#define ACCP_TARGET_END ACCP_PRAGMA(GCC pop_options)
#endif
