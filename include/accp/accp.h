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
 * These rules hold for every function, unless its comment states otherwise:
 *
 * - A NULL handle or output returns ACCP_ERR_ARG, and so does a NULL text whose length is not 0.
 *   `config` and `err` may always be NULL.
 * - A call that fails does not change its outputs. Start with a NULL handle: freeing it is then
 *   always safe.
 * - ACCP_ERR_ARG changes nothing at all. After any other failure the handle can be used again.
 * - An input text must not be a view into the handle that the call writes to: ACCP_ERR_ARG.
 * - Getters that cannot fail (nodes, texts, records) return NULL and a count of 0 for a NULL
 *   handle. For any other handle they never return NULL, except for a registry that does not
 *   exist. Pass NULL for their count if you do not need it.
 * - A callback of the host returns ACCP_OK, or the status that the call fails with. A code of the
 *   error model refuses the message for good. After a negative status a session accepts the same
 *   frame again. Any other result, ACCP_DROPPED and ACCP_HELD included, becomes ACCP_E9999. A text
 *   that a callback hands out must stay valid until the next callback, or until the call ends.
 * - Use a handle in one thread at a time. Distinct handles need no lock. A function that takes no
 *   handle may be called from any thread.
 * - A handle shares what it was made with. You may free a config, registry, tokenizer, store,
 *   library or engine before the handles that use it: it lives until the last of them ends.
 * - A callback may call every function, but not with the handles that the current call works with:
 *   that returns ACCP_ERR_BUSY. It may free or close such a handle, which then lives until the call
 *   ends. The call keeps its effects, but returns no view into that handle: a call on a session,
 *   and any call that would return such a view, returns ACCP_ERR_CLOSED instead.
 * - The functions of an allocator and of a store back end must not call the library.
 * - Never pass a handle after you freed or closed it: that is undefined behavior. Input text is
 *   always checked, whatever its bytes are.
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
