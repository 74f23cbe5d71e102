// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_config: what was set, for handles of any kind.
#pragma once

#include "accp/config.h"
#include "accp/negotiation.h"
#include "capi/context_rules.h"
#include "capi/tokenizer_ref.h"
#include "registry/shared.h"
#include "session/session.h"
#include "store/handle.h"

struct accp_config {
    explicit accp_config(const accp::Settings &)
        : memory(settings.allocator, UINT64_MAX),
          schema(memory),
          ignored(memory),
          redacted(memory),
          agents(memory) {}
    ~accp_config() { accp::store::drop_store(store); }

    // What a codec counts with, where it counts at all.
    bool counts() const {
        return tokenizer.get() || (max_tokens_set && rules.max_tokens) || settings.spells_cheapest;
    }

    accp::Settings settings;            // of the handles to be made
    accp::Memory memory;                // of this one: always the private allocator's
    accp::session::SessionRules rules;  // but for those of contexts
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
    accp::Buffer<char> schema;             // a code
    accp::Buffer<char> ignored, redacted;  // names, each with a NUL after it
    accp::session::AgentRules agents;
};

namespace accp::capi {

// A codec's or a session's settings: all extensions count, where a handle of the grammar has no p1.
inline Settings wire_settings(const accp_config *config) {
    return config ? config->settings : Settings();
}

// What messages are held against: strictness, and the host's tools and policy.
inline codec::CodecHooks checks_of(const accp_config &config) {
    const accp_hooks &hooks = config.hooks;
    return {hooks.check_tool, hooks.user, hooks.check_policy, hooks.user, config.strictness};
}

constexpr const char *kPartsNeedQ1 = "messages in parts need q1";

// What codecs and sessions alike want to go together.
inline Status check_parts(const accp_config &config) {
    return config.rules.parts && !config.settings.has(ACCP_EXT_Q1)
               ? fail(ACCP_ERR_ARG, 0, kPartsNeedQ1)
               : Status{};
}

// Shares the tokenizer of the config, or makes the default one if there is none.
Status pick_tokenizer(const accp_config *config, TokenizerRef &out);

}  // namespace accp::capi
