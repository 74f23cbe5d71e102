// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session context --explain: the pages of a stored session, as a table and as JSON.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "run_accp.h"
#include "temp_directory.h"

namespace {

using rapidjson::Value;

const std::string kRun =
    "data/agents/claude-code/2026_01_13_16_29_49Z_pkg_providers_claudecode_13.jsonl";

// A session with this recording, in a new file.
class CliPages : public testing::Test {
protected:
    void append(const std::string &recording, const Args &more = {}) {
        const Ran run = session("append", more, recording);
        ASSERT_EQ(run.status, 0) << run.err;
    }
    Ran session(const std::string &action, const Args &more, const std::string &input = {}) {
        Args args = {"session", action, "--store", "sqlite:" + (directory_ / "pages.db")};
        args.insert(args.end(), more.begin(), more.end());
        return run_accp(args, input);
    }

private:
    const TempDirectory directory_;
};

TEST_F(CliPages, TheJsonHasEachMessage) {
    const std::string recording = project_file(kRun);
    append(recording);
    ASSERT_EQ(session("put", {"warm.style", "\"plain\""}).status, 0);
    const Ran run = session("context", {"--explain", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    rapidjson::Document all;
    all.Parse(run.out.c_str());
    ASSERT_FALSE(all.HasParseError()) << run.out;
    const std::vector<std::string> messages = lines_of(recording);
    const Value &pages = all["pages"];
    ASSERT_EQ(pages.Size(), messages.size());
    size_t evicted = 0;
    for (size_t i = 0; i < messages.size(); ++i) {
        const Value &page = pages[static_cast<rapidjson::SizeType>(i)];
        rapidjson::Document message;
        message.Parse(messages[i].c_str());
        SCOPED_TRACE(i + 1);
        EXPECT_EQ(page["ref"].GetString(), "$cold.m" + std::to_string(i + 1));
        for (const char *member : {"agent", "intent", "operation"})
            EXPECT_EQ(page[member], message[member]) << member;
        const Value &payload = message["payload"];
        const bool has_tool = payload.IsObject() && payload.HasMember("tool_name");
        ASSERT_EQ(page.HasMember("tool"), has_tool);
        if (has_tool) {
            EXPECT_EQ(page["tool"], payload["tool_name"]);
        }
        EXPECT_FALSE(page["is_untrusted"].GetBool());
        const bool is_evicted = page["state"] == "evicted";
        EXPECT_EQ(page["fetch"].GetUint() > 0, is_evicted);
        if (is_evicted) {
            EXPECT_EQ(page["rent"].GetUint(), 0u);
        }
        evicted += is_evicted;
    }
    const std::string context = session("context", {}).out;
    for (size_t at = 0; (at = context.find(" tokens: $cold.m", at)) != context.npos; ++at)
        --evicted;
    EXPECT_EQ(evicted, 0u) << "a line for each";
    EXPECT_GT(all["values_tokens"].GetUint(), 0u);
    EXPECT_EQ(all["tokens"].GetUint() + all["values_tokens"].GetUint(),
              std::stoul(run_accp({"tokens"}, context).out));
    EXPECT_EQ(all["newest_eviction"]["cause"], "price");
}

TEST_F(CliPages, TheTableFits100Columns) {
    append(project_file(kRun));
    append(
        R"({"agent":"web","intent":"done","operation":"tool","payload":{"tool_name":"a\u009b2Jlong name of a tool","result":"x"}})"
        "\n",
        {"--untrusted-agents", "web"});
    const Ran run = session("context", {"--explain"});
    ASSERT_EQ(run.status, 0) << run.err;
    for (const std::string &line : lines_of(run.out)) EXPECT_LE(line.size(), 100u) << line;
    for (const char *said : {"37 calls of a model, 62 pages", "$cold.m1 ", "pinned",
                             "evicted: one line names it", "the newest turn", "because of prices: ",
                             "\n$cold.m62   !web:a", "the price of bringing"})
        EXPECT_NE(run.out.find(said), std::string::npos) << said << "\n" << run.out;
    EXPECT_EQ(run.out.find("\xC2\x9B"), std::string::npos) << "a control character of a terminal";
}

TEST_F(CliPages, MessagesThatLeftTogetherAreOneLine) {
    const Args little_space = {"--rule", "hot_max=1500",   "--rule", "hot_due=1500",
                               "--rule", "newest_max=500", "--rule", "checkpoint_max=500",
                               "--rule", "summary_max=200"};
    append(project_file(kRun), little_space);
    Args explain = little_space;
    explain.push_back("--explain");
    const std::string table = session("context", explain).out;
    EXPECT_NE(table.find("\n$cold.m2 to $cold.m38 "), std::string::npos) << table;
    EXPECT_NE(table.find("  names messages that are left out\n"), std::string::npos) << table;
    EXPECT_NE(table.find("because of space: 3 pages\n"), std::string::npos) << table;
    explain.push_back("--json");
    rapidjson::Document all;
    all.Parse(session("context", explain).out.c_str());
    ASSERT_FALSE(all.HasParseError());
    const Value &range = all["pages"][1];
    EXPECT_EQ(range["ref"], "$cold.m2 to $cold.m38");
    EXPECT_EQ(range["state"], "range");
    EXPECT_FALSE(range.HasMember("agent"));
    EXPECT_EQ(range["rent"].GetUint() + range["fetch"].GetUint(), 0u);
    EXPECT_EQ(all["newest_eviction"]["cause"], "space");
    EXPECT_EQ(all["newest_eviction"]["saving"].GetUint(), 0u);
}

TEST_F(CliPages, WithoutMessages) {
    const Ran missing = session("context", {"--explain"});
    EXPECT_NE(missing.status, 0);
    ASSERT_EQ(session("put", {"warm.style", "\"plain\""}).status, 0);
    EXPECT_EQ(session("context", {"--explain", "--json"}).out.substr(0, 22),
              "{\"pages\":[],\"calls\":0,");
    EXPECT_EQ(session("context", {"--explain"}).status, 0);
}

TEST_F(CliPages, OptionsThatDoNotGoTogether) {
    append(project_file("tests/system/cli/recordings/parser.jsonl"));
    EXPECT_EQ(session("context", {"--explain", "--blocks"}).status, 2);
    EXPECT_EQ(session("context", {"--explain", "--as", "openai"}).status, 2);
    const Ran json = session("context", {"--json"});
    EXPECT_EQ(json.status, 2);
    EXPECT_NE(json.err.find("--json is for context --explain and replay --report"),
              std::string::npos)
        << json.err;
}

}  // namespace
