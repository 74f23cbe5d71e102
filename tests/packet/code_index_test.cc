// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// packet/code/memory.h, packet/code/rank.h: what is stored of files, and how they are ranked for a
// task.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "failing.h"
#include "packet/code/memory.h"
#include "packet/code/rank.h"
#include "unit.h"

namespace {

using namespace accp;
using packet::Speaker;

struct Tree {
    const char *path, *text;
};
const Tree kTree[] = {
    {"src/auth/login.py",
     "\"\"\"Logs users in.\"\"\"\ndef create_token(user):\n    pass\ndef "
     "check_password(user, word):\n    pass\n"},
    {"src/auth/register.py",
     "\"\"\"Registers users by mail.\"\"\"\ndef register(user):\n    pass\n"},
    {"src/models/user.py", "class User:\n    name: str\n"},
    {"src/charts/login.ts", "// Draws how often users came\nexport function draw() {\n}\n"},
    {"tests/test_login.py", "def test_login():\n    create_token(user)\n    login(user)\n"},
    {"vendor/auth/login.py", "def login(token):\n    login(token)\n"},
    {"docs/login.md", "# How login works\n\nlogin login token\n"},
    {"data/login.json", "{\"login\": \"token\"}"},
    {"src/weather.py", "def rain():\n    pass\n"},
};

class CodeIndexTest : public ::testing::Test {
protected:
    CodeIndexTest() {
        for (const Tree &file : kTree) index_.add(file.path, file.text);
    }
    // Returns the paths, best first.
    std::vector<std::string> rank(const std::string &task, const std::string &talk = "") {
        talk_ = talk;
        said_ = {{Speaker::kUser, talk_}};
        const std::span<const packet::Utterance> said(said_.data(), talk.empty() ? 0 : 1);
        task_ = task;
        extractor_.extract(task_, said);
        EXPECT_EQ(ranker_.rank(&files_, extractor_, task_, said).code, ACCP_OK);
        std::vector<std::string> paths;
        for (const packet::FileCandidate &file : ranker_.files()) paths.emplace_back(file.path);
        return paths;
    }
    std::string summary(const std::string &path) {
        for (const packet::FileCandidate &file : ranker_.files())
            if (file.path == path) return std::string(file.summary);
        return "none";
    }

    Memory memory_{private_allocator(), UINT64_MAX};
    packet::MemoryCodeIndex files_{memory_};
    packet::CodeFileTable &index_ = files_.index();
    packet::Extractor extractor_{memory_};
    packet::FileRanker ranker_{memory_};
    std::string task_, talk_;
    std::vector<packet::Utterance> said_;
};

TEST_F(CodeIndexTest, RanksByNameSymbolsAndText) {
    const auto paths = rank("Let login issue a token");
    ASSERT_GE(paths.size(), 4u);
    EXPECT_EQ(paths[0], "src/auth/login.py");
    const auto place = [&](const char *path) {
        return std::find(paths.begin(), paths.end(), path) - paths.begin();
    };
    EXPECT_LT(place("src/charts/login.ts"), place("vendor/auth/login.py"));
    EXPECT_EQ(place("src/weather.py"), static_cast<ptrdiff_t>(paths.size()));
    EXPECT_EQ(summary("src/auth/login.py"), "Logs users in (create_token)");
    EXPECT_EQ(rank("Test the login")[0], "tests/test_login.py");
}

TEST_F(CodeIndexTest, JoinsWhatTalkNames) {
    // by the end of its path, by a longer path, and by a symbol
    EXPECT_EQ(rank("Mend it", "Look at models/user.py please")[0], "src/models/user.py");
    EXPECT_EQ(summary("src/models/user.py"), "User");
    EXPECT_EQ(rank("Mend it", "It is in /home/me/app/src/weather.py now")[0], "src/weather.py");
    EXPECT_EQ(rank("Mend check_password")[0], "src/auth/login.py");
    EXPECT_EQ(rank("Mend it", "I think check_password is slow"),
              std::vector<std::string>{"src/auth/login.py"});
    // of two files with one name, the better match for the task
    EXPECT_EQ(rank("Mend the token of users", "It is in login.py")[0], "src/auth/login.py");
    // a file that is not in the code keeps its path
    EXPECT_EQ(rank("Write it", "Call it src/new.py")[0], "src/new.py");
    EXPECT_EQ(summary("src/new.py"), "");
}

TEST_F(CodeIndexTest, EachFileOnce) {
    auto paths =
        rank("Let login issue a token", "See auth/login.py, login.md and src/auth/login.py");
    std::sort(paths.begin(), paths.end());
    EXPECT_EQ(std::adjacent_find(paths.begin(), paths.end()), paths.end());
}

// If files have the same words, those outside the project come last. Equal files are sorted by
// path.
TEST_F(CodeIndexTest, OfEqualFiles) {
    for (const char *path : {"tests/pay.py", "vendor/pay.py", "zone/pay.py", "pay.md", "pay.dat"})
        index_.add(path, "def pay(): bill\n");
    EXPECT_EQ(rank("Mend the bill")[0], "zone/pay.py");
    EXPECT_EQ(rank("Mend the tests of a bill")[0], "tests/pay.py");
    for (char name = 'z'; name >= 'a'; --name)
        index_.add(std::string("q") + name + ".py", "snow\n");
    const std::vector<std::string> expected = {"qa.py", "qb.py", "qc.py", "qd.py",
                                               "qe.py", "qf.py", "qg.py", "qh.py"};
    EXPECT_EQ(rank("Let it snow"), expected);
}

TEST_F(CodeIndexTest, NothingOfTheTask) {
    EXPECT_TRUE(rank("Zebra").empty());
    EXPECT_TRUE(rank("the of and").empty());
}

TEST_F(CodeIndexTest, AddsReplacesAndRemoves) {
    EXPECT_EQ(index_.count(), std::size(kTree));
    EXPECT_TRUE(index_.has("src/weather.py", packet::CodeReader::hash_text(kTree[8].text)));
    index_.add("src/weather.py", "def snow():\n");
    EXPECT_FALSE(index_.has("src/weather.py", packet::CodeReader::hash_text(kTree[8].text)));
    EXPECT_EQ(index_.count(), std::size(kTree));
    EXPECT_EQ(rank("Let it snow")[0], "src/weather.py");
    EXPECT_TRUE(rank("Stop the rain").empty());
    EXPECT_TRUE(index_.remove("src/weather.py"));
    EXPECT_FALSE(index_.remove("src/weather.py"));
    EXPECT_FALSE(index_.remove("src/none.py"));
    EXPECT_TRUE(rank("Let it snow").empty());
    EXPECT_EQ(index_.count(), std::size(kTree) - 1);
    index_.add("src/weather.py", "def snow():\n");
    EXPECT_EQ(rank("Let it snow")[0], "src/weather.py");
    EXPECT_EQ(index_.count(), std::size(kTree));
}

// The order of adding does not matter.
TEST_F(CodeIndexTest, SameInAnyOrder) {
    const auto expected = rank("Let login issue a token", "It is create_token of login.py");
    std::vector<Tree> tree(std::begin(kTree), std::end(kTree));
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
        std::shuffle(tree.begin(), tree.end(), random);
        for (const Tree &file : kTree) index_.remove(file.path);
        packet::MemoryCodeIndex other(memory_);
        for (const Tree &file : tree) other.index().add(file.path, file.text);
        extractor_.extract(task_, said_);
        EXPECT_EQ(ranker_.rank(&other, extractor_, task_, said_).code, ACCP_OK);
        std::vector<std::string> paths;
        for (const packet::FileCandidate &file : ranker_.files()) paths.emplace_back(file.path);
        EXPECT_EQ(paths, expected);
    }
}

