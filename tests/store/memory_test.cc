// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each allocation fails, in the store and in SQLite inside it. The call reports that and changes
// nothing, and the same call then succeeds.
#include <cstdlib>
#include <functional>
#include <vector>

#include "store/failing_sqlite.h"
#include "store/stores.h"

using namespace store_tests;

namespace {

Plan of_store;

void *take(size_t size, void *) { return of_store.fails() ? nullptr : std::malloc(size); }
void give(void *memory, size_t, void *) { std::free(memory); }

Settings failing() {
    Settings settings;
    settings.allocator = {take, give, nullptr};
    return settings;
}

// A scenario in steps, and the contents of the store at its end.
class Scenario {
public:
    explicit Scenario(const std::string &place)
        : place_(place),
          memory_(private_allocator(), UINT64_MAX),
          batch_(memory_),
          out_(memory_),
          records_(memory_) {}
    ~Scenario() {
        if (session_) session_->close();
    }

    std::vector<std::function<Status()>> steps() {
        return {
            [this] {
                store::StorePlace place;
                place.name = place_;
                place.durability = store::Durability::kNormal;
                return open_place(store_, place);
            },
            [this] { return session_ ? Status{} : store_.open_session("s", true, session_); },
            [this] { return commit(0, 3); },
            [this] { return commit(3, 700); },
            [this] { return session_->sync(); },
            [this] { return commit(703, 600); },
            [this] { return session_->sync(); },
            [this] { return has("mid 5"); },
            [this] { return session_->scan(1, 20, false, SIZE_MAX, records_); },
            [this] { return session_->blob(store::Tier::kCold, "0", 0, out_); },
            [this] { return session_->state(out_); },
            [this] {
                uint64_t pruned = 0;
                return store_.prune({1, 1}, pruned);
            },
            [this] {
                Buffer<char> all(memory_);
                return store_.export_session("s", all);
            },
            [this] {
                return store_.import(
                    "{\"session\":\"t\",\"version\":1,\"generation\":0,\"floor\":0,\"state\":\"x\"}"
                    "\n{\"record\":\"r\"}\n{\"mid\":\"0123456789ab\"}\n"
                    "{\"session\":\"u\",\"form\":2,\"version\":0,\"generation\":0,\"floor\":0,"
                    "\"records\":1}\n{\"record\":1,\"bytes_hex\":\"ff\"}\n{\"tier\":\"cold\","
                    "\"key\":"
                    "\"t1\",\"expires\":0,\"generation\":0,\"blob\":{\"a\":[1]}}\n");
            },
            [this] { return store_.erase_session("t"); },
            [this] { return store_.erase_session("u"); },
            [this] {
                store::StoreStats stats;
                return store_.stats(stats);
            },
            [this] {
                uint64_t number = 0;
                return store_.next_session(number, out_);
            },
            [this] {
                return store_.verify([](const store::Damage &, void *) { ADD_FAILURE(); }, nullptr);
            },
            [this] { return store_.close(); },
        };
    }
    std::string all() {
        out_.clear();
        Status status = store_.export_session("s", out_);
        return status.ok() ? std::string(out_.data(), out_.size()) : status.message;
    }

private:
    Status has(const char *mid) {
        bool found = false;
        Status status = session_->has_mid(mid, found);
        EXPECT_TRUE(found || status.failed());
        return status;
    }
    Status commit(uint64_t last, int count) {
        batch_.clear();
        for (int i = 0; i < count; ++i) {
            batch_.append(std::string(20, 'r'));
            batch_.note_mid("mid " + std::to_string(last + static_cast<uint64_t>(i)));
        }
        batch_.set_state(std::to_string(last));
        batch_.put(store::Tier::kCold, std::to_string(last), std::string(3000, 'b'), 0, last);
        batch_.grant("t", "cold.", 0);
        EXPECT_EQ(session_->row().last, last);  // a failed attempt left nothing
        return session_->commit(batch_);
    }

    std::string place_;
    Memory memory_;
    store::StoreBatch batch_;
    Buffer<char> out_;
    store::StoreRecords records_;
    store::Store store_{failing()};
    store::StoreSession *session_ = nullptr;
};

Status attempt(const std::function<Status()> &step) {
    try {
        return step();
    } catch (const OutOfMemory &) {
        return fail(ACCP_ERR_NOMEM, 0, "");
    }
}

// Runs each step, and repeats it after ACCP_ERR_NOMEM; with `for_ever` memory is available again
// for the repetition. Returns the number of allocations.
uint64_t run(const std::string &name, Plan &plan, uint64_t at, bool for_ever, std::string &found) {
    Directory directory;
    Scenario scenario(directory.place_of(name));
    plan = {at, 0, for_ever};
    int refused = 0;
    for (auto &step : scenario.steps()) {
        Status status = attempt(step);
        if (status.code == ACCP_ERR_NOMEM) {
            ++refused;
            if (for_ever) plan.at = 0;
            status = attempt(step);
        }
        EXPECT_EQ(status.code, ACCP_OK)
            << status.message << ", allocation " << at << (for_ever ? " for ever" : "");
        if (status.failed()) return 0;
    }
    bool reached = at && plan.calls >= at;
    plan.at = 0;
    found = scenario.all();
    EXPECT_EQ(refused, reached && for_ever ? 1 : refused);
    return plan.calls;
}

void every_allocation(const std::string &name, Plan &plan) {
    std::string expected, found;
    uint64_t count = run(name, plan, 0, false, expected);
    ASSERT_GT(count, 20u);
    ASSERT_GT(expected.size(), 20000u);
    // of thousands of allocations only a part is tested
    const uint64_t step = count / (ACCP_SANITIZED ? 150 : 700) + 1;
    for (uint64_t at = 1; at <= count; at += at < (ACCP_SANITIZED ? 60 : 200) ? 1 : step)
        for (bool for_ever : {false, true}) {
            run(name, plan, at, for_ever, found);
            ASSERT_EQ(found, expected) << "allocation " << at;
            if (testing::Test::HasFailure()) return;
        }
}

TEST(StoreMemory, TheMemoryStoreRunsOut) { every_allocation("memory", of_store); }
TEST(StoreMemory, TheFileStoreRunsOut) { every_allocation("sqlite", of_store); }
TEST(StoreMemory, TheStoreOverABackEndRunsOut) { every_allocation("plugin", of_store); }
TEST(StoreMemory, SqliteRunsOut) { every_allocation("sqlite", plan_of_sqlite()); }

}  // namespace
