// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/session.h: engines, and the table of rules.
#include "accp/session.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/session_handles.h"
#include "capi/token_handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

struct Rule {
    const char *name;
    int64_t min, max;
    void (*set)(accp_engine &engine, int64_t value);
};

// In the order of enum accp_rule.
constexpr Rule kRules[] = {
    {"window", 0, 4096,
     [](accp_engine &e, int64_t n) { e.engine.rules.inbox.window = static_cast<uint32_t>(n); }},
    {"gap_ms", 0, INT64_MAX, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.gap_ms = n; }},
    {"skew_ms", 0, INT64_MAX, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.skew_ms = n; }},
    {"future_ms", 0, INT64_MAX,
     [](accp_engine &e, int64_t n) { e.engine.rules.inbox.future_ms = n; }},
    {"by_sender", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.by_sender = n; }},
    {"require_ts", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.require_ts = n; }},
    {"require_sid", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.require_sid = n; }},
    {"loose_mid", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.loose_mid = n; }},
    {"max_tokens", 0, INT64_MAX,
     [](accp_engine &e, int64_t n) { e.engine.rules.max_tokens = static_cast<uint64_t>(n); }},
    {"issuer", 0, 99,
     [](accp_engine &e, int64_t n) { e.engine.rules.issuer = static_cast<uint32_t>(n); }},
    {"shares_store", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.shares_store = n; }},
    {"merges", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.merges = n; }},
    {"names_session", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.names_session = n; }},
    {"durable", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.durable = n; }},
    {"hot_max", 1, 1 << 20,
     [](accp_engine &e, int64_t n) { e.engine.rules.context.hot_max = static_cast<uint32_t>(n); }},
    {"hot_due", 1, 1 << 20,
     [](accp_engine &e, int64_t n) { e.engine.rules.context.hot_due = static_cast<uint32_t>(n); }},
    {"checkpoint_max", 1, 1 << 20,
     [](accp_engine &e, int64_t n) {
         e.engine.rules.context.checkpoint_max = static_cast<uint32_t>(n);
     }},
    {"summary_max", 1, 1 << 20,
     [](accp_engine &e, int64_t n) {
         e.engine.rules.context.summary_max = static_cast<uint32_t>(n);
     }},
    {"retained", 1, 64,
     [](accp_engine &e, int64_t n) { e.engine.rules.context.retained = static_cast<uint32_t>(n); }},
    {"seed", 0, INT64_MAX,
     [](accp_engine &e, int64_t n) { e.engine.seed = static_cast<uint64_t>(n); }},
    {"deadline_ms", 0, INT64_MAX,
     [](accp_engine &e, int64_t n) { e.engine.rules.deadline_ms = static_cast<uint64_t>(n); }},
    {"parts", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.parts = n; }},
    {"jump", 1, int64_t{1} << 40, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.jump = n; }},
};
constexpr const char *kNoAgent = "no agent can have this name";
constexpr int32_t kRuleCount = sizeof kRules / sizeof kRules[0];

// What the caller did not bring.
Status fill_in(accp_engine &engine, const accp_options *options, accp_store *store,
               const accp_registry *registry, const accp_tokenizer *tokenizer) {
    accp_error error = {};
    auto failed = [&](accp_status status) { return fail(status, error.offset, error.message); };
    accp_status status = ACCP_OK;
    if (!store) status = accp_store_open("memory:", 7, 0, options, &engine.own_store, &error);
    if (status != ACCP_OK) return failed(status);
    if (!tokenizer)
        status = accp_tokenizer_new("o200k_base", 10, options, &engine.own_tokenizer, &error);
    if (status != ACCP_OK) return failed(status);
    accp_registry *all = nullptr;
    if (!registry) status = accp_registry_new(options, ACCP_PROFILE_ALL, nullptr, 0, &all, &error);
    if (status != ACCP_OK) return failed(status);
    engine.engine.registry = registry::RegistryRef(all ? all : accp_registry_share(registry));
    engine.store = store::share_store(store ? store : engine.own_store);
    engine.engine.store = &engine.store->store;
    engine.engine.tokenizer = &(tokenizer ? tokenizer : engine.own_tokenizer)->tokenizer;
    return {};
}

}  // namespace

