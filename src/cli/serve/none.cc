// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Replaces serve/hub.cc, proxy/forwarding.cc and mcp/wrap_url.cc in a build without servers.
#include "cli/commands.h"
#include "cli/host.h"
#include "cli/mcp/wrap.h"

namespace cli {

int serve_hub(const Arguments &, Streams &) {
    throw Failure("accp serve is not in this build; build with -DACCP_SERVER=ON");
}

int run_proxy(const Arguments &, Streams &) {
    throw Failure("accp proxy is not in this build; build with -DACCP_SERVER=ON");
}

int wrap_remote(const Arguments &, Streams &) {
    throw Failure("mcp wrap --url is not in this build; build with -DACCP_SERVER=ON");
}

}  // namespace cli
