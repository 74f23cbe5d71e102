// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tells AddressSanitizer which bytes of a block are in use. An arena and a buffer keep memory for
// the next call, so the sanitizer alone would not see an access to what they have not given out.
// In other builds these functions do nothing.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define ACCP_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACCP_POISONS 1
#endif
#endif

#if defined(ACCP_POISONS)
#include <sanitizer/asan_interface.h>
#endif

namespace accp {

#if defined(ACCP_POISONS)
constexpr bool kPoisons = true;
inline void poison(const void *from, size_t size) { __asan_poison_memory_region(from, size); }
inline void unpoison(const void *from, size_t size) { __asan_unpoison_memory_region(from, size); }
#else
constexpr bool kPoisons = false;
inline void poison(const void *, size_t) {}
inline void unpoison(const void *, size_t) {}
#endif

}  // namespace accp
