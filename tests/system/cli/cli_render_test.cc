// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp render: records of every kind, tables over several lines, and parsing the text back.
#include "run_accp.h"

#include <gtest/gtest.h>

namespace {

const std::string kRenderMessage =
    R"({"agent":"a","intent":"req","operation":"x","payload":{"source":"s","k":"two words"},"meta":{"seq":7}})";
const std::string kTable =
    R"([{"id":1,"n":"a"},{"id":2,"n":"b"},{"id":3,"n":"c"},{"id":4,"n":"d"}])";
const std::string kLines = "(id n)[4]:\n1 a\n2 b\n3 c\n4 d";

TEST(CliRender, MessagesFramesAndValues) {
    EXPECT_EQ(run_accp({"render"}, kRenderMessage + "\n").out, "@a req:x source:s k: two words\n");
    EXPECT_EQ(run_accp({"render", "--envelope"}, kRenderMessage + "\n").out,
              "@a req:x {seq:7} source:s k: two words\n");
    EXPECT_EQ(run_accp({"render", "--abbrev"}, kRenderMessage + "\n").out,
              "@a req:x src:s k: two words\n");
    EXPECT_EQ(run_accp({"render", "--untrusted"}, kRenderMessage + "\n").out,
              "(untrusted data) @a req:x source:s k:\"two words\"\n");
    EXPECT_EQ(run_accp({"render"}, "@a>req:x{k:\"a_b\"|r:$warm.x}[seq:1]\n12\n").out,
              "@a req:x r:$warm.x k: a b\n12\n");
    const std::string extra =
        R"({"agent":"a","intent":"req","operation":"x","payload":{},"to":"b"})";
    EXPECT_EQ(run_accp({"render"}, extra + "\n").out,
              "agent:a intent:req operation:x payload:{} to:b\n");
    EXPECT_EQ(run_accp({"render", "--ignore", "to"}, extra + "\n").out, "@a req:x\n");
}

TEST(CliRender, TablesTakeLines) {
    EXPECT_EQ(run_accp({"render"}, kTable + "\n").out, kLines + "\n");
    EXPECT_EQ(run_accp({"render", "--one-line"}, kTable + "\n").out, "(id n)[1 a;2 b;3 c;4 d]\n");
}

// A record ends after its rows, unless the next line begins with a space.
TEST(CliRender, ParseFindsTheRecords) {
    const std::string object = R"({"t":)" + kTable + R"(,"u":)" + kTable + R"(,"last":"a b"})";
    const std::string records =
        kTable + "\n" + kTable + "\n12\n" + object + "\n{\"a\":\"[2]\"}\n" + kTable + "\n";
    const Ran rendered = run_accp({"render"}, records);
    EXPECT_EQ(rendered.status, 0) << rendered.err;
    const Ran back = run_accp({"render", "--parse"}, rendered.out);
    EXPECT_EQ(back.status, 0) << back.err;
    EXPECT_EQ(back.out, records);
    EXPECT_EQ(run_accp({"render", "--parse"}, rendered.out.substr(0, rendered.out.size() - 1)).out,
              records)
        << "without the last newline";
}

TEST(CliRender, RefusedRecordsLeaveALine) {
    const Ran run = run_accp({"render"}, "{\n[1]\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "\n[1]\n");
    const Ran back = run_accp({"render", "--parse"}, "a:1\nword\n(a)[2]:\n1\n");
    EXPECT_EQ(back.status, 1);
    EXPECT_EQ(back.out, "{\"a\":1}\n\n\n");
    EXPECT_NE(back.err.find("record 2: E1001 at byte 0"), std::string::npos) << back.err;
    EXPECT_NE(back.err.find("record 3: E1001 at byte 9"), std::string::npos) << back.err;
}

}  // namespace
