// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Concurrent writers, and writers that are killed: each file is always a complete packet, and
// acknowledged changes are there.
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "packet/panes/project.h"

namespace {

using namespace accp_panes_test;

constexpr int kProcesses = 8;
constexpr int kWrites = ACCP_SANITIZED ? 50 : 1250;  // per process: 10,000 in total

class PanesAtOnce : public Project {
protected:
    std::string store() const { return "sqlite:" + directory_ + "/store"; }

    // The lock of the project is not fair, so a process may wait long on a busy machine.
    void be_patient() { EXPECT_EQ(configure("context: {lock_seconds: 600}"), ""); }
    // Runs `work` in a child process, which exits with its result.
    template <class Work>
    static pid_t start(Work work) {
        const pid_t child = fork();
        if (child == 0) _exit(work());
        return child;
    }
    static int wait_for(pid_t child) {
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    // Runs `work` in a child process that reports each completed step, and kills it `later` after
    // the first. Returns the number of reported steps.
    template <class Work>
    static uint64_t kill_working(std::chrono::microseconds later, Work work) {
        int told[2];
        EXPECT_EQ(pipe(told), 0);
        const pid_t child = start([&] {
            close(told[0]);
            return work([&] { return ::write(told[1], "x", 1) == 1; });
        });
        close(told[1]);
        char bytes[4096];
        uint64_t steps = ::read(told[0], bytes, 1) == 1;
        std::this_thread::sleep_for(later);
        kill(child, SIGKILL);
        EXPECT_EQ(wait_for(child), 128 + SIGKILL);
        for (ssize_t got; (got = ::read(told[0], bytes, sizeof bytes)) > 0;)
            steps += static_cast<uint64_t>(got);
        close(told[0]);
        return steps;
    }
    // Returns a text that shows whether it is complete: all constraints are equal.
    static std::string marked(int by, int number) {
        const std::string mark = std::to_string(by) + "-" + std::to_string(number);
        std::string more = "  constraints:\n";
        for (int i = 0; i < 40; ++i) more += "    - mark " + mark + "\n";
        return context_of(more);
    }
};

// Each process writes its own pane, a common pane, and sometimes the shared packet with its
// revision. It reads all of them.
int write_much(const std::string &directory, accp_store *store, int by,
               std::string (*text)(int, int)) {
    const Handle<accp_panes> panes = open_panes(directory, store);
    const Handle<accp_packet> packet = new_packet();
    int shared_writes = 0;
    for (int i = 0; i < kWrites; ++i) {
        const std::string yaml = text(by, i);
        if (accp_packet_parse(packet.get(), yaml.data(), yaml.size(), 0, nullptr) != ACCP_OK)
            return 1;
        const int64_t pane = i % 2 ? 100 : by;
        if (accp_panes_write(panes.get(), pane, packet.get(), nullptr, 0, kNow, 0, nullptr) !=
            ACCP_OK)
            return 2;
        if (accp_panes_read(panes.get(), i % 2 ? by : 100, kNow, ACCP_PANES_ALONE, packet.get(),
                            nullptr) != ACCP_OK &&
            i > 1)
            return 3;
        if (i % 25) continue;
        // read, change, write; repeat if another process wrote in between
        for (accp_status status = ACCP_ERR_BUSY; status != ACCP_OK;) {
            const accp_status read =
                accp_panes_read(panes.get(), ACCP_PANES_SHARED, kNow, 0, packet.get(), nullptr);
            if (read != ACCP_OK) return 4;
            const std::string revision = accp_test::string_of(accp_packet_checksum(packet.get()));
            accp_text printed = {};
            (void)accp_packet_print_yaml(packet.get(), &printed, nullptr);
            std::string longer = accp_test::string_of(printed);
            longer.insert(longer.find("    - first"),
                          "    - by " + std::to_string(by) + " " + std::to_string(i) + "\n");
            if (accp_packet_parse(packet.get(), longer.data(), longer.size(),
                                  ACCP_PACKET_UNVERIFIED, nullptr) != ACCP_OK)
                return 5;
            status = accp_panes_write(panes.get(), ACCP_PANES_SHARED, packet.get(), revision.data(),
                                      revision.size(), kNow, 0, nullptr);
            if (status != ACCP_OK && status != ACCP_ERR_BUSY) return 6;
        }
        ++shared_writes;
    }
    return shared_writes == (kWrites + 24) / 25 ? 0 : 7;
}

TEST_F(PanesAtOnce, TenThousandWrites) {
    open();
    be_patient();
    ASSERT_EQ(write(ACCP_PANES_SHARED, context_of("  constraints:\n    - first\n")), "");
    pid_t children[kProcesses];
    for (int by = 0; by < kProcesses; ++by)
        children[by] = start([&] { return write_much(directory_, store_.get(), by, marked); });
    for (pid_t child : children) EXPECT_EQ(wait_for(child), 0);
    for (int by = 0; by < kProcesses; ++by)
        EXPECT_NE(read(by, ACCP_PANES_ALONE).find("mark " + std::to_string(by) + "-"),
                  std::string::npos);
    // no update of the shared packet was lost
    const std::string shared = read(ACCP_PANES_SHARED);
    for (int by = 0; by < kProcesses; ++by)
        for (int i = 0; i < kWrites; i += 25)
            EXPECT_NE(shared.find("by " + std::to_string(by) + " " + std::to_string(i) + "\n"),
                      std::string::npos);
}

// Tasks of several processes in one store are recorded once each.
TEST_F(PanesAtOnce, RecordsOfSeveralProcesses) {
    constexpr int kTasks = 50;
    { const Handle<accp_store> made = open_store(store()); }
    open();
    be_patient();
    pid_t children[kProcesses];
    for (pid_t &child : children)
        child = start([&] {
            open(store());
            for (int i = 0; i < kTasks; ++i)
                if (!record(true, -1, "the tests\n", 100, "auth").empty()) return 1;
            panes_.reset();
            store_.reset();
            return 0;
        });
    for (pid_t child : children) EXPECT_EQ(wait_for(child), 0);
    open(store());
    EXPECT_EQ(print(accp_panes_print_stats_json, 0).substr(0, 12), R"({"tasks":400)");
}

// After a kill at any moment, the file has a packet that was written, and the next writer
// continues.
TEST_F(PanesAtOnce, KilledWhileItWrites) {
    open();
    ASSERT_EQ(write(1, marked(0, 0)), "");
    int round = 0;
    for (; round < (ACCP_SANITIZED ? 10 : 150); ++round) {
        EXPECT_GT(kill_working(std::chrono::microseconds(37 * round),
                               [&](auto tell) {
                                   for (int i = 1;; ++i)
                                       if (!write(1, marked(round, i)).empty() || !tell()) return 1;
                               }),
                  0u);
        const std::string prompt = read(1);
        const size_t begin = prompt.find("- mark ");
        const std::string line = prompt.substr(begin, prompt.find('\n', begin) - begin + 1);
        size_t count = 0;
        for (size_t at = 0; (at = prompt.find(line, at)) != std::string::npos; ++at) ++count;
        EXPECT_EQ(count, 40u) << prompt;
        EXPECT_EQ(line.substr(0, line.find('-', 2)), "- mark " + std::to_string(round));
    }
    EXPECT_EQ(write(1, context_of()), "") << "what the killed one left is in nobody's way";
    EXPECT_EQ(read(1), "# t\n\n## Goal\ng\n");
}

// After a kill while recording, no task is counted in part, and acknowledged ones are counted.
TEST_F(PanesAtOnce, KilledWhileItRecords) {
    { const Handle<accp_store> made = open_store(store()); }
    uint64_t acknowledged = 0;
    for (int round = 0; round < (ACCP_SANITIZED ? 3 : 20); ++round)
        acknowledged += kill_working(std::chrono::milliseconds(3 * round), [&](auto tell) {
            open(store());
            for (;;)
                if (!record(true, -1, {}, 100).empty() || !tell()) return 1;
        });
    EXPECT_GT(acknowledged, 0u);
    open(store());
    const std::string json = print(accp_panes_print_stats_json, 0);
    const uint64_t counted = std::stoull(json.substr(json.find(':') + 1));
    EXPECT_GE(counted, acknowledged);
    EXPECT_LE(counted, acknowledged + 20) << "one a round may be there and not yet be told";
}

}  // namespace
