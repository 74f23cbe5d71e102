// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads lines of bytes as the messages of A2A clients and of a worker. A line that begins with "@"
// is a frame of the worker. One with "+" lets time pass. One with a letter calls the method of that
// number (a capital: of A2A 0.3) with the rest as params, in which TASK is replaced by the id of
// the newest task. Any other line is the whole body of a request. Everything that the hub sends
// must be JSON-RPC with the id of its request; each request must get one reply, or one stream that
// begins and ends; and the hub must still work at the end.
#include "fuzz/server_base.h"

#include <map>
#include <utility>
#include <vector>

#include "server/a2a/a2a.h"
#include "server/json/reader.h"

using namespace accp_fuzz;

namespace {

constexpr uint64_t kWorker = 1;
constexpr const char *kNew[] = {"SendMessage",         "SendStreamingMessage", "GetTask",
                                "ListTasks",           "CancelTask",           "SubscribeToTask",
                                "GetExtendedAgentCard"};
constexpr const char *kOld[] = {"message/send", "message/stream", "tasks/get", "tasks/cancel",
                                "tasks/resubscribe"};

// A hub in memory with a worker on a WebSocket.
class House {
public:
    House() {
        server::HubRules rules;
        rules.default_session = "s";
        hub = std::make_unique<server::Hub>(rules, base_.pool(), base_.config(), base_.registry());
        a2a = std::make_unique<server::A2a>(server::A2aRules{}, *hub, base_.config(),
                                            base_.registry());
        hub->open(kWorker, server::Access().find(""), "s", false, now);
        hub->on_frame(kWorker, "@dev>sync:registry{v:1}", now);
    }

private:
    ServerBase base_{true};

public:
    int64_t now = 1'794'000'000'000;
    std::unique_ptr<server::Hub> hub;
    std::unique_ptr<server::A2a> a2a;
};

// The open requests, and the replies so far.
class Talk {
public:
    void ask(const std::string &body, const std::string &version) {
        server::HttpRequest request;
        request.headers.emplace_back("host", "localhost");
        request.headers.emplace_back("a2a-version", version);
        const Exact exact(body);
        request.body.assign(exact.view());
        server::RpcMessage read;
        std::string refusal;
        const bool is_request = server::read_rpc(body, read, refusal) && read.is_request();
        const uint64_t connection = next_++;
        const auto reply = house.a2a->answer(connection, request, grant_, house.now);
        if (reply) check_answer(reply->body, is_request ? std::string(read.id) : "null", refusal);
        else open_[connection] = read.id;
        REQUIRE(reply || is_request);
        turn();
    }
    void turn() {
        std::vector<server::HubEffect> effects;
        while (house.hub->turn(house.now, effects)) {
        }
        house.a2a->turn(house.now, effects);
        for (const server::HubEffect &effect : effects) take(effect);
        house.hub->drained(kWorker);
    }
    void end() {
        house.hub->shut_down(house.now);
        turn();
        REQUIRE(open_.empty());
    }
    // Replaces TASK by the id of the newest task.
    std::string fill(std::string text) const {
        for (size_t at = 0; (at = text.find("TASK", at)) != text.npos;) text.replace(at, 4, task_);
        return text;
    }

    House house;

private:
    using Kind = server::HubEffect::Kind;

    void take(const server::HubEffect &effect) {
        if (effect.to == kWorker) return;
        const auto open = open_.find(effect.to);
        REQUIRE(open != open_.end());
        const std::string id = open->second;
        if (effect.kind == Kind::kAnswer) check_answer(effect.text, id, {});
        else check_piece(effect.text, id);
        REQUIRE(effect.kind == Kind::kAnswer || effect.kind == Kind::kPiece);
        if (effect.is_last) open_.erase(open);
    }
    void check_piece(std::string_view text, const std::string &id) {
        REQUIRE(text.ends_with("\n\n") && text.find('\n') == text.size() - 2);
        if (text.starts_with(':')) return;
        REQUIRE(text.starts_with("data: "));
        check_answer(std::string(text.substr(6, text.size() - 8)), id, {});
    }
    void check_answer(const std::string &text, const std::string &id, const std::string &refusal) {
        if (text == refusal) return;
        server::RpcMessage said;
        std::string wrong;
        const bool is_for_nobody = id == "null";
        if (is_for_nobody) {
            REQUIRE(host::json_member(text, "id") == "null");
            return;
        }
        REQUIRE(server::read_rpc(text, said, wrong) && said.is_response() && said.id == id);
        REQUIRE(said.text == text);  // compact, without duplicate keys
        const std::string_view task = host::json_member(said.result, "task");
        const std::string found(host::json_word(host::json_member(task, "id")));
        if (!found.empty()) task_ = found;
    }

    server::Grant grant_ = *server::Access().find("");
    std::map<uint64_t, std::string> open_;  // JSON-RPC ids by connection
    std::string task_ = "none";
    uint64_t next_ = 100;
};

void say_line(Talk &talk, std::string_view line) {
    if (line.empty()) return;
    const std::string rest = talk.fill(std::string(line.substr(1)));
    const char c = line[0];
    if (c == '@') {
        talk.house.hub->on_frame(kWorker, "@" + rest, talk.house.now);
        talk.turn();
    } else if (c == '+') {
        talk.house.now +=
            std::min<int64_t>(std::strtoll(rest.c_str(), nullptr, 10) & INT64_MAX, 60'000);
        talk.turn();
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        const bool is_old = c < 'a';
        const auto number = static_cast<size_t>(c - (is_old ? 'A' : 'a'));
        const char *method =
            is_old ? kOld[number % std::size(kOld)] : kNew[number % std::size(kNew)];
        talk.ask(std::string(R"({"jsonrpc":"2.0","id":7,"method":")") + method + R"(","params":)" +
                     rest + "}",
                 is_old ? "0.3" : "1.0");
    } else {
        talk.ask(std::string(line), "");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Talk talk;
    talk.turn();
    std::string_view text = text_of(data, size);
    for (int lines = 0; !text.empty() && lines < 32; ++lines) {
        const size_t end = std::min(text.find('\n'), text.size());
        say_line(talk, text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    talk.ask(R"({"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}})", "1.0");
    talk.end();
    return 0;
}
