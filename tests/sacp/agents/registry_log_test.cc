// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The log of a shared registry: compaction while others use it, death at each step, and bulk
// loading in one commit.
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>
#include <vector>

#include "failing.h"
#include "sacp/agents/registry.h"
#include "sacp/agents/shared_capabilities.h"

namespace {

using namespace accp;
using accp_unit::AgentRegistry;
using accp_unit::entry;
using sacp::SharedCapabilities;
using Until = SharedCapabilities::CompactionStep;

// A store and handles on it, with JSON texts as input.
class Shared {
public:
    explicit Shared(const std::string &place = "memory:") : texts_(room_.memory) {
        const Status status = store.open({.name = place});
        EXPECT_TRUE(status.ok()) << status.message;
    }
    void add(SharedCapabilities &to, const std::string &json) {
        read(json);
        texts_.verdict.clear();
        const Status status = to.add(texts_.value.view(), 0, texts_.verdict);
        ASSERT_TRUE(status.ok()) << status.message;
    }
    // Returns the index of the entry that was refused or not written, or the number of all.
    uint32_t load(SharedCapabilities &to, const std::string &json, Status &status) {
        read(json);
        texts_.verdict.clear();
        uint32_t number = 0;
        status = to.load(texts_.value.view(), 0, texts_.verdict, number);
        return number;
    }
    std::string code() const { return texts_.code(); }
    // The complete registry as JSON.
    std::string document(SharedCapabilities &of) {
        const Status status = of.refresh();
        EXPECT_TRUE(status.ok()) << status.message;
        Buffer<char> out(room_.memory);
        sacp::write_entries(of.agents(), room_.memory, out);
        std::string text = accp_unit::text_of(out);
        of.agents().each([&](const sacp::Capability &agent) {
            sums_[std::string(agent.name())] = agent.outcomes;
        });
        for (const auto &[name, outcomes] : sums_)
            text += name + " " + std::to_string(outcomes.count) + "/" +
                    std::to_string(outcomes.all) + ";";
        sums_.clear();
        return text;
    }
    uint64_t session_count() {
        store::StoreStats stats;
        EXPECT_TRUE(store.stats(stats).ok());
        return stats.sessions;
    }

    accp_unit::Room &room() { return room_; }
    store::Store store{Settings()};

private:
    void read(const std::string &json) {
        const accp_unit::Padded padded(json);
        ASSERT_TRUE(
            texts_.reader.read(padded.view().data(), json.size(), {1 << 24, 128}, texts_.value)
                .ok())
            << json;
    }

