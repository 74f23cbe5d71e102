// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Hostile files in the place of packets: links, FIFOs, directories and huge files; also a full
// disk.
#include <sys/resource.h>

#include <csignal>

#include "packet/panes/project.h"

namespace {

using namespace accp_panes_test;
namespace fs = std::filesystem;

constexpr const char *kLink = "ERR_IO: a part of the path is a symbolic link or not a directory";
constexpr const char *kOdd = "ERR_IO: the target is not a regular file";

class HostileFiles : public Project {
protected:
    HostileFiles() {
        open();
        outside_ = directory_ + "/outside";
        fs::create_directories(outside_);
        std::ofstream(outside_ + "/secret") << context_of();
    }
    void make_tree() {
        ASSERT_EQ(write(1, context_of()), "");
        ASSERT_EQ(write_feedback(1, "a\n"), "");
    }
    std::string outside_;
};

TEST_F(HostileFiles, TheDirectoriesAreLinks) {
    for (const char *name : {"", "context", "feedback"}) {
        SCOPED_TRACE(name);
        fs::remove_all(path(""));
        if (*name) fs::create_directories(path(""));
        fs::create_directory_symlink(outside_, *name ? path(name) : directory_ + "/.agentwire");
        const bool context = std::string(name) != "feedback",
                   feedback_too = std::string(name) != "context";
        if (context) {
            EXPECT_EQ(write(1, context_of()), kLink);
            EXPECT_EQ(read(1), kLink);
            EXPECT_EQ(remove(1), kLink);
        }
        if (feedback_too) {
            EXPECT_EQ(write_feedback(1, "a\n"), kLink);
            EXPECT_EQ(feedback(1), kLink);
        }
        fs::remove(*name ? path(name) : directory_ + "/.agentwire");
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(outside_), {}), 1) << "nothing was put there";
}

TEST_F(HostileFiles, TheFilesAreLinks) {
    make_tree();
    for (const char *name : {"context/pane-1.yaml", "context/shared.yaml", "feedback/pane-1.md"}) {
        fs::remove(path(name));
        fs::create_symlink(outside_ + "/secret", path(name));
    }
    EXPECT_EQ(read(1), kLink);
    EXPECT_EQ(read(ACCP_PANES_SHARED), kLink);
    EXPECT_EQ(write(1, context_of()), kOdd);
    EXPECT_EQ(remove(1), kLink);
    EXPECT_EQ(feedback(1), kLink);
    EXPECT_EQ(write_feedback(1, "b\n"), kOdd);
    EXPECT_TRUE(fs::is_symlink(path("context/pane-1.yaml")));
    std::ifstream in(outside_ + "/secret");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), context_of());
}

// A leftover next to the file is replaced, and never written through.
TEST_F(HostileFiles, TheTemporaryFileIsALink) {
    make_tree();
    fs::create_symlink(outside_ + "/secret", path("context/.pane-1.yaml.new"));
    EXPECT_EQ(write(1, context_of("  constraints: [c]\n")), "");
    std::ifstream in(outside_ + "/secret");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), context_of());
    fs::create_directory(path("context/.pane-1.yaml.new"));
    EXPECT_EQ(write(1, context_of()).substr(0, 6), "ERR_IO");
    EXPECT_EQ(read(1), "# t\n\n## Goal\ng\n\n## Constraints\n- c\n");
}

// Opening a FIFO does not wait for the other end.
TEST_F(HostileFiles, Fifos) {
    make_tree();
    for (const char *name : {"context/pane-1.yaml", "feedback/pane-1.md"}) {
        fs::remove(path(name));
        ASSERT_EQ(mkfifo(path(name).c_str(), 0600), 0);
    }
    EXPECT_EQ(read(1), kOdd);
    EXPECT_EQ(write(1, context_of()), kOdd);
    EXPECT_EQ(remove(1), kOdd);
    EXPECT_EQ(feedback(1), kOdd);
    EXPECT_EQ(write_feedback(1, "b\n"), kOdd);
    EXPECT_TRUE(fs::is_fifo(path("context/pane-1.yaml")));
    fs::remove(path("lock"));
    ASSERT_EQ(mkfifo(path("lock").c_str(), 0600), 0);
    EXPECT_EQ(write(2, context_of()), kOdd);
    fs::remove(path("lock"));
    fs::create_symlink(outside_ + "/lock", path("lock"));
    EXPECT_EQ(write(2, context_of()), kLink);
    EXPECT_FALSE(fs::exists(outside_ + "/lock"));
}

