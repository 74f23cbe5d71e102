// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Damaged files: bytes are flipped, cut, swapped or inserted. Each damage is reported or has no
// effect, and no read returns data that was not stored.
#include <sqlite3.h>

#include <fstream>
#include <random>
#include <sstream>

#include "store/stores.h"

using namespace store_tests;

namespace {

constexpr int kRecords = 64;
constexpr int kGroup = 4;  // records of a group, which is one row of the log
constexpr size_t kPage = 2048;

// Converts a file from version 2 of the schema to version 1.
constexpr const char *kToVersion1 =
    "DROP INDEX blob_expires; ALTER TABLE state RENAME TO s; ALTER TABLE log RENAME TO l; ALTER "
    "TABLE blob RENAME TO b;"
    "CREATE TABLE state (session INTEGER PRIMARY KEY, version INTEGER NOT NULL, sum INTEGER NOT "
    "NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE log (place INTEGER PRIMARY KEY, sum INTEGER NOT NULL, mids BLOB NOT NULL, bytes "
    "BLOB NOT NULL);"
    "CREATE TABLE blob (session INTEGER NOT NULL, tier INTEGER NOT NULL, key BLOB NOT NULL, "
    "expires INTEGER NOT NULL,"
    " generation INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY "
    "(session, tier, key)) WITHOUT ROWID;"
    "CREATE INDEX blob_expires ON blob (expires) WHERE expires > 0;"
    "INSERT INTO state SELECT session, version, sum, bytes FROM s;"
    "INSERT INTO log SELECT place, sum, mids, bytes FROM l;"
    "INSERT INTO blob SELECT session, tier, key, expires, generation, sum, bytes FROM b;"
    "DROP TABLE s; DROP TABLE l; DROP TABLE b; PRAGMA user_version = 1";

std::string record(const std::string &id, int i) {
    return id + " record " + std::to_string(i) + std::string(static_cast<size_t>(i * 7 % 90), 'x');
}

void make(const std::string &place) {
    Opened store(place);
    for (const char *id : {"mine", "theirs"}) {
        Open s(store, id);
        for (int i = 1; i <= kRecords; ++i) {
            ASSERT_EQ(s.append(record(id, i), std::string(id) + std::to_string(i)), ACCP_OK);
            if (i % kGroup == 0) {
                ASSERT_TRUE(store->sync().ok());
            }
        }
        ASSERT_EQ(s.put(store::Tier::kCold, "k", std::string(id) + " blob"), ACCP_OK);
        ASSERT_EQ(s.set_state(std::string(id) + " state"), ACCP_OK);
        Memory memory(private_allocator(), UINT64_MAX);
        store::StoreBatch batch(memory);
        batch.grant("guest", "cold.");
        batch.note_mid("loose");  // so that the index exists
        ASSERT_TRUE(s->commit(batch).ok());
    }
    ASSERT_TRUE(store->sync().ok());
}

std::string read_file(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}
void write_file(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Reads everything in "mine". Each result must be what was stored, or an error. Returns true if
// everything was there and correct.
bool look(const std::string &place) {
    Opened store(place, store::StorePlace{});
    if (store.status != ACCP_OK) return false;
    bool whole = true;
    {
        Open s(store, "mine", false);
        if (s.status != ACCP_OK) return false;
        Memory memory(private_allocator(), UINT64_MAX);
        store::StoreRecords found(memory);
        whole &= s->row().last == kRecords;
        EXPECT_TRUE(s->row().last == kRecords || s->row().last == 0) << s->row().last;
        for (uint64_t seq = 1; seq <= kRecords; ++seq) {
            Status status = s->scan(seq, seq, seq % 2, SIZE_MAX, found);
            whole &= status.ok() && found.size() == 1;
            if (status.ok() && found.size()) {
                EXPECT_EQ(found[0].bytes, record("mine", static_cast<int>(seq)));
            }
        }
        Status status = s->scan(1, 0, false, SIZE_MAX, found);
        whole &= status.ok();
        if (status.ok()) {
            // complete: nothing is missing in the middle or at the end
            EXPECT_EQ(found.size(), static_cast<size_t>(s->row().last));
        }
        Buffer<char> out(memory);
        status = s->blob(store::Tier::kCold, "k", 1, out);
        whole &= status.ok();
        if (status.ok()) {
            EXPECT_EQ(std::string(out.data(), out.size()), "mine blob");
        }
        status = s->state(out);
        whole &= status.ok() && out.size();
        if (status.ok() && out.size()) {
            EXPECT_EQ(std::string(out.data(), out.size()), "mine state");
        }
        bool seen = false;
        status = s->has_mid("loose", seen);
        whole &= status.ok();
        if (status.ok()) {
            EXPECT_TRUE(seen);
        }
        status = s->has_mid("mine7", seen);
        whole &= status.ok();
        if (status.ok()) {
            EXPECT_TRUE(seen);
        }
        status = s->has_mid("unseen", seen);
        if (status.ok()) {
            EXPECT_FALSE(seen);
        }
    }
    return whole && store.damage().empty();
}

class StoreDamage : public testing::Test {
protected:
    void SetUp() override {
        make(directory_.place());  // closed, so that everything is in one file
        good_ = read_file(directory_.file());
        ASSERT_GT(good_.size(), 25000u);
        ASSERT_TRUE(look(directory_.place()));
    }
    bool look_at(const std::string &bytes) {
        std::filesystem::remove(directory_.file() + "-wal");
        std::filesystem::remove(directory_.file() + "-shm");
        write_file(directory_.file(), bytes);
        return look(directory_.place());
    }
    int64_t number_in_file(const std::string &sql) {
        sqlite3 *db = nullptr;
        sqlite3_stmt *statement = nullptr;
        EXPECT_EQ(sqlite3_open(directory_.file().c_str(), &db), SQLITE_OK);
        EXPECT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
        EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
        int64_t number = sqlite3_column_int64(statement, 0);
        sqlite3_finalize(statement);
        sqlite3_close(db);
        return number;
    }
    Directory directory_;
    std::string good_;
};

TEST_F(StoreDamage, FlippedBits) {
    std::mt19937 random(1);
    int told = 0;
    for (size_t at = 0; at < good_.size(); at += 1 + random() % 37) {
        std::string bytes = good_;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
        told += !look_at(bytes);
        if (HasFailure()) FAIL() << "byte " << at;
    }
    EXPECT_GT(told, 100);
}

// A negative version in the header. Fuzzing found that it was used as an index.
TEST_F(StoreDamage, AVersionBelowZero) {
    constexpr size_t kUserVersion = 60;  // offset in SQLite's header
    std::string bytes = good_;
    bytes[kUserVersion] = '\xF7';
    EXPECT_FALSE(look_at(bytes));
}

// With this name SQLite would read the bytes as other columns, so it would find no correct row, or
// no row at all.
TEST_F(StoreDamage, ALetterOfTheSchema) {
    size_t at = good_.find("runs INTEGER");
    ASSERT_NE(at, good_.npos);
    std::string bytes = good_;
    bytes[at + 5] = 'X';
    EXPECT_FALSE(look_at(bytes));
    EXPECT_EQ(Opened(directory_.place(), store::StorePlace{}).status, ACCP_ERR_CORRUPT);
}

std::string big_endian(size_t number, int bytes) {
    std::string out;
    while (bytes--) out += static_cast<char>(number >> 8 * bytes);
    return out;
}

// An inner page of a table, all of whose cells lead to the same page.
std::string fan(size_t cells, size_t child) {
    std::string head = "\5" + std::string(2, '\0') + big_endian(cells, 2) +
                       big_endian(kPage - cells * 5, 2) + '\0' + big_endian(child, 4),
                content;
    for (size_t cell = 0; cell < cells; ++cell) {
        head += big_endian(kPage - (cell + 1) * 5, 2);
        content += big_endian(child, 4) + '\1';
    }
    return head + std::string(kPage - head.size() - content.size(), '\0') + content;
}

// A chain of ten fan() pages, then the original page: 200 to the power of ten rows. Fuzzing found a
// file on which the walk took minutes.
TEST_F(StoreDamage, PagesThatAreReachedOnManyWays) {
    for (const char *table : {"session", "state", "log"}) {
        write_file(directory_.file(), good_);
        size_t root = static_cast<size_t>(number_in_file(
            "SELECT rootpage FROM sqlite_schema WHERE name = '" + std::string(table) + "'"));
        std::string bytes = good_ + good_.substr((root - 1) * kPage, kPage);
        for (int i = 0; i < 10; ++i) bytes += fan(200, bytes.size() / kPage);
        bytes.replace((root - 1) * kPage, kPage, fan(200, bytes.size() / kPage));
        // the number of pages, in the header
        bytes.replace(28, 4, big_endian(bytes.size() / kPage, 4));
        EXPECT_FALSE(look_at(bytes)) << table;
        Opened store(directory_.place(), store::StorePlace{});
        EXPECT_NE(store.damage(), "") << table;
        store::StoreStats stats;
        // stats() does not count states
        EXPECT_EQ(store->stats(stats).code,
                  table == std::string("state") ? ACCP_OK : ACCP_ERR_CORRUPT)
            << table;
    }
}

TEST_F(StoreDamage, CutOff) {
    for (size_t size = 0; size < good_.size(); size += 509) {
        bool whole = look_at(good_.substr(0, size));
        const bool nothing_lost =
            size > good_.size() - kPage && good_.find_first_not_of('\0', size) == good_.npos;
        EXPECT_EQ(whole, nothing_lost) << size;
        if (HasFailure()) FAIL() << "cut at " << size;
    }
}

TEST_F(StoreDamage, PagesSwappedAndZeroed) {
    size_t pages = good_.size() / kPage;
    for (size_t a = 0; a < pages; ++a) {
        std::string bytes = good_;
        bytes.replace(a * kPage, kPage, std::string(kPage, '\0'));
        look_at(bytes);
        for (size_t b = a + 1; b < pages; ++b) {
            bytes = good_;
            bytes.replace(a * kPage, kPage, good_.substr(b * kPage, kPage));
            bytes.replace(b * kPage, kPage, good_.substr(a * kPage, kPage));
            look_at(bytes);
            if (HasFailure()) FAIL() << "pages " << a << " and " << b;
        }
    }
}

// Damage by a program that uses SQLite but does not know our format: rows are moved to other
// places.
TEST_F(StoreDamage, RowsMovedAndTakenOut) {
    for (const char *sql : {
             "UPDATE log SET bytes = (SELECT bytes FROM log AS other WHERE other.place = log.place "
             "+ (1 << 40)), sum = (SELECT sum FROM "
             "log AS other WHERE"
             " other.place = log.place + (1 << 40)) WHERE place = (1 << 40) + 5",
             "DELETE FROM log WHERE place = (1 << 40) + 5",
             "DELETE FROM log WHERE place = (1 << 40) + 61",
             "INSERT INTO log SELECT place + 64, count, size, sum, mids, bytes FROM log WHERE "
             "place = (1 << 40) + 1",
             "UPDATE log SET count = 3 WHERE place = (1 << 40) + 61",
             "UPDATE log SET count = 5 WHERE place = (1 << 40) + 61",
             "UPDATE log SET count = 0 WHERE place = (1 << 40) + 61",
             "UPDATE log SET size = size + 1 WHERE place = (1 << 40) + 9",
             "UPDATE log SET size = length(bytes) WHERE place = (1 << 40) + 9",
             "UPDATE log SET place = place + 1 WHERE place = (1 << 40) + 61",
             "UPDATE log SET bytes = CAST(bytes || 'x' AS BLOB) WHERE place = (1 << 40) + 9",
             "UPDATE log SET mids = x'0000000000000000' WHERE place = (1 << 40) + 9",
             "UPDATE session SET last = 63 WHERE number = 1",
             "UPDATE session SET id = x'6d' WHERE number = 1",
             "UPDATE state SET bytes = (SELECT bytes FROM state WHERE session = 2), sum = (SELECT "
             "sum FROM state WHERE session = 2) WHERE "
             "session = 1",
             "DELETE FROM state WHERE session = 1",
             "DELETE FROM blob WHERE session = 1; UPDATE blob SET session = 1",
             "UPDATE blob SET expires = 99 WHERE session = 1",
             "UPDATE blob SET size = size + 1 WHERE session = 1",
             "UPDATE state SET size = size + 1 WHERE session = 1",
             "DELETE FROM mid WHERE session = 1",
             "UPDATE mid SET first = 1 WHERE session = 1",
             "UPDATE permit SET grantee = x'6d' WHERE session = 1",
             "DELETE FROM session WHERE number = 2",
             "UPDATE file SET seed = seed + 1",
             "DROP TABLE mid",
         }) {
        std::filesystem::remove(directory_.file() + "-wal");
        write_file(directory_.file(), good_);
        sqlite3 *db = nullptr;
        ASSERT_EQ(sqlite3_open(directory_.file().c_str(), &db), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK)
            << sql << sqlite3_errmsg(db);
        sqlite3_close(db);
        EXPECT_FALSE(look(directory_.place())) << sql;
    }
}

TEST_F(StoreDamage, IsToldWithItsPlace) {
    sqlite3 *db = nullptr;
    ASSERT_EQ(sqlite3_open(directory_.file().c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db,
                           "UPDATE log SET bytes = x'00' WHERE place = (1 << 40) + 9; DELETE FROM "
                           "log WHERE place = (2 << 40) + 5;"
                           "UPDATE blob SET bytes = x'00' WHERE session = 2",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(db);
    EXPECT_EQ(Opened(directory_.place()).damage(),
              "mine|a record is damaged|9|\ntheirs|records are missing|5|\ntheirs|a blob is "
              "damaged|0|k\n");
    Opened store(directory_.place());
    EXPECT_EQ(store.exported("mine"), "ERR_CORRUPT");
    // undamaged records can still be read
    EXPECT_EQ(Open(store, "mine", false).records(13, 13), "13:" + record("mine", 13));
}

TEST(StoreFile, WhatIsNoStoreIsRefusedAndLeftAsItIs) {
    Directory directory;
    auto refused = [&](const std::string &bytes) {
        write_file(directory.file(), bytes);
        accp_status status = Opened(directory.place(), store::StorePlace{}).status;
        EXPECT_EQ(read_file(directory.file()), bytes);
        return std::string(accp_status_code_name(status));
    };
    EXPECT_EQ(refused(std::string(5000, 'x')), "ERR_CORRUPT");
    sqlite3 *db = nullptr;
    ASSERT_EQ(sqlite3_open(directory.file("other").c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, "CREATE TABLE t (x)", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    EXPECT_EQ(refused(read_file(directory.file("other"))), "ERR_ARG");
    make(directory.place("later"));
    ASSERT_EQ(sqlite3_open(directory.file("later").c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, "PRAGMA user_version = 99", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    EXPECT_EQ(refused(read_file(directory.file("later"))), "ERR_ARG");
    EXPECT_EQ(Opened("sqlite:" + directory.file("no/such/directory"), store::StorePlace{}).status,
              ACCP_ERR_IO);
    store::StorePlace place;
    place.create = false;
    EXPECT_EQ(Opened(directory.place("missing"), place).status, ACCP_ERR_IO);
    EXPECT_FALSE(std::filesystem::exists(directory.file("missing")));
    for (const char *name : {"", "redis:x", "sqlite:", "sqlite::memory:", "memory:x"})
        EXPECT_EQ(Opened(name, store::StorePlace{}).status, ACCP_ERR_ARG) << name;
}

// An empty file, as mktemp creates it, becomes a store, step by step from version 0.
TEST(StoreFile, AnEarlierVersionIsBroughtUp) {
    Directory directory;
    write_file(directory.file(), "");
    store::StorePlace reader;
    reader.writes = false;
    EXPECT_EQ(Opened(directory.place(), reader).status, ACCP_ERR_ARG);
    EXPECT_EQ(Opened(directory.place()).damage(), "");
}

// A file of schema version 1, which had one row per record and did not pack records. Version 2
// stores short records that were synced one by one in the same way, so the checksums are equal too.
TEST(StoreFile, AFileOfVersion1IsBroughtUp) {
    Directory directory;
    std::string exported;
    {
        Opened store(directory.place());
        Open s(store, "s");
        for (int i = 1; i <= 20; ++i) {
            EXPECT_EQ(s.append("record " + std::to_string(i), "mid" + std::to_string(i)), ACCP_OK);
            EXPECT_EQ(s.put(store::Tier::kCold, std::to_string(i), "blob", i % 2 ? 0 : 900),
                      ACCP_OK);
            EXPECT_EQ(s.set_state("state " + std::to_string(i)), ACCP_OK);
            EXPECT_TRUE(s->sync().ok());
        }
        exported = store.exported("s");
    }
    sqlite3 *db = nullptr;
    ASSERT_EQ(sqlite3_open(directory.file().c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, kToVersion1, nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    sqlite3_close(db);
    const std::string before = read_file(directory.file());
    store::StorePlace reader;
    reader.writes = false;
    EXPECT_EQ(Opened(directory.place(), reader).status, ACCP_ERR_ARG);
    EXPECT_EQ(read_file(directory.file()), before);
    Opened store(directory.place());
    EXPECT_EQ(store.damage(), "");
    EXPECT_EQ(store.exported("s"), exported);
    Open s(store, "s");
    EXPECT_TRUE(s.has_mid("mid7"));
    EXPECT_EQ(s.append("record 21"), ACCP_OK);
    EXPECT_TRUE(s->sync().ok());
    EXPECT_EQ(s.records(20), "20:record 20 21:record 21");
    EXPECT_EQ(s.blob(store::Tier::kCold, "2", 900), "E2002");
    EXPECT_EQ(store.damage(), "");
}

}  // namespace
