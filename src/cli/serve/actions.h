// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp serve.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// serve_hub.cc, or serve_none.cc in a build without servers.
int serve_hub(const Arguments &arguments, Streams &io);
// serve_token.cc: a new token, and its line for the file.
int make_token(const Arguments &arguments, Streams &io);

}  // namespace cli
