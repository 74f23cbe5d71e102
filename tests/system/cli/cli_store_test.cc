// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp store: stats, verify, export, import, prune.
#include "run_accp.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace {

class CliStore : public testing::Test {
protected:
    CliStore() {
        for (const char *end : {"", "-wal", "-shm"}) std::remove((path_ + end).c_str());
    }
    const std::string path_ = testing::TempDir() + "accp_store_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
    const std::string place_ = "sqlite:" + path_;
    const std::string text_ =
        "{\"session\":\"s\",\"form\":2,\"version\":1,\"generation\":3,\"floor\":3,\"records\":1,"
        "\"state\":\"x\"}\n"
        "{\"record\":1,\"bytes\":\"one\"}\n"
        "{\"tier\":\"warm\",\"key\":\"old\",\"expires\":1,\"generation\":0,\"blob_text\":\"b\"}\n"
        "{\"tier\":\"cold\",\"key\":\"a\",\"expires\":0,\"generation\":1,\"blob\":{\"v\":[1]}}\n"
        "{\"mid\":\"0123456789ab\"}\n"
        "{\"session\":\"t\",\"form\":2,\"version\":0,\"generation\":0,\"floor\":0,\"records\":0}\n";
};

TEST_F(CliStore, ThereAndBack) {
    EXPECT_EQ(run_accp({"store", "stats", place_}).status, 2);  // the store does not exist
    Ran run = run_accp({"store", "import", place_}, text_);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run_accp({"store", "export", place_}).out, text_);
    EXPECT_EQ(run_accp({"store", "export", place_, "t"}).out,
              text_.substr(text_.find("{\"session\":\"t\"")));
    EXPECT_EQ(run_accp({"store", "stats", place_}).out,
              "sessions      2\nrecords       1\nrecord_bytes  3\nblobs         2\nblob_bytes    "
              "10\nmids          1\ngrants        0\n");
    run = run_accp({"store", "verify", place_});
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.status, 0);
    run = run_accp({"store", "import", place_}, text_);
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("ERR_BUSY"), std::string::npos) << run.err;
    run = run_accp({"store", "export", place_, "nobody"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("session nobody: E2001"), std::string::npos) << run.err;
    run = run_accp({"store", "prune", place_});
    EXPECT_EQ(run.out.substr(0, run.out.find("file_bytes")), "pruned        1\nfreed_bytes   1\n");
    run = run_accp({"store", "prune", "--keep", "1", place_});
    EXPECT_EQ(run.out.substr(0, run.out.find("file_bytes")), "pruned        1\nfreed_bytes   9\n");
}

// Space that pruning frees is used again or returned, and the rest stays intact.
TEST_F(CliStore, PruningGivesSpaceBackWhereThatIsAskedFor) {
    std::string lines =
        "{\"session\":\"s\",\"form\":2,\"version\":0,\"generation\":9,\"floor\":9,\"records\":0}\n";
    uint64_t seed = 1;
    for (int i = 1; i <= 9; ++i) {
        std::string text;  // text that does not compress
        for (int j = 0; j < 50000; ++j) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            text += static_cast<char>('a' + (seed >> 33) % 26);
        }
        lines += "{\"tier\":\"warm\",\"key\":\"k" + std::to_string(i) +
                 "\",\"expires\":0,\"generation\":" + std::to_string(i) + ",\"blob_text\":\"" +
                 text + "\"}\n";
    }
    ASSERT_EQ(run_accp({"store", "import", place_}, lines).status, 0);
    const auto number = [](const std::string &out, const std::string &name) {
        const size_t at = out.find(name);
        return at == out.npos ? -1 : std::stol(out.substr(at + name.size()));
    };
    const std::string kept = run_accp({"store", "prune", "--keep", "3", place_}).out;
    EXPECT_EQ(number(kept, "pruned"), 6) << kept;
    EXPECT_EQ(number(kept, "freed_bytes"), 300000) << kept;
    const std::string given = run_accp({"store", "prune", "--keep", "3", "--vacuum", place_}).out;
    EXPECT_EQ(number(given, "pruned"), 0) << given;
    EXPECT_LT(number(given, "file_bytes"), number(kept, "file_bytes") / 2) << given;
    EXPECT_GT(number(given, "file_freed"), 200000) << given;
    EXPECT_EQ(run_accp({"store", "verify", place_}).status, 0);
    EXPECT_NE(run_accp({"store", "export", place_}).out.find("\"key\":\"k9\""), std::string::npos);
    EXPECT_EQ(run_accp({"store", "stats", "--vacuum", place_}).status, 2);
}

