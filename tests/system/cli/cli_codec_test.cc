// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests the options of accp encode and accp decode.
#include "run_accp.h"

#include <gtest/gtest.h>

#include <ctime>
#include <regex>

namespace {

std::string message(const std::string &payload, const std::string &more = "") {
    return "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":" + payload + more +
           "}\n";
}

std::string encoded(Args options, const std::string &payload) {
    options.insert(options.begin(), "encode");
    const Ran run = run_accp(options, message(payload));
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out;
}

TEST(CliCodec, Extensions) {
    const std::string payload = "{\"k\":\"日 本\"}";
    EXPECT_EQ(encoded({}, payload), "@a>req:x{k:\"%u026085;_%u026412;\"}\n");
    EXPECT_EQ(encoded({"--ext", "u8"}, payload), "@a>req:x{k:\"日_本\"}\n");
    EXPECT_EQ(run_accp({"encode", "--ext", "none"}, message(payload)).status, 1);
    EXPECT_EQ(encoded({"--ext", "none"}, "{\"k\":\"v\"}"), "@a>req:x{k:v}\n");
    const std::string rows = "{\"t\":[{\"a\":1,\"b\":2},{\"b\":4,\"a\":3},{\"a\":5,\"b\":6}]}";
    const std::string table = "@a>req:x{t:{__cols:[a,b],__rows:[[1,2],[3,4],[5,6]]}}\n";
    EXPECT_EQ(encoded({"--ext", "t1"}, rows), table);
    EXPECT_EQ(encoded({"--ext=q1,t1"}, rows), table);
    EXPECT_EQ(encoded({"--ext", "q1", "--ext", "t1"}, rows), table);
    EXPECT_EQ(run_accp({"decode", "--ext", "t1"}, table).out,
              message("{\"t\":[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4},{\"a\":5,\"b\":6}]}"));
}

// The tokenizer decides which spelling is cheapest. Decoding needs no option.
TEST(CliCodec, Spell) {
    const std::string payload = "{\"k\":\"Привет, мир! Как дела?\"}";
    const std::string wire = encoded({}, payload);
    EXPECT_EQ(encoded({"--spell", "wire"}, payload), wire);
    const std::string cheap = encoded({"--spell", "cheapest"}, payload);
    EXPECT_NE(cheap, wire);
    EXPECT_EQ(run_accp({"decode"}, cheap).out, message(payload));
    EXPECT_EQ(encoded({"--spell", "cheapest", "--tokenizer", "cl100k_base"}, payload), cheap);
    EXPECT_EQ(run_accp({"encode", "--spell", "dear"}, message(payload)).status, 2);
}

// ACCP-3.3-03
TEST(CliCodec, SymbolsForWords) {
    const std::string payload = R"({"k":"minus 12 percent","l":"-12%","m":"greater than 5"})";
    EXPECT_EQ(encoded({}, payload),
              "@a>req:x{k:\"minus_12_percent\"|l:-12%|m:\"greater_than_5\"}\n");
    const std::string frame = encoded({"--ext", "w1"}, payload);
    EXPECT_EQ(frame, "@a>req:x{k:-12%|l:\"-12%\"|m:\\>5}\n");
    EXPECT_EQ(run_accp({"decode", "--ext", "w1"}, frame).out, message(payload));
    EXPECT_EQ(run_accp({"decode"}, frame).out, message(R"({"k":"-12%","l":"-12%","m":">5"})"));
}

TEST(CliCodec, DecodingU8ImpliesItsDialect) {
    const std::string frame = "@a>req:x{k:日本}\n";
    EXPECT_EQ(run_accp({"decode"}, frame).status, 1);
    const Ran run = run_accp({"decode", "--ext", "u8"}, frame);
    EXPECT_EQ(run.out, message("{\"k\":\"日本\"}")) << run.err;
    EXPECT_EQ(run_accp({"decode", "--ext", "u8", "--dialect", "u8"}, frame).out, run.out);
    EXPECT_EQ(run_accp({"decode", "--dialect", "u8"}, frame).out, run.out);
}

TEST(CliCodec, Abbreviations) {
    const std::string payload = "{\"source\":\"x\",\"d\":1,\"n\":{\"source\":2}}";
    EXPECT_EQ(encoded({"--abbrev"}, payload), "@a>req:x{src:x|__d:1|n:{source:2}}\n");
    EXPECT_EQ(encoded({}, payload), "@a>req:x{source:x|d:1|n:{source:2}}\n");
    EXPECT_EQ(run_accp({"decode", "--abbrev"}, "@a>req:x{src:x|__d:1|n:{source:2}}\n").out,
              message(payload));
}

TEST(CliCodec, Refs) {
    const Ran refused = run_accp({"decode"}, "@a>req:x{k:$warm.k}\n");
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.out, "\n");
    EXPECT_EQ(refused.err.rfind("accp: record 1: E2001 at byte 11: ", 0), 0u) << refused.err;
    const std::string kept = message("{\"k\":{\"$ref\":\"warm.k\"}}");
    EXPECT_EQ(run_accp({"decode", "--keep-refs"}, "@a>req:x{k:$warm.k}\n").out, kept);
    EXPECT_EQ(run_accp({"encode", "--keep-refs"}, kept).out, "@a>req:x{k:$warm.k}\n");
    EXPECT_NE(run_accp({"encode"}, kept).out, "@a>req:x{k:$warm.k}\n");
}

