// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Our MCP server over a store in memory, for its tests. RapidJSON parses its output.
#pragma once

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <memory>
#include <string>
#include <vector>

#include "server/library/failure.h"
#include "server/mcp/server.h"

namespace mcp_test {

using rapidjson::Document;

inline Document parsed(const std::string &text) {
    Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
    EXPECT_FALSE(document.HasParseError()) << text;
    return document;
}

inline std::string text_of(const rapidjson::Value &value) {
    return {value.GetString(), value.GetStringLength()};
}

constexpr int64_t kMaxModelMs = 5000;

// The state that several clients share.
class House {
public:
    explicit House(const std::string &document = "", server::McpProject *project = nullptr,
                   const std::string &library = "", const std::string &store_name = "memory:")
        : config_(host::new_config()) {
        accp_error err = {};
        accp_store *store = nullptr;
        accp_tokenizer *tokenizer = nullptr;
        accp_registry *registry = nullptr;
        accp_engine *engine = nullptr;
        host::check(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer, &err), err);
        tokenizer_.reset(tokenizer);
        host::check(accp_registry_new(document.data(), document.size(), ACCP_PROFILE_ALL, nullptr,
                                      &registry, &err),
                    err);
        registry_.reset(registry);
        host::check(accp_store_open(store_name.data(), store_name.size(), 0, nullptr, &store, &err),
                    err);
        store_.reset(store);
        const host::Handle<accp_config> config = host::new_config();
        host::check(accp_config_set_store(config.get(), store, &err), err);
        host::check(accp_config_set_registry(config.get(), registry, &err), err);
        host::check(accp_config_set_rule(config.get(), ACCP_RULE_DURABLE, 0, &err), err);
        host::check(accp_engine_new(config.get(), &engine, &err), err);
        engine_.reset(engine);
        pool = std::make_unique<server::SessionPool>(engine, store);
        server::McpEnvironment house(*pool, config_.get(), registry, tokenizer);
        house.project = project;
        house.library = library;
        house.new_packet_config = [] { return host::new_config(); };
        house.max_model_ms = kMaxModelMs;
        tools = std::make_unique<server::McpTools>(house);
    }

private:
    host::Handle<accp_config> config_;
    host::Handle<accp_tokenizer> tokenizer_;
    host::Handle<accp_registry> registry_;
    host::Handle<accp_store> store_;
    host::Handle<accp_engine> engine_;

public:
    std::unique_ptr<server::SessionPool> pool;
    std::unique_ptr<server::McpTools> tools;
};

// A client with all rights.
inline const server::McpClient kHost(server::Origin("*", true));

// A client of it.
class Client {
public:
    explicit Client(House &house, server::McpClient rights = kHost)
        : server(*house.tools, std::move(rights)) {}
    // A client that has called initialize.
    static Client begun(House &house, server::McpClient rights = kHost) {
        Client client(house, std::move(rights));
        client.ask("initialize", R"({"protocolVersion":"2025-11-25"})");
        return client;
    }

    std::vector<std::string> send(const std::string &line) {
        std::vector<std::string> answers;
        server.from_client(line, now_ms, answers);
        return answers;
    }
    // Returns the reply to a request; `told` gets the messages before it.
    std::string ask(const std::string &method, const std::string &params) {
        told = send(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params +
                    "}");
        EXPECT_FALSE(told.empty()) << method;
        if (told.empty()) return "{}";
        const std::string answer = told.back();
        told.pop_back();
        return answer;
    }
    std::string call(const std::string &tool, const std::string &arguments,
                     const std::string &more = "") {
        return ask("tools/call",
                   R"({"name":")" + tool + R"(","arguments":)" + arguments + more + "}");
    }
    // Calls a tool and returns the texts of its content, after "error: " if the result has isError.
    std::string said(const std::string &tool, const std::string &arguments) {
        const Document answer = parsed(call(tool, arguments));
        if (!answer.HasMember("result")) return "no result";
        const auto &result = answer["result"];
        std::string text = result.HasMember("isError") ? "error: " : "";
        for (const auto &block : result["content"].GetArray())
            if (block.HasMember("text")) text += text_of(block["text"]);
        return text;
    }

    server::McpServer server;
    int64_t now_ms = 1'700'000'000'000;
    std::vector<std::string> told;
};

}  // namespace mcp_test
