// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Memory does not grow with the input, whatever its lines look like, and results are written before
// the end of the input.
#include "run_accp.h"

#include <gtest/gtest.h>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <utility>

namespace {

// The most resident memory: the program, its libraries and a few blocks. A sanitizer needs much
// more, so there this finds only code that keeps many copies.
constexpr long kSanitizerKib = ACCP_SANITIZED ? 1024 << 10 : 0;
constexpr long kFramesKib = (16 << 10) + kSanitizerKib;
// json_bytes is 16 MiB: the line, the buffer while it doubles, and the values of the library.
constexpr long kMessagesKib = (96 << 10) + kSanitizerKib;
constexpr size_t kMiB = 1 << 20;
// The size of the input. A sanitizer is ten times slower.
constexpr size_t kBlocks = ACCP_SANITIZED ? 4 : 64;

// Returns at least `total` bytes of copies of `unit`, one MiB at a time, then `tail` once.
std::function<std::string_view()> repeated(const std::string &unit, size_t total,
                                           const std::string &tail = "") {
    std::string block;
    while (block.size() < kMiB) block += unit;
    return [block, total, tail, given = size_t{0}, ended = false]() mutable -> std::string_view {
        if (given < total) {
            given += block.size();
            return block;
        }
        if (ended) return {};
        ended = true;
        return tail;
    };
}

void expect_bounded(const Ran &run, long kib) {
    EXPECT_GT(run.peak_kib, 0);
    EXPECT_LT(run.peak_kib, kib);
}

TEST(CliStreaming, ManyFrames) {
    const std::string unit =
        "@planner>req:schedule{task:impl_auth|pri:high|deps:[a,b,{c:1.5}]}[mid:a00000000001,seq:1,"
        "ts:1714000000]\n";
    const size_t lines = (kMiB / unit.size() + 1) * kBlocks;
    for (const char *command : {"parse", "canon", "decode", "inspect"}) {
        SCOPED_TRACE(command);
        const Ran run = run_accp_fed(
            {command}, repeated(unit, kBlocks * ((kMiB / unit.size() + 1) * unit.size())));
        EXPECT_EQ(run.status, 0) << command;
        const bool one_line_each = std::string(command) != "inspect";
        EXPECT_TRUE(run.out_lines == lines || (!one_line_each && run.out_lines > lines)) << command;
        expect_bounded(run, kFramesKib);
    }
}

TEST(CliStreaming, ManyMessages) {
    const std::string unit =
        "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"task\":"
        "\"impl auth\",\"l\":[1,2.5,null]}}\n";
    const size_t block = (kMiB / unit.size() + 1) * unit.size();
    const Ran run = run_accp_fed({"encode", "--envelope"}, repeated(unit, kBlocks * block));
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out_lines, kBlocks * block / unit.size());
    expect_bounded(run, kFramesKib);
}

TEST(CliStreaming, EveryLineRefused) {
    constexpr size_t kBytes = (ACCP_SANITIZED ? 1 : 4) * kMiB;
    const Ran run = run_accp_fed({"canon"}, repeated("x\n", kBytes));
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out_bytes, kBytes / 2);
    expect_bounded(run, kFramesKib);
}

TEST(CliStreaming, OneLineOf100MiB) {
    const std::string next = "\n@a>req:x{k:1}\n";
    for (const char *command : {"parse", "canon", "decode", "inspect"}) {
        SCOPED_TRACE(command);
        const Ran run = run_accp_fed({command}, repeated("@a>req:x{k:", 100 * kMiB, next));
        EXPECT_EQ(run.status, 1) << command;
        EXPECT_EQ(lines_of(run.err).size(), 1u) << command;
        expect_bounded(run, kFramesKib);
        EXPECT_NE(run.out.find("\n"), std::string::npos) << command;
        EXPECT_GT(run.out.size(), next.size() - 2)
            << command << " must do the record behind the long line";
    }
}

TEST(CliStreaming, AGoodFrameThatIsTooLong) {
    std::string begin = "@a>req:x{k:";
    bool first = true;
    const auto rest = repeated("a", 100 * kMiB, "}\n");
    const Ran run = run_accp_fed({"canon"}, [&]() -> std::string_view {
        return std::exchange(first, false) ? std::string_view(begin) : rest();
    });
    EXPECT_EQ(run.err.rfind("accp: record 1: E1001 at byte 65536: ", 0), 0u) << run.err;
    expect_bounded(run, kFramesKib);
}

TEST(CliStreaming, OneMessageOf100MiB) {
    const Ran run = run_accp_fed(
        {"encode"},
        repeated("[1,", 100 * kMiB,
                 "\n{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{}}\n"));
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "\n@a>req:x{}\n");
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    expect_bounded(run, kMessagesKib);
}

TEST(CliStreaming, UnfoldPassesOverAnything) {
    const Ran run = run_accp_fed(
        {"unfold"}, repeated("text without a frame ", 64 * kMiB, "\n@a>req:x{a:1|\n  b:2}\n"));
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out, "@a>req:x{a:1|b:2}\n");
    expect_bounded(run, kFramesKib);
    const Ran folded = run_accp_fed({"unfold"}, repeated(" a:1|\n", 32 * kMiB));
    EXPECT_EQ(folded.status, 0);
    expect_bounded(folded, kFramesKib);
    bool first = true;
    const auto rest = repeated("  a:1|\n", 32 * kMiB);
    const Ran endless = run_accp_fed({"unfold"}, [&]() -> std::string_view {
        return std::exchange(first, false) ? "@a>req:x{\n" : rest();
    });
    EXPECT_EQ(endless.status, 1);
    EXPECT_EQ(endless.err.rfind("accp: record 1: E1001 at byte 65536: ", 0), 0u) << endless.err;
    expect_bounded(endless, kFramesKib);
}

TEST(CliStreaming, AnswersBeforeTheInputEnds) {
    int in[2];
    int out[2];
    ASSERT_EQ(pipe(in), 0);
    ASSERT_EQ(pipe(out), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execl(ACCP_CLI_PATH, ACCP_CLI_PATH, "canon", nullptr);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    const std::string_view line = "@a>req:x{k:1.50}\n@b";
    ASSERT_EQ(write(in[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    pollfd ready = {out[0], POLLIN, 0};
    const bool answered = poll(&ready, 1, 300'000) == 1;
    EXPECT_TRUE(answered) << "no answer while the input is open";
    char answer[64];
    const ssize_t got = answered ? read(out[0], answer, sizeof answer) : 0;
    EXPECT_EQ(std::string(answer, got > 0 ? static_cast<size_t>(got) : 0), "@a>req:x{k:1.5}\n");
    close(in[1]);
    close(out[0]);
    int status = 0;
    waitpid(child, &status, 0);
}

}  // namespace