TEST(CliCodec, UnknownMembersAreRefusedOrIgnored) {
    const std::string more = message("{\"k\":1}", ",\"to\":\"b\",\"nl\":\"text\"");
    const Ran refused = run_accp({"encode"}, more);
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.err.rfind("accp: record 1: E1001 at byte ", 0), 0u) << refused.err;
    EXPECT_EQ(run_accp({"encode", "--ignore", "to"}, more).status, 1);
    EXPECT_EQ(run_accp({"encode", "--ignore", "to,nl"}, more).out, "@a>req:x{k:1}\n");
    EXPECT_EQ(run_accp({"encode", "--ignore", "to", "--ignore=nl"}, more).out, "@a>req:x{k:1}\n");
}

TEST(CliCodec, EnvelopeCountsAndSkipsNoSeq) {
    const std::string input = message("{}") + "nonsense\n" +
                              message("{}", ",\"meta\":{\"cid\":\"c1\"}") +
                              message("{}", ",\"meta\":{\"seq\":9}");
    const Ran run = run_accp({"encode", "--envelope", "--ts", "1714000000"}, input);
    EXPECT_EQ(run.out,
              "@a>req:x{}[mid:a00000000001,seq:1,ts:1714000000]\n\n"
              "@a>req:x{}[mid:a00000000002,seq:2,ts:1714000000,cid:c1]\n"
              "@a>req:x{}[mid:a00000000003,seq:9,ts:1714000000]\n");
    const Ran later = run_accp(
        {"encode", "--envelope", "--ts=0", "--first-seq", "41", "--letter", "f", "--issuer", "7"},
        message("{}"));
    EXPECT_EQ(later.out, "@a>req:x{}[mid:f07000000041,seq:41,ts:0]\n");
    EXPECT_EQ(run_accp({"encode", "--envelope", "--issuer", "100"}, message("{}")).status, 2);
}

TEST(CliCodec, EnvelopeTakesTheClock) {
    const std::time_t before = std::time(nullptr);
    const std::string frame = run_accp({"encode", "--envelope"}, message("{}")).out;
    std::smatch found;
    ASSERT_TRUE(
        std::regex_search(frame, found, std::regex("\\[mid:[a-f][0-9]{11},seq:1,ts:([0-9]+)\\]")))
        << frame;
    EXPECT_GE(std::stoll(found[1]), before);
    EXPECT_LE(std::stoll(found[1]), std::time(nullptr));
}

TEST(CliCodec, DecodeTakesTheOptionsOfEncode) {
    const Ran run = run_accp({"decode", "--ext", "q1", "--abbrev", "--envelope", "--ignore",
                              "to,nl", "--keep-refs", "--limit", "depth=5"},
                             "@a>req:x{src:1}[mid:a00000000001,seq:1,ts:0]\n");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out,
              message("{\"source\":1}", ",\"meta\":{\"mid\":\"a00000000001\",\"seq\":1,\"ts\":0}"));
}

