/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Macros for the declarations of the other headers: symbol visibility and noexcept. All symbols
 * without ACCP_API are hidden.
 */
#ifndef ACCP_EXPORT_H
#define ACCP_EXPORT_H

/** Exports a symbol from the shared library. */
#define ACCP_API __attribute__((visibility("default")))

#ifdef __cplusplus
/** The functions never throw: `noexcept` in C++. */
#define ACCP_NOEXCEPT noexcept
#else
/** The functions never throw: empty in C. */
#define ACCP_NOEXCEPT
#endif

#endif
