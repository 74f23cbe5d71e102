// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The base of the servers of fuzz targets: an engine with its sessions in memory.
#pragma once

#include "fuzz/fuzz_input.h"

#include <memory>

#include "server/hub/session_pool.h"
#include "server/mcp/tools.h"

namespace accp_fuzz {

class ServerBase {
public:
    // is_hub: opens sessions as a hub does, with the agent "hub".
    explicit ServerBase(bool is_hub, size_t max_open = 4096) {
        accp_error err = {};
        accp_tokenizer *tokenizer = nullptr;
        accp_registry *registry = nullptr;
        accp_store *store = nullptr;
        accp_engine *engine = nullptr;
        check(accp_tokenizer_new("approx", 6, nullptr, &tokenizer, &err), err);
        tokenizer_.reset(tokenizer);
        check(accp_registry_new("", 0, ACCP_PROFILE_ALL, nullptr, &registry, &err), err);
        registry_.reset(registry);
        check(accp_store_open("memory:", 7, 0, nullptr, &store, &err), err);
        store_.reset(store);
        config_.registry(registry).tokenizer(tokenizer);
        config_.rule(ACCP_RULE_DURABLE, 0);
        if (is_hub) {
            config_.rule(ACCP_RULE_BY_SENDER, 1).rule(ACCP_RULE_WINDOW, 0).rule(ACCP_RULE_PARTS, 0);
            check(accp_config_add_own_agent(config_.get(), "hub", 3, &err), err);
        }
        check(accp_config_set_store(config_.get(), store, &err), err);
        check(accp_engine_new(config_.get(), &engine, &err), err);
        engine_.reset(engine);
        pool_ = std::make_unique<server::SessionPool>(engine, store, max_open);
    }

    accp_config *config() const { return config_.get(); }
    const accp_tokenizer *tokenizer() const { return tokenizer_.get(); }
    const accp_registry *registry() const { return registry_.get(); }
    accp_store *store() const { return store_.get(); }
    server::SessionPool &pool() { return *pool_; }
    server::McpEnvironment mcp_house() {
        return {*pool_, of_tools_.get(), registry_.get(), tokenizer_.get()};
    }

private:
    static void check(accp_status status, const accp_error &err) {
        if (status != ACCP_OK) give_up(__FILE__, __LINE__, err.message);
    }

    Config config_, of_tools_;
    host::Handle<accp_tokenizer> tokenizer_;
    host::Handle<accp_registry> registry_;
    host::Handle<accp_store> store_;
    host::Handle<accp_engine> engine_;
    std::unique_ptr<server::SessionPool> pool_;
};

}  // namespace accp_fuzz