TEST(CliCodec, Limits) {
    EXPECT_EQ(run_accp({"encode", "--limit", "depth=6"}, message("{\"k\":[[[[[[]]]]]]}")).out,
              "@a>req:x{k:[[[[[[]]]]]]}\n");
    EXPECT_EQ(run_accp({"encode"}, message("{\"k\":[[[[[[]]]]]]}")).status, 1);
    EXPECT_EQ(run_accp({"decode", "--limit", "params=1"}, "@a>req:x{a:1|b:2}\n").status, 1);
}

const std::string kPayment =
    "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"transaction\",\"payload\":{\"amount\":1,"
    "\"currency\":\"ZZZ\",\"account\":"
    "\"s3cret\"}}\n";

// ACCP-9-01
TEST(CliCodec, LogAndRedact) {
    const Ran run = run_accp({"encode", "--schema", "TX", "--log", "--redact", "token,account"},
                             kPayment + "nonsense\n");
    EXPECT_EQ(run.out, "@a>req:transaction{amt:1|currency:ZZZ|acc:s3cret}\n\n");
    EXPECT_EQ(run.err.find("s3cret"), std::string::npos) << run.err;
    EXPECT_EQ(
        run.err.rfind(
            "accp: record 1: sent @a req:transaction amount:1 currency:ZZZ account: [redacted]\n",
            0),
        0u)
        << run.err;
    EXPECT_NE(run.err.find("accp: record 2: sent nothing: E1001 at byte "), std::string::npos)
        << run.err;
    const Ran plain = run_accp({"decode", "--log"}, "@a>req:x{k:\"a_b\"}[seq:1]\n");
    EXPECT_EQ(plain.err, "accp: record 1: received @a req:x {seq:1} k: a b\n");
    EXPECT_EQ(run_accp({"encode", "--log", "--redact", "k", "--trace"}, kPayment).status, 2);
    EXPECT_EQ(run_accp({"encode", "--redact", "k"}, kPayment).status, 2);
}

TEST(CliCodec, WarningsAndStrict) {
    const Ran run = run_accp({"encode", "--schema", "TX"}, kPayment);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err,
              "accp: record 1: warning: a transaction without a transaction_id\naccp: record 1: "
              "warning: a currency that is not in ISO 4217\n");
    const Ran strict = run_accp({"encode", "--strict", "ops,profiles"}, kPayment);
    EXPECT_EQ(strict.status, 1);
    EXPECT_EQ(strict.err.rfind("accp: record 1: E1004 at byte ", 0), 0u) << strict.err;
    EXPECT_EQ(run_accp({"decode", "--strict", "ops"}, "@a>req:dance{}\n")
                  .err.rfind("accp: record 1: E5001 at byte 7: ", 0),
              0u);
    EXPECT_EQ(run_accp({"decode", "--strict", "much"}, "").status, 2);
}

// decision A73
TEST(CliCodec, UntrustedFramesStayMarked) {
    const Ran run = run_accp({"decode", "--untrusted"}, "@a>req:x{k:\"a_b\"}\n");
    EXPECT_EQ(run.out, message("{\"k\":\"a b\"}", ",\"untrusted\":true"));
    EXPECT_EQ(run_accp({"render"}, run.out).out, "(untrusted message) @a req:x k:\"a b\"\n");
    EXPECT_EQ(run_accp({"encode", "--schema", "TA"}, run.out).out,
              "@a>req:x{k:\"a_b\"|schema:TA}\n");
}

