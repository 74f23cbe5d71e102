// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp conformance: the built-in levels, and vectors that fail.
#include "run_accp.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace {

Ran run_vectors(const std::string &text) {
    const std::string name =
        testing::TempDir() + "accp-vectors-" + std::to_string(getpid()) + ".jsonl";
    std::ofstream(name, std::ios::binary) << text;
    const Ran run = run_accp({"conformance", "--file", name});
    std::remove(name.c_str());
    return run;
}

TEST(CliConformance, LevelOne) {
    const Ran run = run_accp({"conformance"});
    EXPECT_EQ(run.status, 0) << run.out;
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(run.out.find("\nFAIL"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\npass     ACCP-3.1-14 "), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\npass     ACCP-3.3-03 "), std::string::npos) << run.out;
    EXPECT_NE(run.out.find(" 0 fail, "), std::string::npos);
    EXPECT_EQ(run_accp({"conformance", "--level", "1"}).out, run.out);
}

TEST(CliConformance, EveryRequirementOfThisVersionHasVectors) {
    const std::string out = run_accp({"conformance"}).out;
    std::vector<std::string> ids;
    char id[32];
    for (int i = 1; i <= 26; ++i)
        std::snprintf(id, sizeof id, "ACCP-3.1-%02d", i), ids.emplace_back(id);
    for (int i = 1; i <= 9; ++i)
        std::snprintf(id, sizeof id, "ACCP-3.1.1-%02d", i), ids.emplace_back(id);
    for (int i = 1; i <= 5; ++i)
        std::snprintf(id, sizeof id, "ACCP-3.2-EX%d", i), ids.emplace_back(id);
    for (int i = 1; i <= 12; ++i)
        std::snprintf(id, sizeof id, "ACCP-4.1-%02d", i), ids.emplace_back(id);
    for (int i = 1; i <= 16; ++i)
        std::snprintf(id, sizeof id, "ACCP-4.2-%02d", i), ids.emplace_back(id);
    for (const char *more :
         {"ACCP-3.1.1-EX1", "ACCP-3.1.1-EX2", "ACCP-3.5-01", "ACCP-3.5-03", "ACCP-3.5-07",
          "ACCP-3.5-EX1", "ACCP-9-02", "ACCP-9-03", "ACCP-9-07", "ACCP-9-08"}) {
        ids.emplace_back(more);
    }
    for (const std::string &want : ids)
        EXPECT_NE(out.find("pass     " + want + " "), std::string::npos) << want;
}

// Levels 2 and 3 and the badges are complete.
TEST(CliConformance, WhatStandsOfTheOthers) {
    const std::string out = run_accp({"conformance", "--level", "3"}).out;
    std::vector<std::string> ids = {
        "ACCP-3.3-05",   "ACCP-3.4-04",   "ACCP-3.6-01",   "ACCP-3.6-02",   "ACCP-3.7-05",
        "ACCP-6.1-01",   "ACCP-6.2-01",   "ACCP-6.2-EX1",  "ACCP-6.3-01",   "ACCP-6.3-EX1",
        "ACCP-6.4-01",   "ACCP-6.4-02",   "ACCP-6.4-03",   "ACCP-9-01",     "ACCP-10-01",
        "ACCP-10-02",    "ACCP-10.1-01",  "ACCP-10.1-EX1", "ACCP-10.1-EX2", "ACCP-10.2-01",
        "ACCP-10.2-02",  "ACCP-10.2-03",  "ACCP-10.2-EX1", "ACCP-10.2-EX2", "ACCP-10.3-01",
        "ACCP-10.3-02",  "ACCP-10.3-03",  "ACCP-10.3-04",  "ACCP-10.3-05",  "ACCP-10.3-EX1",
        "ACCP-10.3-EX2", "ACCP-10.4-01",  "ACCP-10.4-02",  "ACCP-10.4-03",  "ACCP-10.4-04",
        "ACCP-10.4-EX1", "ACCP-10.4-EX2", "ACCP-10.4-EX3", "ACCP-10.5-01",  "ACCP-10.5-EX1",
        "ACCP-10.5-EX2"};
    for (int i : {3, 4, 5, 6, 7, 9, 10, 13, 14, 15, 16, 18})
        ids.push_back((i < 10 ? "ACCP-3.6-0" : "ACCP-3.6-") + std::to_string(i));
    for (const std::string &want : ids)
        EXPECT_NE(out.find("pass     " + want + " "), std::string::npos) << want;
    EXPECT_NE(out.find("\nprofiles: 23 requirements: 23 pass, 0 fail, 0 not yet"),
              std::string::npos)
        << out;
}

