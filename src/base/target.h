// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compiles functions for a newer instruction set than the rest of the library.
//
// Functions between ACCP_TARGET_BEGIN("avx2,bmi") and ACCP_TARGET_END may use these instructions,
// and are only called if the processor has them. Include other headers before the region. Otherwise
// their inline functions are compiled for the newer processor too, and the linker may keep that
// copy for the whole library; tests/system/static/archives.sh checks this.
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
