// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context query, compress, revise, log and diff.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "run_accp.h"

namespace {

class CliContextQuery : public testing::Test {
protected:
    std::string file(const std::string &name, const std::string &text) {
        const std::string path =
            testing::TempDir() + "accp_context_query_" + std::to_string(getpid()) + name;
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    static std::string packet(const std::string &more) {
        return "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\n"
               "target_task: Add JWT authentication\ncontext:\n  goal: Users log in\n" +
               more;
    }
    const std::string old_ = file("old.yaml", packet("  decisions:\n"
                                                     "    - {choice: Use JWT, made_by: user}\n"
                                                     "    - RS256 signing algorithm\n"
                                                     "    - {choice: Tabs, reason: taste}\n"));
};

TEST_F(CliContextQuery, Query) {
    const Ran run = run_accp({"context", "query", "Which authentication was decided?", old_});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "JWT with RS256, per user request\n  " + old_ +
                           ": decisions 1: Use JWT\n  " + old_ +
                           ": decisions 2: RS256 signing algorithm\n");
    const Ran json = run_accp({"context", "query", "--json", "Why tabs?"},
                              packet(""
                                     "  decisions: [Tabs: taste]\n"));
    EXPECT_EQ(json.out.substr(0, 30), R"({"answer":"taste","sources":[{)") << json.err;
    const Ran none = run_accp({"context", "query", "Which database was decided?", old_});
    EXPECT_EQ(none.status, 1);
    EXPECT_EQ(none.out, "");
    EXPECT_EQ(none.err, "accp: nothing in the packets answers the question\n");
    const Ran unknown = run_accp({"context", "query", "--of", "sha256:x", "Why?", old_});
    EXPECT_EQ(unknown.status, 1);
    EXPECT_EQ(unknown.err, "accp: --of sha256:x: no packet has this checksum\n");
    EXPECT_EQ(run_accp({"context", "query"}).status, 2);
}

// A refused file causes exit status 1, as in preview and validate. The output for earlier files
// stays.
TEST_F(CliContextQuery, RefusesWhatIsNoPacket) {
    std::string tampered = run_accp({"context", "seal", old_}).out;
    tampered.replace(tampered.find("Tabs"), 4, "Dots");
    for (const std::string &bad :
         {file("broken.yaml", "goal: g\n"), file("tampered.yaml", tampered)})
        for (const std::vector<std::string> &arguments :
             {std::vector<std::string>{"query", "Why tabs?", old_, bad},
              {"log", old_, bad},
              {"diff", old_, bad},
              {"diff", bad, old_},
              {"revise", "--note", "n", bad, old_},
              {"compress", "--merge", bad}}) {
            std::vector<std::string> line = {"context"};
            line.insert(line.end(), arguments.begin(), arguments.end());
            const Ran run = run_accp(line);
            EXPECT_EQ(run.status, 1) << arguments[0] << run.err;
            EXPECT_EQ(run.err.substr(0, bad.size() + 21), "accp: " + bad + ": E1001 at byte")
                << run.err;
            EXPECT_EQ(run.out, arguments[0] == "log" ? old_ + ": no version\n" : "");
        }
    EXPECT_EQ(run_accp({"context", "compress", "--merge", old_ + ".none"}).status, 2);
}

TEST_F(CliContextQuery, Compress) {
    const Ran merged = run_accp({"context", "compress", "--merge", old_});
    EXPECT_EQ(merged.status, 0) << merged.err;
    EXPECT_NE(merged.out.find("    - choice: JWT with RS256 signing algorithm\n"
                              "      made_by: user\n"),
              std::string::npos)
        << merged.out;
    const Ran aged =
        run_accp({"context", "compress", "--age", "--recent", "0", "--older", "1", "--json", old_});
    EXPECT_NE(aged.out.find(R"("decisions":[{"choice":"Use JWT","made_by":"user"},)"
                            R"({"choice":"Tabs"}],"not_included":["1 older decision: RS256"])"),
              std::string::npos)
        << aged.out;
    const Ran about = run_accp({"context", "compress", "--relevance", "--task", "Tabs", old_});
    EXPECT_NE(about.out.find("2 decisions not about: Tabs"), std::string::npos) << about.out;
    EXPECT_EQ(run_accp({"context", "compress", "--patterns", old_}).status, 0);
    EXPECT_EQ(run_accp({"context", "compress", old_}).status, 2);
}

TEST_F(CliContextQuery, Versions) {
    const std::string changed = file("changed.yaml", packet("  decisions:\n"
                                                            "    - {choice: Use JWT}\n"
                                                            "    - Blanks\n"));
    const Ran revised =
        run_accp({"context", "revise", "--note", "Blanks per user request", old_, changed});
    EXPECT_EQ(revised.status, 0) << revised.err;
    const std::string next = file("next.yaml", revised.out);
    EXPECT_EQ(run_accp({"context", "log", old_, next}).out,
              old_ + ": no version\n" + next + ": version 2\n  v2: Blanks per user request\n");
    EXPECT_EQ(run_accp({"context", "log", "--json", "-"}, revised.out).out,
              R"({"file":"-","version":2,"changelog":[{"v2":"Blanks per user request"}]})"
              "\n");
    EXPECT_EQ(run_accp({"context", "diff", old_, next}).out,
              "- decisions: RS256 signing algorithm\n- decisions: Tabs\n+ decisions: Blanks\n"
              "~ decisions: Use JWT\n");
    EXPECT_EQ(run_accp({"context", "diff", "--json", next, next}).out, "{\"versions\":[2,2]}\n");
    EXPECT_EQ(run_accp({"context", "revise", old_, changed}).status, 2);
    EXPECT_EQ(run_accp({"context", "diff", old_}).status, 2);
}

}  // namespace
