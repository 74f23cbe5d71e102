/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* The C face: the one that is compiled with this package, or the system's (tag accp_system). */
#ifndef ACCP_GO_ACCP_C_H
#define ACCP_GO_ACCP_C_H

#if defined(ACCP_GO_SYSTEM)
#include <accp/accp.h>
#else
#include "accp_amalgamation.h"
#endif

#endif
