// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp serve: the hub, and the tokens of those who may use it.
#include "cli/commands.h"
#include "cli/serve/actions.h"

namespace cli {

int run_serve(const Arguments &arguments, Streams &io) {
    return arguments.action == "token" ? make_token(arguments, io) : serve_hub(arguments, io);
}

}  // namespace cli
