// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The pages that the reader of requests finds in bodies of each interface: request_cases.jsonl. The
// body of a case without "pages" is not understood. equal_cases.jsonl has pairs of bodies that are
// the same conversation, or not.
#include <gtest/gtest.h>

#include <fstream>

#include "proxy/talk.h"
#include "reference/ref_json.h"

namespace {

using accp_ref::Json;
using accp_ref::JsonKind;
using proxy::Api;
using proxy::ModelRequest;
using proxy::Page;
using proxy::PageKind;

constexpr proxy::HashKey kKey = {1, 2};

std::vector<Json> cases(const char *file) {
    std::ifstream in(std::string(ACCP_SOURCE_DIR "/tests/proxy/") + file);
    std::vector<Json> all;
    for (std::string line; std::getline(in, line);)
        all.push_back(accp_ref::parse_json(line).value());
    EXPECT_GT(all.size(), 20u);
    return all;
}

std::string text(const Json &json, const char *key) {
    const Json *found = json.find(key);
    return found ? found->text : "";
}

Api api_of(const Json &json) {
    const std::string api = text(json, "api");
    return api == "messages" ? Api::kMessages : api == "chat" ? Api::kChat : Api::kResponses;
}

std::string body_of(const Json &json, const std::string &key, const char *raw) {
    if (const Json *body = json.find(key)) return accp_ref::write_json(*body);
    return text(json, raw);
}

std::string describe(const ModelRequest &request, const Page &page) {
    static constexpr const char *kKinds[] = {"front", "user", "words", "call", "result"};
    std::string out = kKinds[static_cast<int>(page.kind)];
    if (page.kind != PageKind::kResult) return out;
    out += ' ' + std::to_string(page.call);
    if (page.answers) {
        const auto tree = request.tree();
        const uint32_t function = tree.find(page.answers, "function");
        const uint32_t name = tree.find(function ? function : page.answers, "name");
        if (name) out += " of " + std::string(tree.string(name));
    }
    if (page.content) out += ", may change";
    if (request.may_leave(page)) out += ", may leave";
    if (page.is_error) out += ", error";
    return out;
}

TEST(RequestCases, EachBodyHasItsPages) {
    for (const Json &json : cases("request_cases.jsonl")) {
        SCOPED_TRACE(text(json, "name"));
        const std::string body = body_of(json, "body", "raw");
        ModelRequest request(kKey);
        const bool understood = request.read(api_of(json), "up", body);
        const Json *pages = json.find("pages");
        ASSERT_EQ(understood, pages != nullptr);
        if (!understood) {
            EXPECT_TRUE(request.pages().empty());
            continue;
        }
        std::string found, wanted;
        for (const Page &page : request.pages()) found += describe(request, page) + '\n';
        for (const Json &page : pages->items) wanted += page.text + '\n';
        EXPECT_EQ(found, wanted);
        EXPECT_EQ(std::to_string(request.calls()), text(json, "calls"));
        EXPECT_EQ(std::to_string(request.marked()), text(json, "marked"));
        EXPECT_EQ(request.keeps_an_hour(), json.find("hour") != nullptr);
        EXPECT_EQ(request.is_continuation(), json.find("continuation") != nullptr);
    }
}

// The bytes that may be replaced are exactly one value.
TEST(RequestCases, ContentsAreWholeValues) {
    size_t count = 0;
    for (const Json &json : cases("request_cases.jsonl")) {
        SCOPED_TRACE(text(json, "name"));
        const std::string body = body_of(json, "body", "raw");
        ModelRequest request(kKey);
        if (!request.read(api_of(json), "up", body)) continue;
        for (const Page &page : request.pages()) {
            if (!page.content) continue;
            const size_t begin = request.begin_of(page.content), end = request.end_of(begin);
            const auto value = accp_ref::parse_json(body.substr(begin, end - begin));
            ASSERT_TRUE(value) << body.substr(begin, end - begin);
            EXPECT_EQ(value->kind == JsonKind::kString,
                      request.tree()[page.content].kind == ACCP_STRING);
            ++count;
        }
    }
    EXPECT_GT(count, 10u);
}

TEST(RequestCases, EqualConversationsHaveEqualHashes) {
    for (const Json &json : cases("equal_cases.jsonl")) {
        SCOPED_TRACE(text(json, "name"));
        std::vector<proxy::Hash> hashes[2];
        for (int i = 0; i < 2; ++i) {
            const std::string body = body_of(json, i ? "b" : "a", "b_raw");
            ModelRequest request(kKey);
            ASSERT_TRUE(request.read(api_of(json), "up", body));
            for (const Page &page : request.pages()) hashes[i].push_back(page.hash);
        }
        EXPECT_EQ(hashes[0] == hashes[1], json.find("equal")->kind == JsonKind::kTrue);
    }
}

TEST(RequestCases, HashesDependOnUpstreamInterfaceAndKey) {
    const std::string body = R"({"model":"m","messages":[{"role":"user","content":"x"}]})";
    const auto hash = [&](const proxy::HashKey &key, Api api, const char *upstream) {
        ModelRequest request(key);
        EXPECT_TRUE(request.read(api, upstream, body));
        return request.pages()[0].hash;
    };
    const proxy::Hash plain = hash(kKey, Api::kMessages, "up");
    EXPECT_EQ(plain, hash(kKey, Api::kMessages, "up"));
    EXPECT_NE(plain, hash(kKey, Api::kMessages, "other"));
    EXPECT_NE(plain, hash(kKey, Api::kChat, "up"));
    EXPECT_NE(plain, hash({1, 3}, Api::kMessages, "up"));
    EXPECT_NE(plain.low, plain.high);
}

TEST(RequestCases, Targets) {
    const std::pair<const char *, Api> kTargets[] = {
        {"/v1/messages", Api::kMessages},
        {"/v1/messages?beta=true", Api::kMessages},
        {"/v1/messages/count_tokens", Api::kNone},
        {"/v1/chat/completions", Api::kChat},
        {"/openai/deployments/x/chat/completions?api-version=1", Api::kChat},
        {"/v1/responses", Api::kResponses},
        {"/backend-api/codex/responses", Api::kResponses},
        {"/v1/responses/resp_1", Api::kNone},
        {"/v1/models", Api::kNone},
        {"/v1/batches", Api::kNone},
        {"", Api::kNone},
        {"/x?/v1/messages", Api::kNone},
    };
    for (const auto &[target, api] : kTargets)
        EXPECT_EQ(proxy::api_of_target(target), api) << target;
}

TEST(RequestCases, LimitsHold) {
    ModelRequest request(kKey);
    const auto nested = [](size_t depth) {
        return R"({"messages":[{"role":"user","content":"x","y":)" + std::string(depth, '[') +
               std::string(depth, ']') + "}]}";
    };
    const std::string deep = nested(509), deeper = nested(510), deepest = nested(1'000'000);
    EXPECT_TRUE(request.read(Api::kMessages, "", deep));
    EXPECT_FALSE(request.read(Api::kMessages, "", deeper));
    EXPECT_FALSE(request.read(Api::kMessages, "", deepest));
    std::string many = R"({"messages":[)";
    for (size_t i = 1; i < ModelRequest::kMaxPages; ++i) many += R"({"role":"user","content":""},)";
    std::string fits = many, more = many + R"({"role":"user","content":""}]})";
    fits.back() = ']';
    fits += '}';
    EXPECT_TRUE(request.read(Api::kMessages, "", fits));
    EXPECT_EQ(request.pages().size(), ModelRequest::kMaxPages);
    EXPECT_FALSE(request.read(Api::kMessages, "", more));
    std::string large = R"({"messages":[{"role":"user","content":")";
    large.resize(32 << 20, 'x');
    large += "\"}]}";
    EXPECT_TRUE(request.read(Api::kMessages, "", large));
    large.insert(large.size() - 4, ModelRequest::kMaxBytes, 'x');
    EXPECT_FALSE(request.read(Api::kMessages, "", large));
}

}  // namespace
