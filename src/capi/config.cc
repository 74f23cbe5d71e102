// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/config.h
#include <cstddef>
#include <cstring>

#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"

using namespace accp;
using namespace accp::capi;

namespace accp::capi {

Settings settings_of(const accp_config *config) {
    Settings settings = wire_settings(config);
    settings.extensions &= ~uint32_t{ACCP_EXT_P1};
    return settings;
}

std::string_view ignored_of(const accp_config *config) {
    return config ? config->ignored.view() : std::string_view();
}

}  // namespace accp::capi

namespace {

bool is_name(const char *text, size_t len) { return text && len && !std::memchr(text, '\0', len); }

Status add_name(const char *text, size_t len, Buffer<char> &names) {
    names.reserve(len + 1);
    names.append(text, len);
    names.push('\0');
    return {};
}

// Reads hooks in the size that the caller was compiled with. Hooks that the caller does not know
// are NULL.
Status read_hooks(const accp_hooks *from, accp_hooks &out) {
    if (!from) return {};
    constexpr size_t kFirst = offsetof(accp_hooks, resolve);
    if (from->size < kFirst || from->size > sizeof out || (from->size - kFirst) % sizeof(void *))
        return fail(ACCP_ERR_ARG, 0, "the size of the hooks matches no version of this library");
    std::memcpy(&out, from, from->size);
    if (!out.cold_put != !out.cold_get)
        return fail(ACCP_ERR_ARG, 0, "a cold store needs both cold_put and cold_get");
    return {};
}

}  // namespace

extern "C" {

accp_status accp_config_new(accp_config **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_config>(Settings());
        return Status{};
    });
}

void accp_config_free(accp_config *config) noexcept {
    if (!config) return;
    const accp_allocator own = private_allocator();
    config->~accp_config();
    own.release(config, sizeof *config, own.user);
}

accp_status accp_config_set_allocator(accp_config *config, const accp_allocator *allocator,
                                      accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (allocator && (!allocator->alloc || !allocator->release))
        return capi::refuse(err, "an allocator needs both alloc and release");
    config->settings.allocator = allocator ? *allocator : private_allocator();
    return ACCP_OK;
}

accp_status accp_config_set_registry(accp_config *config, const accp_registry *registry,
                                     accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    config->registry = registry::RegistryRef(registry::RegistryRef::share(registry));
    return ACCP_OK;
}

accp_status accp_config_set_store(accp_config *config, accp_store *store,
                                  accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    accp_store *before = config->store;
    config->store = store::share_store(store);
    store::drop_store(before);
    return ACCP_OK;
}

accp_status accp_config_set_tokenizer(accp_config *config, const accp_tokenizer *tokenizer,
                                      accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    config->tokenizer.share(tokenizer);
    return ACCP_OK;
}

accp_status accp_config_set_hooks(accp_config *config, const accp_hooks *hooks,
                                  accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    accp_hooks read = {};
    const Status status = read_hooks(hooks, read);
    if (status.ok()) config->hooks = read;
    return capi::report(status, err);
}

accp_status accp_config_set_schema(accp_config *config, const char *code, size_t code_len,
                                   accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(code, code_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        config->schema.reserve(code_len);
        config->schema.clear();
        config->schema.append(to_view(code, code_len));
        return Status{};
    });
}

accp_status accp_config_add_ignored(accp_config *config, const char *name, size_t name_len,
                                    accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_name(name, name_len))
        return capi::refuse(err, "the name of a member is a non-empty text without NUL");
    return capi::guard(err, [&] { return add_name(name, name_len, config->ignored); });
}

accp_status accp_config_add_redacted(accp_config *config, const char *key, size_t key_len,
                                     accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_name(key, key_len)) return capi::refuse(err, "a key is a non-empty text without NUL");
    if (key_len >= kMaxRedactedBytes - config->redacted.size())
        return capi::refuse(err, "too many names to redact");
    return capi::guard(err, [&] { return add_name(key, key_len, config->redacted); });
}

accp_status accp_config_add_own_agent(accp_config *config, const char *agent, size_t agent_len,
                                      accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_name(agent, agent_len)) return capi::refuse(err, kNoAgent);
    return capi::guard(err, [&] {
        config->agents.own.add({agent, agent_len});
        return Status{};
    });
}

