// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A back end that fails like a network: a write is not done, or it is done but its reply is lost,
// or another writer comes between. Each acknowledged record must be there once, in order.
#include <memory>
#include <random>

#include "accp/capability.h"
#include "store/front.h"

using namespace store_tests;

namespace {

enum class Trouble { kNone, kRefused, kLostAnswer, kBetween };

struct Troubled : Front {
    std::mt19937 random{7};
    bool on = true;
    int lost = 0, refused = 0, between = 0;
    int asked = 0;  // reads of values and heads

    Trouble next() { return on ? static_cast<Trouble>(random() % 4) : Trouble::kNone; }

    std::shared_ptr<void> enter(const char *function, const accp_text &) override {
        const std::string_view name = function;
        asked += name == "value" || name == "head";
        return nullptr;
    }

    // Simulates pruning by another process: the same row with another head.
    void write_between(accp_text id) {
        struct Head {
            uint64_t number = 0;
            std::string row;
        } head;
        const auto keep = [](uint64_t number, accp_text row, void *to) {
            *static_cast<Head *>(to) = {number, std::string(row.text, row.len)};
            return 1;
        };
        accp_error err = {};
        if (table->head(id, keep, &head, &err, user) != ACCP_OK) return;
        accp_store_write write = {};
        write.session = id;
        write.after = head.number;
        write.row = {head.row.data(), head.row.size()};
        write.first = 1;
        EXPECT_EQ(table->write(&write, 1, &err, user), ACCP_OK);
        EXPECT_EQ(write.status, ACCP_OK);
        ++between;
    }
    accp_status write_all(accp_store_write *writes, size_t count, accp_error *err) override {
        for (size_t i = 0; i < count; ++i) {
            const Trouble trouble = next();
            writes[i].status = ACCP_ERR_IO;
            writes[i].message = "the network";
            refused += trouble == Trouble::kRefused;
            if (trouble == Trouble::kRefused) continue;
            if (trouble == Trouble::kBetween) write_between(writes[i].session);
            if (table->write(&writes[i], 1, err, user) != ACCP_OK) return ACCP_ERR_IO;
            if (trouble != Trouble::kLostAnswer || writes[i].status != ACCP_OK) continue;
            writes[i].status = ACCP_ERR_IO;
            writes[i].number = 0;
            ++lost;
        }
        return ACCP_OK;
    }
};

const accp_store_backend kTroubled = Front::table_of(0);

class StoreTroubled : public testing::Test {
protected:
    StoreTroubled() : store_(Settings()) {
        EXPECT_EQ(troubled_.open(directory_.file()), ACCP_OK);
        EXPECT_TRUE(store_.open(kTroubled, &troubled_, true).ok());
    }
    // Repeats a call until it succeeds, as a host does.
    void sync() {
        for (int tries = 0; tries < 1000; ++tries)
            if (store_.sync().ok()) return;
        FAIL() << "never done";
    }