extern "C" {

const char *accp_rule_name(int32_t rule) noexcept {
    return rule >= 0 && rule < kRuleCount ? kRules[rule].name : nullptr;
}

accp_status accp_engine_new(const accp_options *options, accp_store *store,
                            const accp_registry *registry, uint32_t extensions,
                            const accp_tokenizer *tokenizer, accp_engine **out,
                            accp_error *err) noexcept {
    constexpr uint32_t kAll = ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8 | ACCP_EXT_P1;
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (extensions & ~kAll) return capi::refuse(err, "no such extension");
    return capi::guard(err, [&] {
        struct Holder {
            accp_engine *held;
            ~Holder() { accp_engine_free(held); }
        } holder = {make_handle<accp_engine>(
            session::Engine::of_sessions(capi::settings_of(options), extensions))};
        Status status = fill_in(*holder.held, options, store, registry, tokenizer);
        if (status.failed()) return status;
        *out = holder.held;
        holder.held = nullptr;
        return status;
    });
}

void accp_engine_free(accp_engine *engine) noexcept {
    if (!engine) return;
    accp_store *store = engine->store, *own_store = engine->own_store;
    accp_tokenizer *tokenizer = engine->own_tokenizer;
    end_handle(engine);
    store::drop_store(store);
    accp_store_close(own_store, nullptr);
    accp_tokenizer_free(tokenizer);
}

accp_status accp_engine_set_rule(accp_engine *engine, int32_t rule, int64_t value,
                                 accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    if (!accp_rule_name(rule)) return capi::refuse(err, "no such rule");
    if (value < kRules[rule].min || value > kRules[rule].max)
        return capi::refuse(err, "a value that this rule cannot have");
    if (rule == ACCP_RULE_PARTS && value && !engine->settings.has(ACCP_EXT_Q1))
        return capi::refuse(err, "messages in parts need q1");
    kRules[rule].set(*engine, value);
    return ACCP_OK;
}

accp_status accp_engine_set_cold_store(accp_engine *engine, accp_cold_put_function put,
                                       accp_cold_get_function get, void *user,
                                       accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    if (!put != !get) return capi::refuse(err, "one function of a cold store without the other");
    engine->cold.put_call = put;
    engine->cold.get_call = get;
    engine->cold.user = user;
    engine->engine.rules.cold = put ? &engine->cold : nullptr;
    return ACCP_OK;
}

accp_status accp_engine_set_resolver(accp_engine *engine, accp_resolve_function resolve, void *user,
                                     accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    engine->resolver.call = resolve;
    engine->resolver.user = user;
    engine->engine.rules.elsewhere = resolve ? &engine->resolver : nullptr;
    return ACCP_OK;
}

accp_status accp_engine_set_summariser(accp_engine *engine, accp_summarise_function summarise,
                                       void *user, accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    engine->engine.hooks.summarise = summarise;
    engine->engine.hooks.summarise_user = user;
    return ACCP_OK;
}

accp_status accp_engine_set_log(accp_engine *engine, accp_log_hook hook, void *user,
                                accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    engine->engine.hooks.log = hook;
    engine->engine.hooks.log_user = user;
    return ACCP_OK;
}

accp_status accp_engine_set_redacted(accp_engine *engine, const char *text, size_t text_len,
                                     accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        return codec::add_redacted({text ? text : "", text_len}, engine->engine.redacted);
    });
}

accp_status accp_engine_set_own_agents(accp_engine *engine, const char *agents, size_t agents_len,
                                       accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(agents, agents_len)) return capi::refuse(err, capi::kNoText);
    const std::string_view all(agents ? agents : "", agents_len);
    if (all.find('\0') != std::string_view::npos) return capi::refuse(err, kNoAgent);
    return capi::guard(err, [&] {
        session::NameSet made(engine->engine.memory);
        for (size_t at = 0; at < all.size();) {
            const std::string_view name = all.substr(at, all.find(',', at) - at);
            if (!name.empty()) made.add(name);
            at += name.size() + 1;
        }
        return engine->engine.agents.own.restore(made.text());
    });
}

accp_status accp_engine_set_origin(accp_engine *engine, const char *agent, size_t agent_len,
                                   int32_t origin, accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(agent, agent_len)) return capi::refuse(err, capi::kNoText);
    const std::string_view name(agent ? agent : "", agent_len);
    if (name.empty() || name.find('\0') != std::string_view::npos)
        return capi::refuse(err, kNoAgent);
    if (origin != ACCP_ORIGIN_TRUSTED && origin != ACCP_ORIGIN_UNTRUSTED)
        return capi::refuse(err, capi::kNoOrigin);
    return capi::guard(err, [&] {
        session::NameSet &untrusted = engine->engine.agents.untrusted;
        if (origin == ACCP_ORIGIN_UNTRUSTED) untrusted.add(name);
        else untrusted.remove(name);
        return Status{};
    });
}

accp_status accp_engine_register_schema(accp_engine *engine, const char *text, size_t text_len,
                                        accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    accp_error error = {};
    const accp_status status = capi::guard(&error, [&] {
        return engine->engine.change_registry([&](registry::RegistryRef &registry) {
            accp_registry *made = nullptr;
            const accp_status code =
                accp_registry_add(registry.get(), text, text_len, &made, &error);
            if (code == ACCP_OK) registry = registry::RegistryRef(made);
            return fail(code, error.offset, error.message);
        });
    });
    if (status != ACCP_OK && err) *err = error;
    return status;
}

accp_registry *accp_engine_registry(accp_engine *engine) noexcept {
    return engine ? engine->engine.share_registry().release() : nullptr;
}

}  // extern "C"
