// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/library.h"

#include <stdexcept>
#include <utility>

namespace scale {

namespace {

void need(accp_status status, const accp_error &err) {
    if (status != ACCP_OK) throw std::runtime_error(err.message ? err.message : "the library");
}

}  // namespace

// src/cli/serve/hub.cc has the same rules.
Engine::Engine(const accp_store_backend *table, void *user) {
    accp_error err = {};
    accp_config *made = nullptr;
    need(accp_config_new(&made, &err), err);
    const Handle<accp_config> config(made);
    constexpr std::pair<accp_rule, int64_t> kRules[] = {
        {ACCP_RULE_BY_SENDER, 1},     {ACCP_RULE_WINDOW, 0},  {ACCP_RULE_PARTS, 0},
        {ACCP_RULE_NAMES_SESSION, 1}, {ACCP_RULE_DURABLE, 0}, {ACCP_RULE_EXTENSIONS, ACCP_EXT_Q1}};
    for (const auto &[rule, value] : kRules)
        need(accp_config_set_rule(made, rule, value, &err), err);
    need(accp_config_add_own_agent(made, "hub", 3, &err), err);
    accp_store *store = nullptr;
    need(table ? accp_store_open_backend(table, user, 0, nullptr, &store, &err)
               : accp_store_open("memory:", 7, 0, nullptr, &store, &err),
         err);
    store_.reset(store);
    need(accp_config_set_store(made, store, &err), err);
    accp_engine *engine = nullptr;
    need(accp_engine_new(made, &engine, &err), err);
    engine_.reset(engine);
}

Handle<accp_session> Engine::open(std::string_view id, uint32_t flags, accp_status *status) const {
    accp_session *session = nullptr;
    accp_error err = {};
    const accp_status code =
        accp_session_open(engine_.get(), id.data(), id.size(), flags, &session, &err);
    if (status) *status = code;
    else need(code, err);
    return Handle<accp_session>(session);
}

}  // namespace scale
