// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp mcp wrap between a client and a server that are both scripts. tests/system/mcp uses
// real ones, and tests/server tests each message.
#include "run_accp.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace {

std::string long_text() {
    std::string text;
    for (int i = 0; i < 900; ++i) text += "line " + std::to_string(i) + " of it\\n";
    return text;
}

// A server that replies to each line with the next line of a file, and then reports how it ended.
std::vector<std::string> server_of(const std::string &answers, const std::string &after) {
    return {"sh", "-c",
            "while IFS= read -r line; do IFS= read -r answer <&3 && printf '%s\\n' \"$answer\"; "
            "done 3<\"$1\"; " +
                after,
            "it's a server", answers};
}

std::string file_of(const std::string &text) {
    const std::string name = testing::TempDir() + "accp_mcp_" + std::to_string(getpid());
    std::ofstream(name) << text;
    return name;
}

Args wrap(Args more, const std::vector<std::string> &server) {
    Args args = {"mcp", "wrap"};
    args.insert(args.end(), more.begin(), more.end());
    args.push_back("--");
    args.insert(args.end(), server.begin(), server.end());
    return args;
}

TEST(CliMcpWrap, ALongResultGoesOnCutAndTheRestIsAsked) {
    const std::string answers = file_of(
        R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")" + long_text() +
        R"("}]}})"
        "\n"
        R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"short"}]}})"
        "\n");
    const Ran ran =
        run_accp(wrap({"--report"}, server_of(answers, "")),
                 R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}})"
                 "\n"
                 R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}})"
                 "\n");
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.out.find("line 0 of it"), std::string::npos);
    EXPECT_NE(ran.out.find(R"({\"ref\":\"$cold.m1.payload\"})"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\"text\":\"short\""), std::string::npos);
    EXPECT_LT(ran.out.size(), long_text().size());
    EXPECT_NE(ran.err.find("accp: 2 calls, 1 texts cut, 0 resolved\n"), std::string::npos)
        << ran.err;
}

// The next process finds the results that were kept.
TEST(CliMcpWrap, AStoreOutlivesTheProcess) {
    const std::string store =
        "sqlite:" + testing::TempDir() + "accp_mcp_" + std::to_string(getpid()) + ".sqlite";
    const std::string answers = file_of(
        R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")" + long_text() +
        R"("}]}})"
        "\n");
    run_accp(wrap({"--store", store}, server_of(answers, "")),
             R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}})"
             "\n");
    const Ran ran = run_accp(
        wrap({"--store", store}, server_of("/dev/null", "")),
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"resolve","arguments":)"
        R"({"ref":"$cold.m1.payload","lines":"5-5"}}})"
        "\n");
    EXPECT_EQ(ran.out, R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text",)"
                       R"("text":"(untrusted)\nlines 5-5 of 900:\n line 4 of it\n"}]}})"
                       "\n");
}

TEST(CliMcpWrap, TheServersEndIsTheWraps) {
    EXPECT_EQ(run_accp(wrap({}, {"sh", "-c", "cat > /dev/null; exit 7"}), "{}\n{}\n").status, 0);
    const std::string pipe = testing::TempDir() + "accp_mcp_" + std::to_string(getpid()) + ".pipe";
    const Ran ended = run_shell("mkfifo '" + pipe + "'; exec 3<>'" + pipe +
                                "'; echo {} >&3; accp mcp wrap -- sh -c 'read line; exit 7' <&3");
    EXPECT_EQ(ended.status, 7) << ended.err;
    Ran ran = run_accp(wrap({}, {"sh", "-c", "printf 'a\\nb'"}), "");
    EXPECT_EQ(ran.out, "a\nb\n");
    EXPECT_EQ(ran.status, 0);
    ran = run_accp({"mcp", "wrap"}, "");
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.err.find("no server given; put its command after --"), std::string::npos);
    ran = run_accp(wrap({"--max-result", "100"}, {"cat"}), "");
    EXPECT_EQ(ran.status, 2);
}

TEST(CliMcpWrap, AServerThatDoesNotEndIsEnded) {
    const Ran ran =
        run_accp(wrap({}, {"sh", "-c", "trap '' TERM; while :; do sleep 0.2; done"}), "");
    EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST(CliMcpWrap, AMessageHasABound) {
    const Ran ran = run_accp(
        wrap({}, {"sh", "-c", "head -c 70000000 /dev/zero | tr '\\0' x; exec sleep 60"}), "");
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.err.find("longer than 64 MiB"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.out, "");
}

TEST(CliMcpWrap, ACommandThatIsNotThereIsNamed) {
    const Ran none = run_accp({"mcp", "wrap", "--", "no-such-server", "."});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("there is no command no-such-server"), std::string::npos) << none.err;
    const Ran quoted = run_accp({"mcp", "wrap", "--", "sh -c true"});
    EXPECT_EQ(quoted.status, 2);
    EXPECT_NE(quoted.err.find("one by one"), std::string::npos) << quoted.err;
}

}  // namespace
