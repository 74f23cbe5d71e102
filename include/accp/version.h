/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Which library this is: as a number for the preprocessor, and as a question to the loaded library.
 */
#ifndef ACCP_VERSION_H
#define ACCP_VERSION_H

#include <stdint.h>

#include "accp/export.h"

#define ACCP_VERSION_MAJOR 1
#define ACCP_VERSION_MINOR 0
#define ACCP_VERSION_PATCH 0
#define ACCP_VERSION_STRING "1.0.0"

/* Raised when an old caller would break; the library's file name carries it too (libaccp.so.1). */
#define ACCP_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that is loaded, such as "1.0.0". Static text. Any thread. */
ACCP_API const char *accp_version(void) ACCP_NOEXCEPT;

/**
 * The ABI version of the library that is loaded: equal to ACCP_ABI_VERSION, or do not go on. Any
 * thread.
 */
ACCP_API int32_t accp_abi_version(void) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
