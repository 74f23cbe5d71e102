// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Adapters from interfaces of the codec and of sessions to the functions in accp_hooks. Before a
// call, `hooks` must be set and have the adapter's functions.
#pragma once

#include "accp/hooks.h"
#include "base/text.h"
#include "codec/hooks.h"
#include "session/rules.h"
#include "text/secrets.h"
#include "text/vectors.h"

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

// The hook `embed`, or the same function as an argument of a call. `redacts`: it gets no secrets.
struct HostEmbedder final : text::Embedder {
    HostEmbedder(accp_embed_function embed, void *user, Memory &memory, bool redacts)
        : function_(embed), user_(user), texts_(memory), redacted_(memory), redacts_(redacts) {}
    Status embed(std::span<const std::string_view> texts, text::RawVectors &out) override {
        put(texts);
        accp_vectors made = {};
        made.size = sizeof made;
        const accp_status code = function_(texts_.data(), texts_.size(), &made, user_);
        const std::string_view reason = made.reason.text ? to_view(made.reason) : "";
        const char *const why =
            reason.empty() ? kFailed : interned_text({"the embedder: ", reason}, kFailed);
        Status status = codec::check_host_status(code, why);
        if (status.failed()) return status;
        const bool has_size = made.numbers && made.dimension && made.count <= texts.size();
        out.count = made.count;
        out.dimension = has_size ? made.dimension : 0;
        if (has_size) out.numbers = {made.numbers, made.count * made.dimension};
        out.model = made.model.text ? to_view(made.model) : std::string_view();
        return {};
    }

private:
    // Fills texts_.
    void put(std::span<const std::string_view> texts) {
        texts_.clear();
        redacted_.clear();
        for (const std::string_view text : texts) {
            const size_t begin = redacted_.size();
            const bool has_secrets = redacts_ && text::redact_secrets(text, redacted_);
            texts_.push(has_secrets ? accp_text{nullptr, redacted_.size() - begin} : to_text(text));
        }
        const char *from = redacted_.data();  // which moves no more
        for (size_t i = 0; i < texts_.size(); ++i) {
            if (texts_[i].text) continue;
            texts_[i].text = from;
            from += texts_[i].len;
        }
    }

    static constexpr const char *kFailed = "the embedder has failed";
    accp_embed_function function_;
    void *user_;
    Buffer<accp_text> texts_;
    Buffer<char> redacted_;  // the texts that had secrets
    bool redacts_;
};

}  // namespace accp::capi
