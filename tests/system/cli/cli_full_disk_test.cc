// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session on a full disk: every record that is reported as stored is in the log, and no other.
// A run that continues from there stores every message once. A limit on file sizes replaces the
// full disk: a write beyond it fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "run_accp.h"

namespace {

constexpr int kMessages = 60;

class CliFullDisk : public testing::TestWithParam<const char *> {
protected:
    void SetUp() override {
        std::string path = testing::TempDir() + "accp-full-XXXXXX";
        directory_ = mkdtemp(path.data());
        for (int i = 1; i <= kMessages; ++i) write(name(i), message(i, 1500));
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    void write(const std::string &file, const std::string &text) const {
        std::ofstream(directory_ + "/" + file) << text;
    }
    static std::string name(int i) { return std::to_string(i) + ".json"; }
    // Each message has its own agent, which identifies its record, and a text that does not
    // compress.
    static std::string message(int i, size_t size) {
        std::mt19937 random(static_cast<uint32_t>(i));
        std::string text;
        while (text.size() < size)
            text += "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[random() % 52];
        return R"({"agent":"a)" + std::to_string(i) +
               R"(","intent":"ack","operation":"note","payload":{"text":")" + text + "\"}}\n";
    }
    std::string command(const std::string &action, const std::string &more) const {
        return "accp session " + action + " --rule max_tokens=0 --store sqlite:" + directory_ +
               "/s.db " + more;
    }
    Ran under_limit(int blocks, const std::string &line) const {
        return run_shell("trap '' XFSZ; cd " + directory_ + "; ulimit -f " +
                         std::to_string(blocks) + "; " + line);
    }
    // Returns the agents of the log, in its order.
    std::vector<std::string> logged() const {
        std::vector<std::string> agents;
        for (const std::string &line : lines_of(run_shell(command("log", "")).out)) {
            const size_t at =
                line.find(line.find("\tM\t") != std::string::npos ? "\"agent\":\"" : "@");
            const size_t from = line.find('a', at + (line[at] == '@' ? 0 : 8));
            agents.push_back(line.substr(from, line.find_first_of("\">", from) - from));
        }
        return agents;
    }
    std::string files(int from) const {
        std::string all;
        for (int i = from; i <= kMessages; ++i) all += " " + name(i);
        return all;
    }
    static size_t answered(const Ran &run) {
        const std::vector<std::string> lines = lines_of(run.out);
        return lines.size() - static_cast<size_t>(std::count(lines.begin(), lines.end(), ""));
    }

    std::string directory_;
};

TEST_P(CliFullDisk, WhatIsAnsweredIsKeptAndNothingElse) {
    for (int blocks : {150, 263}) {
        for (const char *end : {"", "-wal", "-shm"})
            std::filesystem::remove(directory_ + "/s.db" + end);
        const Ran full = under_limit(blocks, command(GetParam(), files(1)));
        const size_t kept = answered(full);
        EXPECT_EQ(full.status, 2) << full.err;
        ASSERT_GT(kept, 0u) << full.err;
        ASSERT_LT(kept, static_cast<size_t>(kMessages));
        EXPECT_NE(full.err.find("record " + std::to_string(kept + 1) +
                                ": ERR_IO: the disk is full: it is not stored"),
                  std::string::npos)
            << full.err;
        EXPECT_EQ(logged().size(), kept);
        const Ran rest = run_shell("cd " + directory_ + "; " +
                                   command(GetParam(), files(static_cast<int>(kept) + 1)));
        EXPECT_EQ(rest.status, 0) << rest.err;
        EXPECT_EQ(answered(rest), kMessages - kept);
        const std::vector<std::string> agents = logged();
        ASSERT_EQ(agents.size(), static_cast<size_t>(kMessages));
        for (int i = 1; i <= kMessages; ++i)
            EXPECT_EQ(agents[static_cast<size_t>(i) - 1], "a" + std::to_string(i));
        if (GetParam() != std::string("send")) continue;
        const std::vector<std::string> frames = lines_of(full.out + rest.out);
        for (int i = 1; i <= kMessages; ++i)
            EXPECT_NE(frames[static_cast<size_t>(i) - 1].find(",seq:" + std::to_string(i) + ","),
                      std::string::npos)
                << "never printed";
    }
}

// A small message that would fit is not stored after a large one that does not.
TEST_P(CliFullDisk, ASmallOneDoesNotPassABigOne) {
    write(name(1), message(1, 100));
    write(name(2), message(2, 60'000));
    write(name(3), message(3, 10));
    const Ran full = under_limit(80, command(GetParam(), "1.json 2.json 3.json"));
    EXPECT_EQ(full.status, 2);
    EXPECT_EQ(answered(full), 1u) << full.err;
    EXPECT_EQ(logged(), std::vector<std::string>{"a1"});
}

INSTANTIATE_TEST_SUITE_P(Actions, CliFullDisk, testing::Values("append", "send"),
                         [](const auto &it) { return std::string(it.param); });

// The output is on the full disk too: the command reports that the accepted records are stored.
TEST(CliFullOutput, SaysWhereTheFramesAre) {
    const Ran run = run_shell(
        "echo '{\"agent\":\"a\",\"intent\":\"ack\",\"operation\":\"note\",\"payload\":{}}' | accp "
        "session send >/dev/full");
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("what was accepted is stored: see accp session log"), std::string::npos)
        << run.err;
}

}  // namespace
