// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a model asks for by the tool `resolve`: all of what a ref stands for, some lines of it, or
// those that have a text in them. docs/context.md.
#pragma once

#include "session/own_refs.h"

namespace accp::session {

// Appends the answer to {"ref":…,"lines":"a-b","query":…}, a text for the model. What the model got
// wrong is in that text too: "error: …".
Status run_resolve_tool(OwnRefs &refs, std::string_view arguments, int64_t now_ms, Scratch &scratch,
                        Buffer<char> &out);

}  // namespace accp::session