accp_status accp_config_set_agent_origin(accp_config *config, const char *agent, size_t agent_len,
                                         int32_t origin, accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_name(agent, agent_len)) return capi::refuse(err, kNoAgent);
    if (!is_origin(origin)) return capi::refuse(err, capi::kNoOrigin);
    return capi::guard(err, [&] {
        session::NameSet &untrusted = config->agents.untrusted;
        if (origin == ACCP_ORIGIN_UNTRUSTED) untrusted.add({agent, agent_len});
        else untrusted.remove({agent, agent_len});
        return Status{};
    });
}

}  // extern "C"

namespace {

struct Rule {
    const char *name, *refusal;
    int64_t min, max;
    void (*set)(accp_config &config, int64_t value);
};

constexpr int64_t kAllExtensions =
    ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8 | ACCP_EXT_P1 | ACCP_EXT_W1;
constexpr int64_t kAllStrictness =
    ACCP_STRICT_OPERATIONS | ACCP_STRICT_PROFILES | ACCP_STRICT_SCHEMA | ACCP_STRICT_REPLIES;
constexpr int64_t kMaxContext = 1 << 20, kMaxPrice = 10000;

void set_max_tokens(accp_config &config, int64_t value) {
    config.rules.max_tokens = static_cast<uint64_t>(value);
    config.max_tokens_set = true;
}

void set_by_sender(accp_config &config, int64_t value) {
    config.rules.inbox.by_sender = value != 0;
    config.by_sender_set = true;
}

void set_parts(accp_config &config, int64_t value) {
    config.rules.parts = value != 0;
    config.parts_set = true;
}

void set_extensions(accp_config &config, int64_t value) {
    config.settings.extensions = static_cast<uint32_t>(value ? value | ACCP_EXT_Q1 : value);
}

void set_token_cache(accp_config &config, int64_t value) {
    config.settings.token_cache = uint32_t{1} << (31 - __builtin_clz(static_cast<unsigned>(value)));
}

// The name of a rule, and the error for a value out of range.
#define NAMED(name) #name, "the rule " #name " cannot have this value"

// RULE(name, min, max, member): a rule that sets one number of a config.
#define RULE(name, min, max, member)                                     \
    {                                                                    \
        NAMED(name), min, max, [](accp_config &config, int64_t value) {  \
            config.member = static_cast<decltype(config.member)>(value); \
        }                                                                \
    }
// clang-format on

void set_specification(accp_config &config, int64_t value) {
    config.context_rules.specification = value != 0;
}

// CONTEXT(name, min, max): a rule of contexts. The options of a context are computed when all rules
// are set.
#define CONTEXT(name, min, max)                                              \
    {                                                                        \
        NAMED(name), min, max, [](accp_config &config, int64_t value) {      \
            config.context_rules.set(&context::ContextOptions::name, value); \
        }                                                                    \
    }
// clang-format on

// In the order of enum accp_rule.
constexpr Rule kRules[] = {
    RULE(window, 0, 4096, rules.inbox.window),
    RULE(gap_ms, 0, INT64_MAX, rules.inbox.gap_ms),
    RULE(skew_ms, 0, INT64_MAX, rules.inbox.skew_ms),
    RULE(future_ms, 0, INT64_MAX, rules.inbox.future_ms),
    {NAMED(by_sender), 0, 1, set_by_sender},
    RULE(require_ts, 0, 1, rules.inbox.require_ts),
    RULE(require_sid, 0, 1, rules.inbox.require_sid),
    RULE(loose_mid, 0, 1, rules.inbox.loose_mid),
    {NAMED(max_tokens), 0, INT64_MAX, set_max_tokens},
    RULE(issuer, 0, 99, rules.issuer),
    RULE(shares_store, 0, 1, rules.shares_store),
    RULE(merges, 0, 1, rules.merges),
    RULE(names_session, 0, 1, rules.names_session),
    RULE(durable, 0, 1, rules.durable),
    CONTEXT(hot_max, 1, kMaxContext),
    CONTEXT(hot_due, 1, kMaxContext),
    CONTEXT(checkpoint_max, 1, kMaxContext),
    CONTEXT(summary_max, 1, kMaxContext),
    CONTEXT(retained, 1, 64),
    RULE(seed, 0, INT64_MAX, seed),
    RULE(deadline_ms, 0, INT64_MAX, rules.deadline_ms),
    {NAMED(parts), 0, 1, set_parts},
    RULE(jump, 1, int64_t{1} << 40, rules.inbox.jump),
    RULE(dialect, ACCP_STRICT, ACCP_U8, settings.dialect),
    {NAMED(extensions), 0, kAllExtensions, set_extensions},
    RULE(abbreviate, 0, 1, settings.abbreviate),
    RULE(keep_refs, 0, 1, settings.keep_refs),
    {NAMED(token_cache), 4, kMaxTokenCache, set_token_cache},
    RULE(strictness, 0, kAllStrictness, strictness),
    RULE(mark_defaults, 0, 1, mark_defaults),
    RULE(inline_characters, 0, INT64_MAX, inline_characters),
    RULE(special_tokens, 0, 1, settings.special_tokens),
    RULE(chunk_bytes, 64, 8192, chunk_bytes),
    RULE(keep_streams, 0, 1, keep_streams),
    {NAMED(specification), 0, 1, set_specification},
    CONTEXT(newest_max, 1, kMaxContext),
    CONTEXT(pinned_max, 0, kMaxContext),
    CONTEXT(price_cached, 0, kMaxPrice),
    CONTEXT(price_write, 0, kMaxPrice),
    CONTEXT(whole_max, 0, kMaxContext),
    CONTEXT(host_tokens, 0, kMaxContext),
    CONTEXT(cache_ttl_ms, 0, UINT32_MAX),
    RULE(require_registry, 0, 1, require_registry),
    RULE(spell, 0, 1, settings.spells_cheapest),
    RULE(pin_registry, 0, 1, pin_registry),
    RULE(any_intent, 0, 1, settings.any_intent),
    CONTEXT(price_output, 0, kMaxPrice),
    RULE(redact_secrets, 0, 1, settings.redact_secrets),
};
#undef CONTEXT
#undef RULE
#undef NAMED
constexpr int32_t kRuleCount = sizeof kRules / sizeof kRules[0];
static_assert(kRuleCount == ACCP_RULE_REDACT_SECRETS + 1);

template <class Row, size_t kCount>
int32_t find_row(const Row (&rows)[kCount], const char *name, size_t name_len) {
    if (!name || !name_len) return -1;
    for (size_t i = 0; i < kCount; ++i)
        if (std::string_view(name, name_len) == rows[i].name) return static_cast<int32_t>(i);
    return -1;
}

accp_status out_of_range(accp_error *err, const char *message, uint64_t had, uint64_t limit) {
    return capi::report(fail_limit(ACCP_ERR_ARG, 0, message, had, limit), err);
}

bool is_limit(int32_t limit) { return limit >= 0 && limit < kLimitCount; }
bool is_rule(int32_t rule) { return rule >= 0 && rule < kRuleCount; }

}  // namespace

