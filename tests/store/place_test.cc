// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The file of a store: its permissions, files that are not stores, a file that is removed while it
// is open, and a directory without write permission.
#include <grp.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "store/stores.h"

using namespace store_tests;

namespace {

mode_t mode_of(const std::string &path) {
    struct stat found = {};
    return stat(path.c_str(), &found) == 0 ? found.st_mode & 0777 : 0;
}

TEST(StoreFiles, AreTheirOwnersAloneWhateverTheUmask) {
    for (mode_t mask : {0, 022, 077}) {
        Directory directory;
        const mode_t before = umask(mask);
        std::filesystem::create_symlink("target", directory.file("link"));
        for (const char *name : {"store", "link"}) {
            Opened store(directory.place(name));
            Open session(store, "s");
            EXPECT_EQ(session.append("x"), ACCP_OK);
            EXPECT_EQ(session->sync().code, ACCP_OK);
            const std::string path = directory.file(name == std::string("link") ? "target" : name);
            for (const char *end : {"", "-wal", "-shm"})
                EXPECT_EQ(mode_of(path + end), 0600u) << path << end;
        }
        umask(before);
    }
}

// A build may share one SQLite with the program, which may have used it first.
TEST(StoreFiles, SqliteMayBeInUseAlready) {
    ASSERT_EQ(sqlite3_initialize(), SQLITE_OK);
    Directory directory;
    Opened store(directory.place());
    ASSERT_EQ(store.status, ACCP_OK);
    Open session(store, "s");
    EXPECT_EQ(session.append("x"), ACCP_OK);
}

TEST(StoreFiles, AModeThatWasGivenStays) {
    Directory directory;
    { Opened made(directory.place()); }
    ASSERT_EQ(chmod(directory.file().c_str(), 0660), 0);
    Opened store(directory.place());
    Open session(store, "s");
    EXPECT_EQ(mode_of(directory.file()), 0660u);
    EXPECT_EQ(mode_of(directory.file() + "-wal"), 0660u);
}

TEST(StoreFiles, WhatIsNoFileIsRefusedAndLeavesNothing) {
    Directory directory;
    const std::string pipe = directory.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/null", directory.file("link"));
    for (const std::string &path : {std::string("/dev/null"), std::string("/dev/zero"), pipe,
                                    directory.file("link"), directory.file(".")}) {
        EXPECT_EQ(Opened("sqlite:" + path, store::StorePlace{}).status, ACCP_ERR_ARG) << path;
        for (const char *end : {"-journal", "-wal", "-shm"})
            EXPECT_FALSE(std::filesystem::exists(path + end)) << path << end;
    }
}

TEST(StoreFiles, OneThatIsTakenAwayIsNoticed) {
    struct Case {
        const char *name;
        std::function<void(const std::string &)> run;
    };
    const Case cases[] = {
        {"removed", [](const std::string &file) { std::filesystem::remove(file); }},
        {"renamed", [](const std::string &file) { std::filesystem::rename(file, file + ".old"); }},
        {"replaced",
         [](const std::string &file) {
             std::filesystem::copy_file(file, file + ".new");
             std::filesystem::rename(file + ".new", file);
         }},
        {"its log removed",
         [](const std::string &file) { std::filesystem::remove(file + "-wal"); }},
    };
    for (const Case &one : cases) {
        SCOPED_TRACE(one.name);
        Directory directory;
        Opened store(directory.place());
        Open session(store, "s");
        EXPECT_EQ(session.append("one"), ACCP_OK);
        EXPECT_EQ(session->sync().code, ACCP_OK);
        one.run(directory.file());
        EXPECT_EQ(session.append("two"), ACCP_OK);
        Status status = session->sync();
        EXPECT_EQ(status.code, ACCP_ERR_IO);
        EXPECT_NE(std::string(status.message).find("removed or replaced"), std::string::npos)
            << status.message;
        EXPECT_EQ(Open(store, "t").status, ACCP_ERR_IO);
        EXPECT_EQ(session.records(1, 1), "1:one") << "reading goes on";
    }
}

// Runs in a process without the rights of root.
int without_rights(const std::function<int()> &work) {
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 &&
            (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0))
            _exit(99);
        _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StoreFiles, AreReadWhereNothingCanBeWritten) {
    for (const char *name : {"store", "a store?50%#1"}) {
        Directory directory;
        {
            Opened store(directory.place(name));
            Open session(store, "s");
            EXPECT_EQ(session.append("one"), ACCP_OK);
            EXPECT_EQ(session->sync().code, ACCP_OK);
        }
        ASSERT_EQ(chmod(directory.file(name).c_str(), 0444), 0);
        ASSERT_EQ(chmod(directory.file(".").c_str(), 0555), 0);
        store::StorePlace reads;
        reads.writes = false;
        EXPECT_EQ(without_rights([&] {
                      Opened store(directory.place(name), reads);
                      if (store.status != ACCP_OK) return 1;
                      if (!store.damage().empty()) return 2;
                      return Open(store, "s", false).records() == "1:one" ? 0 : 3;
                  }),
                  0);
        EXPECT_EQ(without_rights([&] {
                      store::Store store{Settings()};
                      const std::string place = directory.place(name);
                      store::StorePlace writes;
                      writes.name = place;
                      Status status = store.open(writes);
                      return status.code == ACCP_ERR_IO &&
                                     std::string(status.message).find("directory is read-only") == 4
                                 ? 0
                                 : 1;
                  }),
                  0);
        ASSERT_EQ(chmod(directory.file(".").c_str(), 0755), 0);
        std::ofstream(directory.file(name) + "-wal") << "what a crash left";
        ASSERT_EQ(chmod((directory.file(name) + "-wal").c_str(), 0444), 0);
        ASSERT_EQ(chmod(directory.file(".").c_str(), 0555), 0);
        EXPECT_EQ(without_rights([&] {
                      store::Store store{Settings()};
                      const std::string place = directory.place(name);
                      store::StorePlace named = reads;
                      named.name = place;
                      Status status = store.open(named);
                      return status.code == ACCP_ERR_IO &&
                                     std::string(status.message).find("-wal") != std::string::npos
                                 ? 0
                                 : 1;
                  }),
                  0);
        ASSERT_EQ(chmod(directory.file(".").c_str(), 0755), 0);
    }
}

}  // namespace
