// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Clients are killed while they write groups, and others take over their sessions, before or after
// that. All acknowledged groups must be there, each group whole or absent, and a client that lost
// its session must acknowledge nothing more. ACCP_NATS_KILLS=300 for a long run.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <random>

#include "nats/groups.h"
#include "nats/load.h"
#include "nats/nats_cluster.h"

using namespace nats_tests;

namespace {

// nats_writer as a process, and its output.
class WriterProcess {
public:
    explicit WriterProcess(const std::string &place) {
        int ends[2];
        EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
        process_ = fork();
        if (process_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);  // because the test itself may be killed
            dup2(ends[1], STDOUT_FILENO);
            execl(ACCP_NATS_WRITER, "nats_writer", place.c_str(), nullptr);
            _exit(127);
        }
        close(ends[1]);
        output_ = ends[0];
        fcntl(output_, F_SETFL, O_NONBLOCK);
    }
    ~WriterProcess() {
        if (process_) end(SIGKILL);
        close(output_);
    }
    WriterProcess(const WriterProcess &) = delete;
    WriterProcess &operator=(const WriterProcess &) = delete;

    // Reads until so many groups are acknowledged. Returns false if the process ended, or after a
    // few minutes.
    bool wait_for(uint64_t groups) {
        const int64_t ends = load_time() + 300'000'000'000;
        while (acknowledged_ < from_ + groups || !has_begun_) {
            if (!read_more() || load_time() > ends) return false;
            usleep(500);
        }
        return true;
    }
    // Ends the process with the signal (0: none). Returns its exit status, or 128 and more after a
    // signal.
    int end(int number) {
        int status = 0;
        if (number) kill(process_, number);
        waitpid(process_, &status, 0);
        process_ = 0;
        while (read_more()) {
        }
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    uint64_t from() const { return from_; }  // groups that it found at its start
    uint64_t acknowledged() const { return acknowledged_; }
    const std::string &wrong() const { return wrong_; }

private:
    // Returns false at the end of the output.
    bool read_more() {
        char piece[4096];
        const ssize_t got = read(output_, piece, sizeof piece);
        if (got <= 0) return got < 0 && errno == EAGAIN && process_;
        said_.append(piece, static_cast<size_t>(got));
        for (size_t at = said_.find('\n'); at != said_.npos; at = said_.find('\n')) {
            take_line(said_.substr(0, at));
            said_.erase(0, at + 1);
        }
        return true;
    }
    void take_line(const std::string &line) {
        if (line.starts_with("from ")) {
            from_ = acknowledged_ = std::strtoull(line.c_str() + 5, nullptr, 10);
            has_begun_ = true;
        } else if (line == std::to_string(acknowledged_ + 1)) {
            ++acknowledged_;
        } else {
            wrong_ = line;
        }
    }

    pid_t process_ = 0;
    int output_ = -1;
    bool has_begun_ = false;
    uint64_t from_ = 0, acknowledged_ = 0;
    std::string said_, wrong_;
};

size_t client_kills(size_t usual) {
    const char *wanted = std::getenv("ACCP_NATS_KILLS");
    return wanted ? static_cast<size_t>(std::atoi(wanted)) : usual;
}

void expect_all(const std::string &place, uint64_t acknowledged) {
    const auto store = open_backend(accp_store_backend_entry, place);
    ASSERT_TRUE(store);
    Groups groups(*store, "groups", false);
    ASSERT_EQ(groups.status(), ACCP_OK);
    EXPECT_GE(groups.done(), acknowledged);
    EXPECT_EQ(groups.check(), "");
    accp_status status = ACCP_ERR_IO;
    for (int tries = 0; status == ACCP_ERR_IO && tries < 1200; ++tries, usleep(100000))
        status = store->verify(nullptr, nullptr).code;
    EXPECT_EQ(status, ACCP_OK);
}

// For every second client the session is taken over before it is killed.
void kill_clients(size_t nodes, size_t kills) {
    std::mt19937 random(std::random_device{}());
    Cluster cluster(nodes);
    cluster.make_stream("clients");
    const std::string place = cluster.place("clients");
    uint64_t acknowledged = 0;
    auto writer = std::make_unique<WriterProcess>(place);
    for (size_t i = 0; i < kills && !testing::Test::HasFailure(); ++i) {
        EXPECT_TRUE(writer->wait_for(1 + random() % 3)) << writer->wrong();
        usleep(random() % 20000);
        const bool is_alive = i % 2;
        if (!is_alive) {
            EXPECT_EQ(writer->end(SIGKILL), 128 + SIGKILL);
        }
        auto next = std::make_unique<WriterProcess>(place);
        EXPECT_TRUE(next->wait_for(1)) << next->wrong();
        if (is_alive) {
            EXPECT_EQ(writer->end(0), 3);  // it was notified that it lost the session
        }
        EXPECT_EQ(writer->wrong(), "");
        EXPECT_GE(writer->from(), acknowledged);
        EXPECT_GE(next->from(), writer->acknowledged()) << "acknowledged and not there";
        acknowledged = writer->acknowledged();
        writer = std::move(next);
    }
    writer->end(SIGKILL);
    expect_all(place, writer->acknowledged());
    std::printf("%zu clients of %zu nodes killed or taken over from, %llu groups acknowledged\n",
                kills, nodes, static_cast<unsigned long long>(writer->acknowledged()));
}

TEST(NatsClient, OneThatIsKilledLeavesWholeGroups) { kill_clients(1, client_kills(30)); }

TEST(NatsClient, OneOfThreeNodesThatIsKilledLeavesWholeGroups) {
    kill_clients(3, client_kills(30));
}

// Kills the leader, the client or other nodes, one after another, while groups are written.
TEST(NatsClient, ClientsAndNodesAreKilledTogether) {
    std::mt19937 random(std::random_device{}());
    Cluster cluster(3);
    cluster.make_stream("both");
    const std::string place = cluster.place("both");
    auto writer = std::make_unique<WriterProcess>(place);
    const size_t rounds = (client_kills(20) + 19) / 20;  // each takes an election
    for (size_t i = 0; i < rounds && !HasFailure(); ++i) {
        EXPECT_TRUE(writer->wait_for(5)) << writer->wrong();
        cluster.wait_until_whole("both");
        const size_t node = i % 2 ? random() % 3 : cluster.leader("both") % 3;
        cluster.kill_now(node);
        usleep(random() % 20000);
        EXPECT_EQ(writer->end(SIGKILL), 128 + SIGKILL);
        auto next = std::make_unique<WriterProcess>(place);
        usleep(random() % 500000);
        cluster.start(node);
        EXPECT_TRUE(next->wait_for(1)) << next->wrong();
        EXPECT_GE(next->from(), writer->acknowledged()) << "acknowledged and not there";
        writer = std::move(next);
    }
    writer->end(SIGKILL);
    expect_all(place, writer->acknowledged());
    std::printf("%zu times a node and the client killed, %llu groups acknowledged\n", rounds,
                static_cast<unsigned long long>(writer->acknowledged()));
}

}  // namespace
