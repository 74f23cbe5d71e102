/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* How a symbol leaves the library. Everything else is hidden. */
#ifndef ACCP_EXPORT_H
#define ACCP_EXPORT_H

#if defined(_WIN32)
#if defined(ACCP_BUILDING)
#define ACCP_API __declspec(dllexport)
#else
#define ACCP_API __declspec(dllimport)
#endif
#else
#define ACCP_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
#define ACCP_NOEXCEPT noexcept
#else
#define ACCP_NOEXCEPT
#endif

#endif
