// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A host's resolver of refs as what codec and sessions ask.
#pragma once

#include "accp/codec.h"
#include "codec/hooks.h"
#include "codec/state.h"

namespace accp::capi {

struct HostResolver final : codec::RefResolver {
    Status resolve(std::string_view ref, std::string_view &json) override {
        const char *text = nullptr;
        size_t len = 0;
        const accp_status code = call(ref.data(), ref.size(), &text, &len, user);
        Status status = codec::host_answer(code, "the resolver does not answer with a value");
        if (status.failed()) return status;
        if (!text) return fail(ACCP_ERR_ARG, 0, "a resolver that answers with no text");
        json = {text, len};
        return {};
    }
    accp_resolve_function call = nullptr;
    void *user = nullptr;
};

}  // namespace accp::capi
