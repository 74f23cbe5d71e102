/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The whole of libaccp, the Agent Context Compression Protocol, after one include. What holds for
 * every function, where its comment does not say otherwise:
 *
 * - A handle or an output that is NULL, or a text that is NULL with a length other than 0, is
 *   ACCP_ERR_ARG. `err` may always be NULL.
 * - A call that fails leaves its outputs as they were: begin with a NULL handle, and freeing it is
 *   right in every case.
 * - ACCP_ERR_ARG changes nothing at all. After any other failure the handle is good for the next
 *   call.
 * - A text is never taken from a view into the very handle that would write there: that is
 *   ACCP_ERR_ARG too.
 * - Questions that cannot fail (nodes, text, records) answer NULL and a count of 0 for a NULL
 *   handle, never NULL for another; the count that they hand out may be NULL where it is not
 *   wanted.
 * - A function of the host's that the library calls answers ACCP_OK, or what the call is to fail
 *   with: a code of the error model, which refuses the message for good, or a negative status,
 *   after which a session takes the same frame again. Any other answer, ACCP_DROPPED and ACCP_HELD
 *   too, is ACCP_E9999.
 * - A handle is for one thread at a time, and distinct handles need no lock. What takes no handle
 *   may be called from any thread.
 */
#ifndef ACCP_ACCP_H
#define ACCP_ACCP_H

#include "accp/codec.h"
#include "accp/deadline.h"
#include "accp/error.h"
#include "accp/export.h"
#include "accp/failure.h"
#include "accp/frame.h"
#include "accp/json.h"
#include "accp/registry.h"
#include "accp/render.h"
#include "accp/session.h"
#include "accp/store.h"
#include "accp/stream.h"
#include "accp/tokenizer.h"
#include "accp/types.h"
#include "accp/value.h"
#include "accp/version.h"

#endif
