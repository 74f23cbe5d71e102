// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A hub with the A2A interface over a store in memory, with a worker on a WebSocket.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "hub_place.h"
#include "server/a2a/a2a.h"

namespace a2a_test {

// Parsed JSON whose members are read by JSON pointers (RFC 6901).
class Json {
public:
    Json() = default;
    explicit Json(const std::string &text) {
        document_.Parse(text.data(), text.size());
        EXPECT_FALSE(document_.HasParseError()) << text;
    }
    // Returns a string as it is, any other value as JSON, and "" if the value does not exist.
    std::string at(const std::string &pointer) const {
        const rapidjson::Value *value =
            rapidjson::Pointer(pointer.data(), pointer.size()).Get(document_);
        if (!value) return {};
        if (value->IsString()) return {value->GetString(), value->GetStringLength()};
        rapidjson::StringBuffer buffer;
        rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
        value->Accept(writer);
        return buffer.GetString();
    }

private:
    rapidjson::Document document_;
};

inline server::Grant everybody() { return *hub_test::Place::anybody(); }

class A2aPlace : public hub_test::Place {
public:
    explicit A2aPlace(accp_store *shared = nullptr) : Place(defaults(), shared) {
        a2a = std::make_unique<server::A2a>(server::A2aRules{}, *hub, shared_config(), registry());
        after_turn = [this](std::vector<server::HubEffect> &effects) { a2a->turn(now, effects); };
    }

    // Sends a JSON-RPC request and returns the number of its connection. answer_of() returns its
    // reply.
    uint64_t post(const std::string &body, const std::string &version = "1.0") {
        server::HttpRequest request;
        request.method = "POST";
        request.path = "/a2a";
        if (!version.empty()) request.headers.emplace_back("a2a-version", version);
        request.headers.emplace_back("host", "localhost:7117");
        request.body = body;
        const uint64_t connection = next_++;
        if (const auto reply = a2a->answer(connection, request, grant, now)) {
            EXPECT_EQ(reply->type, "application/json");
            direct_[connection] = std::to_string(reply->status) + " " + reply->body;
        }
        turn();
        return connection;
    }
    uint64_t ask(const std::string &method, const std::string &params,
                 const std::string &version = "1.0") {
        return post(
            R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":)" + params + "}",
            version);
    }
    // Returns "200 {…}", or the events of a stream; "" if nothing has arrived.
    std::string told(uint64_t connection) {
        return std::exchange(direct_[connection], {}) + take(connection);
    }
    // Returns the reply as JSON. It must have arrived.
    Json answer(uint64_t connection, int status = 200) {
        const std::string text = told(connection);
        EXPECT_EQ(text.substr(0, 4), std::to_string(status) + " ") << text;
        return Json(text.substr(std::min<size_t>(4, text.size())));
    }
    Json call(const std::string &method, const std::string &params,
              const std::string &version = "1.0") {
        return answer(ask(method, params, version));
    }
    // Returns the events of a stream since the last call. `ended` is set to whether the stream has
    // ended.
    std::vector<Json> events(uint64_t connection, bool *ended = nullptr) {
        std::string text = told(connection);
        if (ended) *ended = text.ends_with("end");
        std::vector<Json> out;
        for (size_t at = 0; (at = text.find("data: ", at)) != text.npos;) {
            const size_t end = text.find("\n\n", at);
            out.emplace_back(text.substr(at + 6, end - at - 6));
            at = end;
        }
        return out;
    }

    server::Grant grant = everybody();
    std::unique_ptr<server::A2a> a2a;

private:
    uint64_t next_ = 1000;
    std::map<uint64_t, std::string> direct_;
};

// Returns the params of SendMessage. `message` has the members of the message other than id and
// role.
inline std::string send_params(const std::string &message, const std::string &more = {}) {
    return R"({"message":{"messageId":"m1","role":"ROLE_USER",)" + message + "}" + more + "}";
}
inline std::string text_to(const std::string &agent, const std::string &text,
                           const std::string &more = {}) {
    return send_params(
        R"("parts":[{"text":")" + text + R"("}],"metadata":{"agent":")" + agent + R"("})", more);
}

}  // namespace a2a_test
