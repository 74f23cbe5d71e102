// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The index of code on disk under lack of memory, disk errors and power loss. A call that fails has
// changed nothing and can be repeated, and the file is always a valid index of some prefix of the
// changes.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <memory>
#include <optional>

#include "failing.h"
#include "packet/code_on_disk.h"
#include "store/disk.h"
#include "store/failing_sqlite.h"
#include "store/stores.h"

namespace {

using namespace code_trees;
using store_tests::Directory;
using store_tests::Disk;
using store_tests::Fault;
using store_tests::Loss;
using store_tests::Plan;

constexpr const char *kTask = "Let a user login with a token";

// The steps of the test. Each can be repeated after a failure.
class Work {
public:
    Work(const std::string &path, const accp_allocator &from, const char *vfs)
        : path_(path), from_(from), vfs_(vfs), out_(memory_) {}

    std::vector<std::function<Status()>> steps() {
        return {
            [this] {
                disk_.emplace(path_, from_, vfs_);
                return disk_->status;
            },
            [this] { return add(1, 12); },
            [this] { return (*disk_)->sync(); },
            [this] { return ask(); },
            [this] { return add(2, 12); },    // half of them change the text of a path
            [this] { return add(1, 3, 9); },  // same texts, other stamps
            [this] { return ask(); },
            [this] { return remove("one.py"); },
            [this] { return remove("none.py"); },
            [this] {
                uint64_t count = 0;
                return (*disk_)->count(count);
            },
            [this] {
                out_.clear();
                return (*disk_)->list(out_);
            },
            [this] { return (*disk_)->sync(); },
        };
    }
    // Returns the results of all queries.
    std::string seen() {
        return listed(disk_->files) + asker_.ask(disk_->files, kTask, "See one.py") +
               asker_.ask(disk_->files, "Mend login_token", "");
    }
    bool is_open() const { return disk_ && disk_->status.ok(); }

private:
    Status add(unsigned seed, int count, uint64_t stamp = 1) {
        RandomCode code(seed);
        Status status = (*disk_)->add("one.py", "def login(token):\n", stamp);
        for (int i = 0; status.ok() && i < count; ++i)
            status = (*disk_)->add("f" + std::to_string(i % 8) + ".py", code.text(), stamp);
        return status;
    }
    Status remove(const std::string &path) {
        bool was_there = false;
        return (*disk_)->remove(path, was_there);
    }
    Status ask() {
        const packet::Utterance said[] = {{packet::Speaker::kUser, "See one.py"}};
        extractor_.extract(kTask, said);
        return ranker_.rank(&disk_->files, extractor_, kTask, said);
    }

