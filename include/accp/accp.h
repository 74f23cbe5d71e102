/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * libaccp, the Agent Context Compression Protocol: what an application needs, after one include.
 * accp/parts.h has what those need who build sessions, codecs or bindings of their own.
 *
 * One rule for each thing; tests/system/static/face.py checks them:
 *
 * - A function is accp_NOUN_VERB, of the handle that is its first argument. A question has no verb:
 *   accp_session_state(). One that answers a string for a number ends in _name and answers static
 *   text, ended by NUL (NULL after the last, where they count from 0); its inverse, where there is
 *   one, is _find, and answers -1 for none.
 * - accp_NOUN_new(…, config, out, err) makes a handle, accp_NOUN_free() ends it; where there is
 *   input and output they are _open and _close. A config gathers what a handle is made with.
 * - Arguments are in this order: the handle, what goes in, how (peer, flags, config), what comes
 *   out, the error.
 * - Text goes in as (const char *NAME, size_t NAME_len), and is UTF-8 without a terminator; where a
 *   call takes several names, and in structs, as an accp_text each. Text comes out as accp_text: a
 *   view, whose lifetime the function says; the call that ends it does so when it fails too.
 * - Times are int64_t in milliseconds since 1970 and end in _ms; those of an envelope are in
 *   seconds, as the wire has them. Nothing here reads a clock.
 * - How many there are is _count; the number of the newest one, newest_NAME; an array is a pointer
 *   with *count_out; each_NAME gives one after the other to a function; next_NAME is the next.
 * - What is in a handle is taken out with remove; a handle itself is freed, or closed.
 *
 * What holds for every function, where its comment does not say otherwise:
 *
 * - A handle or an output that is NULL, or a text that is NULL with a length other than 0, is
 *   ACCP_ERR_ARG. `config` and `err` may always be NULL.
 * - A call that fails leaves its outputs as they were: begin with a NULL handle, and freeing it is
 *   right in every case.
 * - ACCP_ERR_ARG changes nothing at all. After any other failure the handle is good for the next
 *   call.
 * - A text is never taken from a view into the very handle that would write there: that is
 *   ACCP_ERR_ARG too.
 * - Questions that cannot fail (nodes, text, records) answer NULL and a count of 0 for a NULL
 *   handle, never NULL for another (but for a registry that is not there); the count that they hand
 * out may be NULL where it is not wanted.
 * - A function of the host's that the library calls answers ACCP_OK, or what the call is to fail
 *   with: a code of the error model, which refuses the message for good, or a negative status,
 *   after which a session takes the same frame again. Any other answer, ACCP_DROPPED and ACCP_HELD
 *   too, is ACCP_E9999. What it hands out is a view until the next callback, or the call ends.
 * - A handle is for one thread at a time, and distinct handles need no lock. What takes no handle
 *   may be called from any thread.
 * - A handle keeps what it was made with: a config, registry, tokenizer, store, library or engine
 * may be freed before the handles that use it, and ends with the last of them.
 * - A function of the host's may call everything, but for the handles that the call works with:
 * these answer ACCP_ERR_BUSY. It may free or close those too. Such a handle ends when the call
 * ends, which then hands out no view into it and answers ACCP_ERR_CLOSED where it would have had
 * to; what it did stays done. Functions of an allocator or of a back end call nothing of the
 * library.
 * - A handle that was freed or closed is never passed again: that is undefined. Text that is passed
 * is checked, whatever its bytes are.
 */
#ifndef ACCP_ACCP_H
#define ACCP_ACCP_H

#include "accp/bus.h"
#include "accp/capability.h"
#include "accp/codec.h"
#include "accp/config.h"
#include "accp/context.h"
#include "accp/error.h"
#include "accp/hooks.h"
#include "accp/metrics.h"
#include "accp/packet.h"
#include "accp/panes.h"
#include "accp/phrases.h"
#include "accp/present.h"
#include "accp/registry.h"
#include "accp/render.h"
#include "accp/run.h"
#include "accp/sacp.h"
#include "accp/session.h"
#include "accp/store.h"
#include "accp/store_backend.h"
#include "accp/tokenizer.h"
#include "accp/types.h"
#include "accp/version.h"

#endif