TEST(CliConformance, LevelsTwoAndThreeAreMet) {
    const Ran run = run_accp({"conformance", "--level", "3"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out.find("\nFAIL"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\nlevel 2: 32 requirements: 32 pass, 0 fail, 0 not yet"),
              std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("\nlevel 3: 13 requirements: 13 pass, 0 fail, 0 not yet"),
              std::string::npos)
        << run.out;
    for (const char *what :
         {"level 1: frames, ", "\nlevel 2: state ", "\nlevel 3: deltas, ", "\nprofiles: chat, ",
          "\ncommands: the output ", "\nsacp: SACP messages"})
        EXPECT_NE(run.out.find(what), std::string::npos) << what;
    EXPECT_EQ(run.out.find("\nwaits"), std::string::npos) << run.out;
    for (const char *row : {"3.5-02", "3.5-08", "3.5-09", "3.7-01", "3.7-02", "3.7-03", "3.7-04",
                            "3.7-06", "3.7-07", "5.4-02", "7.1-04"})
        EXPECT_NE(run.out.find(std::string("\npass     ACCP-") + row), std::string::npos) << row;
}

TEST(CliConformance, WithoutItsToolItSaysWhatIsMissing) {
    const Ran run = run_shell("d=$(mktemp -d) && cp '" ACCP_CLI_PATH
                              "' $d/alone && $d/alone conformance; s=$?; rm -r $d; exit $s");
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("accp-conformance: No such file or directory; install it beside accp"),
              std::string::npos)
        << run.err;
}

TEST(CliConformance, AVectorCanFail) {
    const std::string good =
        "{\"id\":\"R-1\",\"what\":\"one\",\"do\":\"parse\",\"frame\":\"@a>req:x{}\",\"expect\":{"
        "\"ok\":true}}\n";
    EXPECT_EQ(run_vectors(good).status, 0);
    const std::vector<std::string> wrong = {
        "\"do\":\"parse\",\"frame\":\"@a>req:x{}\",\"expect\":{\"ok\":false}",
        "\"do\":\"parse\",\"frame\":\"@a>req:x{k:1}\",\"expect\":{\"payload\":{\"map\":[[\"k\",{"
        "\"int\":\"2\"}]]}}",
        "\"do\":\"parse\",\"frame\":\"@a>req:x{k:1}\",\"expect\":{\"payload\":{\"map\":[[\"j\",{"
        "\"int\":\"1\"}]]}}",
        "\"do\":\"parse\",\"frame\":\"@a>req:x{k:1}\",\"expect\":{\"payload\":{\"map\":[]}}",
        "\"do\":\"parse\",\"frame\":\"@a>req:x{k:}\",\"expect\":{\"ok\":false,\"code\":\"E1001\","
        "\"offset\":10}",
        "\"do\":\"parse\",\"frame\":\"@a>req:x{k:}\",\"expect\":{\"ok\":false,\"code\":\"E1004\"}",
        "\"do\":\"parse\",\"frame\":\"@a>req:x{}\",\"expect\":{\"no_such\":1}",
        "\"do\":\"canon\",\"frame\":\"@a>req:x{k:1.50}\",\"expect\":{\"frame\":\"@a>req:x{k:1.50}"
        "\"}",
        "\"do\":\"decode\",\"frame\":\"@a>req:x{}\",\"expect\":{\"message\":{\"agent\":\"b\","
        "\"intent\":\"req\",\"operation\":\"x\","
        "\"payload\":{}}}",
        "\"do\":\"parse\",\"frame\":\"@a>req:x{}\",\"expect\":{\"ok\":\"true\"}",
        "\"do\":\"parse\",\"frame\":\"@a>req:x{k:}\",\"expect\":{\"offset\":\"11\"}",
        "\"do\":\"decode\",\"frame\":\"@a>req:x{k:1}\",\"expect\":{\"message\":{\"agent\":\"a\","
        "\"intent\":\"req\",\"operation\":\"x\","
        "\"payload\":{\"j\":1}}}",
        "\"do\":\"encode\",\"json\":\"{}\",\"expect\":{\"ok\":true}",
    };
    for (const std::string &members : wrong) {
        const Ran run = run_vectors(good + "{\"id\":\"R-2\",\"what\":\"two\"," + members + "}\n");
        EXPECT_EQ(run.status, 1) << members;
        EXPECT_NE(run.out.find("pass     R-1 "), std::string::npos);
        EXPECT_NE(run.out.find("FAIL     R-2 "), std::string::npos) << run.out;
        EXPECT_NE(run.out.find("    got {"), std::string::npos) << run.out;
        EXPECT_NE(
            run.out.find("2 requirements: 1 pass, 1 fail, 0 not yet (2 vectors run): not met\n"),
            std::string::npos)
            << run.out;
    }
}

TEST(CliConformance, OneRow) {
    const Ran run = run_accp({"conformance", "--row", "ACCP-6.2-EX1"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out.find("pass     ACCP-6.2-EX1 "), 0u) << run.out;
    EXPECT_NE(run.out.find("ACCP-6.2-EX1: 1 requirements: 1 pass, 0 fail"), std::string::npos);
}

TEST(CliConformance, IncompleteIsStatusOne) {
    const std::string good = R"({"id":"R-1","what":"one","do":"parse","frame":"@a>req:x{}",)"
                             "\"expect\":{\"ok\":true}}\n";
    const Ran run = run_vectors(good + R"({"id":"R-2","what":"two","not_yet":"needs more"})");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.out.find("1 pass, 0 fail, 1 not yet (1 vectors run): not complete"),
              std::string::npos)
        << run.out;
}

TEST(CliConformance, AVectorRunsTheCommand) {
    const std::string vector =
        R"({"id":"R-1","what":"one","do":"run","args":["decode","--ext","none"],)"
        R"("frame":"@a>req:x{k:v}\n@a>req:x{k:}\n","expect":{"status":1,"out":)";
    EXPECT_EQ(run_vectors(vector + R"("{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",)"
                                   R"(\"payload\":{\"k\":\"v\"}}\n\n"}})")
                  .status,
              0);
    const Ran run = run_vectors(vector + "\"\"}}");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.out.find("    got {\"status\":1,\"out\":\"{"), std::string::npos) << run.out;
}

