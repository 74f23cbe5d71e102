// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Our MCP server: the protocol, and hostile messages. Other files test what the tools do.
#include "mcp_house.h"

#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "server/hub/frames.h"
#include "server/json/reader.h"
#include "server/mcp/wrap_messages.h"

namespace {

using namespace mcp_test;

const char *const kInitialize = R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                R"("clientInfo":{"name":"c","version":"1"}})";

TEST(McpServer, TheRevisionIsTheClientsWhereItIsSpoken) {
    const std::pair<const char *, const char *> cases[] = {
        {"2025-11-25", "2025-11-25"}, {"2025-06-18", "2025-06-18"}, {"2025-03-26", "2025-11-25"},
        {"2024-11-05", "2025-11-25"}, {"2026-07-28", "2025-11-25"}, {"2099-01-01", "2025-11-25"},
        {"x", "2025-11-25"}};
    House house;
    for (const auto &[asked, answered] : cases) {
        Client client(house);
        const Document answer = parsed(
            client.ask("initialize", std::string(R"({"protocolVersion":")") + asked + "\"}"));
        EXPECT_EQ(text_of(answer["result"]["protocolVersion"]), answered);
        EXPECT_EQ(client.server.protocol(), answered);
        EXPECT_EQ(text_of(answer["result"]["serverInfo"]["name"]), "accp");
        EXPECT_EQ(text_of(answer["result"]["serverInfo"]["version"]), accp_version());
    }
}

// A negotiation that receives the frames of the instructions agrees on the server's registry.
std::string heard_registry(const std::string &instructions) {
    accp_error err = {};
    accp_registry *bare = nullptr;
    accp_negotiation *side = nullptr;
    host::check(accp_registry_new("", 0, ACCP_PROFILE_ALL, nullptr, &bare, &err), err);
    const host::Handle<accp_registry> held(bare);
    const host::Handle<accp_config> config = host::new_config();
    host::check(accp_config_set_registry(config.get(), bare, &err), err);
    host::check(accp_negotiation_new("me", 2, config.get(), &side, &err), err);
    const host::Handle<accp_frame> frame = host::new_frame(config.get());
    for (accp_text said = {{}, 1}; said.len;) accp_negotiation_next_frame(side, &said, nullptr);
    for (size_t at = instructions.find("\n@"); at != std::string::npos;) {
        const size_t end = std::min(instructions.find('\n', at + 1), instructions.size());
        host::check(accp_frame_parse(frame.get(), instructions.data() + at + 1, end - at - 1, &err),
                    err);
        host::check(accp_negotiation_receive(side, frame.get(), &err), err);
        for (accp_text said = {{}, 1}; said.len;) accp_negotiation_next_frame(side, &said, nullptr);
        at = instructions.find("\n@", end);
    }
    accp_agreement agreement = {};
    host::check(accp_negotiation_agreement(side, &agreement, &err), err);
    const std::string hash =
        agreement.peer ? std::string(host::to_view(host::info_of(agreement.peer).hash)) : "";
    accp_negotiation_free(side);
    return hash;
}

TEST(McpServer, ACCP_11_3_03_TheRegistryComesWithTheInitialisation) {
    for (const char *document :
         {"", R"({"version":3,"schemas":{"sale":{"code":"SA","fields":["item","price"]}}})"}) {
        House house(document);
        Client client(house);
        const Document answer = parsed(client.ask("initialize", kInitialize));
        const std::string text = text_of(answer["result"]["instructions"]);
        EXPECT_NE(text.find("\n@accp>sync:registry{v:"), std::string::npos) << text;
        EXPECT_EQ(
            heard_registry(text),
            std::string(host::to_view(host::info_of(house.tools->environment().registry).hash)));
        EXPECT_LE(house.tools->count(text), *document ? 400u : 250u);
    }
}

TEST(McpServer, ALargeRegistryIsNamedInTheInstructions) {
    std::string document = R"({"schemas":{)";
    uint32_t random = 7;
    for (int i = 0; i < 400; ++i) {
        document += (i ? ",\"" : "\"") + std::to_string(random = random * 1664525 + 1013904223) +
                    R"(":{"code":"S)" + std::to_string(i) + R"(","fields":["a"]})";
    }
    House house(document + "}}");
    Client client(house);
    const Document answer = parsed(client.ask("initialize", kInitialize));
    const std::string text = text_of(answer["result"]["instructions"]);
    EXPECT_NE(text.find("accp://registry"), std::string::npos);
    EXPECT_LT(text.size(), 2000u);
}

