// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp mcp as a process, and its arguments. tests/server tests each message, and
// tests/system/mcp uses clients of others.
#include "run_accp.h"

#include <gtest/gtest.h>
#include <filesystem>

#include "temp_directory.h"

namespace {

const std::string kBegin =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
    "\n";

std::string call(const std::string &tool, const std::string &arguments) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool +
           R"(","arguments":)" + arguments + "}}\n";
}

std::string say(const std::string &text) {
    return call("session_append", R"({"messages":[{"role":"user","content":")" + text + R"("}]})");
}

// Returns the output after the result of initialize.
std::string answers(const Ran &ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    return ran.out.substr(ran.out.find('\n') + 1);
}

TEST(CliMcp, ALineForEachRequest) {
    const Ran ran =
        run_accp({"mcp"}, kBegin +
                              R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                              "\n\n  \n" +
                              R"({"jsonrpc":"2.0","id":"p","method":"ping"})" + "\r\nno JSON\n" +
                              R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
    const std::string out = answers(ran);
    EXPECT_EQ(out.find(R"({"jsonrpc":"2.0","id":"p","result":{}})"
                       "\n"
                       R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700)"),
              0u)
        << out;
    EXPECT_NE(out.find("\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n"), std::string::npos);
}

TEST(CliMcp, AMessageThatIsTooLongIsRefusedAndTheNextIsNot) {
    const std::string out = answers(run_accp({"mcp", "--limit", "json_bytes=1000"},
                                             kBegin + say(std::string(5000, 'x')) + say("hi")));
    EXPECT_EQ(out.find(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700)"), 0u) << out;
    EXPECT_NE(out.find("1 appended, 1 records"), std::string::npos) << out;
}

TEST(CliMcp, WhatWasSaidOutlivesTheProcessAndIsOneWithTheCommands) {
    const TempDirectory directory;
    const std::string store = "sqlite:" + (directory / "s.sqlite");
    answers(run_accp({"mcp", "--store", store, "--session", "a"}, kBegin + say("Fix the login")));
    EXPECT_NE(run_accp({"session", "context", "--store", store, "--session", "a"})
                  .out.find("Fix the login"),
              std::string::npos);
    const std::string out = answers(run_accp({"mcp", "--store", store, "--session", "a"},
                                             kBegin + call("session_context", "{}")));
    EXPECT_NE(out.find("Fix the login"), std::string::npos) << out;
}

TEST(CliMcp, TheProjectIsThatOfTheArguments) {
    const TempDirectory directory;
    directory.write("config.yaml", "context:\n  pane: 4\n  default_depth: deep\n");
    const Args args = {"mcp", "--directory", directory / "", "--config", directory / "config.yaml"};
    const std::string out =
        answers(run_accp(args, kBegin + say("Add auth. Never log tokens.") +
                                   call("context_generate", R"({"task":"Add auth","pane":4})") +
                                   call("context_read", "{}")));
    EXPECT_NE(out.find(R"("instruction":"Read your context packet first: )"), std::string::npos)
        << out;
    EXPECT_NE(out.find(R"("structuredContent":{"pane":4,)"), std::string::npos) << out;
    EXPECT_TRUE(std::filesystem::exists(directory / ".agentwire/context/pane-4.yaml"));
    const Ran told = run_accp({"context", "preview", "--pane", "4", "--directory", directory / ""});
    EXPECT_NE(told.out.find("Never log tokens"), std::string::npos) << told.err;
}

// What workers often lacked is in the answer to whoever makes a packet, and in what its worker
// reads.
TEST(CliMcp, FrequentGapsAreNamed) {
    const TempDirectory directory;
    const Args args = {"mcp", "--directory", directory / ""};
    const std::string calls = kBegin + say("Add auth. Never log tokens.") +
                              call("context_generate", R"({"task":"Add auth","pane":4})") +
                              call("context_read", R"({"pane":4})");
    const std::string lacked = "lacked what follows";
    EXPECT_EQ(answers(run_accp(args, calls)).find(lacked), std::string::npos);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(run_accp({"context", "record", "--success", "--gap", "how to run the tests",
                            "--directory", directory / ""})
                      .status,
                  0);
    const std::string out = answers(run_accp(args, calls));
    const size_t made = out.find("Earlier workers often " + lacked + ". If you know it");
    EXPECT_NE(made, std::string::npos) << out;
    EXPECT_NE(out.find("testing approach (3 of 3 tasks)", made), std::string::npos) << out;
    EXPECT_NE(out.find("Earlier workers often " + lacked + ". If you need it", made),
              std::string::npos)
        << out;
}

// Files of the project are created only when a tool needs them.
TEST(CliMcp, AServerThatNobodyAsksLeavesNothing) {
    const TempDirectory directory;
    answers(run_accp({"mcp", "--directory", directory / ""},
                     kBegin + R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
    EXPECT_TRUE(std::filesystem::is_empty(directory / ""));
}

TEST(CliMcp, ARegistryAndALibrary) {
    const TempDirectory directory;
    directory.write("r.json", R"({"schemas":{"sale":{"code":"SA","fields":["item","price"]}}})");
    directory.write("l.json",
                    R"({"verbs":[{"name":"search","description":"d","inputs":[],"outputs":[]}],)"
                    R"("tools":[{"id":"H","description":"d","supported_verbs":["search"]}]})");
    const std::string out = answers(
        run_accp({"mcp", "--registry", directory / "r.json", "--library", directory / "l.json"},
                 kBegin + call("registry_show", "{}") +
                     call("sacp_validate", R"({"message":{"g":"G","plan":[["search","H",{}]]}})")));
    EXPECT_NE(out.find("SA sale: item, price"), std::string::npos) << out;
    EXPECT_NE(out.find(R"({"status":"VALID"})"), std::string::npos) << out;
}

TEST(CliMcp, AHostChoosesItsTools) {
    const std::string list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
    const std::string out = answers(run_accp({"mcp", "--tools", "session,sacp"}, kBegin + list));
    EXPECT_NE(out.find("\"session_append\""), std::string::npos);
    EXPECT_NE(out.find("\"sacp_run\""), std::string::npos);
    for (const char *other : {"frame_call", "registry_show", "context_generate"})
        EXPECT_EQ(out.find(other), std::string::npos) << other;
}

TEST(CliMcp, WhatCannotBegin) {
    for (const Args &args : {Args{"mcp", "--store", "nothing:x"},
                             Args{"mcp", "--registry", "/none"}, Args{"mcp", "--library", "/none"},
                             Args{"mcp", "--rule", "x=1"}, Args{"mcp", "--tokenizer", "none"},
                             Args{"mcp", "--tools", "session,none"}, Args{"mcp", "nothing"}}) {
        const Ran ran = run_accp(args, kBegin);
        EXPECT_EQ(ran.status, 2) << args.back();
        EXPECT_EQ(ran.out, "");
        EXPECT_EQ(ran.err.find("accp: "), 0u) << ran.err;
    }
}

}  // namespace