    Directory directory_;
    Troubled troubled_;
    store::Store store_;
};

TEST_F(StoreTroubled, WhatIsWrittenIsThereOnce) {
    constexpr int kSessions = 5, kRounds = 200;
    std::string expected[kSessions];
    {
        troubled_.on = false;
        std::vector<std::unique_ptr<Open>> all;
        for (int s = 0; s < kSessions; ++s)
            all.push_back(std::make_unique<Open>(store_, std::to_string(s)));
        troubled_.on = true;
        std::mt19937 random(3);
        uint64_t next = 0;
        for (int round = 0; round < kRounds; ++round) {
            for (int s = 0; s < kSessions; ++s)
                for (uint32_t i = random() % 4; i; --i) {
                    const std::string text = std::to_string(++next);
                    ASSERT_EQ(all[s]->append(text, "mid " + text), ACCP_OK);
                    expected[s] += (expected[s].empty() ? "" : " ") +
                                   std::to_string((*all[s])->row().last) + ":" + text;
                    ASSERT_EQ(all[s]->put(store::Tier::kCold, "newest", text), ACCP_OK);
                }
            if (random() % 3) (void)store_.sync();  // whatever it returns
        }
        sync();
        for (int s = 0; s < kSessions; ++s) EXPECT_EQ(all[s]->records(), expected[s]);
    }
    EXPECT_GT(troubled_.lost, 50);
    EXPECT_GT(troubled_.refused, 50);
    EXPECT_GT(troubled_.between, 50);
    for (int s = 0; s < kSessions; ++s) {
        Open session(store_, std::to_string(s), false);
        EXPECT_EQ(session.records(), expected[s]);
        const std::string last = expected[s].substr(expected[s].rfind(':') + 1);
        EXPECT_EQ(session.blob(store::Tier::kCold, "newest"), last);
        for (size_t at = expected[s].find(':'); at != std::string::npos;
             at = expected[s].find(':', at + 1))
            ASSERT_TRUE(session.has_mid(
                "mid " + expected[s].substr(at + 1, expected[s].find(' ', at) - at - 1)));
        EXPECT_FALSE(session.has_mid("mid 0"));
    }
    EXPECT_TRUE(store_.verify(nullptr, nullptr).ok());
    store::StoreStats stats;
    EXPECT_TRUE(store_.stats(stats).ok());
    EXPECT_EQ(stats.records, stats.mids);
}

// A failed import leaves nothing, neither the acknowledged sessions nor those whose reply was lost.
TEST(StoreImport, WhoseAnswerIsLostLeavesNothing) {
    constexpr const char *kSessions = "abc";
    struct OneLost : Front {
        char loses = 0;
        accp_status write_all(accp_store_write *writes, size_t count, accp_error *err) override {
            const accp_status status = table->write(writes, count, err, user);
            for (size_t i = 0; i < count; ++i)
                if (writes[i].session.text[0] == loses) writes[i].status = ACCP_ERR_IO;
            return status;
        }
    };
    Opened from("memory:");
    std::string text;
    for (const char *id = kSessions; *id; ++id) {
        Open session(from, {*id});
        ASSERT_EQ(session.append("text", "mid"), ACCP_OK);
        text += from.exported({*id});
    }
    for (const char *lost = kSessions; *lost; ++lost) {
        Directory directory;
        OneLost front;
        ASSERT_EQ(front.open(directory.file()), ACCP_OK);
        store::Store store{Settings()};
        ASSERT_TRUE(store.open(kTroubled, &front, true).ok());
        front.loses = *lost;
        EXPECT_EQ(store.import(text).code, ACCP_ERR_IO);
        front.loses = 0;
        store::StoreStats stats;
        ASSERT_TRUE(store.stats(stats).ok());
        EXPECT_EQ(stats.sessions, 0u) << *lost;
        EXPECT_TRUE(store.import(text).ok()) << *lost;
        EXPECT_EQ(Open(store, "b", false).records(), "1:text");
    }
}

// A change that was refused is not written by the next call: an outcome that is recorded again
// counts once.
TEST(StoreShared, WhatFailedIsNotDoneLater) {
    struct Down : Front {
        int left = -1;  // writes before they are refused
        accp_status write_all(accp_store_write *writes, size_t count, accp_error *err) override {
            if (left == 0) return ACCP_ERR_IO;
            left -= left > 0;
            return table->write(writes, count, err, user);
        }
    } front;
    Directory directory;
    ASSERT_EQ(front.open(directory.file()), ACCP_OK);
    accp_store *store = nullptr;
    accp_capabilities *agents = nullptr;
    ASSERT_EQ(accp_store_open_backend(&kTroubled, &front, 0, nullptr, &store, nullptr), ACCP_OK);
    ASSERT_EQ(accp_capabilities_open(store, nullptr, &agents, nullptr), ACCP_OK);
    const std::string_view entry =
        R"({"agent_name":"A","supported_verbs":[],"supported_tools":[],"inputs":[],"outputs":[],)"
        R"("description":"d"})";
    ASSERT_EQ(accp_capabilities_register(agents, entry.data(), entry.size(), nullptr), ACCP_OK);
    const auto note = [&] { return accp_capabilities_record_outcome(agents, "A", 1, 1, nullptr); };
    front.left = 1;  // opening the session
    EXPECT_EQ(note(), ACCP_ERR_IO);
    front.left = -1;
    EXPECT_EQ(note(), ACCP_OK);
    const std::string_view all = R"({"query":{}})";
    accp_text out = {};
    accp_found_agent found = {};
    ASSERT_EQ(
        accp_capabilities_query(agents, all.data(), all.size(), ACCP_NO_CLOCK, 0, &out, nullptr),
        ACCP_OK);
    ASSERT_EQ(accp_capabilities_found(agents, 0, &found, nullptr), ACCP_OK);
    EXPECT_EQ(found.outcomes, 1u);
    accp_capabilities_close(agents);
    accp_store_close(store, nullptr);
}

// A call of the back end may go to a remote place, so a new mid must not need one, even in a small
// session.
TEST_F(StoreTroubled, ANewMidAsksForNothing) {
    troubled_.on = false;
    Open session(store_, "s");
    int mids = 0;
    for (const int wanted : {300, 700, 1500}) {
        for (; mids < wanted; ++mids) {
            const std::string name = std::to_string(mids);
            ASSERT_EQ(session.append("text", "mid " + name), ACCP_OK);
            if (mids % 50 == 0) {
                ASSERT_TRUE(store_.sync().ok());
            }
        }
        ASSERT_TRUE(store_.sync().ok());
        EXPECT_TRUE(session.has_mid("mid 0"));  // the first query makes the filter
        const int before = troubled_.asked;
        for (int i = 0; i < 200; ++i)
            EXPECT_FALSE(session.has_mid("new " + std::to_string(wanted + i)));
        EXPECT_LE(troubled_.asked - before, 20)
            << "after " << wanted;  // false positives: one in 200
    }
}

// Opens the same place as another process would.
struct OtherStore {
    explicit OtherStore(const std::string &place) : store(Settings()) {
        const accp_store_backend *table = nullptr;
        void *user = nullptr;
        accp_error err = {};
        EXPECT_EQ(accp_store_backend_entry(place.data(), place.size(), ACCP_STORE_EXISTING, &table,
                                           &user, &err),
                  ACCP_OK);
        EXPECT_TRUE(store.open(*table, user, true).ok());
    }
    store::Store store;
};

// Two stores on one place, as in two processes: the last one that opened the session owns it,
// whatever reply is lost.
TEST_F(StoreTroubled, AWriterIsFencedOffByAnotherStore) {
    OtherStore other(directory_.file());
    Open mine(store_, "s");
    ASSERT_EQ(mine.append("mine"), ACCP_OK);
    troubled_.on = false;
    ASSERT_TRUE(store_.sync().ok());
    ASSERT_EQ(mine.append("lost"), ACCP_OK);
    Open theirs(other.store, "s");
    ASSERT_EQ(theirs.append("theirs"), ACCP_OK);
    ASSERT_TRUE(other.store.sync().ok());
    EXPECT_EQ(mine->sync().code, ACCP_ERR_CLOSED);
    EXPECT_EQ(mine.append("more"), ACCP_ERR_CLOSED);
    EXPECT_EQ(mine.state(), "ERR_CLOSED");
    EXPECT_EQ(theirs.records(), "1:mine 2:theirs");
}

// A session that was erased and created again belongs to another writer, even if its writer number
// is the same.
TEST_F(StoreTroubled, ASessionMadeAnewIsNobodysWhoHadTheFirst) {
    OtherStore other(directory_.file());
    troubled_.on = false;
    Open mine(store_, "s"), reader(store_, "s", false);
    ASSERT_EQ(mine.append("mine"), ACCP_OK);
    ASSERT_TRUE(other.store.erase_session("s").ok());
    Open theirs(other.store, "s");
    EXPECT_EQ(mine->sync().code, ACCP_ERR_CLOSED);
    EXPECT_EQ(reader.state(), "ERR_CLOSED");
    EXPECT_EQ(theirs.records(), "");
}

// Lists one session with a name of any size, and has a row for every name.
struct Misnamed : Front {
    std::string name;

