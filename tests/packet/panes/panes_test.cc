// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The life of a packet through the C API: written, read, edited, archived; and the errors.
#include <fcntl.h>
#include <sys/file.h>

#include <chrono>
#include <thread>

#include "packet/panes/project.h"

namespace {

using namespace accp_panes_test;

class PanesFiles : public Project {
protected:
    PanesFiles() { open(); }
    mode_t mode(const std::string &name) {
        struct stat found = {};
        EXPECT_EQ(stat(path(name).c_str(), &found), 0);
        return found.st_mode & 07777;
    }
};

TEST_F(PanesFiles, WrittenAndRead) {
    EXPECT_EQ(read(1), "E2001: there is no packet for this pane");
    EXPECT_FALSE(std::filesystem::exists(directory_ + "/.agentwire")) << "reading makes nothing";
    EXPECT_EQ(write(1, context_of()), "");
    EXPECT_EQ(read(1), "# t\n\n## Goal\ng\n");
    const std::string text = file("context/pane-1.yaml");
    EXPECT_EQ(text.substr(0, 30), "version: 1\ncreated: \"2024-01-1");
    EXPECT_NE(text.find("\ntoken_count: 8\ntokenizer: o200k_base\n"), std::string::npos);
    EXPECT_EQ(mode("context/pane-1.yaml"), 0600u);
    EXPECT_EQ(mode("context"), 0700u);
    EXPECT_EQ(mode(""), 0700u);
    EXPECT_EQ(read(2), "E2001: there is no packet for this pane");
    EXPECT_FALSE(has("context/.pane-1.yaml.new"));
}

TEST_F(PanesFiles, TheSharedPacketIsMergedIn) {
    EXPECT_EQ(write(ACCP_PANES_SHARED,
                    context_of("  constraints: [all of us]\n  codebase: {patterns: [p]}\n")),
              "");
    EXPECT_EQ(write(1, context_of("  constraints: [mine]\n")), "");
    EXPECT_EQ(read(1),
              "# t\n\n## Goal\ng\n\n## Constraints\n- mine\n- all of us\n\n## Patterns\n- p\n");
    EXPECT_EQ(accp_packet_warnings(read_.get()), 0u) << "it is sealed";
    EXPECT_EQ(read(1, ACCP_PANES_ALONE), "# t\n\n## Goal\ng\n\n## Constraints\n- mine\n");
    EXPECT_EQ(read(ACCP_PANES_SHARED).substr(0, 14), "# t\n\n## Goal\ng");
    put("context/shared.yaml", "no: packet\n");
    EXPECT_EQ(read(1), "E1001: shared.yaml: missing version");
    EXPECT_EQ(accp_packet_tokens(read_.get()), 0u);
}

// A writer must name the revision that it replaces.
TEST_F(PanesFiles, SharedRevision) {
    ASSERT_EQ(write(ACCP_PANES_SHARED, context_of("  constraints: [a]\n")), "");
    EXPECT_EQ(write(ACCP_PANES_SHARED, context_of("  constraints: [b]\n")),
              "ERR_BUSY: the packet has another revision: read it again");
    (void)read(ACCP_PANES_SHARED);
    const std::string first = checksum_of(read_);
    EXPECT_EQ(write(ACCP_PANES_SHARED, context_of("  constraints: [b]\n"), first), "");
    EXPECT_EQ(write(ACCP_PANES_SHARED, context_of("  constraints: [c]\n"), first),
              "ERR_BUSY: the packet has another revision: read it again");
    EXPECT_NE(file("context/shared.yaml").find("- b\n"), std::string::npos);
    std::filesystem::remove(path("context/shared.yaml"));
    EXPECT_EQ(write(ACCP_PANES_SHARED, context_of(), first),
              "ERR_BUSY: the packet has been removed");
    EXPECT_EQ(write(1, context_of(), first), "ERR_BUSY: the packet has been removed");
    EXPECT_EQ(write(1, context_of()), "");
    EXPECT_EQ(write(1, context_of("  constraints: [c]\n")), "") << "a pane's needs none";
    EXPECT_EQ(write(1, context_of(), first),
              "ERR_BUSY: the packet has another revision: read it again");
}

TEST_F(PanesFiles, WhatWasTamperedWithIsNotRead) {
    ASSERT_EQ(write(1, context_of()), "");
    std::string text = file("context/pane-1.yaml");
    text.replace(text.find("goal: g"), 7, "goal: h");
    put("context/pane-1.yaml", text);
    EXPECT_EQ(read(1), "E1001: checksum mismatch");
    EXPECT_EQ(read(1, ACCP_PANES_UNVERIFIED), "# t\n\n## Goal\nh\n") << "to edit it";
    EXPECT_EQ(write(1, text, {}, ACCP_PANES_EDITED), "");
    EXPECT_EQ(read(1), "# t\n\n## Goal\nh\n");
    EXPECT_NE(journal().find(R"(\"event\":\"edit\")"), std::string::npos) << journal();
}

TEST_F(PanesFiles, Receipts) {
    ASSERT_EQ(write(1, context_of()), "");
    EXPECT_EQ(journal(), "");
    (void)read(1);
    EXPECT_EQ(journal(), "") << "a preview is no reading";
    (void)read(1, ACCP_PANES_RECEIPT);
    const std::string told = journal();
    EXPECT_NE(told.find(R"({\"event\":\"receipt\",\"at\":1714000000000,\"pane\":1,\"packet\":\")" +
                        checksum_of(read_) + R"(\",\"tokens\":8})"),
              std::string::npos)
        << told;
    EXPECT_EQ(read(1, ACCP_PANES_RECEIPT | ACCP_PANES_ALONE),
              "ERR_ARG: a receipt is of a pane's packet as its worker reads it");
    EXPECT_EQ(configure("context: {track_efficiency: false}"), "");
    (void)read(1, ACCP_PANES_RECEIPT);
    EXPECT_EQ(journal(), told);
}

// Removes only that pane's packet, after archiving it.
TEST_F(PanesFiles, Removal) {
    ASSERT_EQ(write(1, context_of()), "");
    ASSERT_EQ(write(2, context_of()), "");
    ASSERT_EQ(write(ACCP_PANES_SHARED, context_of()), "");
    ASSERT_EQ(write_feedback(1, "the tests\n"), "");
    const std::string packet = file("context/pane-1.yaml");
    EXPECT_EQ(remove(1), "");
    EXPECT_FALSE(has("context/pane-1.yaml"));
    EXPECT_TRUE(has("context/pane-2.yaml"));
    EXPECT_TRUE(has("context/shared.yaml"));
    EXPECT_TRUE(has("feedback/pane-1.md"));
    EXPECT_NE(journal().find(R"(\"event\":\"archive\")"), std::string::npos);
    accp_counts counts = {};
    ASSERT_EQ(accp_store_counts(store_.get(), &counts, nullptr), ACCP_OK);
    EXPECT_EQ(counts.blobs, 2u) << "packet and feedback";
    EXPECT_EQ(counts.blob_bytes, packet.size() + file("feedback/pane-1.md").size());
    EXPECT_EQ(remove(1), "E2001: there is no packet for this pane");
    EXPECT_EQ(configure("context: {auto_cleanup: false}"), "");
    EXPECT_EQ(remove(2), "");
    ASSERT_EQ(accp_store_counts(store_.get(), &counts, nullptr), ACCP_OK);
    EXPECT_EQ(counts.blobs, 2u) << "not archived";
    EXPECT_EQ(remove(ACCP_PANES_SHARED), "ERR_ARG: a pane is a number from 0 to 9999");
}

TEST_F(PanesFiles, Feedback) {
    EXPECT_EQ(feedback(1), "E2001: there is no feedback for this pane");
    EXPECT_EQ(write_feedback(1, "No context gaps\n"), "");
    EXPECT_EQ(feedback(1), "|");
    EXPECT_EQ(file("feedback/pane-1.md"),
              "---\npane: 1\ncontext_gaps: []\ncontext_unused: []\n---\n\nNo context gaps.\n");
    EXPECT_EQ(write_feedback(1, "a\nb\n", "failed_attempts\n"), "");
    EXPECT_EQ(feedback(1), "a\nb\n|failed_attempts\n");
    put("feedback-2.md", "gaps: [old]\n");
    EXPECT_EQ(feedback(2), "old\n|");
    put("feedback/pane-2.md", "gaps: [new]\n");
    EXPECT_EQ(feedback(2), "new\n|");
    put("feedback/pane-3.md", std::string(65537, ' '));
    EXPECT_EQ(feedback(3), "E1001: too large");
}

TEST_F(PanesFiles, WhatIsNoPane) {
    for (int64_t pane : {int64_t{-2}, int64_t{10000}, INT64_MIN, INT64_MAX}) {
        EXPECT_EQ(write(pane, context_of()), "ERR_ARG: a pane is a number from 0 to 9999");
        EXPECT_EQ(read(pane), "ERR_ARG: a pane is a number from 0 to 9999");
        EXPECT_EQ(remove(pane), "ERR_ARG: a pane is a number from 0 to 9999");
        EXPECT_EQ(feedback(pane), "ERR_ARG: a pane is a number from 0 to 9999");
        EXPECT_EQ(record(true, pane), "ERR_ARG: a pane is a number from 0 to 9999");
    }
    EXPECT_EQ(write(9999, context_of()), "");
    EXPECT_EQ(write(0, context_of()), "");
}

// Another process holds the lock: writers get its process id, readers do not wait, and nothing
// changes.
TEST_F(PanesFiles, ALockThatIsHeld) {
    ASSERT_EQ(write(1, context_of()), "");
    EXPECT_EQ(file("lock"), std::to_string(getpid()) + "\n");
    EXPECT_EQ(accp_panes_setting(panes_.get(), ACCP_PANES_LOCK_SECONDS), 10);
    EXPECT_EQ(configure("context: {lock_seconds: 0}"), "");
    put("lock", "4711\n");
    const int held = ::open(path("lock").c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(flock(held, LOCK_EX), 0);
    const std::string told = "ERR_BUSY: another process holds the lock of the project: 4711";
    EXPECT_EQ(write(1, context_of("  version: 2\n")), told);
    EXPECT_EQ(write_feedback(1, "a\n", ""), told);
    EXPECT_EQ(remove(1), told);
    EXPECT_EQ(record(true, 1), told);
    EXPECT_EQ(read(1), "# t\n\n## Goal\ng\n");
    for (const char *unsigned_lock : {"", "x", "\n", "a\tb\n"}) {
        put("lock", unsigned_lock);
        EXPECT_EQ(remove(1), told.substr(0, told.find(": 4711")));
    }
    ASSERT_EQ(flock(held, LOCK_UN), 0);
    EXPECT_EQ(remove(1), "");
    ::close(held);
}

// A waiting writer gets the lock once it is free.
TEST_F(PanesFiles, ALockThatIsLetGo) {
    ASSERT_EQ(write(1, context_of()), "");
    const int held = ::open(path("lock").c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(flock(held, LOCK_EX), 0);
    std::thread holder([held] {
        usleep(50'000);
        flock(held, LOCK_UN);
    });
    EXPECT_EQ(remove(1), "");
    holder.join();
    EXPECT_EQ(configure("context: {lock_seconds: 1}"), "");
    ASSERT_EQ(flock(held, LOCK_EX), 0);
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(remove(1).substr(0, 8), "ERR_BUSY");
    EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(900));
    ::close(held);
}

TEST_F(PanesFiles, NoSuchProject) {
    accp_panes *made = nullptr;
    accp_error error = {};
    const std::string nothing = directory_ + "/nothing";
    EXPECT_EQ(
        told(accp_panes_open(nothing.data(), nothing.size(), store_.get(), nullptr, &made, &error),
             error),
        "ERR_IO: the project's directory cannot be opened");
    EXPECT_EQ(told(accp_panes_open("a\0b", 3, store_.get(), nullptr, &made, &error), error),
              "ERR_ARG: a directory's name must not be empty or contain NUL");
    EXPECT_EQ(made, nullptr);
}

TEST_F(PanesFiles, Settings) {
    EXPECT_EQ(accp_panes_setting(panes_.get(), ACCP_PANES_DEFAULT_DEPTH), ACCP_PACKET_STANDARD);
    EXPECT_EQ(configure("context: {default_depth: deep, budgets: {deep: 9}, pane: 4}"), "");
    EXPECT_EQ(accp_panes_setting(panes_.get(), ACCP_PANES_DEFAULT_DEPTH), ACCP_PACKET_DEEP);
    EXPECT_EQ(accp_panes_setting(panes_.get(), ACCP_PANES_BUDGET_DEEP), 9);
    EXPECT_EQ(accp_panes_setting(panes_.get(), ACCP_PANES_BUDGET_MINIMAL), 100);
    EXPECT_EQ(accp_panes_setting(panes_.get(), ACCP_PANES_OWN_PANE), 4);
    EXPECT_EQ(accp_panes_setting(panes_.get(), 99), -1);
    EXPECT_EQ(configure("context: {default_depht: deep}").substr(0, 30),
              "E1004: context: default_depht:");
}

}  // namespace
