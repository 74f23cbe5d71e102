// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A server with random behaviour, and a client with many requests at once: each request is answered
// once, and the exchange always ends.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "server/http/json_rpc.h"
#include "server/json/reader.h"
#include "server/mcp/remote.h"

namespace {

using server::HttpCall;
using server::HttpCallHead;
using server::McpRemote;
using server::RpcMessage;

// Both sides of a remote.
class RemoteModel {
public:
    explicit RemoteModel(uint32_t seed) : random_(seed) {}

    void ask(const std::string &method) {
        const std::string id = std::to_string(++asked_);
        answers_[id] = 0;
        say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{}})");
    }
    void say(const std::string &line) {
        McpRemote::Effects effects;
        remote_.send(line, now_, effects);
        take(effects);
    }
    void cancel() {
        const std::string id = std::to_string(1 + random_() % asked_);
        cancelled_[id] = true;
        say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id +
            "}}");
    }
    // Answers a random open call. kind: the answer is not a refusal.
    void answer(bool kind) {
        if (open_.empty()) return;
        auto at = open_.begin();
        std::advance(at, random_() % open_.size());
        const HttpCall call = at->second;
        if (call.method == "GET" && last_id(call).empty()) return end_listening(call, kind);
        play(call, kind ? random_() % 2 : random_() % 8);
    }
    void pass(int64_t ms) {
        now_ += ms;
        McpRemote::Effects effects;
        remote_.tick(now_, effects);
        take(effects);
    }
    bool finish() {
        McpRemote::Effects effects;
        const bool is_over = remote_.finish(effects);
        take(effects);
        return is_over;
    }
    size_t roll(size_t sides) { return random_() % sides; }
    // Returns what is wrong; empty if nothing is.
    std::string fault() const {
        for (const auto &[id, count] : answers_) {
            const int least = cancelled_.contains(id) ? 0 : 1;
            if (count < least || count > 1)
                return id + " was answered " + std::to_string(count) + " times";
        }
        return fault_;
    }

private:
    static std::string last_id(const HttpCall &call) {
        for (const auto &[name, value] : call.headers)
            if (name == "last-event-id") return value;
        return "";
    }

    void take(McpRemote::Effects &effects) {
        for (HttpCall &call : effects.calls) {
            const uint64_t number = call.number;
            if (!open_.emplace(number, std::move(call)).second) fault_ = "a number twice";
        }
        for (const uint64_t number : effects.drops) open_.erase(number);
        for (const std::string &line : effects.to_client) {
            RpcMessage message;
            std::string refusal;
            if (!server::read_rpc(line, message, refusal)) fault_ = "no message: " + line;
            else if (message.is_response()) ++answers_[std::string(message.id)];
        }
    }

    void head(const HttpCall &call, const HttpCallHead &with) {
        McpRemote::Effects effects;
        remote_.on_head(call.number, with, now_, effects);
        take(effects);
    }
    void body(const HttpCall &call, const std::string &bytes) {
        McpRemote::Effects effects;
        if (open_.contains(call.number)) remote_.on_body(call.number, bytes, now_, effects);
        take(effects);
    }
    void end(const HttpCall &call, bool fails) {
        if (!open_.erase(call.number)) return;
        McpRemote::Effects effects;
        if (fails) remote_.on_failure(call.number, "it broke", now_, effects);
        else remote_.on_end(call.number, now_, effects);
        take(effects);
    }
    void end_listening(const HttpCall &call, bool kind) {
        head(call, {kind ? 405 : 200, kind ? "" : "text/event-stream", "", ""});
        end(call, roll(2));
    }

    void play(const HttpCall &call, size_t how) {
        RpcMessage message;
        std::string refusal;
        const bool is_known = server::read_rpc(call.body, message, refusal);
        const std::string resumed = last_id(call);
        const std::string id = resumed.empty() ? std::string(message.id) : resumed.substr(1);
        const bool begins = is_known && message.method == "initialize";
        const std::string session = begins ? "s" + std::to_string(++sessions_) : "";
        const std::string said =
            R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"protocolVersion":"2025-11-25"}})";
        const HttpCallHead json = {200, "application/json", session, ""},
                           events = {200, "text/event-stream", session, ""};
        if (how < 3 && id.empty()) {
            head(call, {202, "", "", ""});
            return end(call, false);
        }
        switch (how) {
            case 0:
                head(call, resumed.empty() ? json : events);
                body(call, resumed.empty() ? said : "data: " + said + "\n\n");
                return end(call, false);
            case 1: {
                head(call, events);
                const std::string all = "id: e" + id + "\ndata: \n\ndata: " + said + "\n\n";
                const size_t cut = roll(all.size());
                body(call, all.substr(0, cut));
                body(call, all.substr(cut));
                return end(call, roll(2));
            }
            case 2:
                head(call, events);
                body(call, "id: e" + id + "\nretry: 10\ndata: \n\n");
                return end(call, roll(2));
            case 3: return end(call, true);
            case 4: head(call, {404, "", "", ""}); return end(call, false);
            case 5:
                head(call, {400, "", "", ""});
                body(call, "no such session");
                return end(call, false);
            case 6:
                head(call, {503, "text/plain", "", ""});
                body(call, "later");
                return end(call, roll(2));
            default: head(call, events); return pass(61'000);
        }
    }

    std::mt19937 random_;
    McpRemote remote_{server::RemoteRules{{}, 60'000}};
    std::map<uint64_t, HttpCall> open_;
    std::map<std::string, int> answers_;
    std::map<std::string, bool> cancelled_;
    std::string fault_;
    int64_t now_ = 0;
    uint32_t asked_ = 0;
    int sessions_ = 0;
};

TEST(McpRemoteModel, EachRequestIsAnsweredOnceAndAllEnds) {
    for (uint32_t seed = 0; seed < (ACCP_SANITIZED ? 300 : 1500); ++seed) {
        RemoteModel model(seed);
        model.ask("initialize");
        model.answer(seed % 8 != 0);
        model.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        for (size_t i = model.roll(200); i > 0; --i) {
            const size_t what = model.roll(10);
            if (what < 4) model.ask("tools/call");
            else if (what < 8) model.answer(model.roll(3) > 0);
            else if (what == 8) model.pass(static_cast<int64_t>(model.roll(2000)));
            else if (model.roll(4) == 0) model.cancel();
            ASSERT_NE(model.fault(), "a number twice");
        }
        int steps = 0;
        while (!model.finish() && ++steps < 5000) {
            model.answer(true);
            if (steps % 8 == 0) model.pass(1000);
        }
        ASSERT_LT(steps, 5000) << "seed " << seed;
        ASSERT_EQ(model.fault(), "") << "seed " << seed;
    }
}

}  // namespace
