// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp inspect: the table and its warnings.
#include "run_accp.h"

#include <gtest/gtest.h>

namespace {

constexpr const char *kEnvelope = "[mid:a00000000001,seq:1,ts:1714000000]";

std::string inspected(const std::string &frame, Args options = {}) {
    options.insert(options.begin(), "inspect");
    const Ran run = run_accp(options, frame + "\n");
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out;
}

// Returns the warnings about a frame, without those about its tokens (cli_tokens_test.cc).
std::string warnings(const std::string &frame, Args options = {}) {
    std::string out;
    for (const std::string &line : lines_of(inspected(frame, std::move(options)))) {
        const bool tokens = line.find(" tokens: over the ") != std::string::npos;
        if (line.rfind("  warning: ", 0) == 0 && !tokens) out += line.substr(11) + "\n";
    }
    return out;
}

TEST(CliInspect, TheTable) {
    EXPECT_EQ(inspected(std::string("@planner>req:schedule{task:impl_auth|note:\"Q3_findings\"|n:="
                                    "1e9|l:[a\\:b,[]]|m:{__a_2Eb:~}|r:$warm.k}") +
                        kEnvelope),
              "record 1\n"
              "  agent       planner\n"
              "  intent      req\n"
              "  operation   schedule\n"
              "  bytes       header 12, body 87, metadata 38, total 137\n"
              "  depth       2\n"
              "  tokens      header 4, body 44, metadata 18, total 66 (o200k_base)\n"
              "  payload\n"
              "    task             str    impl_auth\n"
              "    note             str    \"Q3_findings\"  = Q3 findings\n"
              "    n                str    =1e9  = 1e9 (number)\n"
              "    l                array  2 elements\n"
              "      [0]            str    a:b\n"
              "      [1]            array  0 elements\n"
              "    m                map    1 entry\n"
              "      __a_2Eb = a.b  null   ~\n"
              "    r                ref    $warm.k\n"
              "  metadata\n"
              "    mid  str    a00000000001\n"
              "    seq  int    1\n"
              "    ts   int    1714000000\n"
              "  warning: metadata of 18 tokens: over the soft limit of 10\n"
              "  warning: total of 66 tokens: over the soft limit of 65\n");
}

TEST(CliInspect, ManyRecordsAndARefusedOne) {
    const Ran run = run_accp({"inspect"}, std::string("@a>ack:x{}") + kEnvelope +
                                              "\nnonsense\n@a>ack:x{}" + kEnvelope + "\n");
    EXPECT_EQ(run.status, 1);
    const std::vector<std::string> lines = lines_of(run.out);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), ""), 1) << run.out;
    EXPECT_NE(run.out.find("\n\nrecord 3\n"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("  payload empty\n"), std::string::npos) << run.out;
    EXPECT_EQ(run.err.rfind("accp: record 2: E1001 at byte 0: ", 0), 0u) << run.err;
}

TEST(CliInspect, AGoodFrameHasNoWarning) {
    EXPECT_EQ(warnings(std::string("@a>req:x{k:$warm.k|s:\"a_b\"}") + kEnvelope), "");
}

// ACCP-3.5-01: these fields are text even if they look like numbers.
TEST(CliInspect, FieldsOfTheEnvelopeAreTexts) {
    const std::string table =
        inspected("@a>req:x{mid:1}[mid:123456789012,seq:1,ts:1,cid:true,n:2]");
    for (const char *row : {"mid  int    1\n", "mid  str    123456789012\n", "seq  int    1\n",
                            "cid  str    true\n", "n    int    2\n"})
        EXPECT_NE(table.find(row), std::string::npos) << row << "in\n" << table;
}

TEST(CliInspect, Envelope) {
    EXPECT_EQ(warnings("@a>req:x{}"),
              "no mid in the metadata: every message must have one\n"
              "no seq in the metadata: every message must have one\n"
              "no ts in the metadata: every message must have one\n");
    EXPECT_EQ(warnings("@a>req:x{}[mid:abc,seq:1,ts:1]"), "mid is not 12 hex digits\n");
    EXPECT_EQ(warnings("@a>req:x{}[mid:49679033e07c,seq:0,ts:1]"), "seq is 0: the first is 1\n");
    EXPECT_EQ(warnings("@a>req:x{}[mid:123456789012,seq:1,ttl:5]"),
              "no ts in the metadata: every message must have one\n"
              "ttl without ts: the time of expiry is unknown\n");
    EXPECT_EQ(warnings("@a>req:x{}[mid:49679033e07c,seq:x,ts:1]")
                  .rfind("envelope: E1001 at byte 32: ", 0),
              0u);
}

TEST(CliInspect, Intent) {
    EXPECT_EQ(warnings(std::string("@a>please:x{}") + kEnvelope),
              "the intent is not one of the twelve: a session refuses it with E1002\n");
    for (const char *intent : {"req", "done", "fail", "wait", "esc", "comp", "sync", "qry", "ack",
                               "cancel", "stream", "end"}) {
        EXPECT_EQ(warnings(std::string("@a>") + intent + ":x{}" + kEnvelope), "");
    }
}

TEST(CliInspect, Form) {
    EXPECT_EQ(warnings(std::string("@a>req:x{k:{b:1,a:2}}") + kEnvelope),
              "not canonical, from byte 12 on: accp canon writes it\n");
    EXPECT_EQ(warnings(std::string("@a>req:x{k:1.50}") + kEnvelope),
              "not canonical, from byte 14 on: accp canon writes it\n");
    EXPECT_EQ(warnings(std::string("@a>req:x{k:0.1234567}") + kEnvelope)
                  .rfind("no canonical form: E1004 at byte 11: ", 0),
              0u);
}

TEST(CliInspect, Keys) {
    EXPECT_EQ(warnings(std::string("@a>req:x{Task:1|task:2}") + kEnvelope),
              "two keys differ only by case: task\n");
    EXPECT_EQ(warnings(std::string("@a>req:x{src:1|source:2}") + kEnvelope)
                  .rfind("decode --abbrev: E1001 at byte ", 0),
              0u);
    EXPECT_EQ(warnings(std::string("@a>req:x{k:\"%u12;\"}") + kEnvelope)
                  .rfind("decode: E1001 at byte ", 0),
              0u);
}

TEST(CliInspect, RefsAndDialects) {
    EXPECT_EQ(warnings(std::string("@a>req:x{k:$42.30}") + kEnvelope),
              "$42.30 names no tier (hot, warm, cold, ctx)\n");
    const std::string loose =
        warnings(std::string("@a>req:x{k:@dev}") + kEnvelope, {"--dialect", "compat"});
    EXPECT_NE(loose.find("a bare @ or : that only the compat dialect accepts\n"), std::string::npos)
        << loose;
    EXPECT_NE(inspected("@a>req:x{k:日本}", {"--dialect", "u8"}).find("str    日本\n"),
              std::string::npos);
}

TEST(CliInspect, NothingReachesTheTerminalRaw) {
    // ESC, C1 CSI and a right-to-left override, all legal in q1.
    const std::string out =
        inspected(std::string("@a>req:x{k:\"%1B\\[31m\"|l:\"%9B_%u008238;x\"}") + kEnvelope);
    EXPECT_EQ(out.find('\x1b'), std::string::npos);
    EXPECT_EQ(out.find("\xC2\x9B"), std::string::npos);
    EXPECT_NE(out.find("= \\u001B[31m\n"), std::string::npos) << out;
    EXPECT_NE(out.find("= \\u009B \\u202Ex\n"), std::string::npos) << out;
}

}  // namespace
