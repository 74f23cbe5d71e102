/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* How a symbol leaves the library. Everything else is hidden. */
#ifndef ACCP_EXPORT_H
#define ACCP_EXPORT_H

#define ACCP_API __attribute__((visibility("default")))

#ifdef __cplusplus
#define ACCP_NOEXCEPT noexcept
#else
#define ACCP_NOEXCEPT
#endif

#endif
