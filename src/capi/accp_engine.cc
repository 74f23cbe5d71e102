// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/session.h: engines.
#include "accp/session.h"

#include "accp/store.h"

#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/session_handles.h"
#include "capi/token_handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

// What the config does not bring. `config` may be NULL.
Status fill_in(accp_engine &engine, const accp_config *config) {
    accp_error error = {};
    accp_store *store = config ? config->store : nullptr;
    if (!store && accp_store_open("memory:", 7, 0, config, &engine.own_store, &error) != ACCP_OK)
        return status_of(error);
    Status status = pick_tokenizer(config, engine.tokenizer);
    if (status.failed()) return status;
    accp_registry *all = nullptr;
    if ((!config || !config->registry) &&
        accp_registry_new(ACCP_PROFILE_ALL, nullptr, 0, config, &all, &error) != ACCP_OK)
        return status_of(error);
    engine.engine.registry = all ? registry::RegistryRef(all) : config->registry;
    engine.store = store::share_store(store ? store : engine.own_store);
    engine.engine.store = &engine.store->store;
    engine.engine.tokenizer = &engine.tokenizer.get()->tokenizer;
    return {};
}

Status set_up_engine(accp_engine &made, const accp_config &config) {
    session::Engine &engine = made.engine;
    engine.rules = config.rules;
    engine.rules.context = config.context_rules.options();
    engine.rules.checks = checks_of(config);
    engine.rules.refuses_parts = config.parts_set && !config.rules.parts;
    engine.rules.waits_for_agreement = config.require_registry && !config.agreed;
    engine.rules.pins_registry = config.pin_registry && !config.agreed;
    engine.seed = config.seed;
    engine.redacted.append(config.redacted.view());
    Status status = engine.agents.own.restore(config.agents.own.text());
    if (status.ok()) status = engine.agents.untrusted.restore(config.agents.untrusted.text());
    const accp_hooks &hooks = made.hooks = config.hooks;
    made.resolver.hooks = made.cold.hooks = &made.hooks;
    if (hooks.resolve) engine.rules.elsewhere = &made.resolver;
    if (hooks.cold_put) engine.rules.cold = &made.cold;
    engine.hooks.summarise = hooks.summarise;
    engine.hooks.log = hooks.log;
    engine.hooks.user = hooks.user;
    return status;
}

}  // namespace

void accp::capi::drop_engine(accp_engine *engine) noexcept {
    if (!engine || engine->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    accp_store *store = engine->store, *own_store = engine->own_store;
    destroy_handle(engine);
    store::drop_store(store);
    accp_store_close(own_store, nullptr);
}

extern "C" {

accp_status accp_engine_new(const accp_config *config, accp_engine **out,
                            accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        Status status = config ? check_parts(*config) : Status{};
        if (status.failed()) return status;
        Held<accp_engine, accp_engine_free> made(
            make_handle<accp_engine>(session::Engine::of_sessions(wire_settings(config))));
        if (config) status = set_up_engine(*made.handle, *config);
        if (status.ok()) status = fill_in(*made.handle, config);
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_engine_free(accp_engine *engine) noexcept { drop_engine(engine); }

accp_status accp_engine_register_schema(accp_engine *engine, const char *text, size_t text_len,
                                        accp_error *err) noexcept {
    if (!engine) return capi::refuse(err, capi::kNoHandle);
    accp_error error = {};
    const accp_status status = capi::guard(&error, [&] {
        return engine->engine.change_registry([&](registry::RegistryRef &registry) {
            accp_registry *made = nullptr;
            if (accp_registry_add(registry.get(), text, text_len, &made, &error) != ACCP_OK)
                return status_of(error);
            registry = registry::RegistryRef(made);
            return Status{};
        });
    });
    if (status != ACCP_OK && err) *err = error;
    return status;
}

accp_registry *accp_engine_share_registry(accp_engine *engine) noexcept {
    return engine ? engine->engine.share_registry().release() : nullptr;
}

}  // extern "C"