    static accp_store_backend misnaming() {
        accp_store_backend made = table_of(0);
        made.head = [](accp_text, accp_store_entry_function give, void *context, accp_error *err,
                       void *user) {
            auto &self = *static_cast<Misnamed *>(user);
            return self.table->head({"real", 4}, give, context, err, self.user);
        };
        made.sessions = [](uint64_t after, accp_store_entry_function give, void *context,
                           accp_error *, void *user) {
            const std::string &name = static_cast<Misnamed *>(user)->name;
            if (!after) (void)give(1, {name.data(), name.size()}, context);
            return accp_status{ACCP_OK};
        };
        return made;
    }
};

// A name or a key that no session can have is refused, whoever it comes from.
TEST(StoreMisnamed, NamesThatAreTooLongAreRefused) {
    Directory directory;
    Misnamed misnamed;
    ASSERT_EQ(misnamed.open(directory.file()), ACCP_OK);
    const accp_store_backend table = Misnamed::misnaming();
    Settings settings;
    store::Store store(settings);
    ASSERT_TRUE(store.open(table, &misnamed, true).ok());
    Open real(store, "real");
    ASSERT_EQ(real.append("record"), ACCP_OK);
    ASSERT_TRUE(store.sync().ok());
    Memory memory(private_allocator(), UINT64_MAX);
    Buffer<char> out(memory);
    for (const size_t size : {0u, 1u, 256u, 257u, 5000u}) {
        misnamed.name.assign(size, 'n');
        const bool is_good = size && size <= 256;
        uint64_t after = 0, pruned = 0;
        EXPECT_EQ(store.next_session(after, out).code, is_good ? ACCP_OK : ACCP_ERR_CORRUPT);
        if (!is_good) {
            EXPECT_EQ(store.prune({}, pruned).code, ACCP_ERR_CORRUPT) << size;
        }
    }
    for (const size_t size : {257u, 5000u}) {
        const std::string text(size, 'n');
        EXPECT_EQ(store.erase_session(text).code, ACCP_E2001);
        EXPECT_EQ(real->blob(store::Tier::kCold, text, 0, out).code, ACCP_E2001);
    }
}

TEST(StoreBackendTable, ATableThatIsNotWholeIsRefusedUntouched) {
    Troubled never;
    accp_store *store = nullptr;
    accp_error err = {};
    accp_store_backend broken[] = {kTroubled, kTroubled, kTroubled, kTroubled};
    broken[0].version = 99;
    broken[1].size = 8;
    broken[2].erase = nullptr;
    broken[3].close = nullptr;
    for (const accp_store_backend &table : broken)
        EXPECT_EQ(accp_store_open_backend(&table, &never, 0, nullptr, &store, &err), ACCP_ERR_ARG);
    EXPECT_EQ(accp_store_open_backend(nullptr, &never, 0, nullptr, &store, &err), ACCP_ERR_ARG);
    EXPECT_EQ(never.closed, 0);
    EXPECT_EQ(accp_store_open_backend(&kTroubled, &never, 64, nullptr, &store, &err), ACCP_ERR_ARG);
    EXPECT_EQ(never.closed, 1);
    ASSERT_EQ(accp_store_open_backend(&kTroubled, &never, 0, nullptr, &store, &err), ACCP_OK);
    EXPECT_EQ(accp_store_close(store, &err), ACCP_OK);
    EXPECT_EQ(never.closed, 2);
}

}  // namespace
