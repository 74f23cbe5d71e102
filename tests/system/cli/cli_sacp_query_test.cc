// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp query: the vectors as cases, and queries to a registry in a file.
#include "run_accp.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <unistd.h>

#include <fstream>

namespace {

using rapidjson::Document;
using rapidjson::Value;

Document read_json(const std::string &text) {
    Document document;
    document.Parse(text.data(), text.size());
    EXPECT_FALSE(document.HasParseError()) << text;
    return document;
}

void expect_answer(const Value &wanted, const Value &got) {
    ASSERT_EQ(wanted.Size(), got.Size());
    for (rapidjson::SizeType i = 0; i < wanted.Size(); ++i) {
        EXPECT_EQ(wanted[i].MemberCount(), got[i].MemberCount());
        for (const char *member : {"agent_name", "match"})
            EXPECT_STREQ(wanted[i][member].GetString(), got[i][member].GetString());
        if (wanted[i].HasMember("score")) {
            EXPECT_NEAR(wanted[i]["score"].GetDouble(), got[i]["score"].GetDouble(), 1e-6);
        }
    }
}

// The texts of an ERR are not compared.
void expect_verdict(const Value &wanted, const Value &got) {
    for (const char *member : {"status", "code"}) {
        ASSERT_EQ(wanted.HasMember(member), got.HasMember(member));
        if (wanted.HasMember(member)) {
            EXPECT_STREQ(wanted[member].GetString(), got[member].GetString());
        }
    }
}

TEST(CliSacp, TheVectorsAsCases) {
    const std::string vectors = project_file("tests/sacp/agents/query.jsonl");
    const Ran run = run_accp({"sacp", "query"}, vectors);
    EXPECT_EQ(run.status, 0) << run.err;
    const std::vector<std::string> cases = lines_of(vectors), answers = lines_of(run.out);
    ASSERT_EQ(cases.size(), answers.size());
    for (size_t i = 0; i < cases.size(); ++i) {
        const Document wanted = read_json(cases[i]), got = read_json(answers[i]);
        SCOPED_TRACE(wanted["name"].GetString());
        EXPECT_EQ(got.MemberCount(), 1u);
        if (wanted.HasMember("answer")) expect_answer(wanted["answer"], got["answer"]);
        else expect_verdict(wanted["verdict"], got["verdict"]);
    }
}

TEST(CliSacp, QueriesToARegistry) {
    const std::string path = testing::TempDir() + "accp_agents.json";
    const auto agent = [](const std::string &name, const std::string &more) {
        return R"({"agent_name":")" + name +
               R"(","supported_verbs":["find_hotel"],"supported_tools":[],"inputs":[],)"
               R"("outputs":[],"description":"d")" +
               more + "}";
    };
    std::ofstream(path) << "[" + agent("A", R"(,"lease_until":10.5)") + "," + agent("B", "") + "]";
    const std::string query = R"({"query":{"verb":"find_hotel"}})",
                      other = R"({"query":{"verb":"hotel"}})";
    EXPECT_EQ(
        run_accp({"sacp", "query", "--registry", path, "--now", "10.4"}, query).out,
        R"({"answer":[{"agent_name":"A","match":"exact"},{"agent_name":"B","match":"exact"}]})"
        "\n");
    EXPECT_EQ(run_accp({"sacp", "query", "--registry", path, "--now", "10.5"}, query).out,
              R"({"answer":[{"agent_name":"B","match":"exact"}]})"
              "\n");
    const Ran run =
        run_accp({"sacp", "query", "--registry", path, "--now", "11"}, other + "\n{}\n");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out,
              "{\"answer\":[]}\n{\"verdict\":{\"status\":\"ERR\",\"code\":"
              "\"MISSING_FIELD\",\"details\":\"query is missing\"}}\n");
    EXPECT_EQ(
        run_accp({"sacp", "query", "--registry", path, "--now", "11", "--lexical"}, other).out,
        R"({"answer":[{"agent_name":"B","match":"lexical","score":1.0}]})"
        "\n");
}

TEST(CliSacp, WhatIsNoCase) {
    const Ran run = run_accp({"sacp", "query"},
                             "{\n[1]\n{\"op\":\"query\",\"registry\":3}\n"
                             "{\"op\":\"other\",\"registry\":[]}\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out,
              "\n\n{\"verdict\":{\"status\":\"ERR\",\"code\":\"MALFORMED_MESSAGE\",\"details\":"
              "\"A registry must be a JSON array of entries\"}}\n\n");
    EXPECT_EQ(lines_of(run.err).size(), 3u) << run.err;
    EXPECT_EQ(run_accp({"sacp", "query", "--registry", "/no/such/file"}).status, 2);
    EXPECT_EQ(run_accp({"sacp", "dance"}).status, 2);
    EXPECT_EQ(run_accp({"sacp", "query", "--now", "soon"}).status, 2);
}

// The library, the registry, the clock and the strictness come from the command line. A refused
// message is replaced by its verdict.
TEST(CliSacp, SACP_9B_03_FeasibilityALine) {
    const std::string registry = testing::TempDir() + "accp_can_agents.json",
                      library = testing::TempDir() + "accp_can_library.json";
    std::ofstream(registry) << R"([{"agent_name":"A","supported_verbs":["find"],)"
                               R"("supported_tools":["MAPS"],"inputs":[],"outputs":[],)"
                               R"("description":"d","lease_until":9}])";
    std::ofstream(library) << R"({"verbs":[{"name":"find","description":"d","inputs":[],)"
                              R"("outputs":"o"}],"tools":[{"id":"MAPS","description":"d",)"
                              R"("supported_verbs":["find"]}],"aliases":{"verbs":{"f":"find"}}})";
    const std::string plans = R"({"g":"G","plan":[["f","MAPS",{}]]})"
                              "\n"
                              R"({"g":"G","plan":[["lift","MAPS",{}]]})"
                              "\n";
    const Ran strict = run_accp(
        {"sacp", "feasibility", "--library", library, "--registry", registry, "--now", "8.5"},
        plans);
    EXPECT_EQ(strict.status, 0) << strict.err;
    const std::vector<std::string> lines = lines_of(strict.out);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], R"({"feasible":true,"steps":[{"step":"1","verb":"find","tool":"MAPS",)"
                        R"("by":"agent","agents":["A"]}]})");
    EXPECT_EQ(lines[1].substr(0, 38), R"({"status":"ERR","code":"UNKNOWN_VERB",)");
    const Ran lenient =
        run_accp({"sacp", "feasibility", "--lenient", "--registry", registry, "--now", "9"},
                 R"({"g":"G","plan":[["find","MAPS",{}]]})"
                 "\n");
    EXPECT_EQ(lenient.out, R"({"feasible":false,"steps":[{"step":"1","verb":"find","tool":"MAPS",)"
                           R"("by":"nobody","why":"lease_ended","near":["A"]}]})"
                           "\n");
    EXPECT_NE(run_accp({"sacp", "feasibility"}, plans).status, 0);
}

TEST(CliSacpQuery, AStoreThatIsNotThereIsNotMade) {
    const std::string store = testing::TempDir() + "accp_no_store_" + std::to_string(getpid());
    const Ran run = run_accp({"sacp", "query", "--store", store}, R"({"query":{"verb":"x"}})");
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("there is no such file"), std::string::npos) << run.err;
    EXPECT_NE(access(store.c_str(), F_OK), 0);
}

}  // namespace
