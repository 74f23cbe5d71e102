// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/session.h: engines. include/accp/metrics.h
#include "accp/session.h"

#include "accp/hooks.h"
#include "accp/metrics.h"
#include "accp/store.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/session_handles.h"
#include "capi/token_handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

// Creates what the config does not provide. `config` may be NULL.
Status create_missing(accp_engine &engine, const accp_config *config) {
    accp_error error = {};
    accp_store *store = config ? config->store : nullptr;
    if (!store && accp_store_open("memory:", 7, 0, config, &engine.own_store, &error) != ACCP_OK)
        return status_of(error);
    Status status = pick_tokenizer(config, engine.tokenizer);
    if (status.failed()) return status;
    accp_registry *all = nullptr;
    if ((!config || !config->registry) &&
        accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, config, &all, &error) != ACCP_OK)
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
    engine.rules.codec_hooks = checks_of(config);
    engine.rules.refuses_parts = config.parts_set && !config.rules.parts;
    engine.rules.waits_for_agreement = config.require_registry && !config.agreed;
    engine.rules.pins_registry = config.pin_registry && !config.agreed;
    engine.seed = config.seed;
    engine.redacted.append(config.redacted.view());
    Status status = engine.agents.own.restore(config.agents.own.text());
    if (status.ok()) status = engine.agents.untrusted.restore(config.agents.untrusted.text());
    const accp_hooks &hooks = made.hooks = config.hooks;
    made.resolver.hooks = made.cold.hooks = &made.hooks;
    if (hooks.resolve) engine.rules.peer_resolver = &made.resolver;
    if (hooks.cold_put) engine.rules.cold_store = &made.cold;
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
            make_handle<accp_engine>(session::Engine::session_settings(wire_settings(config))));
        if (config) status = set_up_engine(*made.handle, *config);
        if (status.ok()) status = create_missing(*made.handle, config);
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

namespace {

struct MetricRow {
    const char *name, *unit;
};

// Indexed by accp_metric.
constexpr MetricRow kMetricRows[] = {
    {"accp.frames.received", "{frame}"},
    {"accp.frames.sent", "{frame}"},
    {"accp.io.received", "By"},
    {"accp.io.sent", "By"},
    {"accp.messages.delivered", "{message}"},
    {"accp.records", "{record}"},
    {"accp.checkpoints", "{checkpoint}"},
    {"accp.gaps", "{gap}"},
    {"accp.requests.expired", "{request}"},
    {"accp.commits", "{commit}"},
    {"accp.contexts", "{context}"},
    {"accp.context.tokens", "{token}"},
    {"accp.context.history_tokens", "{token}"},
    {"accp.context.price", "{millitoken}"},
    {"accp.context.history_price", "{millitoken}"},
};
static_assert(sizeof kMetricRows / sizeof kMetricRows[0] == session::Metrics::kMetrics);

bool is_metric(int32_t metric) {
    return metric >= 0 && static_cast<size_t>(metric) < session::Metrics::kMetrics;
}

}  // namespace

extern "C" {

const char *accp_metric_name(int32_t metric) noexcept {
    return is_metric(metric) ? kMetricRows[metric].name : nullptr;
}

const char *accp_metric_unit_name(int32_t metric) noexcept {
    return is_metric(metric) ? kMetricRows[metric].unit : nullptr;
}

uint64_t accp_engine_metric(const accp_engine *engine, int32_t metric) noexcept {
    return engine && is_metric(metric) ? engine->engine.metrics.value(static_cast<size_t>(metric))
                                       : 0;
}

uint64_t accp_engine_outcome_count(const accp_engine *engine, int32_t direction,
                                   accp_status status) noexcept {
    const size_t row = capi::row_of(status);
    const bool known = direction == ACCP_SENT || direction == ACCP_RECEIVED;
    return engine && known && row < session::Metrics::kStatuses
               ? engine->engine.metrics.value(session::Metrics::outcome(direction, row))
               : 0;
}

}  // extern "C"
