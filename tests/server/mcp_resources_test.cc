// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Resources, prompts and completions of our MCP server.
#include "mcp_house.h"

#include "server/http/message.h"

namespace {

using namespace mcp_test;

const char *const kMessages =
    R"({"messages":[{"agent":"host","intent":"req","operation":"chat","payload":{"content":"Fix it"}},)"
    R"({"agent":"tool","intent":"done","operation":"tool","payload":{"lines":4}}]})";

std::string read_request(const std::string &uri) { return R"({"uri":")" + uri + "\"}"; }

// Returns the contents of a resource as "TYPE TEXT", one per line; or its error.
std::string read(Client &client, const std::string &uri) {
    const Document answer = parsed(client.ask("resources/read", read_request(uri)));
    if (answer.HasMember("error"))
        return std::to_string(answer["error"]["code"].GetInt()) + " " +
               text_of(answer["error"]["message"]);
    std::string all;
    for (const auto &content : answer["result"]["contents"].GetArray())
        all += text_of(content["mimeType"]) + " " + text_of(content["text"]) + "\n";
    return all;
}

std::vector<std::string> listed(Client &client) {
    std::vector<std::string> uris;
    for (std::string params = "{}"; !params.empty();) {
        const Document answer = parsed(client.ask("resources/list", params));
        const auto &result = answer["result"];
        for (const auto &one : result["resources"].GetArray()) uris.push_back(text_of(one["uri"]));
        params = result.HasMember("nextCursor")
                     ? R"({"cursor":")" + text_of(result["nextCursor"]) + "\"}"
                     : "";
    }
    return uris;
}

TEST(McpResources, ACCP_11_3_01_FramesAreResources) {
    House house;
    Client client = Client::begun(house);
    client.call("session_append", kMessages);
    client.call(
        "frame_call",
        R"({"session":"default","frame":"@me>req:tool{tool:none|schema:TC}[mid:aaaaaaaaaaaa,seq:1]"})");
    const std::string frames = read(client, "accp://session/default/frames");
    EXPECT_EQ(frames.find("application/accp @host>req:chat{"), 0u) << frames;
    // a received frame is returned unchanged
    EXPECT_NE(frames.find("\napplication/accp @me>req:tool{tool:none|schema:TC}[mid:aaaaaaaaaaaa,"
                          "seq:1]\n"),
              std::string::npos)
        << frames;
    EXPECT_NE(frames.find("\napplication/accp @accp>fail:error{"), std::string::npos) << frames;
    const std::string second = read(client, "accp://session/default/frame/2");
    EXPECT_NE(frames.find(second), std::string::npos) << second;
    EXPECT_EQ(second, "application/accp @tool>done:tool{lines:4}[cid:m2]\n");
}

TEST(McpResources, AllThatIsListedCanBeRead) {
    House house;
    Client client = Client::begun(house);
    for (const char *session : {"default", "a/b c", "é"})
        client.call("session_append", std::string(kMessages, std::strlen(kMessages) - 1) +
                                          R"(,"session":")" + session + "\"}");
    client.call("session_checkpoint", "{}");
    const std::vector<std::string> uris = listed(client);
    EXPECT_EQ(uris, (std::vector<std::string>{"accp://registry", "accp://session/default/frames",
                                              "accp://session/default/ref/warm.ckpt_1",
                                              "accp://session/a%2Fb%20c/frames",
                                              "accp://session/%C3%A9/frames"}));
    for (const std::string &uri : uris)
        EXPECT_EQ(read(client, uri).find("application/accp @"), 0u) << read(client, uri);
    EXPECT_NE(read(client, "accp://session/default/ref/warm.ckpt_1").find("Fix"),
              std::string::npos);
}