struct Exchange {
    const char *sent, *answer;  // answer: its first bytes; empty: none
};

// Messages before initialize.
const Exchange kFirst[] = {
    {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":1,"result":{}})"},
    {R"({"jsonrpc":"2.0","id":"a","method":"tools/list"})",
     R"({"jsonrpc":"2.0","id":"a","error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":"a","method":"server/discover"})",
     R"({"jsonrpc":"2.0","id":"a","error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})",
     R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}})",
     R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","method":"notifications/initialized"})", ""},
};

const Exchange kLater[] = {
    {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":1,"result":{}})"},
    {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})",
     R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,)"},
    {R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})", ""},
    {R"({"jsonrpc":"2.0","method":"notifications/of_nobody","params":{}})", ""},
    {R"({"jsonrpc":"2.0","id":7,"result":{"roots":[]}})", ""},
    {R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}})", ""},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/none"})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"unknown method tools/none)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":null}})",
     R"({"jsonrpc":"2.0","id":2,"result":{"tools":[)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"cursor":null}})",
     R"({"jsonrpc":"2.0","id":2,"result":{"resources":[)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"session_budget","arguments":null}})",
     R"({"jsonrpc":"2.0","id":2,"result":{)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"worker","arguments":null}})",
     R"({"jsonrpc":"2.0","id":2,"result":{)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/call"})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":5}})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"none"}})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"tools/call: unknown tool none)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"agentwire_session_budget"}})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"session_budget","arguments":[]}})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"loud"}})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,)"},
    {R"({"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{}})",
     R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,)"},
    {"[]", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,)"},
    {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])",
     R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,)"},
    {"no JSON", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,)"},
    {"", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,)"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
     R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,)"},
    {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\u0000\u001b[31m"}})",
     R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,)"},
};

void exchange(Client &client, const Exchange &one) {
    const std::vector<std::string> answers = client.send(one.sent);
    const std::string_view begin = one.answer;
    ASSERT_EQ(answers.size(), begin.empty() ? 0u : 1u) << one.sent;
    if (answers.empty()) return;
    EXPECT_EQ(answers[0].substr(0, begin.size()), begin) << one.sent;
    EXPECT_EQ(answers[0].find('\n'), std::string::npos);
    parsed(answers[0]);
}

TEST(McpServer, WhatIsAnsweredToWhat) {
    House house;
    Client first(house), later = Client::begun(house);
    for (const Exchange &one : kFirst) exchange(first, one);
    for (const Exchange &one : kLater) exchange(later, one);
}

// Revision 2026-07-28: each request is complete in itself.
std::string alone(const std::string &method, const std::string &more = "",
                  const std::string &meta = "") {
    return R"({"jsonrpc":"2.0","id":7,"method":")" + method +
           R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":{})" +
           meta + "}" + more + "}}";
}

