/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * The version of the library: of these headers, as macros, and of the loaded library, as functions.
 * A program that was compiled with other headers than the loaded library should check the ABI
 * version once, before any other call.
 *
 * @code
 * if (accp_abi_version() != ACCP_ABI_VERSION) {
 *     fprintf(stderr, "libaccp %s does not fit these headers (%s)\n", accp_version(),
 *             ACCP_VERSION_STRING);
 *     exit(1);
 * }
 * @endcode
 */
#ifndef ACCP_VERSION_H
#define ACCP_VERSION_H

#include <stdint.h>

#include "accp/export.h"

/** The major version of these headers. */
#define ACCP_VERSION_MAJOR 1
/** The minor version of these headers. */
#define ACCP_VERSION_MINOR 0
/** The patch version of these headers. */
#define ACCP_VERSION_PATCH 0
/** The version of these headers as text. */
#define ACCP_VERSION_STRING "1.0.0"

/**
 * The ABI version of these headers. It is raised if an old caller would break, and is part of the
 * library's file name (libaccp.so.1).
 */
#define ACCP_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the version of the loaded library, such as "1.0.0". Static text. Any thread. */
ACCP_API const char *accp_version(void) ACCP_NOEXCEPT;

/**
 * Returns the ABI version of the loaded library. If it is not ACCP_ABI_VERSION, call nothing else
 * of it. Any thread.
 */
ACCP_API int32_t accp_abi_version(void) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