// Import accepts the previous form of an export. Export then writes today's form.
TEST_F(CliStore, TheFormBeforeIsTaken) {
    const std::string former =
        "{\"session\":\"s\",\"version\":1,\"generation\":3,\"floor\":3,\"state\":\"x\"}\n"
        "{\"record\":\"one\"}\n"
        "{\"tier\":\"warm\",\"key\":\"old\",\"expires\":1,\"generation\":0,\"blob\":\"b\"}\n"
        "{\"tier\":\"cold\",\"key\":\"a\",\"expires\":0,\"generation\":1,\"blob\":\"{\\\"v\\\":[1]}"
        "\"}\n"
        "{\"mid\":\"0123456789ab\"}\n"
        "{\"session\":\"t\",\"version\":0,\"generation\":0,\"floor\":0}\n";
    const Ran run = run_accp({"store", "import", place_}, former);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run_accp({"store", "export", place_}).out, text_);
}

TEST_F(CliStore, ADamagedLineIsToldByItsNumber) {
    std::string damaged = text_;
    damaged.replace(damaged.find("\"record\":1"), 10, "\"record\":2");
    const Ran run = run_accp({"store", "import", place_}, damaged);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.err.find("accp: line 2: E1004 at byte "), 0u) << run.err;
    EXPECT_NE(run.err.find("(2 of 1)"), std::string::npos) << run.err;
    EXPECT_EQ(run_accp({"store", "export", place_}).out, "");
}

TEST_F(CliStore, DamageIsTold) {
    ASSERT_EQ(run_accp({"store", "import", place_}, text_).status, 0);
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const size_t at = all.rfind("one");
    ASSERT_NE(at, std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(at));
    file << "two";
    file.close();
    const Ran run = run_accp({"store", "verify", place_});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "session s: record 1: a record is damaged\n");
    EXPECT_EQ(run_accp({"store", "export", place_}).status, 1);
}

TEST_F(CliStore, BadUse) {
    for (const std::vector<std::string> &arguments :
         std::vector<std::vector<std::string>>{{"store"},
                                               {"store", "burn", place_},
                                               {"store", "stats"},
                                               {"store", "stats", "redis:x"},
                                               {"store", "verify", place_, "x"}})
        EXPECT_EQ(run_accp(arguments).status, 2);
    EXPECT_EQ(run_accp({"store", "import", place_}, "{}").status, 1);
}

TEST_F(CliStore, WhyAStoreOrSessionCannotBeOpened) {
    const std::string none = place_ + "-none";
    ASSERT_EQ(run_accp({"session", "append", "--store", place_}, "").status, 0);
    const std::pair<std::vector<std::string>, const char *> cases[] = {
        {{"context", "--store", none}, "ERR_IO: there is no such file"},
        {{"append", "--store", none + "/a.db"}, "the file's directory does not exist"},
        {{"context", "--store", none + "/a.db"}, "ERR_IO: there is no such file"},
        {{"context", "--store", place_, "--session", "nobody"},
         "session nobody: E2001: no such session"},
        {{"context"}, "session default (in memory, without --store): E2001: no such session"},
    };
    for (const auto &[arguments, told] : cases) {
        std::vector<std::string> words = {"session"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        const Ran run = run_accp(words);
        EXPECT_NE(run.status, 0);
        EXPECT_NE(run.err.find(told), std::string::npos) << run.err;
    }
}

}  // namespace
