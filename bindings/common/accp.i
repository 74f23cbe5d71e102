// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
//
// The C API as every language wraps it. A language's own file names its module, defines the
// typemaps listed here, and includes this file last:
//
//   %module NAME
//   …typemaps…
//   %include "accp.i"
//
// The C API names its arguments alike everywhere, so a few typemaps serve all of it. A language
// defines them for the first of each group:
//
//   (const char *text, size_t text_len)    an input text: UTF-8, borrowed for the call
//   accp_text *out                         an output text: a view, valid until the handle's next call
//   accp_error *err                        the detail of a failure, for an exception or an error value
//   SWIGTYPE *                             a handle, opaque
//   SWIGTYPE **out                         a new handle
//
// SWIG's output is raw and private; a hand-written layer above it is public.
%{
#include "accp/accp.h"
#include "accp/parts.h"
%}

%include <stdint.i>

#define ACCP_API
#define ACCP_NOEXCEPT
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) ACCP_##symbol = (number),

%apply (const char *text, size_t text_len) {
    (const char *agent, size_t agent_len), (const char *cid, size_t cid_len), (const char *code, size_t code_len),
    (const char *grantee, size_t grantee_len), (const char *operation, size_t operation_len),
    (const char *id, size_t id_len), (const char *mid, size_t mid_len), (const char *key, size_t key_len), (const char *name, size_t name_len),
    (const char *owner, size_t owner_len), (const char *path, size_t path_len), (const char *pattern, size_t pattern_len), (const char *prefix, size_t prefix_len),
    (const char *ref, size_t ref_len), (const char *request, size_t request_len),
    (const char *directory, size_t directory_len), (const char *gaps, size_t gaps_len), (const char *kind, size_t kind_len),
    (const char *revision, size_t revision_len), (const char *unused, size_t unused_len),
    (const char *task, size_t task_len),
    (const char *note, size_t note_len), (const char *question, size_t question_len), (const char *from, size_t from_len),
    (const char *message, size_t message_len), (const char *role, size_t role_len), (const char *tools, size_t tools_len), (const char *verbs, size_t verbs_len),
    (const char *output, size_t output_len), (const char *reason, size_t reason_len), (const char *record, size_t record_len),
    (const char *reply, size_t reply_len), (const char *sender, size_t sender_len), (const char *tool, size_t tool_len),
    (const char *locale, size_t locale_len), (const char *zone, size_t zone_len)
};

// A filter of packets compares words in Go and Java: only C# has an embedder yet.
#ifndef SWIGCSHARP
%typemap(in, numinputs=0) (accp_embed_function embed, void *user) "$1 = NULL; $2 = NULL;"
#endif

// Static text that the library owns: nothing is ever set, so nothing leaks.
%warnfilter(451);
// The accessors of a language that cannot cross the border for each field read structs as they lie in memory (tests/system/abi/layout.c pins them).
%nodefaultctor;
%nodefaultdtor;
%immutable;

// A keyword of Java and C#, which read the struct by its layout in memory.
%ignore accp_verdict::byte;

// The tag of an enum and a function, which C keeps apart.
%rename(accp_run_progress, %$isenum) accp_run_state;

// Preprocessor conveniences of C.
%ignore ACCP_NODE_KEY;
%ignore ACCP_PANES_SHARED;
%ignore ACCP_STATUS_END_;

%include "accp/version.h"
%include "accp/error.h"
%include "accp/types.h"
%include "accp/hooks.h"
%include "accp/config.h"
%include "accp/value.h"
%include "accp/frame.h"
%include "accp/batch.h"
%include "accp/tokenizer.h"
%include "accp/registry.h"
%include "accp/negotiation.h"
%include "accp/codec.h"
%include "accp/render.h"
%include "accp/stream.h"
%include "accp/deadline.h"
%include "accp/store.h"
%include "accp/session.h"
%include "accp/context.h"
%include "accp/packet.h"
%include "accp/panes.h"
%include "accp/sacp.h"
%include "accp/capability.h"
%include "accp/run.h"
%include "accp/phrases.h"
%include "accp/present.h"
%include "accp/metrics.h"
