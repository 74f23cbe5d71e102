// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The embedder of --embedder URL: a server with the interface of OpenAI makes the vectors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accp/hooks.h"
#include "server/library/handles.h"

namespace cli {

class ModelEndpoint;

class EndpointEmbedder {
public:
    // `place`: as ModelEndpoint takes it; empty: no embedder. Throws Failure for a bad address, or
    // if this build has no HTTP.
    explicit EndpointEmbedder(const std::string &place);
    ~EndpointEmbedder();
    EndpointEmbedder(const EndpointEmbedder &) = delete;

    explicit operator bool() const { return endpoint_ != nullptr; }
    // The hook `embed` with this object as its user; without an embedder, no hook.
    accp_hooks hooks() {
        accp_hooks hooks = host::new_hooks(this);
        if (endpoint_) hooks.embed = embed;
        return hooks;
    }
    // The hook, with an EndpointEmbedder as `user`. No exception leaves it. A failure has a reason.
    static accp_status embed(const accp_text *texts, size_t count, accp_vectors *out, void *user);
    // Throws Failure with what went wrong in the hook, if anything did.
    void check() const;

private:
    void post(const accp_text *texts, size_t count);

    std::unique_ptr<ModelEndpoint> endpoint_;
    std::vector<float> numbers_;
    size_t count_ = 0, dimension_ = 0;
    std::string model_, fault_;
};

}  // namespace cli
