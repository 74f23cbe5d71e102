// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The line that replaces a result: stub_cases.jsonl, in each interface. Each content is padded with
// a long line, so that the stub is shorter.
#include <gtest/gtest.h>

#include <fstream>

#include "proxy/stub.h"
#include "proxy/talk.h"
#include "reference/ref_json.h"

namespace {

using accp_ref::Json;
using proxy::Api;

constexpr uint64_t kTokens = 3120;

std::string json_of(const std::string &text) {
    std::string out;
    accp_ref::append_json_string(text, out);
    return out;
}

// The padding is part of the last line.
std::string padded(std::string text) {
    return json_of(text.insert(text.size() - text.ends_with('\n'), std::string(400, '-')));
}

std::string content_of(const Json &json) {
    if (const Json *content = json.find("content")) return padded(content->text);
    std::string out = "[";
    for (const Json &block : json.find("blocks")->items) {
        if (out.size() > 1) out += ',';
        out += R"({"type":"text","text":)" + padded(block.text) + "}";
    }
    return out + "]";
}

std::string body_of(const Json &json, Api api) {
    const Json *tool = json.find("tool");
    const std::string content = content_of(json);
    const std::string name = tool ? accp_ref::write_json(*tool) : "";
    const std::string input = tool ? accp_ref::write_json(*json.find("input")) : "";
    const std::string arguments = json_of(input);
    if (api == Api::kMessages)
        return R"({"messages":[{"role":"assistant","content":[)" +
               (tool
                    ? R"({"type":"tool_use","id":"a","name":)" + name + R"(,"input":)" + input + "}"
                    : "") +
               R"(]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":)" +
               (json.find("error") ? "true" : "false") + R"(,"content":)" + content + "}]}]}";
    if (api == Api::kChat)
        return R"({"messages":[)" +
               (tool ? R"({"role":"assistant","tool_calls":[{"id":"a","function":{"name":)" + name +
                           R"(,"arguments":)" + arguments + "}}]},"
                     : "") +
               R"({"role":"tool","tool_call_id":"a","content":)" + content + "}]}";
    return R"({"input":[)" +
           (tool ? R"({"type":"function_call","call_id":"a","name":)" + name + R"(,"arguments":)" +
                       arguments + "},"
                 : "") +
           R"({"type":"function_call_output","call_id":"a","output":)" + content + "}]}";
}

TEST(Stub, EachCaseHasItsLine) {
    std::ifstream in(ACCP_SOURCE_DIR "/tests/proxy/stub_cases.jsonl");
    size_t count = 0;
    for (std::string line; std::getline(in, line); ++count) {
        const Json json = accp_ref::parse_json(line).value();
        for (const Api api : {Api::kMessages, Api::kChat, Api::kResponses}) {
            if (json.find("error") && api != Api::kMessages) continue;
            SCOPED_TRACE(json.find("name")->text + " " + std::to_string(static_cast<int>(api)));
            const std::string body = body_of(json, api);
            proxy::ModelRequest request({1, 2});
            ASSERT_TRUE(request.read(api, "", body)) << body;
            proxy::StubWriter stubs;
            const std::string stub = stubs.write(request, request.pages().back(), kTokens);
            EXPECT_EQ(stub, json.find("stub")->text);
            EXPECT_EQ(stubs.write(request, request.pages().back(), kTokens), stub);
        }
    }
    EXPECT_GT(count, 10u);
}

// The first line of an error is cut, and so is the name of a tool.
TEST(Stub, LongTextsAreCut) {
    const std::string body =
        R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":")" +
        std::string(500, 'n') +
        R"(","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":")" +
        std::string(5000, 'x') + R"("}]}]})";
    proxy::ModelRequest request({1, 2});
    ASSERT_TRUE(request.read(Api::kMessages, "", body));
    const std::string stub = proxy::StubWriter().write(request, request.pages().back(), 1);
    EXPECT_EQ(stub,
              std::string(197, 'x') + "…\n[" + std::string(61, 'n') +
                  "…: 1 line, 1 token, left out to save cost. Run the tool again if you need it.]");
}

// For every length of the content, the stub in JSON is shorter, or it is empty.
TEST(Stub, IsNeverLongerThanTheContent) {
    size_t written = 0;
    for (size_t size = 0; size < 160; ++size) {
        const std::string content = '"' + std::string(size, 'x') + '"';
        const std::string body =
            R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"\"\\\"","input":{"path":"\"\"\"\""}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":)" +
            content + "}]}]}";
        proxy::ModelRequest request({1, 2});
        ASSERT_TRUE(request.read(Api::kMessages, "", body));
        const std::string stub = proxy::StubWriter().write(request, request.pages().back(), 5);
        if (stub.empty()) continue;
        ++written;
        EXPECT_LE(accp_proxy::quoted(stub).size(), content.size()) << size;
    }
    EXPECT_GT(written, 20u);
    EXPECT_LT(written, 80u);
}

}  // namespace