TEST_F(HostileFiles, Directories) {
    make_tree();
    fs::remove(path("context/pane-1.yaml"));
    fs::create_directory(path("context/pane-1.yaml"));
    EXPECT_EQ(read(1), kOdd);
    EXPECT_EQ(write(1, context_of()), kOdd);
    EXPECT_EQ(remove(1), kOdd);
    fs::remove_all(path("context"));
    std::ofstream(path("context")) << "a file";
    EXPECT_EQ(read(1), kLink);
    EXPECT_EQ(write(1, context_of()), kLink);
}

TEST_F(HostileFiles, NamesOfProjects) {
    const std::string odd = directory_ + "/a\nb \x1b[31m";
    fs::create_directories(odd + "/in");
    panes_ = open_panes(odd + "/in/..", store_.get());  // the caller's own path may contain it
    EXPECT_EQ(write(1, context_of()), "");
    EXPECT_TRUE(fs::exists(odd + "/.agentwire/context/pane-1.yaml"));
}

TEST_F(HostileFiles, TooLarge) {
    put("context/pane-1.yaml", std::string(262145, '#'));
    EXPECT_EQ(read(1), "E1001: too large");
    EXPECT_EQ(remove(1), "E1001: too large") << "what cannot be archived stays";
    EXPECT_TRUE(has("context/pane-1.yaml"));
    fs::resize_file(path("context/pane-1.yaml"), uint64_t{1} << 40);
    EXPECT_EQ(read(1), "E1001: too large") << "and is not read into memory";
    ASSERT_EQ(configure("context: {auto_cleanup: false}"), "");
    EXPECT_EQ(remove(1), "");
}

// No file may grow, as on a full disk.
TEST_F(HostileFiles, TheDiskIsFull) {
    make_tree();
    const std::string before = file("context/pane-1.yaml");
    signal(SIGXFSZ, SIG_IGN);
    rlimit usual = {};
    getrlimit(RLIMIT_FSIZE, &usual);
    rlimit full = {64, usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
    const std::string written = write(1, context_of("  constraints: [c]\n"));
    const std::string said = write_feedback(1, "a much longer gap than there was\n");
    setrlimit(RLIMIT_FSIZE, &usual);
    EXPECT_EQ(written, "ERR_IO: the disk is full");
    EXPECT_EQ(said, "ERR_IO: the disk is full");
    EXPECT_EQ(file("context/pane-1.yaml"), before);
    EXPECT_EQ(feedback(1), "a\n|");
    EXPECT_FALSE(has("context/.pane-1.yaml.new"));
    EXPECT_EQ(write(1, context_of("  constraints: [c]\n")), "");
}

// The store's disk is full: nothing is removed before it is archived.
TEST_F(HostileFiles, TheStoreIsFull) {
    open("sqlite:" + directory_ + "/store");
    make_tree();
    ASSERT_EQ(record(true), "");
    signal(SIGXFSZ, SIG_IGN);
    rlimit usual = {};
    getrlimit(RLIMIT_FSIZE, &usual);
    rlimit full = {fs::file_size(directory_ + "/store-wal"), usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
    const std::string removed = remove(1), recorded = record(false, 1);
    setrlimit(RLIMIT_FSIZE, &usual);
    EXPECT_EQ(removed.substr(0, 6), "ERR_IO");
    EXPECT_EQ(recorded.substr(0, 6), "ERR_IO");
    EXPECT_TRUE(has("context/pane-1.yaml"));
    EXPECT_EQ(record(true, 1), "");
    EXPECT_FALSE(has("context/pane-1.yaml"));
}

}  // namespace