TEST(McpServer, RequestsThatStandForThemselves) {
    const struct {
        const char *method, *more, *kept;  // kept: which caches may store the reply
    } cases[] = {
        {"server/discover", "", "public"},
        {"tools/list", "", "public"},
        {"prompts/list", "", "public"},
        {"resources/templates/list", "", "public"},
        {"resources/list", "", "private"},
        {"resources/read", R"(,"uri":"accp://registry")", "private"},
        {"prompts/get", R"(,"name":"worker")", ""},
        {"tools/call", R"(,"name":"registry_show")", ""},
        {"tools/call", R"(,"name":"session_append","arguments":{})", ""},
        {"completion/complete",
         R"(,"ref":{"type":"ref/resource","uri":"u"},"argument":{"name":"session","value":""})",
         ""},
    };
    House house;
    Client client(house);  // which has not sent initialize
    for (const auto &one : cases) {
        const std::vector<std::string> told = client.send(alone(one.method, one.more));
        ASSERT_EQ(told.size(), 1u);
        const Document answer = parsed(told[0]);
        ASSERT_TRUE(answer.HasMember("result")) << told[0];
        const auto &result = answer["result"];
        EXPECT_EQ(text_of(result["resultType"]), "complete");
        EXPECT_EQ(text_of(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"]), "accp");
        EXPECT_EQ(result.HasMember("cacheScope") ? text_of(result["cacheScope"]) : "", one.kept);
        EXPECT_EQ(result.HasMember("ttlMs"), *one.kept != 0);
    }
    EXPECT_EQ(client.server.protocol(), "");
}

TEST(McpServer, TheOldAndTheNewDoNotMeet) {
    House house;
    Client client = Client::begun(house);
    EXPECT_EQ(client.send(alone("tools/list"))[0].find(
                  R"({"jsonrpc":"2.0","id":7,"result":{"resultType")"),
              0u);
    EXPECT_EQ(client.ask("tools/list", "{}").find("resultType"), std::string::npos);
    for (const char *method : {"initialize", "ping", "logging/setLevel", "resources/subscribe"})
        EXPECT_EQ(client.send(alone(method))[0].find(
                      R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,)"),
                  0u)
            << method;
    for (const char *method : {"server/discover", "subscriptions/listen"})
        EXPECT_NE(client.ask(method, "{}").find("\"code\":-32601,"), std::string::npos) << method;
    EXPECT_NE(client.send(alone("resources/read", R"(,"uri":"accp://none")"))[0].find("-32602"),
              std::string::npos);
}

TEST(McpServer, WhatARequestSaysOfItselfIsChecked) {
    const std::pair<const char *, int> cases[] = {
        {R"("io.modelcontextprotocol/protocolVersion":"2025-11-25")", -32022},
        {R"("io.modelcontextprotocol/protocolVersion":"1900-01-01")", -32022},
        {R"("io.modelcontextprotocol/protocolVersion":7)", -32602},
        {R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")", -32602},
        {R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":[])",
         -32602},
        {R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{},)"
         R"("io.modelcontextprotocol/logLevel":"loud")",
         -32602},
    };
    House house;
    Client client(house);
    for (const auto &[meta, code] : cases) {
        const std::string answer =
            client.ask("tools/list", std::string(R"({"_meta":{)") + meta + "}}");
        EXPECT_EQ(server::rpc_error_code(answer), code) << meta << answer;
        if (code != -32022) continue;
        const Document document = parsed(answer);
        EXPECT_EQ(text_of(document["error"]["data"]["supported"][0]), "2026-07-28");
    }
}

// The log level of a request applies to this request only.
TEST(McpServer, ARequestThatStandsForItselfSaysWhatIsLogged) {
    House house;
    Client client(house);
    const std::string call = R"(,"name":"registry_show")";
    EXPECT_EQ(client.send(alone("tools/call", call)).size(), 1u);
    EXPECT_EQ(
        client.send(alone("tools/call", call, R"(,"io.modelcontextprotocol/logLevel":"info")"))
            .size(),
        2u);
    EXPECT_EQ(client.send(alone("tools/call", call)).size(), 1u);
}

TEST(McpServer, NothingIsThereToListenTo) {
    House house;
    Client client(house);
    const std::vector<std::string> told =
        client.send(alone("subscriptions/listen", R"(,"notifications":{"toolsListChanged":true})"));
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0],
              R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":)"
              R"({"_meta":{"io.modelcontextprotocol/subscriptionId":7},"notifications":{}}})");
    EXPECT_EQ(told[1], R"({"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","_meta":)"
                       R"({"io.modelcontextprotocol/subscriptionId":7}}})");
}

TEST(McpServer, HostileMessagesAreAnsweredAndNothingElse) {
    House house;
    Client client = Client::begun(house);
    const auto in = [](const std::string &params) {
        return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)" + params + "}";
    };
    const std::string deep(5000, '['), brackets(900, '['), closed(900, ']');
    const std::string lines[] = {
        in(R"({"name":"session_append","arguments":{"messages":)" + deep),
        in(R"({"name":"session_append","arguments":{"messages":)" + brackets + closed + "}}"),
        in(R"({"name":"session_append","arguments":{"messages":[{"agent":")" +
           std::string(9 << 20, 'a') + R"("}]}})"),
        in(R"({"name":")" + std::string(1 << 20, 'x') + "\"}"),
        in(R"({"name":"session_budget","arguments":{"session":")" + std::string(257, 's') + "\"}}"),
        in(R"({"name":"session_budget","arguments":{"session":""}})"),
        in(R"({"name":"session_budget","arguments":{"session":"\u0000"}})"),
        in(R"({"name":"session_context","arguments":{"budget_tokens":-1}})"),
        in(R"({"name":"session_context","arguments":{"budget_tokens":1e400}})"),
        in(R"({"name":"session_context","arguments":{"budget_tokens":1.5}})"),
        in(R"({"name":"session_budget","arguments":{")" + std::string(1 << 16, 'k') + R"(":1}})"),
        std::string(17 << 20, ' '),
    };
    for (const std::string &line : lines) {
        const std::vector<std::string> answers = client.send(line);
        ASSERT_EQ(answers.size(), 1u);
        const Document answer = parsed(answers[0]);
        EXPECT_TRUE(answer.HasMember("error") || answer["result"].HasMember("isError"))
            << line.substr(0, 100) << answers[0].substr(0, 300);
        EXPECT_LT(answers[0].size(), 2000u + (line.size() > 1 << 20 ? 2 << 20 : 0));
    }
    EXPECT_EQ(
        client.said("session_append",
                    R"({"messages":[{"agent":"a","intent":"req","operation":"x","payload":{}}]})"),
        "1 appended, 1 records");
}