TEST(McpResources, WhatHasNoPlaceInAFrameComesAsItIs) {
    House house;
    Client client = Client::begun(house);
    client.call("session_append",
                R"({"messages":[{"agent":"t","intent":"done","operation":"tool","payload":)"
                R"({"long":")" +
                    std::string(70'000, 'x') + R"(","deep":[[[[[[1]]]]]]}}]})");
    EXPECT_EQ(read(client, "accp://session/default/ref/cold.m1.payload").find("application/json {"),
              0u);
    EXPECT_EQ(read(client, "accp://session/default/frame/1").find("application/json {"), 0u);
    EXPECT_EQ(read(client, "accp://session/default/ref/cold.m1.agent"),
              "application/accp @accp>sync:context{ref:cold.m1.agent|value:t}\n");
}

TEST(McpResources, WhatIsNotThere) {
    const char *const uris[] = {
        "accp://nothing",
        "accp://session/",
        "accp://session/default",
        "accp://session//frames",
        "accp://session/none/frames",
        "accp://session/default/frame/0",
        "accp://session/default/frame/99",
        "accp://session/default/frame/x",
        "accp://session/default/frame/18446744073709551616",
        "accp://session/default/frame/-1",
        "accp://session/default/ref/",
        "accp://session/default/ref/cold.m9",
        "accp://session/default/ref/%",
        "accp://session/default/ref/%zz",
        "accp://session/default/ref/..%2f..",
        "accp://session/%00/frames",
        "accp://session/default/other",
        "file:///etc/passwd",
    };
    House house;
    Client client = Client::begun(house);
    client.call("session_append", kMessages);
    for (const char *uri : uris) EXPECT_EQ(read(client, uri).find("-32002 "), 0u) << uri;
    EXPECT_EQ(read(client, "").find("-32602 "), 0u);
}

TEST(McpResources, ListsGoOverPages) {
    House house;
    Client client = Client::begun(house);
    for (int i = 0; i < 120; ++i)
        client.call("session_append", R"({"session":"s)" + std::to_string(i) +
                                          R"(","messages":[{"role":"user","content":"a"}]})");
    const std::vector<std::string> uris = listed(client);
    ASSERT_EQ(uris.size(), 121u);
    EXPECT_EQ(uris.back(), "accp://session/s119/frames");
    for (const char *cursor : {"x", "0", "-1", "121", "1x", " 1"}) {
        const Document answer =
            parsed(client.ask("resources/list", std::string(R"({"cursor":")") + cursor + "\"}"));
        EXPECT_EQ(answer["error"]["code"].GetInt(), -32602) << cursor;
    }
}

TEST(McpResources, AClientSeesItsOwnSessions) {
    House house;
    Client anybody = Client::begun(house);
    for (const char *session : {"mine", "yours"})
        anybody.call("session_append", std::string(R"({"session":")") + session +
                                           R"(","messages":[{"role":"user","content":"a"}]})");
    server::McpClient rights(server::Origin("*", true));
    rights.may_use = [](std::string_view session) { return session == "mine"; };
    Client client = Client::begun(house, rights);
    EXPECT_EQ(listed(client),
              (std::vector<std::string>{"accp://registry", "accp://session/mine/frames"}));
    EXPECT_EQ(read(client, "accp://session/yours/frames"),
              "-32002 session yours: E5001: this client may not use it");
    const Document answer = parsed(
        client.ask("completion/complete",
                   R"({"ref":{"type":"ref/resource","uri":"accp://session/{session}/frames"},)"
                   R"("argument":{"name":"session","value":""}})"));
    EXPECT_EQ(answer["result"]["completion"]["values"].Size(), 1u);
}

