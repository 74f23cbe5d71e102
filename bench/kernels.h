// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernels of the first pass, best first, as the library chooses.
#pragma once

namespace accp_bench {

constexpr const char *kKernels[] = {"avx512", "avx2", "ssse3", "neon", "portable"};

// Returns the kernel that the library uses on this machine.
const char *best_kernel();

}  // namespace accp_bench