TEST(CliCodec, TraceOfEncode) {
    const Ran run =
        run_accp({"encode", "--abbrev", "--trace"},
                 message("{\"source\":\"Q3 findings\",\"n\":1e9,\"l\":[1]}") + "nonsense\n");
    EXPECT_EQ(run.out, "@a>req:x{src:\"Q3_findings\"|n:=1e9|l:[1]}\n\n");
    const std::string want =
        "encode record 1\n"
        "  1 read    95 bytes of JSON\n"
        "  2 keys    source -> src\n"
        "            n\n"
        "            l\n"
        "  3 values  src = \"Q3_findings\" (str, quoted)\n"
        "            n = =1e9 (number, as text)\n"
        "            l = 1 element (array)\n"
        "  5 tokens  23: header 4, body 19, metadata 0 (o200k_base)\n"
        "  6 budget  emitted\n"
        "  7 emit    @a>req:x{src:\"Q3_findings\"|n:=1e9|l:[1]} (40 bytes)\n"
        "encode record 2\n"
        "  1 read    8 bytes of JSON\n"
        "accp: record 2: E1001 at byte ";
    EXPECT_EQ(run.err.substr(0, want.size()), want);
}

TEST(CliCodec, TraceByPosition) {
    const std::string payload =
        "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"schedule\",\"payload\":{\"assignee\":"
        "\"dev\",\"deps\":[\"x\"],\"n\":1}}\n";
    const Ran run = run_accp({"encode", "--ext", "p1", "--trace"}, payload);
    const std::string want =
        "  1 schema  TA, by position\n"
        "  2 keys    assignee -> TA[0]\n"
        "            deps -> TA[4]\n"
        "            n\n"
        "  3 values  TA[0] = dev (str, plain)\n"
        "            TA[4] = 1 element (array)\n"
        "            n = 1 (int)\n"
        "  4 default schema, priority\n";
    EXPECT_NE(run.err.find(want), std::string::npos) << run.err;
}

TEST(CliCodec, MessagesInParts) {
    std::string text;
    for (int i = 0; i < 200; ++i) text += "word ";
    const std::string json = message("{\"k\":\"" + text + "\"}");
    EXPECT_EQ(run_accp({"encode", "--max-tokens", "100"}, json).status, 1);
    const Ran parts =
        run_accp({"encode", "--envelope", "--ts", "0", "--max-tokens", "100", "--split", "--trace"},
                 json + message("{}"));
    EXPECT_NE(parts.err.find("  6 budget  split in 4\n"), std::string::npos) << parts.err;
    EXPECT_NE(parts.out.find("mid:a00000000005,seq:5,ts:0]"), std::string::npos)
        << "numbers go on behind the parts: " << parts.out;
    const Ran back = run_accp({"decode", "--split"}, parts.out);
    const std::string meta = ",\"meta\":{\"mid\":\"a00000000001\",\"seq\":1,\"ts\":0}";
    EXPECT_EQ(back.status, 0) << back.err;
    EXPECT_EQ(back.out.substr(0, back.out.find("seq\":5"))
                  .find("\n\n\n" + message("{\"k\":\"" + text + "\"}", meta)),
              0u)
        << back.out;
    EXPECT_EQ(run_accp({"encode", "--split"}, json).status, 2) << "needs an envelope and a limit";
}

TEST(CliCodec, TextMessages) {
    EXPECT_EQ(run_accp({"encode"}, message("\"two words\"")).out, "@a>req:x{___:\"two_words\"}\n");
    EXPECT_EQ(run_accp({"decode"}, "@a>req:x{___:\"two_words\"}\n").out, message("\"two words\""));
    EXPECT_EQ(run_accp({"render"}, "@a>req:x{___:\"two_words\"}\n").out,
              "@a req:x \"two words\"\n");
}

TEST(CliCodec, TraceOfDecode) {
    const Ran run =
        run_accp({"decode", "--abbrev", "--trace"}, "@a>req:x{src:\"Q3_findings\"|__d:true}\n");
    EXPECT_EQ(run.err,
              "decode record 1\n"
              "  1 parse   36 bytes of frame\n"
              "  3 keys    src -> source\n"
              "            __d -> d\n"
              "  5 values  src = Q3 findings (str, quoted)\n"
              "            __d = true (bool)\n"
              "  6 message "
              "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"source\":"
              "\"Q3 findings\",\"d\":true}} "
              "(88 bytes)\n");
}

}  // namespace
