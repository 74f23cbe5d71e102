// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests what all filters promise: one line of output for each line of input, and what happens if
// reading or writing fails.
#include "run_accp.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

constexpr const char *kGood = "@a>req:x{k:1}";
constexpr const char *kMessage =
    "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":1}}";

// A temporary file.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view text) {
        const int fd = mkstemp(name_.data());
        if (fd >= 0) close(fd);
        std::ofstream(name_, std::ios::binary) << text;
    }
    ~TemporaryFile() { std::remove(name_.c_str()); }
    const std::string &name() const { return name_; }

private:
    std::string name_ = testing::TempDir() + "accp-XXXXXX";
};

TEST(CliFilter, RefusedRecordLeavesAnEmptyLine) {
    const std::string good = kGood;
    const Ran run = run_accp({"canon"}, good + "\nnonsense\n\n" + good + "\n@a>req\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, good + "\n\n\n" + good + "\n\n");
    const std::vector<std::string> errors = lines_of(run.err);
    ASSERT_EQ(errors.size(), 3u);
    EXPECT_EQ(errors[0].rfind("accp: record 2: E1001 at byte 0: ", 0), 0u) << errors[0];
    EXPECT_EQ(errors[1].rfind("accp: record 3: E1001 at byte 0: ", 0), 0u) << errors[1];
    EXPECT_EQ(errors[2].rfind("accp: record 5: E1001 at byte 6: ", 0), 0u) << errors[2];
}

TEST(CliFilter, NothingInNothingOut) {
    for (const char *command : {"parse", "canon", "encode", "decode", "inspect", "unfold"}) {
        const Ran run = run_accp({command}, "");
        EXPECT_EQ(run.status, 0) << command;
        EXPECT_EQ(run.out + run.err, "") << command;
    }
}

TEST(CliFilter, EmptyLineIsRefusedAtByteNought) {
    for (const char *command : {"parse", "canon", "encode", "decode", "inspect"}) {
        const Ran run = run_accp({command}, "\n");
        EXPECT_EQ(run.status, 1) << command;
        EXPECT_EQ(run.err.rfind("accp: record 1: E1001 at byte 0: ", 0), 0u)
            << command << ": " << run.err;
    }
}

TEST(CliFilter, LastLineNeedsNoNewline) {
    EXPECT_EQ(run_accp({"canon"}, kGood).out, std::string(kGood) + "\n");
    EXPECT_EQ(run_accp({"encode"}, kMessage).out, std::string(kGood) + "\n");
}

TEST(CliFilter, CrLfEndsMessagesAndNotFrames) {
    const Ran encoded =
        run_accp({"encode"}, std::string(kMessage) + "\r\n\r\n" + kMessage + "\r\n");
    EXPECT_EQ(encoded.status, 1);
    EXPECT_EQ(encoded.out, std::string(kGood) + "\n\n" + kGood + "\n");
    EXPECT_EQ(encoded.err.rfind("accp: record 2: E1001 at byte 0: ", 0), 0u) << encoded.err;
    const Ran frames = run_accp({"canon"}, std::string(kGood) + "\r\n");
    EXPECT_EQ(frames.status, 1);
    EXPECT_EQ(frames.out, "\n");
    EXPECT_EQ(frames.err.rfind("accp: record 1: E1001 at byte 13: ", 0), 0u) << frames.err;
}

TEST(CliFilter, NulIsABadByteAndNoEnd) {
    const std::string input("@a>req:x{k:a\0b}\n@a>req:x{k:1}\n", 30);
    const Ran run = run_accp({"canon"}, input);
    EXPECT_EQ(run.out, std::string("\n") + kGood + "\n");
    EXPECT_EQ(run.err.rfind("accp: record 1: E1001 at byte 12: ", 0), 0u) << run.err;
    const std::string json = std::string(kMessage) + std::string(1, '\0');
    EXPECT_EQ(run_accp({"encode"}, json).status, 1);
}

TEST(CliFilter, LongLineIsRefusedAtTheLimitAndTheNextIsNot) {
    const std::string longer = "@a>req:x{k:" + std::string(100, 'a') + "}";
    const Ran run = run_accp({"canon", "--limit", "frame_bytes=50"}, longer + "\n" + kGood + "\n");
    EXPECT_EQ(run.out, std::string("\n") + kGood + "\n");
    EXPECT_EQ(run.err.rfind("accp: record 1: E1001 at byte 50: ", 0), 0u) << run.err;
    const std::string exact = "@a>req:x{k:" + std::string(38, 'a') + "}";
    ASSERT_EQ(exact.size(), 50u);
    EXPECT_EQ(run_accp({"canon", "--limit", "frame_bytes=50"}, exact + "\n").out, exact + "\n");
    const Ran standard = run_accp({"canon"}, "@a>req:x{k:" + std::string(65536, 'a') + "}\n");
    EXPECT_EQ(standard.err.rfind("accp: record 1: E1001 at byte 65536: ", 0), 0u) << standard.err;
}

TEST(CliFilter, AHigherLimitTakesLongerLines) {
    const std::string longer = "@a>req:x{k:" + std::string(100000, 'a') + "}\n";
    for (const char *command : {"canon", "unfold"}) {
        EXPECT_EQ(run_accp({command}, longer).status, 1) << command;
        EXPECT_TRUE(run_accp({command, "--limit", "frame_bytes=200000"}, longer).out == longer)
            << command;
    }
}

TEST(CliFilter, LongMessageIsRefusedAtTheLimit) {
    const std::string limit = "json_bytes=" + std::to_string(std::string(kMessage).size());
    EXPECT_EQ(run_accp({"encode", "--limit", limit}, std::string(kMessage) + "\r\n").out,
              std::string(kGood) + "\n");
    const Ran run =
        run_accp({"encode", "--limit", "json_bytes=40"}, std::string(kMessage) + "\r\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.err.rfind("accp: record 1: E1001 at byte 40: ", 0), 0u) << run.err;
}

TEST(CliFilter, FilesInTurnRecordsCountOn) {
    const TemporaryFile first(std::string(kGood) + "\nbad");
    const TemporaryFile second(std::string(kGood) + "\nbad\n");
    const Ran run = run_accp({"canon", first.name(), "-", second.name()}, "@b>ack:y{}\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, std::string(kGood) + "\n\n@b>ack:y{}\n" + kGood + "\n\n");
    const std::vector<std::string> errors = lines_of(run.err);
    ASSERT_EQ(errors.size(), 2u);
    EXPECT_EQ(errors[0].rfind("accp: record 2: ", 0), 0u);
    EXPECT_EQ(errors[1].rfind("accp: record 5: ", 0), 0u);
}

TEST(CliFilter, WhatCannotBeReadIsStatusTwo) {
    const TemporaryFile first(std::string(kGood) + "\n");
    const Ran run = run_accp({"canon", first.name(), "/no/such/file"});
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.out, std::string(kGood) + "\n") << "what came before is written";
    EXPECT_EQ(run.err, "accp: /no/such/file: No such file or directory\n");
    EXPECT_EQ(run_accp({"registry", "show", "/"}).err, "accp: /: Is a directory\n");
    const TemporaryFile nothing("");
    EXPECT_EQ(run_accp({"registry", "show", nothing.name()}).err,
              "accp: " + nothing.name() + ": empty\n");
    const Ran directory = run_accp({"canon", "/"});
    EXPECT_EQ(directory.status, 2);
    EXPECT_EQ(directory.err, "accp: /: Is a directory\n");
    EXPECT_EQ(run_shell("accp canon <&-").status, 2);
}

TEST(CliFilter, FullDiskIsStatusTwo) {
    const Ran run =
        run_shell(std::string("printf '%s\\n' '") + kGood + "' | accp canon > /dev/full");
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.err, "accp: standard output: No space left on device\n");
}

TEST(CliFilter, AReaderThatLeavesEndsItQuietly) {
    const Ran run = run_shell(
        std::string("{ yes '") + kGood +
        "' 2>/dev/null | head -n 3000000 | accp canon; echo status $? >&2; } | head -n 1");
    EXPECT_EQ(run.out, std::string(kGood) + "\n");
    EXPECT_EQ(run.err, "status 0\n");
    const Ran refused = run_shell(
        "{ yes nonsense 2>/dev/null | head -n 3000000 | accp parse 2>/dev/null; echo status $? "
        ">&2; } | head -n 1 >/dev/null");
    EXPECT_EQ(refused.err, "status 1\n");
}

TEST(CliFilter, ManyRecordsManyBlocks) {
    std::string input;
    std::string want;
    for (int i = 0; i < 50000; ++i) {
        const bool good = i % 7 != 0;
        const std::string frame = "@a>req:x{i:" + std::to_string(i) + (good ? "}" : "");
        input += frame + "\n";
        want += good ? frame + "\n" : "\n";
    }
    const Ran run = run_accp({"canon"}, input);
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(run.out == want);
    EXPECT_EQ(lines_of(run.err).size(), 50000u / 7 + 1);
}

}  // namespace
