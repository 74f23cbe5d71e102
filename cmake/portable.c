/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Two names that the C++ library of Debian 12 (libstdc++.a of gcc 12) uses and glibc 2.31 lacks. script/bootstrap puts them into the archive that
 * the portable build links into each program.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* False: the process may have several threads. This is always correct; true would only save atomic operations. */
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;

/* Returns a random number, as glibc 2.36 does: it never fails, so it ends the process if there are none. */
__attribute__((visibility("hidden"))) uint32_t arc4random(void) {
    uint32_t number;
    if (getentropy(&number, sizeof number)) abort();
    return number;
}