    std::string path_;
    accp_allocator from_;
    const char *vfs_;
    Memory memory_{private_allocator(), UINT64_MAX};
    Buffer<char> out_;
    packet::Extractor extractor_{memory_};
    packet::FileRanker ranker_{memory_};
    std::optional<OnDisk> disk_;
    Asker asker_;
};

Status attempt(const std::function<Status()> &step) {
    try {
        return step();
    } catch (const OutOfMemory &) {
        return fail(ACCP_ERR_NOMEM, 0, "");
    }
}

std::string without_fault() {
    Directory directory;
    Work work(directory.file(), private_allocator(), nullptr);
    for (const auto &step : work.steps()) EXPECT_EQ(attempt(step).code, ACCP_OK);
    return work.seen();
}

// Lets allocation `at` fail and repeats the step in which it fails. Returns the number of
// allocations.
uint64_t run_without_memory(Plan &plan, const accp_allocator &from, uint64_t at, bool for_ever,
                            const std::string &expected) {
    Directory directory;
    Work work(directory.file(), from, nullptr);
    plan = {at, 0, for_ever};
    for (const auto &step : work.steps()) {
        Status status = attempt(step);
        if (status.code == ACCP_ERR_NOMEM) {
            if (for_ever) plan.at = 0;
            status = attempt(step);
        }
        EXPECT_EQ(status.code, ACCP_OK) << status.message << ", allocation " << at;
        if (status.failed()) break;
    }
    const uint64_t calls = plan.calls;
    plan.at = 0;
    if (testing::Test::HasFailure()) return calls;
    EXPECT_EQ(work.seen(), expected) << "allocation " << at;
    return calls;
}

void every_allocation(Plan &plan, const accp_allocator &from) {
    const std::string expected = without_fault();
    const uint64_t count = run_without_memory(plan, from, 0, false, expected);
    ASSERT_GT(count, 20u);
    const uint64_t step = count / (ACCP_SANITIZED ? 50 : 150) + 1;
    for (uint64_t at = 1; at <= count && !testing::Test::HasFailure(); at += at < 40 ? 1 : step)
        for (const bool for_ever : {false, true})
            run_without_memory(plan, from, at, for_ever, expected);
}

Plan of_index;
void *take(size_t size, void *) { return of_index.fails() ? nullptr : std::malloc(size); }
void give(void *memory, size_t, void *) { std::free(memory); }

TEST(CodeFault, TheIndexRunsOutOfMemory) { every_allocation(of_index, {take, give, nullptr}); }
TEST(CodeFault, SqliteRunsOutOfMemory) {
    every_allocation(store_tests::plan_of_sqlite(), private_allocator());
}

// A disk call fails, once or from then on, for lack of space or with another error.
TEST(CodeFault, TheDiskFails) {
    const std::string expected = without_fault();
    uint64_t calls = 0;
    {
        Disk disk;
        Work work("code", private_allocator(), Disk::kName);
        for (const auto &step : work.steps()) ASSERT_EQ(attempt(step).code, ACCP_OK);
        calls = disk.calls();
    }
    ASSERT_GT(calls, 30u);
    int failed = 0;
    for (const Fault fault : {Fault::kFull, Fault::kError, Fault::kShort})
        for (uint64_t at = 1; at <= calls && !HasFailure(); at += ACCP_SANITIZED ? 3 : 1) {
            Disk disk;
            disk.plan(fault, at, true);
            Work work("code", private_allocator(), Disk::kName);
            for (const auto &step : work.steps()) {
                Status status = attempt(step);
                if (status.failed()) {
                    ++failed;
                    EXPECT_EQ(status.code, ACCP_ERR_IO) << status.message;
                    disk.plan(Fault::kNone, 0, false);  // space is available again
                    status = attempt(step);
                }
                ASSERT_EQ(status.code, ACCP_OK) << status.message << ", call " << at;
            }
            EXPECT_EQ(work.seen(), expected) << "call " << at;
        }
    EXPECT_GT(failed, 30);
}

// After a power loss the index has the state after one of the steps.
TEST(CodeFault, ThePowerFails) {
    uint64_t calls = 0;
    {
        Disk disk;
        Work work("code", private_allocator(), Disk::kName);
        for (const auto &step : work.steps()) ASSERT_EQ(attempt(step).code, ACCP_OK);
        calls = disk.calls();
    }
    const std::string expected = without_fault();
    std::mt19937 random(1);
    for (uint64_t at = 1; at <= calls && !HasFailure(); at += ACCP_SANITIZED ? 5 : 1)
        for (const Loss loss : {Loss::kAll, Loss::kNone, Loss::kTail, Loss::kSome, Loss::kZeroed}) {
            Disk disk;
            disk.plan(Fault::kPower, at, true);
            {
                Work work("code", private_allocator(), Disk::kName);
                for (const auto &step : work.steps())
                    if (attempt(step).failed()) break;
            }
            disk.lose_power(loss, random);
            // after adding the lost files again, the result is complete
            Work work("code", private_allocator(), Disk::kName);
            for (const auto &step : work.steps()) {
                const Status status = attempt(step);
                ASSERT_EQ(status.code, ACCP_OK) << status.message << ", call " << at;
            }
            EXPECT_EQ(work.seen(), expected) << "call " << at;
        }
}

// Kills a writing child again and again; the next one continues.
TEST(CodeFault, KillsLeaveAGoodIndex) {
    Directory directory;
    const std::string path = directory.file();
    std::mt19937 random(std::random_device{}());
    for (int turn = 0; turn < (ACCP_SANITIZED ? 10 : 40) && !HasFailure(); ++turn) {
        int begun[2];
        ASSERT_EQ(pipe(begun), 0);
        const pid_t child = fork();
        if (child == 0) {
            OnDisk disk(path);
            if (::write(begun[1], "x", 1) != 1) _exit(1);
            RandomCode code(static_cast<unsigned>(turn));
            for (int i = 0; disk.status.ok(); ++i) {
                if (disk->add(std::to_string(i % 300) + ".py", code.text(), 1).failed()) _exit(1);
                if (i % 30 == 29 && disk->sync().failed()) _exit(1);
            }
            _exit(1);
        }
        close(begun[1]);
        char begins = 0;
        EXPECT_EQ(::read(begun[0], &begins, 1), 1);
        close(begun[0]);
        usleep(random() % 30000);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child failed by itself";
        OnDisk disk(path);
        ASSERT_EQ(disk.status.code, ACCP_OK) << disk.status.message;
        // terms and files match: after removing all files, nothing is left
        Memory memory(private_allocator(), UINT64_MAX);
        Buffer<char> paths(memory);
        ASSERT_TRUE(disk->list(paths).ok());
        Asker asker;
        const std::string answer = asker.ask(disk.files, kTask, "");
        EXPECT_TRUE(std::isdigit(answer[0])) << answer;
        if (turn % 8) continue;
        for (size_t at = 0; at < paths.size();) {
            const std::string_view each = paths.data() + at;
            bool was_there = false;
            ASSERT_TRUE(disk->remove(each, was_there).ok() && was_there) << each;
            at += each.size() + 1;
        }
        EXPECT_EQ(listed(disk.files), "0\n");
        EXPECT_EQ(asker.ask(disk.files, kTask, ""), "0 files\n");
    }
}

}  // namespace