TEST(CliConformance, AVectorBringsFiles) {
    const auto vector = [](const std::string &name) {
        return R"({"id":"R-1","what":"one","do":"run","args":["sacp","expand","--library","l"],)"
               R"("files":{")" +
               name +
               R"(":"{\"aliases\":{\"keys\":{\"c\":\"city\"}}}"},)"
               R"("json":"{\"g\":\"G\",\"ctx\":{\"c\":1},\"plan\":[]}\n","expect":{"status":0,"out":)"
               R"("{\"g\":\"G\",\"ctx\":{\"city\":1},\"plan\":[]}\n"}})";
    };
    const Ran run = run_vectors(vector("l"));
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_EQ(run_vectors(vector("k")).status, 1);     // the file is missing
    EXPECT_EQ(run_vectors(vector("../l")).status, 2);  // a file outside the folder is refused
    EXPECT_EQ(run_vectors(vector("")).status, 2);
}

TEST(CliConformance, NotYetIsNotPassed) {
    const Ran run = run_vectors("{\"id\":\"R-1\",\"what\":\"one\",\"not_yet\":\"needs more\"}\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.out.find("not yet  R-1              -      one [needs more]\n"),
              std::string::npos)
        << run.out;
}

TEST(CliConformance, WhatIsNoVectorIsBadUsage) {
    for (const char *line :
         {"nonsense", "{\"what\":\"no id\"}", "{\"id\":\"R\"}",
          "{\"id\":\"R\",\"do\":\"parse\",\"frame\":\"\",\"expect\":{}}",
          "{\"id\":\"R\",\"do\":\"dance\",\"frame\":\"\",\"expect\":{\"ok\":true}}",
          "{\"id\":\"R\",\"do\":\"parse\",\"frame\":\"\",\"limit\":\"x=1\",\"expect\":{\"ok\":true}"
          "}"}) {
        const Ran run = run_vectors(line);
        EXPECT_EQ(run.status, 2) << line;
        EXPECT_NE(run.err.find(" line 1: "), std::string::npos) << run.err;
    }
}

}  // namespace
