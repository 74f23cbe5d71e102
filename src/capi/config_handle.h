// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_config: the options for handles of any kind.
#pragma once

#include <algorithm>

#include "accp/config.h"
#include "accp/negotiation.h"
#include "capi/token_handles.h"
#include "context/options.h"
#include "registry/registry_ref.h"
#include "session/session.h"
#include "store/handle.h"

namespace accp::capi {

// The rules of contexts: those that were set, and one of two sets of defaults for the others.
// Defaults follow the rules that were set, so that a smaller hot_max alone is enough.
class ContextRules {
public:
    using Member = uint32_t context::ContextOptions::*;

    void set(Member member, int64_t value) {
        set_.*member = static_cast<uint32_t>(value);
        (is_set_.*member) = 1;
    }
    context::ContextOptions options() const {
        using Options = context::ContextOptions;
        Options made = specification ? Options::specification() : Options();
        for (Member member :
             {&Options::hot_max, &Options::hot_due, &Options::checkpoint_max, &Options::summary_max,
              &Options::retained, &Options::newest_max, &Options::pinned_max,
              &Options::price_cached, &Options::price_write, &Options::price_output,
              &Options::cache_ttl_ms, &Options::whole_max, &Options::host_tokens})
            if (is_set_.*member) made.*member = set_.*member;
        follow(made, &Options::hot_due, made.hot_max);
        follow(made, &Options::checkpoint_max, made.hot_due);
        follow(made, &Options::summary_max, made.checkpoint_max);
        follow(made, &Options::newest_max, made.hot_due - std::min(made.hot_due, kReference));
        return made;
    }

    bool specification = false;

private:
    static constexpr uint32_t kReference = 16;  // maximum tokens of a checkpoint's name

    void follow(context::ContextOptions &made, Member member, uint32_t max) const {
        if (!(is_set_.*member)) made.*member = std::min(made.*member, max);
    }
    static constexpr context::ContextOptions none() {
        context::ContextOptions made;
        made.hot_max = made.hot_due = made.checkpoint_max = made.summary_max = made.retained = 0;
        made.newest_max = made.pinned_max = made.price_cached = made.price_write = 0;
        made.price_output = made.cache_ttl_ms = 0;
        made.whole_max = made.host_tokens = 0;
        return made;
    }

    context::ContextOptions set_ = none(), is_set_ = none();
};

}  // namespace accp::capi

struct accp_config {
    explicit accp_config(const accp::Settings &)
        : memory(settings.allocator, UINT64_MAX),
          schema(memory),
          ignored(memory),
          redacted(memory),
          agents(memory) {}
    ~accp_config() { accp::store::drop_store(store); }

    // Reports whether a codec counts tokens.
    bool counts() const {
        return tokenizer.get() || (max_tokens_set && rules.max_tokens) || settings.spells_cheapest;
    }

    accp::Settings settings;            // for new handles
    accp::Memory memory;                // of this handle, always from the private allocator
    accp::session::SessionRules rules;  // except those of contexts
    accp::capi::ContextRules context_rules;
    bool max_tokens_set = false;
    bool by_sender_set = false, parts_set = false;
    bool require_registry = false;
    bool pin_registry = false;
    int32_t agreed = ACCP_NEGOTIATION_OPEN;  // accp_negotiation_state
    uint64_t seed = 0;
    uint32_t strictness = 0;
    bool mark_defaults = false;
    uint64_t inline_characters = accp::kInlineCharacters;
    uint32_t chunk_bytes = accp::kChunkBytes;
    bool keep_streams = true;

    accp::registry::RegistryRef registry;
    accp_store *store = nullptr;  // shared
    accp::capi::TokenizerRef tokenizer;
    accp_hooks hooks = {};
    accp::Buffer<char> schema;             // the code of a schema
    accp::Buffer<char> ignored, redacted;  // names, each followed by a NUL
    accp::session::AgentRules agents;
};

namespace accp::capi {

// The settings of a codec or a session, with all extensions. Handles of the grammar do not support
// p1.
inline Settings wire_settings(const accp_config *config) {
    return config ? config->settings : Settings();
}

// The checks of messages: strictness, and the host's tools and policy.
inline codec::CodecHooks checks_of(const accp_config &config) {
    const accp_hooks &hooks = config.hooks;
    return {hooks.check_tool, hooks.user, hooks.check_policy, hooks.user, config.strictness};
}

constexpr const char *kPartsNeedQ1 = "messages in parts need q1";

// Checks options that both codecs and sessions require to fit together.
inline Status check_parts(const accp_config &config) {
    return config.rules.parts && !config.settings.has(ACCP_EXT_Q1)
               ? fail(ACCP_ERR_ARG, 0, kPartsNeedQ1)
               : Status{};
}

// Shares the tokenizer of the config, or makes the default one if there is none.
Status pick_tokenizer(const accp_config *config, TokenizerRef &out);

}  // namespace accp::capi
