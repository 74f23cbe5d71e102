// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools on context packets, in a project's directory.
#include "mcp_house.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "server/json/reader.h"
#include "server/json/writer.h"

namespace {

using namespace mcp_test;
using host::json_string;

// A project in a directory of its own.
class Project : public server::McpProject {
public:
    explicit Project(int64_t own_pane = -1) : own_pane_(own_pane) {
        directory_ = testing::TempDir() + "accp_mcp_project_" + std::to_string(getpid());
        std::filesystem::remove_all(directory_);
        std::filesystem::create_directory(directory_);
        accp_error err = {};
        accp_store *store = nullptr;
        host::check(accp_store_open("memory:", 7, 0, nullptr, &store, &err), err);
        store_.reset(store);
        accp_panes *panes = nullptr;
        host::check(
            accp_panes_open(directory_.data(), directory_.size(), store, nullptr, &panes, &err),
            err);
        panes_.reset(panes);
    }
    ~Project() override { std::filesystem::remove_all(directory_); }
    accp_panes *panes(bool) override { return panes_.get(); }
    int64_t own_pane() override { return own_pane_; }
    const accp_packet_code *code() override { return code_.get(); }

    void add_code(const std::string &path, const std::string &text) {
        accp_error err = {};
        accp_packet_code *made = nullptr;
        if (!code_) host::check(accp_packet_code_new(nullptr, &made, &err), err);
        if (!code_) code_.reset(made);
        host::check(accp_packet_code_add(code_.get(), path.data(), path.size(), text.data(),
                                         text.size(), &err),
                    err);
    }
    std::string file(const std::string &path) const {
        std::ifstream file(directory_ + "/" + path);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

private:
    std::string directory_;
    int64_t own_pane_;
    host::Handle<accp_store> store_;
    host::Handle<accp_panes> panes_;
    host::Handle<accp_packet_code> code_;
};

const char *const kTalk =
    R"({"messages":[{"role":"user","content":"Add JWT auth to the login endpoint. Never log tokens."},)"
    R"({"role":"assistant","content":"We use JWT with RS256 and a 24h expiry."},)"
    R"({"role":"user","content":"Yes, use RS256 for the tokens."}]})";

// What follows `key: ` in a line of YAML or Markdown.
bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

TEST(McpPacketTools, CCP_M_01_APacketIsGenerated) {
    Project project;
    House house("", &project);
    Client client = Client::begun(house);
    client.call("session_append", kTalk);
    const Document answer =
        parsed(client.call("context_generate", R"({"task":"Add JWT auth","pane":1})"));
    ASSERT_FALSE(answer["result"].HasMember("isError"))
        << client.said("context_generate", R"({"task":"Add JWT auth","pane":1})");
    const auto &made = answer["result"]["structuredContent"];
    const std::string yaml = text_of(made["yaml"]);
    EXPECT_EQ(text_of(answer["result"]["content"][0]["text"]), yaml);
    EXPECT_EQ(project.file(".agentwire/context/pane-1.yaml"), yaml);
    EXPECT_TRUE(has(yaml, "target_task: Add JWT auth")) << yaml;
    EXPECT_TRUE(has(yaml, "Never log tokens")) << yaml;
    EXPECT_TRUE(has(yaml, "RS256")) << yaml;
    EXPECT_EQ(text_of(made["path"]), ".agentwire/context/pane-1.yaml");
    EXPECT_EQ(text_of(made["instruction"]),
              "Read your context packet first: .agentwire/context/pane-1.yaml");
    EXPECT_LE(made["tokens"].GetUint64(), 400u);
    // without a pane nothing is written
    const std::string said = client.said("context_generate", R"({"task":"Add docs","pane":null})");
    EXPECT_TRUE(has(said, "target_task: Add docs")) << said;
    EXPECT_EQ(project.file(".agentwire/context/pane-1.yaml"), yaml);
}

TEST(McpPacketTools, DepthAndSource) {
    const struct {
        const char *arguments, *there, *not_there;
    } cases[] = {
        {R"({"task":"T","depth":"minimal"})", "Never log tokens", "decisions:"},
        {R"({"task":"T","depth":"deep"})", "Never log tokens", "error"},
        {R"({"task":"T","conversation":"User: Paint it blue. You must not use oil.\nAssistant: I will."})",
         "You must not use oil", "Never log"},
        {R"({"task":"T","depth":"huge"})", "error: arguments.depth is \"huge\"", "task"},
        {R"({"task":"T","depth":"standard","budget_tokens":1})", "error: ", "yaml"},
        {R"({"task":""})", "error: arguments.task is", "yaml"},
        {R"({"task":"T","pane":10000})", "error: arguments.pane is 10000", "yaml"},
        {R"({"task":"T","session":"none"})", "error: session none: E2001", "yaml"},
    };
    Project project;
    House house("", &project);
    Client client = Client::begun(house);
    client.call("session_append", kTalk);
    for (const auto &one : cases) {
        const std::string said = client.said("context_generate", one.arguments);
        EXPECT_TRUE(has(said, one.there)) << one.arguments << "\n" << said;
        EXPECT_FALSE(has(said, one.not_there)) << one.arguments << "\n" << said;
    }
}

TEST(McpPacketTools, OfNothingThereIsNoPacket) {
    House house;
    Client client = Client::begun(house);
    const std::string said = client.said("context_generate", R"({"task":"T"})");
    EXPECT_EQ(said.find("error: session default: E2001"), 0u) << said;
    EXPECT_TRUE(has(said, "session_append")) << said;
}

TEST(McpPacketTools, OfCodeAlone) {
    Project project;
    project.add_code("src/login.py", "def login(user):\n    return jwt_token(user)\n");
    House house("", &project);
    Client client = Client::begun(house);
    const std::string said =
        client.said("context_generate", R"({"task":"Fix login with jwt_token"})");
    EXPECT_TRUE(has(said, "src/login.py")) << said;
}

TEST(McpPacketTools, CCP_M_02_TheWorkerReadsItsPacket) {
    Project project(3);
    House house("", &project);
    Client client = Client::begun(house);
    client.call("session_append", kTalk);
    EXPECT_EQ(client.said("context_read", "{}").find("error: pane 3: E2001"), 0u);
    client.call("context_generate", R"({"task":"Add JWT auth","pane":3})");
    const std::string said = client.said("context_read", "{}");
    EXPECT_TRUE(has(said, "Never log tokens")) << said;
    EXPECT_EQ(client.said("context_read", R"({"pane":3})"), said);
    const Document answer = parsed(client.call("context_read", "{}"));
    EXPECT_EQ(text_of(answer["result"]["structuredContent"]["packet"]["target_task"]),
              "Add JWT auth");
}

// C10: a call must name the pane, otherwise it is an error.
TEST(McpPacketTools, WhichPaneItIsHasToBeKnown) {
    Project project;
    House house("", &project);
    Client client = Client::begun(house);
    for (const char *tool : {"context_read", "context_feedback"})
        EXPECT_EQ(client.said(tool, "{}").find("error: unknown pane"), 0u);
}

TEST(McpPacketTools, CCP_M_03_Feedback) {
    Project project(2);
    House house("", &project);
    Client client = Client::begun(house);
    EXPECT_EQ(
        client.said("context_feedback", R"({"gaps":["Needed: the\ntest setup"],"unused":["x"]})"),
        "Context gaps:\n- Needed: the test setup\nUnused context:\n- x\n");
    EXPECT_TRUE(has(project.file(".agentwire/feedback/pane-2.md"), "Needed: the test setup"));
    const Document answer = parsed(client.call("context_feedback", "{}"));
    EXPECT_EQ(text_of(answer["result"]["structuredContent"]["gaps"][0]), "Needed: the test setup");
    EXPECT_EQ(client.said("context_feedback", R"({"gaps":[]})"), "No context gaps\n");
    EXPECT_EQ(client.said("context_feedback", R"({"gaps":"all"})"),
              "error: arguments.gaps is \"all\"; it must be an array");
}

TEST(McpPacketTools, CCP_M_04_NamesOfTheSeed) {
    Project project(1);
    House house("", &project);
    Client client = Client::begun(house);
    client.call("session_append", kTalk);
    for (const char *tool :
         {"context_generate", "context_read", "context_feedback", "context_query"})
        for (const std::string &name : {std::string(tool), "agentwire_" + std::string(tool)}) {
            const char *arguments = name.ends_with("generate") ? R"({"task":"T","pane":1})"
                                    : name.ends_with("query") ? R"({"question":"Which algorithm?"})"
                                                              : "{}";
            if (name.ends_with("feedback")) client.call(name, R"({"gaps":["a"]})");
            const std::string said = client.said(name, arguments);
            EXPECT_FALSE(said.starts_with("error") || said == "no result") << name << said;
        }
}

// Push, edit, refresh and stats, also by the names of the seed.
TEST(McpPacketTools, TheLifeOfAPacket) {
    Project project(1);
    House house("", &project);
    Client client = Client::begun(house);
    client.call("session_append", kTalk);
    EXPECT_EQ(client.said("context_refresh", "{}").find("error: pane 1: E2001"), 0u);
    client.call("context_generate", R"({"task":"Add JWT auth","pane":1})");
    std::string yaml = project.file(".agentwire/context/pane-1.yaml");
    yaml.insert(yaml.find("  constraints:\n") + 15, "    - Written by hand.\n");
    EXPECT_EQ(client.said("context_edit", R"({"packet":"no"})").find("error: packet: E1001"), 0u);
    EXPECT_EQ(client.said("agentwire_context_edit", "{\"packet\":" + json_string(yaml) + "}")
                  .find("written: .agentwire/context/pane-1.yaml"),
              0u);
    client.call("session_append",
                R"({"messages":[{"role":"user","content":"It must not use cookies."}]})");
    EXPECT_EQ(client.said("context_refresh", R"({"note":"no cookies"})").find("written: "), 0u);
    const std::string said = client.said("context_read", "{}");
    EXPECT_TRUE(has(said, "- Written by hand.\n")) << said;
    EXPECT_TRUE(has(said, "- It must not use cookies.\n")) << said;
    EXPECT_TRUE(has(project.file(".agentwire/context/pane-1.yaml"), "v2: no cookies"))
        << project.file(".agentwire/context/pane-1.yaml");
    EXPECT_EQ(client.said("context_push", "{\"pane\":3,\"packet\":" + json_string(yaml) + "}")
                  .find("written: .agentwire/context/pane-3.yaml"),
              0u);
    EXPECT_TRUE(has(
        client.said("context_push",
                    "{\"pane\":3,\"revision\":\"sha256:0\",\"packet\":" + json_string(yaml) + "}"),
        "ERR_BUSY"));
    const std::string stats = client.said("agentwire_context_stats", "{}");
    EXPECT_TRUE(has(stats, "Next packet: standard: the default: too few tasks")) << stats;
}

TEST(McpPacketTools, CCP_M_05_TheContextIsAsked) {
    Project project(1);
    House house("", &project);
    Client client = Client::begun(house);
    EXPECT_EQ(client.said("context_query", R"({"question":"Which algorithm?"})")
                  .find("error: nothing to query"),
              0u);
    client.call("session_append", kTalk);
    const char *question = R"({"question":"What was decided for the tokens?"})";
    const std::string said = client.said("context_query", question);
    EXPECT_TRUE(has(said, "RS256")) << said;
    const Document answer = parsed(client.call("context_query", question));
    EXPECT_GE(answer["result"]["structuredContent"]["sources"].Size(), 1u);
    EXPECT_EQ(client.said("context_query", R"({"question":"Who baked the bread?"})"),
              "nothing here answers that");
    // from the worker's own packet, because the session has no matching text; its task counts too
    client.call("context_generate", R"({"task":"Add JWT authentication","pane":1})");
    House other("", &project);
    Client worker = Client::begun(other);
    EXPECT_TRUE(has(
        worker.said("context_query", R"({"question":"What authentication approach was decided?"})"),
        "RS256"));
}

TEST(McpPacketTools, WithoutAProjectTheToolsOfAWorkerAreNotThere) {
    House house;
    Client client = Client::begun(house);
    client.call("session_append", kTalk);
    EXPECT_FALSE(has(client.ask("tools/list", "{}"), "context_read"));
    EXPECT_EQ(client.said("context_read", "{}"), "no result");
    EXPECT_TRUE(has(client.said("context_generate", R"({"task":"T"})"), "target_task: T"));
    EXPECT_EQ(client.said("context_generate", R"({"task":"T","pane":1})")
                  .find("error: this server has no project"),
              0u);
}

}  // namespace
