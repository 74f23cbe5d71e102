// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Configs for tests, and short ways to what a call of the C face hands out in a struct.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

namespace accp_test {

// A config whose setters must succeed: Config().rule(ACCP_RULE_PARTS, 1).registry(r).get().
class Config {
public:
    Config() { EXPECT_EQ(accp_config_new(&config_, nullptr), ACCP_OK); }
    Config(const Config &) = delete;
    Config &operator=(const Config &) = delete;
    ~Config() { accp_config_free(config_); }

    Config &rule(int32_t rule, int64_t value) {
        EXPECT_EQ(accp_config_set_rule(config_, rule, value, nullptr), ACCP_OK)
            << accp_rule_name(rule) << "=" << value;
        return *this;
    }
    Config &limit(int32_t limit, uint64_t value) {
        EXPECT_EQ(accp_config_set_limit(config_, limit, value, nullptr), ACCP_OK)
            << accp_limit_name(limit) << "=" << value;
        return *this;
    }
    Config &extensions(uint32_t bits) { return rule(ACCP_RULE_EXTENSIONS, bits); }
    Config &registry(const accp_registry *registry) {
        EXPECT_EQ(accp_config_set_registry(config_, registry, nullptr), ACCP_OK);
        return *this;
    }
    Config &store(accp_store *store) {
        EXPECT_EQ(accp_config_set_store(config_, store, nullptr), ACCP_OK);
        return *this;
    }
    Config &tokenizer(const accp_tokenizer *tokenizer) {
        EXPECT_EQ(accp_config_set_tokenizer(config_, tokenizer, nullptr), ACCP_OK);
        return *this;
    }
    Config &hooks(const accp_hooks &hooks) {
        EXPECT_EQ(accp_config_set_hooks(config_, &hooks, nullptr), ACCP_OK);
        return *this;
    }
    Config &allocator(const accp_allocator &allocator) {
        EXPECT_EQ(accp_config_set_allocator(config_, &allocator, nullptr), ACCP_OK);
        return *this;
    }
    Config &schema(std::string_view code) {
        EXPECT_EQ(accp_config_set_schema(config_, code.data(), code.size(), nullptr), ACCP_OK);
        return *this;
    }
    Config &ignored(std::string_view name) {
        EXPECT_EQ(accp_config_add_ignored(config_, name.data(), name.size(), nullptr), ACCP_OK);
        return *this;
    }
    Config &redacted(std::string_view key) {
        EXPECT_EQ(accp_config_add_redacted(config_, key.data(), key.size(), nullptr), ACCP_OK);
        return *this;
    }
    Config &own_agent(std::string_view agent) {
        EXPECT_EQ(accp_config_add_own_agent(config_, agent.data(), agent.size(), nullptr), ACCP_OK);
        return *this;
    }
    Config &untrusted(std::string_view agent) {
        EXPECT_EQ(accp_config_set_agent_origin(config_, agent.data(), agent.size(),
                                               ACCP_ORIGIN_UNTRUSTED, nullptr),
                  ACCP_OK);
        return *this;
    }

    accp_config *get() const { return config_; }

private:
    accp_config *config_ = nullptr;
};

// Hooks that are all NULL; only the size and the user are set.
inline accp_hooks hooks_for(void *user) {
    accp_hooks hooks = {};
    hooks.size = sizeof hooks;
    hooks.user = user;
    return hooks;
}

// Hooks with an embedder alone.
inline accp_hooks hooks_for(accp_embed_function embed, void *user) {
    accp_hooks hooks = hooks_for(user);
    hooks.embed = embed;
    return hooks;
}

inline std::string string_of(const accp_text &text) {
    return text.text ? std::string(text.text, text.len) : std::string();
}

inline accp_registry_info info_of(const accp_registry *registry) {
    accp_registry_info info = {};
    EXPECT_EQ(accp_registry_describe(registry, &info, nullptr), ACCP_OK);
    return info;
}
inline std::string hash_of(const accp_registry *registry) {
    return string_of(info_of(registry).hash);
}

inline accp_agreement agreement_of(const accp_negotiation *negotiation) {
    accp_agreement agreement = {};
    EXPECT_EQ(accp_negotiation_agreement(negotiation, &agreement, nullptr), ACCP_OK);
    return agreement;
}

inline accp_outcome outcome_of(const accp_codec *codec) {
    accp_outcome outcome = {};
    EXPECT_EQ(accp_codec_outcome(codec, &outcome, nullptr), ACCP_OK);
    return outcome;
}

inline std::unique_ptr<accp_codec, void (*)(accp_codec *) noexcept> make_codec(
    const Config &config) {
    accp_codec *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_codec_new(config.get(), &made, &error), ACCP_OK) << error.message;
    return {made, accp_codec_free};
}

}  // namespace accp_test
