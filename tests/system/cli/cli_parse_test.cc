// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp parse, byte by byte, and accp canon.
#include "run_accp.h"

#include <gtest/gtest.h>

#include "server/json/writer.h"

namespace {

TEST(CliParse, EveryKindOfValue) {
    const Ran run = run_accp({"parse"},
                             "@a-1>req:x_2{i:42|d:3.140|s:a\\:\"b\\\\|t:true|f:false|n:~|r:$warm.k|"
                             "l:[1,[],x]|m:{z:1,a:{}}}[mid:m1,seq:7]\n");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(run.out,
              "{\"ok\":true,\"agent\":\"a-1\",\"intent\":\"req\",\"operation\":\"x_2\",\"payload\":"
              "{\"map\":["
              "[\"i\",{\"int\":\"42\"}],[\"d\",{\"dec\":\"3.140\"}],[\"s\",{\"str\":\"a:"
              "\\\"b\\\\\"}],[\"t\",{\"bool\":true}],"
              "[\"f\",{\"bool\":false}],[\"n\",{\"null\":null}],[\"r\",{\"ref\":\"warm.k\"}],"
              "[\"l\",{\"array\":[{\"int\":\"1\"},{\"array\":[]},{\"str\":\"x\"}]}],"
              "[\"m\",{\"map\":[[\"z\",{\"int\":\"1\"}],[\"a\",{\"map\":[]}]]}]]},"
              "\"meta\":{\"map\":[[\"mid\",{\"str\":\"m1\"}],[\"seq\",{\"int\":\"7\"}]]}}\n");
}

TEST(CliParse, JsonStringsAreEscaped) {
    using namespace std::string_view_literals;
    std::string out = "=";
    host::append_json_string("\0\x1f \"\\/\b\f\n\r\t\x7f é日"sv, out);
    EXPECT_EQ(out, "=\"\\u0000\\u001f \\\"\\\\/\\b\\f\\n\\r\\t\x7f é日\"");
}

TEST(CliParse, NoMetadataIsNull) {
    EXPECT_EQ(run_accp({"parse"}, "@a>ack:x{}\n").out,
              "{\"ok\":true,\"agent\":\"a\",\"intent\":\"ack\",\"operation\":\"x\",\"payload\":{"
              "\"map\":[]},\"meta\":null}\n");
}

TEST(CliParse, RefusedFrameHasItsObjectAndItsLine) {
    const Ran run = run_accp({"parse"}, "@a>req:x{k:}\n@a>req:x{}\n");
    EXPECT_EQ(run.status, 1);
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].rfind("{\"ok\":false,\"code\":\"E1001\",\"offset\":11,\"message\":\"", 0),
              0u)
        << lines[0];
    EXPECT_EQ(lines[0].substr(lines[0].size() - 2), "\"}");
    EXPECT_EQ(lines[1].rfind("{\"ok\":true,", 0), 0u);
    EXPECT_EQ(run.err.rfind("accp: record 1: E1001 at byte 11: ", 0), 0u) << run.err;
    EXPECT_EQ(lines_of(run.err).size(), 1u);
}

TEST(CliParse, Dialects) {
    const std::string frame = "@a>req:x{who:@dev|l:[a:b]}\n";
    EXPECT_EQ(run_accp({"parse"}, frame).status, 1);
    const Ran compat = run_accp({"parse", "--dialect", "compat"}, frame);
    EXPECT_EQ(compat.status, 0);
    EXPECT_NE(
        compat.out.find("[\"who\",{\"str\":\"@dev\"}],[\"l\",{\"array\":[{\"str\":\"a:b\"}]}]"),
        std::string::npos)
        << compat.out;
    const std::string raw = "@a>req:x{k:日本}\n";
    EXPECT_EQ(run_accp({"parse", "--dialect", "strict"}, raw).status, 1);
    const Ran u8 = run_accp({"parse", "--dialect=u8"}, raw);
    EXPECT_EQ(u8.status, 0);
    EXPECT_NE(u8.out.find("[\"k\",{\"str\":\"日本\"}]"), std::string::npos) << u8.out;
}

TEST(CliParse, CompatRemovalInsideDelta) {
    const Ran run =
        run_accp({"parse", "--dialect", "compat"},
                 "@a>sync:state{delta:{k:null},j:null}\n@a>sync:state{delta:{k:null}|j:null}\n");
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].rfind("{\"ok\":false", 0), 0u);
    EXPECT_NE(
        lines[1].find("[\"delta\",{\"map\":[[\"k\",{\"null\":null}]]}],[\"j\",{\"str\":\"null\"}]"),
        std::string::npos)
        << lines[1];
}

TEST(CliCanon, SortsStripsAndIsIdempotent) {
    const Ran run =
        run_accp({"canon"}, "@a>req:x{b:{z:1.50,a:[{d:~,c:2}]}|a:3.000}[seq:1,mid:m]\n");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out, "@a>req:x{b:{a:[{c:2,d:~}],z:1.5}|a:3.0}[seq:1,mid:m]\n");
    EXPECT_EQ(run_accp({"canon"}, run.out).out, run.out);
}

TEST(CliCanon, WhatCannotBeWrittenIsE1004) {
    const Ran run = run_accp({"canon"}, "@a>req:x{k:0.1234567}\n@a>req:x{}\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "\n@a>req:x{}\n");
    EXPECT_EQ(run.err.rfind("accp: record 1: E1004 at byte 11: ", 0), 0u) << run.err;
}

TEST(CliCanon, CompatIsWrittenStrict) {
    const Ran run = run_accp({"canon", "--dialect", "compat"}, "@a>req:x{who:@dev|l:[a:b]}\n");
    EXPECT_EQ(run.out, "@a>req:x{who:\\@dev|l:[a\\:b]}\n");
    EXPECT_EQ(run_accp({"canon"}, run.out).out, run.out);
}

}  // namespace
