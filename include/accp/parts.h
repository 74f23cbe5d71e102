/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The parts that codecs and sessions are made of, for those who build their own: frames as trees,
 * values, many frames in one call, negotiations, streams, deadlines. The rules are those of
 * accp/accp.h.
 */
#ifndef ACCP_PARTS_H
#define ACCP_PARTS_H

#include "accp/batch.h"
#include "accp/deadline.h"
#include "accp/frame.h"
#include "accp/negotiation.h"
#include "accp/stream.h"
#include "accp/value.h"

#endif
