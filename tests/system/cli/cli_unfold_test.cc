// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp unfold on short excerpts that are folded like Internet-Drafts.
#include "run_accp.h"

#include <gtest/gtest.h>

namespace {

std::string unfolded(const std::string &text) {
    const Ran run = run_accp({"unfold"}, text);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
}

TEST(CliUnfold, FramesOfADraft) {
    EXPECT_EQ(unfolded("        <t>Task completion with findings:</t>\n"
                       "        <sourcecode type=\"accp\"><![CDATA[\n"
                       "@research>done:analyze{d:q3_sales|f:[rev:-12%QoQ,ent_seg:decline,\n"
                       "  churn:+3.2%]|nx:@strategy:plan}\n"
                       "]]></sourcecode>\n"
                       "@planner>req:schedule{who:@dev_team|when:sprint_14|\n"
                       "  task:impl_auth_module|pri:high}\n"
                       "]]></sourcecode>\n"
                       "@analyst>qry:lookup{src:$ctx.sales_db|q:revenue_by_region|fmt:summary}\n"
                       "]]></sourcecode>\n"),
              "@research>done:analyze{d:q3_sales|f:[rev:-12%QoQ,ent_seg:decline,churn:+3.2%]|nx:@"
              "strategy:plan}\n"
              "@planner>req:schedule{who:@dev_team|when:sprint_14|task:impl_auth_module|pri:high}\n"
              "@analyst>qry:lookup{src:$ctx.sales_db|q:revenue_by_region|fmt:summary}\n");
}

TEST(CliUnfold, OneAfterAnother) {
    EXPECT_EQ(
        unfolded("@streamer>stream:infer{idx:0|tot:3|d:Hello|\n"
                 "  schema:ST}[mid:m1,seq:1,cid:stream_abc]\n"
                 "@streamer>stream:infer{idx:1|tot:3|d:_world|\n"
                 "  schema:ST}[mid:m2,seq:2,cid:stream_abc]\n"),
        "@streamer>stream:infer{idx:0|tot:3|d:Hello|schema:ST}[mid:m1,seq:1,cid:stream_abc]\n"
        "@streamer>stream:infer{idx:1|tot:3|d:_world|schema:ST}[mid:m2,seq:2,cid:stream_abc]\n");
}

TEST(CliUnfold, AnIndentedListing) {
    EXPECT_EQ(
        unfolded("   @payments>req:transaction{txn:txn_001|\n      amt:142.5|\n      "
                 "acc:acct_9876}\n   @payments>ack:x{}\n"),
        "@payments>req:transaction{txn:txn_001|amt:142.5|acc:acct_9876}\n@payments>ack:x{}\n");
}

TEST(CliUnfold, FoldedAnywhere) {
    EXPECT_EQ(unfolded("@planner\n"), "") << "no frame without a >";
    EXPECT_EQ(unfolded("@planner>\n  req:x\n  {a:1}\n  [seq:1]\n"), "@planner>req:x{a:1}[seq:1]\n");
    EXPECT_EQ(unfolded("@a>req:x{a:1}[seq:1,\r\n\tmid:m]\r\n"), "@a>req:x{a:1}[seq:1,mid:m]\n");
    EXPECT_EQ(unfolded("@a>fail:x{esc:\n  @supervisor}\n"), "@a>fail:x{esc:@supervisor}\n")
        << "a deeper @ continues";
    EXPECT_EQ(unfolded("@a>req:x{k:\\}\\\\|\n  b:2}"), "@a>req:x{k:\\}\\\\|b:2}\n")
        << "an escaped bracket is text";
    EXPECT_EQ(unfolded("@a>req:x{k:\\{\\\\}\n  b:2}"), "@a>req:x{k:\\{\\\\}\n")
        << "and so is one that opens";
}

TEST(CliUnfold, OtherTextIsPassedOver) {
    EXPECT_EQ(unfolded("Dear @dev_team, see below -> there.\n@Override\n@dev does a > b\n  "
                       "text\n\n@a>ack:x{}\n  indented text after "
                       "it\n[not metadata]\n"),
              "@a>ack:x{}\n");
}

TEST(CliUnfold, WhatDoesNotCloseIsRefused) {
    const Ran run = run_accp(
        {"unfold"},
        "@a>req:x{a:1|\n\n  b:2}\n@b>req:x{\nat the margin}\n@c>req:x{\n@d>ack:y{}\n@e>req:x");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "\n\n\n@d>ack:y{}\n\n");
    const std::vector<std::string> errors = lines_of(run.err);
    ASSERT_EQ(errors.size(), 4u);
    EXPECT_EQ(errors[0].rfind("accp: record 1: E1001 at byte 13: ", 0), 0u) << errors[0];
    EXPECT_EQ(errors[1].rfind("accp: record 2: E1001 at byte 9: ", 0), 0u) << errors[1];
    EXPECT_EQ(errors[2].rfind("accp: record 3: E1001 at byte 9: ", 0), 0u) << errors[2];
    EXPECT_EQ(errors[3].rfind("accp: record 5: E1001 at byte 8: ", 0), 0u) << errors[3];
}

TEST(CliUnfold, AnAtNoDeeperBeginsTheNextFrame) {
    const Ran run = run_accp({"unfold"}, "  @b>req:x{\n  @c>ack:y{}\n  @d>req:x{\n   @e}\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "\n@c>ack:y{}\n@d>req:x{@e}\n");
}

TEST(CliUnfold, TooLong) {
    const Ran run = run_accp({"unfold", "--limit", "frame_bytes=20"},
                             "@a>req:x{a:1|\n  bbbbbb:2}\n@a>req:x{a:1|\n  bbbb:2}\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "\n@a>req:x{a:1|bbbb:2}\n");
    EXPECT_EQ(run.err.rfind("accp: record 1: E1001 at byte 20: ", 0), 0u) << run.err;
}

TEST(CliUnfold, ThenParse) {
    const Ran run = run_shell(
        "printf '%s\\n' '@a>sync:state{v:7|' '  delta:{task_3:done}}' | accp unfold | accp canon");
    EXPECT_EQ(run.out, "@a>sync:state{v:7|delta:{task_3:done}}\n");
}

}  // namespace