    accp_unit::Room room_;
    AgentRegistry texts_;
    std::map<std::string, Share> sums_;
};

TEST(RegistryLog, IsWrittenAnew) {
    Shared shared;
    Memory &memory = shared.room().memory;
    SharedCapabilities first(&shared.store, memory), second(&shared.store, memory);
    bool known = false;
    shared.add(first, entry("B", R"("embedding":[1,2],"lease_until":7.25)"));
    shared.add(first, entry("A"));
    shared.add(first, entry("C"));
    for (int i = 0; i < 100; ++i)
        ASSERT_TRUE(first.note_outcome("A", i % 3 != 0, known).ok() && known);
    ASSERT_TRUE(first.renew("B", 9.5, 1, known).ok() && known);
    ASSERT_TRUE(first.remove("C", known).ok() && known);
    const std::string before = shared.document(second);
    EXPECT_EQ(second.record_count(), 105u);
    ASSERT_TRUE(first.compact().ok());
    EXPECT_EQ(first.record_count(), 4u);  // the snapshot record, two agents, outcomes of one
    EXPECT_EQ(first.snapshot_count(), 4u);
    EXPECT_EQ(shared.document(first), before);
    EXPECT_EQ(shared.document(second), before);
    SharedCapabilities late(&shared.store, memory);
    EXPECT_EQ(shared.document(late), before);
    EXPECT_EQ(shared.session_count(), 2u);  // the log, and the head that names it
    // all three continue, and the log is compacted again
    ASSERT_TRUE(second.note_outcome("A", true, known).ok() && known);
    shared.add(late, entry("D"));
    ASSERT_TRUE(late.compact().ok());
    const std::string after = shared.document(first);
    EXPECT_EQ(shared.document(second), after);
    EXPECT_EQ(shared.document(late), after);
    EXPECT_NE(after.find("\"D\""), std::string::npos);
    EXPECT_NE(after.find("A 67/101;"), std::string::npos) << after;
    EXPECT_EQ(shared.session_count(), 2u);
}

// A handle misses two compactions, and the sessions it used are erased.
TEST(RegistryLog, WhoWasAwayStartsAgain) {
    Shared shared;
    Memory &memory = shared.room().memory;
    SharedCapabilities writer(&shared.store, memory), away(&shared.store, memory),
        never(&shared.store, memory);
    bool known = false;
    ASSERT_TRUE(never.refresh().ok());  // before the first write
    shared.add(writer, entry("A"));
    shared.add(writer, entry("B"));
    ASSERT_TRUE(away.refresh().ok());
    ASSERT_TRUE(writer.remove("A", known).ok() && known);
    ASSERT_TRUE(writer.compact().ok());
    shared.add(writer, entry("C"));
    ASSERT_TRUE(writer.compact().ok());
    // both write without reading first: neither may restore the first session
    shared.add(away, entry("D"));
    shared.add(never, entry("E"));
    const std::string all = shared.document(writer);
    for (SharedCapabilities *each : {&away, &never}) EXPECT_EQ(shared.document(*each), all);
    SharedCapabilities late(&shared.store, memory);
    EXPECT_EQ(shared.document(late), all);
    EXPECT_EQ(all.find("\"A\""), std::string::npos);
    for (const char *name : {"\"B\"", "\"C\"", "\"D\"", "\"E\""})
        EXPECT_NE(all.find(name), std::string::npos) << name;
    EXPECT_EQ(late.record_count(), 1 + 2 + 2u);
}

// A process dies after each step of a compaction. All handles, old and new, have everything, and
// the next compaction erases the remains.
TEST(RegistryLog, ADeathAfterEachStep) {
    for (const Until until : {Until::kCopied, Until::kMoved, Until::kPointed}) {
        SCOPED_TRACE(static_cast<int>(until));
        Shared shared;
        Memory &memory = shared.room().memory;
        SharedCapabilities dies(&shared.store, memory), other(&shared.store, memory);
        bool known = false;
        shared.add(dies, entry("A"));
        ASSERT_TRUE(dies.note_outcome("A", true, known).ok());
        const std::string before = shared.document(other);
        ASSERT_TRUE(dies.compact(until).ok());
        SharedCapabilities late(&shared.store, memory);
        EXPECT_EQ(shared.document(late), before);
        EXPECT_EQ(shared.document(other), before);
        EXPECT_EQ(other.record_count(), until == Until::kCopied ? 2u : 3u);
        ASSERT_TRUE(other.note_outcome("A", false, known).ok() && known);
        shared.add(late, entry("B"));
        const std::string after = shared.document(late);
        EXPECT_EQ(shared.document(other), after);
        ASSERT_TRUE(other.compact().ok());
        EXPECT_EQ(shared.document(late), after);
        EXPECT_EQ(shared.session_count(), 2u);
    }
}

// Writers compact a long log by themselves. A short log, or one with only current agents, stays.
TEST(RegistryLog, IsWrittenAnewByItself) {
    Shared shared;
    Memory &memory = shared.room().memory;
    SharedCapabilities writer(&shared.store, memory), reader(&shared.store, memory);
    bool known = false;
    std::string all;
    for (int i = 0; i < 2000; ++i) all += (i ? "," : "[") + entry("A" + std::to_string(i));
    Status status;
    EXPECT_EQ(shared.load(writer, all + "]", status), 2000u);
    ASSERT_TRUE(status.ok());
    uint64_t longest = 0, shortest = UINT64_MAX;
    for (int i = 0; i < 20000; ++i) {
        ASSERT_TRUE(writer.renew("A7", i + 10, 1, known).ok() && known);
        longest = std::max(longest, writer.record_count());
        if (i > 10000) shortest = std::min(shortest, writer.record_count());
    }
    EXPECT_LT(longest, 2000 + 4 * 2000 + 10u);
    EXPECT_GT(longest, 9000u);
    EXPECT_LT(shortest, 3000u);
    EXPECT_EQ(shared.document(reader), shared.document(writer));
    EXPECT_EQ(shared.session_count(), 2u);
}

// Entries before a refused one are registered, as if each was alone. An entry may refer to an agent
// before it.
TEST(RegistryLog, ALoadIsOneCommit) {
    Shared shared;
    Memory &memory = shared.room().memory;
    SharedCapabilities writer(&shared.store, memory), reader(&shared.store, memory);
    Status status;
    const std::string published = R"({"agent":"A","embedding":[1,2],"description":"p"})";
    EXPECT_EQ(shared.load(writer,
                          "[" + entry("A") + "," + published + "," + entry("B") + "," +
                              R"({"agent_name":"C"},)" + entry("D") + "]",
                          status),
              3u);
    EXPECT_TRUE(status.ok());
    EXPECT_EQ(shared.code(), "MISSING_FIELD");
    EXPECT_EQ(writer.agents().count(), 2u);
    EXPECT_EQ(writer.agents().find("A")->dimension(), 2u);
    EXPECT_EQ(shared.document(reader), shared.document(writer));
    EXPECT_EQ(shared.load(writer, R"([{"agent":"X","embedding":[1],"description":"p"}])", status),
              0u);
    EXPECT_EQ(shared.code(), "NO_AGENT");
    EXPECT_EQ(shared.load(writer, "[]", status), 0u);
    EXPECT_EQ(shared.code(), "");
}

// Each allocation of a compaction fails once: every handle still has everything.
TEST(RegistryLog, MemoryRunsOut) {
    bool done = false;
    for (int64_t at = 0; !done; ++at) {
        ASSERT_LT(at, 1000);
        Shared shared;
        accp_test::Failing failing;
        {
            Memory memory(failing.allocator(), UINT64_MAX);
            SharedCapabilities writer(&shared.store, memory),
                other(&shared.store, shared.room().memory);
            bool known = false;
            shared.add(writer, entry("A", R"("embedding":[1,2])"));
            shared.add(writer, entry("B"));
            ASSERT_TRUE(writer.note_outcome("A", true, known).ok());
            const std::string before = shared.document(other);
            done = !accp_test::fails(failing, at, [&] { (void)writer.compact(); });
            EXPECT_TRUE(!done || at > 3) << "nothing was allocated";
            EXPECT_EQ(shared.document(other), before) << at;
            EXPECT_EQ(shared.document(writer), before) << at;
            ASSERT_TRUE(writer.note_outcome("B", true, known).ok() && known);
            EXPECT_EQ(shared.document(other), shared.document(writer));
        }
        EXPECT_EQ(failing.live, 0);
    }
}

// Threads with their own handles change a registry and compact its log at the same time. Every
// change that returned is there.
TEST(RegistryLog, ManyAtOnceLoseNothing) {
    constexpr int kThreads = 4, kChanges = 10000;
    Shared shared;
    SharedCapabilities first(&shared.store, shared.room().memory);
    shared.add(first, entry("A"));
    std::atomic<uint64_t> noted = 0, failed = 0;
    std::vector<std::thread> threads;
    for (int number = 0; number < kThreads; ++number)
        threads.emplace_back([&, number] {
            accp_unit::Room room;
            SharedCapabilities own(&shared.store, room.memory);
            for (int i = 0; i < kChanges; ++i) {
                bool known = false;
                const Status status = own.note_outcome("A", true, known);
                noted += status.ok() && known;
                failed += status.failed() && status.code != ACCP_ERR_BUSY;
                if (i % 5 == number) {
                    const Status compacted = own.compact();
                    failed += compacted.failed() && compacted.code != ACCP_ERR_BUSY &&
                              compacted.code != ACCP_ERR_CLOSED;
                }
            }
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(failed, 0u);
    EXPECT_GT(noted, 1000u);
    ASSERT_TRUE(first.refresh().ok());
    ASSERT_NE(first.agents().find("A"), nullptr);
    EXPECT_EQ(first.agents().find("A")->outcomes.all, noted);
}

#if ACCP_SQLITE
// Records outcomes of an agent, writes a byte to `told` after each, and compacts the log in
// between.
[[noreturn]] void work_until_killed(const std::string &place, int told) {
    Shared shared(place);
    SharedCapabilities agents(&shared.store, shared.room().memory);
    bool known = false;
    for (int i = 0;; ++i) {
        Status status = agents.note_outcome("A", true, known);
        if (status.ok() && known && write(told, "x", 1) != 1) _exit(1);
        if (status.failed() && status.code != ACCP_ERR_BUSY) _exit(2);
        if (i % 3 == 2) status = agents.compact();
        if (status.failed() && status.code != ACCP_ERR_BUSY) _exit(3);
    }
}

// Reads what the pipe has until `wanted` bytes came or its writers ended. Returns their number. The
// limit only ends a test that hangs: emulated processes start slowly.
uint64_t await_told(int end, uint64_t wanted) {
    char bytes[4096];
    uint64_t told = 0;
    pollfd ready = {end, POLLIN, 0};
    while (told < wanted && poll(&ready, 1, 300'000) == 1) {
        const ssize_t got = read(end, bytes, sizeof bytes);
        if (got <= 0) break;
        told += static_cast<uint64_t>(got);
    }
    return told;
}

// Two processes write to one file and compact its log until they are killed, each time some moments
// after a few changes were reported. All changes that were reported durable are there, and at most
// one more for each process.
TEST(RegistryLog, ProcessesAreKilled) {
    const std::string folder =
        std::filesystem::temp_directory_path() / ("accp_log_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string place = "sqlite:" + folder + "/agents.sqlite";
    {
        Shared shared(place);
        SharedCapabilities agents(&shared.store, shared.room().memory);
        shared.add(agents, entry("A"));
    }
    uint64_t recorded = 0;
    accp_unit::Random random(7);
    for (int round = 0; round < 12; ++round) {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        pid_t children[2];
        for (pid_t &child : children) {
            child = fork();
            if (child == 0) work_until_killed(place, ends[1]);
        }
        close(ends[1]);
        const uint64_t wanted = 1 + random.below(8);
        uint64_t told = await_told(ends[0], wanted);
        EXPECT_GE(told, wanted) << "round " << round;
        usleep(static_cast<useconds_t>(random.below(20'000)));
        for (const pid_t child : children) {
            int status = 0;
            kill(child, SIGKILL);
            ASSERT_EQ(waitpid(child, &status, 0), child);
            EXPECT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
        }
        told += await_told(ends[0], UINT64_MAX);
        close(ends[0]);
        Shared shared(place);
        SharedCapabilities agents(&shared.store, shared.room().memory);
        ASSERT_TRUE(agents.refresh().ok());
        ASSERT_NE(agents.agents().find("A"), nullptr);
        const uint64_t found = agents.agents().find("A")->outcomes.all;
        EXPECT_GE(found, recorded + told);
        EXPECT_LE(found, recorded + told + 2);
        recorded = found;
    }
    Shared shared(place);
    SharedCapabilities agents(&shared.store, shared.room().memory);
    ASSERT_TRUE(agents.compact().ok());
    EXPECT_EQ(shared.session_count(), 2u);  // no remains
    std::filesystem::remove_all(folder);
}
#endif

}  // namespace
