// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Adapters from interfaces of the codec and of sessions to the functions in accp_hooks. Before a
// call, `hooks` must be set and have the adapter's functions.
#pragma once

#include "accp/hooks.h"
#include "base/text.h"
#include "codec/hooks.h"
#include "session/rules.h"

namespace accp::capi {

struct HostResolver final : codec::RefResolver {
    Status resolve(std::string_view ref, std::string_view &json) override {
        accp_text found = {};
        const accp_status code = hooks->resolve(ref.data(), ref.size(), &found, hooks->user);
        Status status = codec::check_host_status(code, "the resolver does not answer with a value");
        if (status.failed()) return status;
        if (!found.text) return fail(ACCP_ERR_ARG, 0, "the resolver returned no text");
        json = to_view(found);
        return {};
    }
    const accp_hooks *hooks = nullptr;
};

struct HostKeeper final : codec::ValueKeeper {
    Status keep(std::string_view json, std::string_view &ref) override {
        accp_text name = {};
        const accp_status code = hooks->keep(json.data(), json.size(), &name, hooks->user);
        Status status = codec::check_host_status(code, "the keeper failed");
        if (status.ok()) ref = name.text ? to_view(name) : std::string_view("");
        return status;
    }
    const accp_hooks *hooks = nullptr;
};

struct HostEnvelopes final : codec::EnvelopeSource {
    Status next(accp_envelope &envelope) override {
        return codec::check_host_status(hooks->next_envelope(&envelope, hooks->user),
                                        "next_envelope failed for a part");
    }
    const accp_hooks *hooks = nullptr;
};

struct HostColdStore final : session::ColdStore {
    Status put(std::string_view key, std::string_view text) override {
        return codec::check_host_status(
            hooks->cold_put(key.data(), key.size(), text.data(), text.size(), hooks->user),
            kFailed);
    }
    Status get(std::string_view key, std::string_view &text) override {
        accp_text found = {};
        Status status = codec::check_host_status(
            hooks->cold_get(key.data(), key.size(), &found, hooks->user), kFailed);
        if (status.ok() && !found.text)
            return fail(ACCP_ERR_ARG, 0, "the cold store returned no text");
        if (status.ok()) text = to_view(found);
        return status;
    }
    static constexpr const char *kFailed = "the cold store failed";
    const accp_hooks *hooks = nullptr;
};

}  // namespace accp::capi
