/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * libaccp, the Agent Context Compression Protocol. This header includes everything that an
 * application needs. Include accp/parts.h too if you build your own sessions, codecs or bindings.
 *
 * This example encodes a message as a frame, and decodes the frame in another codec, as the other
 * side does:
 *
 * @code
 * accp_codec *sender = NULL, *receiver = NULL;
 * accp_text frame, message;
 * accp_error err;
 * const char *json = "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"schedule\","
 *                    "\"payload\":{\"task\":\"impl_auth\"}}";
 * if (accp_codec_new(NULL, &sender, &err) != ACCP_OK ||
 *     accp_codec_new(NULL, &receiver, &err) != ACCP_OK ||
 *     accp_codec_encode(sender, json, strlen(json), &frame, &err) != ACCP_OK ||
 *     accp_codec_decode(receiver, frame.text, frame.len, &message, &err) != ACCP_OK)
 *     fprintf(stderr, "%s: %s\n", accp_status_code_name(err.code), err.message);
 * else
 *     printf("%.*s\n%.*s\n", (int)frame.len, frame.text, (int)message.len, message.text);
 * accp_codec_free(receiver);
 * accp_codec_free(sender);
 * @endcode
 *
 * Names and arguments follow these rules; tests/system/static/face.py checks them:
 *
 * - A function is named accp_NOUN_VERB, after the handle that is its first argument. A getter has
 *   no verb: accp_session_state(). docs/c-api.md lists the verbs. A function that returns the name
 *   of a number ends in _name. It returns static text, ended by NUL, or NULL after the last number
 *   if they count from 0. Its inverse ends in _find, and returns -1 for an unknown name.
 * - A function that answers yes or no has is_ or has_ in its name, and returns 1 or 0. Any function
 *   that can fail returns an accp_status. An index that is out of range is a failure.
 * - accp_NOUN_new(…, config, out, err) makes a handle, and accp_NOUN_free() ends it. A handle that
 *   does input and output has _open and _close instead. A config holds the settings of new handles.
 * - Arguments have this order: the handle, the inputs, now_ms, the options (peer, flags, config),
 *   the outputs, the error. The main output is `out`, and comes first; other outputs end in _out.
 * - Input text is (const char *NAME, size_t NAME_len): UTF-8 without a terminator. A call that
 *   takes several names has an accp_text for each, and so has a struct. Output text is an
 *   accp_text: a view with the lifetime that the function states. A call that ends a view also ends
 *   it if the call fails.
 * - Times are int64_t, in milliseconds since 1970, and end in _ms. Times of an envelope are in
 *   seconds, as on the wire. The library never reads a clock.
 * - A number of things ends in _count, of bytes in _bytes, of tokens in _tokens. The number of the
 *   newest thing is newest_NAME. An array is a pointer with a count_out. each_NAME passes all
 *   elements to a callback, and next_NAME returns the next one.
 * - A remove function takes an element out of a handle. The handle itself is freed or closed.
 *
 * These arguments mean the same everywhere, and most comments do not repeat them. The first
 * argument is the handle. `now_ms` is the current time. `config` has the settings of a new handle.
 * `user` is passed to the callback. `out` is the result. `err` has the details of a failure.
 *
 * These rules hold for every function, unless its comment states otherwise:
 *
 * - A NULL handle or output returns ACCP_ERR_ARG, and so does a NULL text whose length is not 0.
 *   `config` and `err` may always be NULL: a NULL config means all defaults. A config is copied.
 * - A call that fails does not change its outputs. Start with a NULL handle: freeing it is then
 *   always safe, as free and close functions ignore NULL.
 * - ACCP_ERR_ARG changes nothing at all. After any other failure the handle can be used again. Any
 *   call that needs memory can return ACCP_ERR_NOMEM.
 * - An input text must not be a view into the handle that the call writes to: ACCP_ERR_ARG.
 * - Getters that cannot fail (nodes, texts, records) return NULL and a count of 0 for a NULL
 *   handle. For any other handle they never return NULL, except for a registry that does not exist.
 *   Pass NULL for their count if you do not need it.
 * - A callback of the host returns ACCP_OK, or the status that the call fails with. A code of the
 *   error model refuses the message for good. After a negative status a session accepts the same
 *   frame again. Any other result, ACCP_DROPPED and ACCP_HELD included, becomes ACCP_E9999. A text
 *   that a callback returns must stay valid until the next callback, or until the call ends.
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
 *
 * "Spec" in a comment is a section of the ACCP specification, "SACP" one of the SACP specification.
 * "Cost" is left out if a call costs O(1).
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
