// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tool `resolve` of a model: reads the content of a ref, some lines of it, or the lines that
// contain a text. See docs/context.md.
#pragma once

#include "session/own_refs.h"

namespace accp::session {

// Appends the answer to {"ref":…,"lines":"a-b","query":…}, a text for the model. Errors of the
// model are also in that text: "error: …".
Status run_resolve_tool(OwnRefs &refs, std::string_view arguments, int64_t now_ms, Scratch &scratch,
                        Buffer<char> &out);

}  // namespace accp::session
