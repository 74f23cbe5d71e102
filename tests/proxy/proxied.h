// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A proxy between an upstream that plays responses and a client, for tests of the tool
// accp_resolve.
#pragma once

#include <string>
#include <vector>

#include "proxy/answers.h"
#include "proxy/rewriter.h"
#include "proxy/talk.h"

namespace accp_proxy {

constexpr int64_t kResolveBegin = 1'795'824'000'000, kStepMs = 10'000, kHourMs = 3'600'000;

inline std::string file_text(int number) {
    std::string text;
    for (int line = 0; line < 150; ++line)
        text +=
            "value_" + std::to_string(number) + " = compute(" + std::to_string(line * 7) + ");\n";
    return text;
}

// A proxy with its upstream and a client.
class Proxied {
public:
    explicit Proxied(proxy::Journal *journal = nullptr, bool has_resolve = true)
        : conversations_({}, journal),
          is_loaded(conversations_.load()),
          rewriter_({0, has_resolve}, conversations_, proxy::PriceTable(),
                    [this](std::string_view line) { lines.emplace_back(line); }) {}

    // Sends a body, and plays these responses. Returns what the upstream got.
    std::vector<std::string> send(proxy::Api api, const std::string &body,
                                  const std::vector<SaidTurn> &turns) {
        std::vector<std::string> answers;
        for (const SaidTurn &turn : turns) answers.push_back(write_whole(api, turn));
        return play(api, body, answers);
    }
    // The same with responses that are JSON or events.
    std::vector<std::string> play(proxy::Api api, const std::string &body,
                                  const std::vector<std::string> &answers) {
        const proxy::Headers headers;
        const char *target = api == proxy::Api::kMessages ? "/v1/messages"
                             : api == proxy::Api::kChat   ? "/v1/chat/completions"
                                                          : "/v1/responses";
        now_ms += kStepMs;
        const auto sent =
            rewriter_.outgoing(++call_, {"POST", target, headers, "anthropic"}, body, now_ms);
        std::vector<std::string> bodies = {sent.value_or(body)};
        shown.clear();
        for (const std::string &answer : answers) {
            const bool is_json = answer.starts_with("{");
            rewriter_.answer_head(
                call_, 200, {{"content-type", is_json ? "application/json" : "text/event-stream"}});
            const auto passed = rewriter_.answer_bytes(call_, answer);
            const proxy::AnswerEnd end =
                rewriter_.answer_end(call_, "", is_json ? answer : "", now_ms);
            if (!is_json) shown += passed.value_or(answer) + end.bytes.value_or("");
            else if (!end.follow_up) shown = end.bytes.value_or(answer);
            if (end.follow_up) bodies.push_back(*end.follow_up);
        }
        return bodies;
    }

private:
    proxy::Conversations conversations_;

public:
    bool is_loaded;
    std::vector<std::string> lines;
    std::string shown;
    int64_t now_ms = kResolveBegin;

    const proxy::Ledger &ledger() const { return rewriter_.ledger(); }

private:
    proxy::Rewriter rewriter_;
    uint64_t call_ = 0;
};

inline const char kTools[] = R"("tools":[{"name":"read","input_schema":{"type":"object"}}])";

// The client of the Messages interface: its messages as JSON, with commas between.
struct ReadingClient {
    std::string messages = R"({"role":"user","content":"Mend it."})";
    int files = 0;
    std::string model = "claude-x", tools = kTools;

    std::string body() const {
        return R"({"model":")" + model + "\"," + tools + R"(,"messages":[)" + messages + "]}";
    }
    // Adds a response that calls `read`, and its result.
    void add(const std::string &blocks, const std::string &more = "") {
        const std::string id = "\"c" + std::to_string(files) + "\"";
        messages += R"(,{"role":"assistant","content":[)" + blocks + R"({"type":"tool_use","id":)" +
                    id + R"(,"name":"read","input":{"path":"f"}}]},)" +
                    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":)" + id +
                    ",\"content\":" + quoted(file_text(files)) + "}" + more + "]}";
        ++files;
    }
};

inline SaidTurn reads(int file) {
    return {{{Said::kCall, R"({"path":"f"})", "c" + std::to_string(file), "read"}}, 5, ""};
}

inline bool has(const std::string &text, const std::string &what) {
    return text.find(what) != text.npos;
}

}  // namespace accp_proxy
