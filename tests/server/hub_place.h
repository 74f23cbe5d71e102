// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A hub over a store in memory, and what it sent to each connection.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/hub/hub.h"
#include "server/library/failure.h"
#include "server/mcp/tools.h"

// docs/examples/store_backend/memory_backend.c
extern "C" accp_status accp_store_backend_entry(const char *place, size_t place_len, uint32_t flags,
                                                const accp_store_backend **out, void **user_out,
                                                accp_error *err);

namespace hub_test {

inline void check(accp_status status, const accp_error &err) {
    if (status != ACCP_OK) throw host::Failure(host::describe(err));
}

inline bool holds(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

// A store of the example's back end with one function of its table replaced; `own` is that function
// of the example.
class OtherTable {
public:
    template <typename Call>
    OtherTable(const std::string &place, const accp_store_backend *&own,
               Call accp_store_backend::*call, Call other) {
        accp_error err = {};
        void *user = nullptr;
        accp_store *made = nullptr;
        check(accp_store_backend_entry(place.data(), place.size(), 0, &own, &user, &err), err);
        table_ = *own;
        table_.*call = other;
        check(accp_store_open_backend(&table_, user, 0, nullptr, &made, &err), err);
        store_.reset(made);
    }
    accp_store *store() const { return store_.get(); }

private:
    accp_store_backend table_;  // used by the store
    host::Handle<accp_store> store_;
};

class Place {
public:
    explicit Place(server::HubRules rules = defaults(), accp_store *shared = nullptr,
                   size_t max_open = 4096) {
        accp_error err = {};
        config_ = host::new_config();
        if (!shared) {
            check(accp_store_open("memory:", 7, 0, nullptr, &shared, &err), err);
            store_.reset(shared);
        }
        accp_tokenizer *tokenizer = nullptr;
        check(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer, &err), err);
        tokenizer_.reset(tokenizer);
        accp_registry *registry = nullptr;
        check(accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, nullptr, &registry, &err), err);
        registry_.reset(registry);
        accp_config_set_store(config_.get(), shared, nullptr);
        accp_config_set_registry(config_.get(), registry, nullptr);
        for (const auto &[rule, value] : std::map<accp_rule, int64_t>{{ACCP_RULE_BY_SENDER, 1},
                                                                      {ACCP_RULE_WINDOW, 0},
                                                                      {ACCP_RULE_PARTS, 0},
                                                                      {ACCP_RULE_DURABLE, 0}})
            accp_config_set_rule(config_.get(), rule, value, nullptr);
        accp_config_add_own_agent(config_.get(), "hub", 3, nullptr);
        accp_engine *engine = nullptr;
        check(accp_engine_new(config_.get(), &engine, &err), err);
        engine_.reset(engine);
        pool_ = std::make_unique<server::SessionPool>(engine, shared, max_open);
        hub = std::make_unique<server::Hub>(std::move(rules), *pool_, config_.get(), registry);
    }

    static server::HubRules defaults() {
        server::HubRules rules;
        rules.default_session = "s";
        return rules;
    }
    static std::shared_ptr<const server::Grant> anybody() { return server::Access().find(""); }

    // Sends an HTTP request and returns the reply after the next turn.
    std::string post(uint64_t connection, const std::string &frame,
                     const std::string &session = {}) {
        hub->post(connection, *anybody(), session, frame, now);
        turn();
        return take(connection);
    }
    // Opens a WebSocket and sends the agent's name; take() then returns what the agent had missed.
    void join(uint64_t connection, const std::string &agent, bool sees_all = false) {
        hub->open(connection, anybody(), {}, sees_all, now);
        say(connection, "@" + agent + ">sync:registry{v:1}");
        std::string &told = said_[connection];
        EXPECT_EQ(told.find("@hub>sync:registry{"), 0u) << told;
        told.erase(0, told.find('\n') + 1);
    }
    void say(uint64_t connection, const std::string &frame) {
        hub->on_frame(connection, frame, now);
        turn();
    }
    void turn() {
        std::vector<server::HubEffect> effects;
        while (hub->turn(now, effects)) {
        }
        if (after_turn) after_turn(effects);
        for (server::HubEffect &effect : effects) {
            using Kind = server::HubEffect::Kind;
            std::string &to = said_[effect.to];
            if (effect.kind == Kind::kAnswer)
                to += std::to_string(effect.status) + " " + effect.text;
            else if (effect.kind == Kind::kPing) pings[effect.to] = effect.text;
            else if (effect.kind == Kind::kClose) to += "closed " + std::to_string(effect.status);
            else if (effect.kind == Kind::kPiece) to += effect.text + (effect.is_last ? "end" : "");
            else to += effect.text + "\n";
        }
    }
    // Returns everything that was sent to a connection since the last call.
    std::string take(uint64_t connection) { return std::exchange(said_[connection], {}); }
    accp_store *store() { return pool_->store(); }
    server::SessionPool &pool() { return *pool_; }
    const accp_config *config() const { return config_.get(); }
    server::McpEnvironment house() {
        return {*pool_, mcp_config_.get(), registry_.get(), tokenizer_.get()};
    }
    const accp_tokenizer *tokenizer() const { return tokenizer_.get(); }

    accp_config *shared_config() { return config_.get(); }
    const accp_registry *registry() const { return registry_.get(); }

    int64_t now = 1'794'000'000'000;
    std::function<void(std::vector<server::HubEffect> &)> after_turn;
    std::map<uint64_t, std::string> pings;
    std::unique_ptr<server::Hub> hub;

private:
    host::Handle<accp_config> config_, mcp_config_ = host::new_config();
    host::Handle<accp_store> store_;
    host::Handle<accp_tokenizer> tokenizer_;
    host::Handle<accp_registry> registry_;
    host::Handle<accp_engine> engine_;
    std::unique_ptr<server::SessionPool> pool_;
    std::map<uint64_t, std::string> said_;
};

// A frame with an envelope: "@a>req:x{k:v}", 3 → "…[mid:…,seq:3…]".
inline std::string frame(const std::string &text, int seq, const std::string &more = {}) {
    char mid[16];
    std::snprintf(mid, sizeof mid, "%c%011d", "abcdef"[text[1] % 6], seq * 1000 + text[1]);
    return text + "[mid:" + mid + ",seq:" + std::to_string(seq) + ",ts:1794000000" + more + "]";
}
inline std::string mid_of(const std::string &frame) {
    const size_t at = frame.find("[mid:") + 5;
    return frame.substr(at, 12);
}
// A frame with the cid of the frame that it answers.
inline std::string answer(const std::string &text, int seq, const std::string &to) {
    return frame(text, seq, ",cid:" + mid_of(to));
}

}  // namespace hub_test