// An id is returned as it was sent.
TEST(McpServer, IdsComeBack) {
    House house;
    Client client(house);
    for (const char *id : {"0", "-7", "9007199254740993", R"("")", R"("a\"b")", R"("é")"}) {
        const std::string line =
            std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + "}";
        EXPECT_EQ(client.send(line),
                  std::vector{std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"result":{}})"});
    }
}

TEST(McpServer, ToolsAreListed) {
    House house;
    Client client = Client::begun(house);
    const Document answer = parsed(client.ask("tools/list", "{}"));
    std::string text;
    for (const auto &tool : answer["result"]["tools"].GetArray()) {
        const std::string name = text_of(tool["name"]);
        EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos);
        text += name + " " + text_of(tool["description"]);
        for (const char *schema : {"inputSchema", "outputSchema"})
            EXPECT_EQ(text_of(tool[schema]["type"]), "object") << name;
        EXPECT_FALSE(tool["inputSchema"]["additionalProperties"].GetBool()) << name;
        for (const char *hint : {"readOnlyHint", "destructiveHint", "idempotentHint"})
            EXPECT_TRUE(tool["annotations"][hint].IsBool()) << name;
    }
    for (const server::McpToolTable &table : server::mcp_tool_tables())
        for (size_t i = 0; i < table.count; ++i)
            for (const char *schema : {table.tools[i].input, table.tools[i].output})
                EXPECT_EQ(host::compact_json(schema), schema);  // keeps it searchable
}

// The size in tokens of the list of tools as hosts give it to a model. Every request pays for it.
TEST(McpServer, TheListIsShort) {
    House house;
    Client client = Client::begun(house);
    const std::string list = house.tools->list();
    uint64_t tokens = 0;
    for (const std::string_view tool : host::json_items(host::json_member(list, "tools")))
        tokens += house.tools->count(server::model_view(tool));
    EXPECT_LE(tokens, 1500u);
}

TEST(McpServer, ArgumentsAreCheckedAndSaidByName) {
    const struct {
        const char *tool, *arguments, *said;
    } cases[] = {
        {"session_append", "{}", "error: arguments: messages is missing"},
        {"session_append", R"({"messages":{}})",
         "error: arguments.messages is {}; it must be an array"},
        {"session_append", R"({"messages":[]})",
         "error: arguments.messages is []; it must be at least 1 items"},
        {"session_append", R"({"messages":[{},7]})",
         "error: arguments.messages[1] is 7; it must be an object"},
        {"session_append", R"({"messages":[{}],"from":"x"})",
         R"(error: arguments.from is "x"; it must be one of "accp", "openai" and "anthropic")"},
        {"session_budget", R"({"sesion":"a"})",
         "error: arguments: unknown member sesion; there are session"},
        {"session_budget", R"({"session":7})",
         "error: arguments.session is 7; it must be a string"},
        {"session_budget", R"({"session":""})",
         R"(error: arguments.session is ""; it must be at least 1 bytes)"},
        {"session_context", R"({"budget_tokens":"many"})",
         R"(error: arguments.budget_tokens is "many"; it must be an integer)"},
        {"session_context", R"({"budget_tokens":-1})",
         "error: arguments.budget_tokens is -1; it must be at least 0"},
    };
    House house;
    Client client = Client::begun(house);
    for (const auto &one : cases) EXPECT_EQ(client.said(one.tool, one.arguments), one.said);
}

TEST(McpServer, TheLogIsWhatWasAskedFor) {
    House house;
    Client client = Client::begun(house);
    client.call("session_append", "{}");
    EXPECT_TRUE(client.told.empty());
    client.ask("logging/setLevel", R"({"level":"warning"})");
    client.call("session_append", "{}");
    ASSERT_EQ(client.told.size(), 1u);
    EXPECT_EQ(client.told[0],
              R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning",)"
              R"("logger":"accp","data":"session_append: refused"}})");
    client.call("session_append", R"({"messages":[{"role":"user","content":"a"}]})");
    EXPECT_TRUE(client.told.empty());
}

}  // namespace
