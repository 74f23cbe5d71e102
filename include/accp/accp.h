/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* The whole of libaccp, the Agent Context Compression Protocol, behind one include. */
#ifndef ACCP_ACCP_H
#define ACCP_ACCP_H

#include "accp/error.h"
#include "accp/export.h"
#include "accp/frame.h"
#include "accp/json.h"
#include "accp/registry.h"
#include "accp/types.h"
#include "accp/value.h"
#include "accp/version.h"

#endif