extern "C" {

accp_status accp_config_set_limit(accp_config *config, int32_t limit, uint64_t value,
                                  accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_limit(limit)) return capi::refuse(err, "no such limit");
    if (value < kLimits[limit].min)
        return out_of_range(err, "the value is below the minimum of this limit", value,
                            kLimits[limit].min);
    if (value > kLimits[limit].max)
        return out_of_range(err, "the value is above the maximum of this limit", value,
                            kLimits[limit].max);
    config->settings.limits[limit] = value;
    return ACCP_OK;
}

accp_status accp_config_set_rule(accp_config *config, int32_t rule, int64_t value,
                                 accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_rule(rule)) return capi::refuse(err, "no such rule");
    if (value < kRules[rule].min) return capi::refuse(err, kRules[rule].refusal);
    if (value > kRules[rule].max)
        return out_of_range(err, kRules[rule].refusal, static_cast<uint64_t>(value),
                            static_cast<uint64_t>(kRules[rule].max));
    kRules[rule].set(*config, value);
    return ACCP_OK;
}

int32_t accp_limit_find(const char *name, size_t name_len) noexcept {
    return find_row(kLimits, name, name_len);
}

const char *accp_limit_name(int32_t limit) noexcept {
    return is_limit(limit) ? kLimits[limit].name : nullptr;
}

uint64_t accp_limit_default(int32_t limit) noexcept {
    return is_limit(limit) ? kLimits[limit].standard : 0;
}

int32_t accp_rule_find(const char *name, size_t name_len) noexcept {
    return find_row(kRules, name, name_len);
}

const char *accp_rule_name(int32_t rule) noexcept {
    return is_rule(rule) ? kRules[rule].name : nullptr;
}

}  // extern "C"
