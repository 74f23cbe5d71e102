// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/host.h"
#include "cli/mcp/actions.h"
#include "cli/serve/actions.h"

namespace cli {

int serve_hub(const Arguments &, Streams &) {
    throw Failure("this build has no servers: it was made with -DACCP_SERVER=OFF");
}

int wrap_remote(const Arguments &, Streams &) {
    throw Failure("this build has no HTTP: it was made with -DACCP_SERVER=OFF");
}

}  // namespace cli