TEST_F(CodeIndexTest, AnyBytes) {
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        const size_t size = random() % 200;
        const std::unique_ptr<char[]> text(new char[size]);
        for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(random());
        index_.add("a/" + std::to_string(round % 50) + ".py", {text.get(), size});
    }
    EXPECT_EQ(index_.count(), std::size(kTree) + 50);
    index_.add("latin.py",
               "# Stra\xDF"
               "en und ihre Namen\ndef street():\n");
    rank("Mend the street");
    EXPECT_EQ(summary("latin.py"), "Stra en und ihre Namen (street)");
    index_.add("binary.py", std::string_view("# Words of people\0\n", 19));
    EXPECT_EQ(rank("The binary"), std::vector<std::string>{"binary.py"});
    EXPECT_EQ(summary("binary.py"), "");
}

TEST_F(CodeIndexTest, LargeFilesAreReadToALimit) {
    std::string text(packet::kMaxCodeBytes, 'x');
    text += "\ndef beyond():\n";
    index_.add("large.py", text);
    EXPECT_TRUE(rank("Go beyond").empty());
}

// Each allocation fails in turn: the index is unchanged, and nothing leaks.
TEST(CodeIndexMemory, OutOfMemory) {
    accp_test::Failing failing;
    {
        Memory memory(failing.allocator(), UINT64_MAX);
        packet::CodeFileTable index(memory);
        int64_t at = 0;
        for (const Tree &file : kTree) {
            const size_t before = index.count();
            while (accp_test::fails(failing, at, [&] { index.add(file.path, file.text); })) {
                EXPECT_EQ(index.count(), before);
                ++at;
            }
            EXPECT_EQ(index.count(), before + 1);
            at = 0;
        }
        EXPECT_GT(failing.live, static_cast<int64_t>(std::size(kTree)));
    }
    EXPECT_EQ(failing.live, 0);
}

// The name of a folder counts at any place of the path.
TEST(TestFiles, ByNameOrFolder) {
    const struct {
        const char *path;
        bool is;
    } cases[] = {{"test/x.py", true},         {"src/tests/x.py", true}, {"mytest/test/x", true},
                 {"a/latest/test/x", true},   {"spec/a.rb", true},      {"go/testdata/x", true},
                 {"js/__tests__/a.ts", true}, {"src/test_x.py", true},  {"a/x_test.go", true},
                 {"a/x.spec.ts", true},       {"mytest/x", false},      {"latest/x", false},
                 {"testing/x", false},        {"src/test", false},      {"contest.py", false}};
    for (const auto &each : cases) EXPECT_EQ(packet::is_test_file(each.path), each.is) << each.path;
}

}  // namespace
