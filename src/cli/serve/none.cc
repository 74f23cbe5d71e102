// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Replaces serve/hub.cc, proxy/forwarding.cc, mcp/wrap_url.cc, packet/item_model.cc and
// http/embedder.cc in a build without servers.
#include "cli/commands.h"
#include "cli/host.h"
#include "cli/http/embedder.h"
#include "cli/mcp/wrap.h"
#include "cli/packet/item_model.h"

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

server::FindItems item_finder(const Arguments &arguments, const std::atomic<bool> *) {
    if (arguments.model.empty() || arguments.model == "none") return {};
    throw Failure("--model is not in this build; build with -DACCP_SERVER=ON");
}

class ModelEndpoint {};

EndpointEmbedder::EndpointEmbedder(const std::string &place) {
    if (!place.empty())
        throw Failure("--embedder is not in this build; build with -DACCP_SERVER=ON");
}

EndpointEmbedder::~EndpointEmbedder() = default;

accp_status EndpointEmbedder::embed(const accp_text *, size_t, accp_vectors *, void *) {
    return ACCP_ERR_IO;
}

void EndpointEmbedder::check() const {}

}  // namespace cli
