// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// packet/code/disk.h: the index on disk gives the same results as the one in memory, after any
// operations on both and on its file.
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <thread>

#include "base/sha256.h"
#include "packet/code_on_disk.h"
#include "store/stores.h"

namespace {

using namespace code_trees;
using store_tests::Directory;

std::string read(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

// Runs a statement in the file, as another program could.
void run_sql(const std::string &path, const std::string &sql) {
    sqlite3 *db = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    sqlite3_close(db);
}

// Applies the same operations to both indexes.
class CodeDiskModel : public testing::TestWithParam<unsigned> {
protected:
    void SetUp() override { open(); }
    void open() {
        disk_ = std::make_unique<OnDisk>(directory_.file());
        ASSERT_EQ(disk_->status.code, ACCP_OK) << disk_->status.message;
    }
    void add(const std::string &path, const std::string &text, uint64_t stamp) {
        ASSERT_EQ(disk_->files.add(path, text, stamp).code, ACCP_OK);
        ASSERT_EQ(memory_files_.add(path, text, stamp).code, ACCP_OK);
        texts_[path] = text;
    }
    void remove(const std::string &path) {
        bool here = false, there = false;
        ASSERT_EQ(disk_->files.remove(path, there).code, ACCP_OK);
        ASSERT_EQ(memory_files_.remove(path, here).code, ACCP_OK);
        ASSERT_EQ(here, there) << path;
        texts_.erase(path);
    }
    void step() {
        const std::string path = texts_.empty() || code_.below(3) ? code_.path() : some_path();
        switch (code_.below(12)) {
            case 0:
            case 1: return remove(path);
            case 2: {
                const std::string known = texts_.empty() ? path : some_path();
                return add(known, texts_[known], code_.below(3));
            }
            case 3: ASSERT_EQ(disk_->files.sync().code, ACCP_OK); return;
            case 4:  // unsynced changes may be lost
                ASSERT_EQ(disk_->files.sync().code, ACCP_OK);
                return open();
            default: return add(path, code_.text(), code_.below(3));
        }
    }
    void expect_same() {
        const std::string task = code_.task();
        std::string talk = code_.talk();
        for (unsigned i = texts_.empty() ? 0 : code_.below(20); i; --i)
            talk += "See " + some_path() + ".\n";
        uint64_t mine = 0, its = 0;
        const std::string known = texts_.empty() ? "none" : some_path();
        ASSERT_EQ(disk_->files.stamp(known, its).code, ACCP_OK);
        ASSERT_EQ(memory_files_.stamp(known, mine).code, ACCP_OK);
        ASSERT_EQ(mine, its) << known;
        ASSERT_EQ(asker_.ask(disk_->files, task, talk), asker_.ask(memory_files_, task, talk))
            << task << "\n"
            << talk;
        ASSERT_EQ(listed(disk_->files), listed(memory_files_));
        const std::string path = code_.path();
        const uint64_t hash = packet::CodeReader::hash_text(texts_[path]);
        bool here = false, there = false;
        ASSERT_EQ(disk_->files.has(path, hash, there).code, ACCP_OK);
        ASSERT_EQ(memory_files_.has(path, hash, here).code, ACCP_OK);
        ASSERT_EQ(here, there);
    }
    std::string some_path() {
        auto at = texts_.begin();
        std::advance(at, code_.below(static_cast<unsigned>(texts_.size())));
        return at->first;
    }

    RandomCode code_{GetParam()};
    Directory directory_;
    std::unique_ptr<OnDisk> disk_;
    Memory memory_{private_allocator(), UINT64_MAX};
    packet::MemoryCodeIndex memory_files_{memory_};
    std::map<std::string, std::string> texts_;
    Asker asker_;
};

TEST_P(CodeDiskModel, AnswersAsTheIndexInMemory) {
    for (int round = 0; round < (ACCP_SANITIZED ? 15 : 60) && !HasFailure(); ++round) {
        for (unsigned steps = code_.below(40); steps && !HasFatalFailure(); --steps) step();
        expect_same();
    }
}
INSTANTIATE_TEST_SUITE_P(Seeds, CodeDiskModel, testing::Range(1u, 9u));

class CodeDiskTest : public testing::Test {
protected:
    // Adds some files and returns the ranking.
    std::string fill() {
        OnDisk disk(path_);
        EXPECT_EQ(disk.status.code, ACCP_OK);
        RandomCode code(5);
        for (int i = 0; i < 300; ++i) EXPECT_TRUE(disk->add(code.path(), code.text(), 7).ok());
        EXPECT_TRUE(disk->sync().ok());
        return listed(disk.files);
    }
    std::string now() {
        OnDisk disk(path_);
        return disk.status.ok() ? listed(disk.files) : disk.status.message;
    }
    std::string ask(OnDisk &disk) { return asker_.ask(disk.files, "Let a user login", ""); }

    Directory directory_;
    const std::string path_ = directory_.file("code.sqlite");
    Asker asker_;
};

TEST_F(CodeDiskTest, StaysWhatItWas) {
    const std::string filled = fill();
    EXPECT_EQ(now(), filled);
    EXPECT_FALSE(std::filesystem::exists(path_ + "-wal")) << "one file, while nobody has it open";
    EXPECT_EQ(std::filesystem::status(path_).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(CodeDiskTest, WhatIsNotSyncedIsLostAndNothingElse) {
    const std::string filled = fill();
    {
        OnDisk disk(path_);
        EXPECT_TRUE(disk->add("late.py", "def late():\n").ok());
        uint64_t count = 0;
        EXPECT_TRUE(disk->count(count).ok());
        EXPECT_EQ(std::to_string(count - 1), filled.substr(0, filled.find('\n')));
    }
    EXPECT_EQ(now(), filled);
}

TEST_F(CodeDiskTest, SomethingElseIsRefusedAndStays) {
    write(path_, "a letter to somebody");
    const std::string letter = now();
    EXPECT_EQ(letter, "not an index of code, or its header is damaged");
    EXPECT_EQ(read(path_), "a letter to somebody");
    const std::string store = directory_.file("store.sqlite");
    { store_tests::Opened made("sqlite:" + store); }
    const std::string before = read(store);
    OnDisk disk(store);
    EXPECT_EQ(disk.status.code, ACCP_ERR_ARG);
    EXPECT_STREQ(disk.status.message, "the file is not an index of code");
    EXPECT_EQ(read(store), before);
    EXPECT_EQ(store_tests::Opened("sqlite:" + path_, store::StorePlace{}).status, ACCP_ERR_CORRUPT);
    EXPECT_EQ(OnDisk(directory_.file("none/code")).status.code, ACCP_ERR_IO);
    EXPECT_EQ(OnDisk(directory_.file("")).status.code, ACCP_ERR_ARG);
}

// An unusable index is replaced.
TEST_F(CodeDiskTest, AnotherVersionIsMadeAnew) {
    for (const char *sql : {"PRAGMA user_version = 2", "PRAGMA user_version = -1",
                            "DROP TABLE path", "CREATE TABLE more (x)"}) {
        EXPECT_NE(fill(), "0\n");
        run_sql(path_, sql);
        EXPECT_EQ(now(), "0\n") << sql;
        EXPECT_NE(fill(), "0\n") << sql;
    }
}

TEST_F(CodeDiskTest, OneThatWasCutShortIsMadeAnew) {
    fill();
    const std::string whole = read(path_);
    for (const size_t size : {whole.size() / 2, size_t{5000}, size_t{100}}) {
        write(path_, whole.substr(0, size));
        EXPECT_EQ(now(), "0\n") << size;
    }
    write(path_, "");
    EXPECT_EQ(now(), "0\n");
}

// Damage that is found later: the call reports it, and the next open creates a new index.
TEST_F(CodeDiskTest, DamagedOnesAreTakenAway) {
    for (const char *sql : {"UPDATE source SET said = x'00'", "UPDATE source SET length = 1",
                            "DELETE FROM source WHERE number % 2", "UPDATE source SET hash = 1",
                            "DELETE FROM file", "UPDATE file SET files = 1"}) {
        fill();
        run_sql(path_, sql);
        {
            OnDisk disk(path_);
            ASSERT_EQ(disk.status.code, ACCP_OK) << sql;
            const char *gone =
                "the code index was damaged, and its file has been removed: open it again";
            EXPECT_EQ(ask(disk), gone) << sql;
            EXPECT_EQ(disk->add("a.py", "").code, ACCP_ERR_CORRUPT);
            EXPECT_FALSE(std::filesystem::exists(path_));
            EXPECT_EQ(now(), "0\n");  // closing the old one does not affect it
        }
        EXPECT_EQ(now(), "0\n");
    }
}

// After a change of any byte, calls return a result or the error for damage, and no other error.
TEST_F(CodeDiskTest, AnyByteMayChange) {
    fill();
    const std::string whole = read(path_);
    ASSERT_GT(whole.size(), 20000u);
    std::mt19937 random(3);
    for (int turn = 0; turn < (ACCP_SANITIZED ? 100 : 600); ++turn) {
        std::string bytes = whole;
        for (unsigned i = 1 + random() % 8; i; --i)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        if (turn % 10 == 0) bytes.resize(random() % bytes.size());
        write(path_, bytes);
        OnDisk disk(path_);
        if (disk.status.failed()) {
            EXPECT_TRUE(disk.status.code == ACCP_ERR_CORRUPT || disk.status.code == ACCP_ERR_ARG)
                << disk.status.message;
        } else {
            ask(disk);
            bool was_there = false;
            (void)disk->remove("src/login.py", was_there);
            (void)disk->add("src/login.py", "def login():\n");
            const accp_status code = disk->sync().code;
            EXPECT_TRUE(code == ACCP_OK || code == ACCP_ERR_CORRUPT) << code;
        }
        std::filesystem::remove(path_);
    }
}

// Simulates several processes by one connection each.
TEST_F(CodeDiskTest, ManyAtOnce) {
    const auto next_of = [](RandomCode &code, unsigned part, int number) {
        std::string path = std::to_string(part) + "/" + std::to_string(number) + code.path();
        return std::pair(path, code.text());
    };
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 4; ++seed)
        threads.emplace_back([this, seed, next_of] {
            OnDisk disk(path_);
            ASSERT_EQ(disk.status.code, ACCP_OK) << disk.status.message;
            RandomCode code(seed % 2);  // two of them write the same files
            Asker asker;
            for (int i = 0; i < 200; ++i) {
                const auto [path, text] = next_of(code, seed % 2, i);
                ASSERT_TRUE(disk->add(path, text, 1).ok());
                if (i % 20 == 0) {
                    ASSERT_TRUE(disk->sync().ok());
                }
                if (i % 50 == 0) asker.ask(disk.files, "Let a user login", "");
            }
            ASSERT_TRUE(disk->sync().ok());
        });
    for (std::thread &thread : threads) thread.join();
    OnDisk disk(path_);
    const std::string all = listed(disk.files);
    packet::MemoryCodeIndex model(disk.memory);
    for (unsigned seed = 0; seed < 2; ++seed) {
        RandomCode code(seed);
        for (int i = 0; i < 200; ++i) {
            const auto [path, text] = next_of(code, seed, i);
            ASSERT_TRUE(model.add(path, text, 1).ok());
        }
    }
    EXPECT_EQ(all, listed(model));
    EXPECT_EQ(ask(disk), asker_.ask(model, "Let a user login", ""));
}

// If reading a file gives another result than the stored one, both must not meet: raise
// kCodeVersion of store/code_rows.cc together with this digest.
TEST(CodeDiskVersion, IsThatOfWhatIsStored) {
    Memory memory(private_allocator(), UINT64_MAX);
    packet::CodeReader reader(memory);
    packet::CodeTerms terms(memory);
    RandomCode code(1);
    std::string all;
    for (int i = 0; i < 500; ++i) {
        const std::string path = code.path(), text = code.text();
        const packet::CodeFile file = reader.read(path, text, i);
        const store::CodeSourceRow row = terms.pack(file, 1);
        for (std::string_view part : {row.said, row.words, terms.terms_of(file)}) all.append(part);
        all += std::to_string(row.length) + std::to_string(row.kind);
    }
    EXPECT_EQ(std::string(sha256(all).view()),
              "3870098c8db0ad17fac21b95002243c1dc6256178d2a0c705dc9bef8b71268d7");
}

}  // namespace
