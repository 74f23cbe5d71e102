// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A wrap over a store in memory, and the messages of a client and a server to it.
#pragma once

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <memory>
#include <string>
#include <vector>

#include "server/library/failure.h"
#include "server/mcp/wrap.h"

namespace mcp_wrap_test {

using rapidjson::Document;
using server::McpWrap;

inline Document parsed(const std::string &text) {
    Document document;
    document.Parse(text.data(), text.size());
    EXPECT_FALSE(document.HasParseError()) << text;
    return document;
}

inline std::string json_of(const std::string &text) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    return buffer.GetString();
}

inline std::string text_of(const rapidjson::Value &value) {
    return {value.GetString(), value.GetStringLength()};
}

// A wrap over a store in memory.
class Wrap {
public:
    explicit Wrap(server::WrapRules rules = {}) : config_(host::new_config()) {
        accp_store *store = nullptr;
        accp_tokenizer *tokenizer = nullptr;
        accp_engine *engine = nullptr;
        accp_session *session = nullptr;
        host::check(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer, &err_), err_);
        tokenizer_.reset(tokenizer);
        host::check(accp_store_open("memory:", 7, 0, nullptr, &store, &err_), err_);
        store_.reset(store);
        host::check(accp_config_set_store(config_.get(), store, &err_), err_);
        host::check(accp_engine_new(config_.get(), &engine, &err_), err_);
        engine_.reset(engine);
        host::check(accp_session_open(engine, "s", 1, 0, &session, &err_), err_);
        session_.reset(session);
        wrap = std::make_unique<McpWrap>(std::move(rules), session, tokenizer);
    }

    // Sends a request and its result through the wrap. Returns what the client gets. `seen` has the
    // params that the server must get; by default those of the client.
    std::string call(const std::string &method, const std::string &params,
                     const std::string &result, const std::string &seen = "") {
        McpWrap::Effects asked, answered;
        const std::string id = std::to_string(++id_);
        const std::string request = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method +
                                    R"(","params":)" + params + "}";
        const std::string passed = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method +
                                   R"(","params":)" + (seen.empty() ? params : seen) + "}";
        wrap->from_client(request, 0, asked);
        EXPECT_EQ(asked.to_server, std::vector{passed});
        EXPECT_TRUE(asked.to_client.empty());
        wrap->from_server(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + "}", 0,
                          answered);
        EXPECT_TRUE(answered.to_server.empty() && answered.faults.empty());
        return answered.to_client.size() == 1 ? answered.to_client[0] : "";
    }
    // The same for a request that the wrap answers itself.
    std::string ask(const std::string &method, const std::string &params) {
        McpWrap::Effects asked;
        wrap->from_client(
            R"({"jsonrpc":"2.0","id":"a","method":")" + method + R"(","params":)" + params + "}", 0,
            asked);
        EXPECT_TRUE(asked.to_server.empty());
        return asked.to_client.size() == 1 ? asked.to_client[0] : "";
    }
    std::string call_tool(const std::string &result) {
        return call("tools/call", R"({"name":"t","arguments":{}})", result);
    }
    void end_session() { host::check(accp_session_end(session_.get(), 0, &err_), err_); }
    // Returns the full text of a shortened one, by the ref in it.
    std::string whole(const std::string &cut) {
        const size_t at = cut.rfind("{\"ref\":\"$") + 9;
        const std::string ref = cut.substr(at, cut.find('"', at) - at);
        const Document read = parsed(ask("resources/read", R"({"uri":"accp://ref/)" + ref + "\"}"));
        return read.HasMember("result") ? text_of(read["result"]["contents"][0]["text"]) : "";
    }

    std::unique_ptr<McpWrap> wrap;

private:
    accp_error err_ = {};
    host::Handle<accp_config> config_;
    host::Handle<accp_tokenizer> tokenizer_;
    host::Handle<accp_store> store_;
    host::Handle<accp_engine> engine_;
    host::Handle<accp_session> session_;
    int id_ = 0;
};

inline server::WrapRules of_200() {
    server::WrapRules rules;
    rules.max_tokens = 200;
    return rules;
}

inline std::string long_text(int lines, int seed = 0) {
    std::string text;
    for (int i = 0; i < lines; ++i)
        text += "line " + std::to_string(i) + " of text " + std::to_string(seed) + " \"é\"\n";
    return text;
}

inline std::string text_result(const std::string &text, const std::string &more = "") {
    return R"({"content":[{"type":"text","text":)" + json_of(text) + "}]" + more + "}";
}

}  // namespace mcp_wrap_test