TEST(McpResources, Completions) {
    House house;
    Client client = Client::begun(house);
    for (int i = 0; i < 130; ++i)
        client.call("session_append", R"({"session":"s)" + std::to_string(i) +
                                          R"(","messages":[{"role":"user","content":"a"}]})");
    const auto complete = [&](const char *ref, const char *argument) {
        return client.ask("completion/complete",
                          std::string(R"({"ref":)") + ref + R"(,"argument":)" + argument + "}");
    };
    const char *resource = R"({"type":"ref/resource","uri":"accp://session/{session}/frames"})";
    Document answer = parsed(complete(resource, R"({"name":"session","value":"s1"})"));
    EXPECT_EQ(answer["result"]["completion"]["values"].Size(), 41u);
    answer = parsed(complete(resource, R"({"name":"session","value":""})"));
    EXPECT_EQ(answer["result"]["completion"]["values"].Size(), 100u);
    EXPECT_EQ(answer["result"]["completion"]["total"].GetInt(), 130);
    EXPECT_TRUE(answer["result"]["completion"]["hasMore"].GetBool());
    answer = parsed(
        complete(R"({"type":"ref/prompt","name":"worker"})", R"({"name":"pane","value":""})"));
    EXPECT_EQ(answer["result"]["completion"]["values"].Size(), 0u);
    answer = parsed(complete(resource, R"({"name":"session"})"));
    EXPECT_EQ(answer["error"]["code"].GetInt(), -32602);
}

TEST(McpResources, TemplatesAreThoseThatAreRead) {
    House house;
    Client client = Client::begun(house);
    client.call("session_append", kMessages);
    const Document answer = parsed(client.ask("resources/templates/list", "{}"));
    size_t count = 0;
    for (const auto &one : answer["result"]["resourceTemplates"].GetArray()) {
        std::string uri = text_of(one["uriTemplate"]);
        const std::pair<std::string, std::string> with[] = {
            {"{session}", "default"}, {"{number}", "1"}, {"{ref}", "cold.m1"}};
        for (const auto &[name, value] : with)
            if (const size_t at = uri.find(name); at != std::string::npos)
                uri.replace(at, name.size(), value);
        EXPECT_EQ(read(client, uri).find("application/accp @"), 0u) << uri;
        EXPECT_EQ(text_of(one["mimeType"]), "application/accp");
        ++count;
    }
    EXPECT_EQ(count, 3u);
}

TEST(McpPrompts, TheRolesOfTheSeed) {
    House house;
    Client client = Client::begun(house);
    const Document list = parsed(client.ask("prompts/list", "{}"));
    ASSERT_EQ(list["result"]["prompts"].Size(), 2u);
    const auto get = [&](const char *params) {
        const Document answer = parsed(client.ask("prompts/get", params));
        if (answer.HasMember("error"))
            return std::to_string(answer["error"]["code"].GetInt()) + " " +
                   text_of(answer["error"]["message"]);
        return text_of(answer["result"]["messages"][0]["content"]["text"]);
    };
    const std::string orchestrator = get(R"({"name":"orchestrator"})");
    EXPECT_NE(orchestrator.find("`context_generate(task=\"TASK\", depth=\"standard\", pane=1)`"),
              std::string::npos)
        << orchestrator;
    EXPECT_EQ(orchestrator.find("agentwire context"), std::string::npos);
    const std::string worker = get(R"({"name":"worker","arguments":{"pane":"7"}})");
    EXPECT_NE(worker.find(".agentwire/context/pane-7.yaml"), std::string::npos) << worker;
    EXPECT_NE(worker.find("context_feedback(gaps="), std::string::npos);
    EXPECT_NE(get(R"({"name":"worker"})").find("pane-{N}.yaml"), std::string::npos);
    for (const char *params :
         {R"({"name":"none"})", "{}", R"({"name":"worker","arguments":{"n":"1"}})",
          R"({"name":"worker","arguments":{"pane":"x"}})",
          R"({"name":"worker","arguments":{"pane":"12345"}})",
          R"({"name":"orchestrator","arguments":{"pane":"1"}})"})
        EXPECT_EQ(get(params).find("-32602 "), 0u) << params;
}

TEST(Percent, ThereAndBack) {
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    std::string back;
    EXPECT_TRUE(server::percent_decoded(server::percent_encoded(all), back));
    EXPECT_EQ(back, all);
    EXPECT_EQ(server::percent_encoded("a/b c%é"), "a%2Fb%20c%25%C3%A9");
    for (const char *wrong : {"%", "%a", "%g0", "%0g", "a%2"})
        EXPECT_FALSE(server::percent_decoded(wrong, back)) << wrong;
}

}  // namespace
