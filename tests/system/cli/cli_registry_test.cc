// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp registry: show, hash, add, diff.
#include "run_accp.h"
#include "temp_directory.h"

#include <gtest/gtest.h>

namespace {

class CliRegistry : public testing::Test {
protected:
    std::string file(const std::string &name, const std::string &text) {
        return directory_.write(name, text);
    }
    const TempDirectory directory_;  // other tests run at the same time
    const std::string one_ = file(
        "one.json",
        R"({"version":3,"schemas":{"sales_report":{"code":"SR","fields":["period","notes"],)"
        R"("defaults":{"period":"quarterly"},"aliases":{"n":"notes"},"required":["notes"]}}})");
    const std::string two_ = file(
        "two.json",
        R"({"operations":["audit"],"schemas":{"other":{"code":"OT","fields":["a"],"types":{"a":"integer"}}}})");
};

TEST_F(CliRegistry, Show) {
    const Ran run = run_accp({"registry", "show", "--profile", "none", one_});
    EXPECT_EQ(run.status, 0) << run.err;
    const std::string hash = run_accp({"registry", "hash", "--profile", "none", one_}).out;
    EXPECT_EQ(run.out, "hash     " + hash +
                           "version  3\n\nSR  sales_report  version 1\n"
                           "    period                                   default \"quarterly\"\n"
                           "    notes               n                    required\n\n"
                           "ER  error  version 1, built in\n"
                           "    code                            string   required\n"
                           "    msg                             string\n"
                           "    retry                           boolean\n"
                           "    detail\n"
                           "    src                             string\n"
                           "    cid                             string\n");
    for (const char *code : {"\nER  ", "\nCH  ", "\nTC  ", "\nTX  ", "\nST  ", "\nTA  "})
        EXPECT_NE(run_accp({"registry", "show"}).out.find(code), std::string::npos);
    EXPECT_EQ(
        run_accp({"registry", "show", "-"}, R"({"schemas":{"\u001b[2J":{"code":"S","fields":[]}}})")
            .out.find('\x1b'),
        std::string::npos);
}

TEST_F(CliRegistry, Hash) {
    const Ran run = run_accp({"registry", "hash"});
    EXPECT_EQ(run.out.size(), 65u);
    EXPECT_EQ(run_accp({"registry", "hash", "-"}, "{}").out, run.out);
    EXPECT_NE(run_accp({"registry", "hash", "--profile", "chat,tool"}).out, run.out);
    EXPECT_EQ(run_accp({"registry", "hash", "--profile", "all"}).out, run.out);
}

TEST_F(CliRegistry, AddAndDiff) {
    const Ran sum = run_accp({"registry", "add", one_, two_});
    EXPECT_EQ(
        sum.out,
        R"({"version":3,"operations":["audit"],"schemas":{"sales_report":{"code":"SR","fields":["period","notes"],)"
        R"("defaults":{"period":"quarterly"},"aliases":{"n":"notes"},"required":["notes"]},)"
        R"("other":{"code":"OT","fields":["a"],"types":{"a":"integer"}}}})"
        "\n");
    const std::string both = file("both.json", sum.out);
    const Ran diff = run_accp({"registry", "diff", one_, both});
    EXPECT_EQ(diff.status, 0);
    EXPECT_EQ(diff.out,
              R"({"add":{"version":3,"operations":["audit"],"schemas":{"other":{"code":"OT",)"
              R"("fields":["a"],"types":{"a":"integer"}}}},"del":[]})"
              "\ncompatible\n"
              "compatible  operation_added audit: an operation that is not known is no error\n"
              "compatible  schema_added other: only frames that name it are refused (E1003)\n");
    EXPECT_EQ(run_accp({"registry", "diff", one_, one_}).out, "");
    EXPECT_EQ(run_accp({"registry", "diff", one_, one_}).status, 0);
}

TEST_F(CliRegistry, BreakingDiff) {
    const std::string three = file(
        "three.json",
        R"({"version":3,"schemas":{"sales_report":{"code":"SR","version":2,"fields":["period","notes"],)"
        R"("defaults":{"period":"\u001b"},"aliases":{"n":"notes"},"required":["notes"],)"
        R"("deprecated":{"period":"say \u001b"}}}})");
    const Ran run = run_accp({"registry", "diff", one_, three});
    EXPECT_EQ(run.status, 3) << run.err;
    EXPECT_EQ(run.out.substr(run.out.find('\n') + 1),
              "breaking\n"
              "compatible  version sales_report: of two versions a negotiation takes the higher\n"
              "breaking    field_default sales_report.period (quarterly -> \\u001B): "
              "a frame that leaves the field out reads otherwise\n"
              "compatible  deprecated sales_report.period (none -> say \\u001B): "
              "no frame is written or read by it\n");
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
    EXPECT_NE(run_accp({"registry", "show", three}).out.find("deprecated: say \\u001B\n"),
              std::string::npos);
    const Ran whole =
        run_accp({"registry", "show", "-"},
                 R"({"schemas":{"s":{"code":"S","fields":[],"deprecated":"use T"}}})");
    EXPECT_NE(whole.out.find("S  s  version 1  deprecated: use T\n"), std::string::npos)
        << whole.out;
}

TEST_F(CliRegistry, Refused) {
    const Ran run = run_accp({"registry", "hash", "-"}, R"({"schemas":[]})");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "accp: -: E1004 at byte 11: schemas are an object: name to schema\n");
    for (const Args &args :
         {Args{"registry"}, Args{"registry", "list"}, Args{"registry", "add", one_},
          Args{"registry", "diff", one_}, Args{"registry", "show", one_, two_},
          Args{"registry", "show", "--profile", "none,no"},
          Args{"registry", "show", "nowhere.json"}})
        EXPECT_EQ(run_accp(args).status, 2) << args.back();
}

}  // namespace
