// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The requirements for every back end. A case that tests a requirement of the specification has its
// number as a name.
#include <random>

#include "store/stores.h"

using namespace store_tests;

namespace {

class StoreConformance : public testing::TestWithParam<const char *> {
protected:
    StoreConformance()
        : name_(directory_.place_of(GetParam())),
          store(name_),
          memory(private_allocator(), UINT64_MAX) {}

    Directory directory_;
    std::string name_;
    Opened store;
    Memory memory;
};

TEST_P(StoreConformance, ANewSessionIsEmpty) {
    Open s(store, "s");
    EXPECT_EQ(s->row().version, 0u);
    EXPECT_EQ(s->row().last, 0u);
    EXPECT_EQ(s.state(), "");
    EXPECT_EQ(s.records(), "");
    EXPECT_FALSE(s.has_mid("0123456789ab"));
    EXPECT_EQ(s.blob(store::Tier::kCold, "k"), "E2001");
}

TEST_P(StoreConformance, ASessionOpenedToReadMustExist) {
    EXPECT_EQ(Open(store, "s", false).status, ACCP_E2001);
    Open writer(store, "s");
    Open reader(store, "s", false);
    ASSERT_EQ(reader.status, ACCP_OK);
    EXPECT_EQ(reader.append("x"), ACCP_ERR_ARG);
    EXPECT_EQ(writer.append("x"), ACCP_OK);  // a reader does not shut out the writer
}

TEST_P(StoreConformance, IdsAreBytesUpToTheirLimit) {
    for (const std::string &id : {std::string("../../etc/passwd"), std::string("a\0b", 3),
                                  std::string("'; DROP TABLE log"), std::string(256, '\xFF')}) {
        Open s(store, id);
        ASSERT_EQ(s.status, ACCP_OK);
        EXPECT_EQ(s.append(id), ACCP_OK);
        EXPECT_EQ(s.records(), "1:" + id);
    }
    EXPECT_EQ(Open(store, std::string(257, 'x')).status, ACCP_ERR_ARG);
    EXPECT_EQ(Open(store, "").status, ACCP_ERR_ARG);
}

// ACCP-5.1-06 Cold holds full history and raw tool outputs: byte-identical retrieval
TEST_P(StoreConformance, ACCP_5_1_06_HistoryComesBackByteForByte) {
    std::string all(256, '\0');
    for (int i = 0; i < 256; ++i) all[i] = static_cast<char>(i);
    std::string large(1 << 20, 'x');
    {
        Open s(store, "s");
        EXPECT_EQ(s.append(all), ACCP_OK);
        EXPECT_EQ(s.append(""), ACCP_OK);
        EXPECT_EQ(s.append(large), ACCP_OK);
        EXPECT_EQ(s.put(store::Tier::kCold, "tool", all), ACCP_OK);
        EXPECT_EQ(s.put(store::Tier::kCold, "large", large), ACCP_OK);
        EXPECT_EQ(s.blob(store::Tier::kCold, "large"), large);  // before it is synced
        EXPECT_EQ(s->sync().code, ACCP_OK);
    }
    Open s(store, "s");
    EXPECT_EQ(s.records(), "1:" + all + " 2: 3:" + large);
    EXPECT_EQ(s.blob(store::Tier::kCold, "tool"), all);
    EXPECT_EQ(s.blob(store::Tier::kCold, "large"), large);
}

TEST_P(StoreConformance, ScansBothWaysAndStops) {
    Open s(store, "s");
    for (char c = 'a'; c <= 'e'; ++c) EXPECT_EQ(s.append(std::string(1, c)), ACCP_OK);
    EXPECT_EQ(s.records(), "1:a 2:b 3:c 4:d 5:e");
    EXPECT_EQ(s.records(2, 4), "2:b 3:c 4:d");
    EXPECT_EQ(s.records(2, 4, true), "4:d 3:c 2:b");
    EXPECT_EQ(s.records(5, 99), "5:e");
    EXPECT_EQ(s.records(6, 99), "");
    EXPECT_EQ(s.records(4, 3), "");
    store::StoreRecords out(memory);
    ASSERT_TRUE(s->scan(1, 0, false, 2, out).ok());
    EXPECT_EQ(out.size(), 2u);
    ASSERT_TRUE(s->scan(1, 0, true, 0, out).ok());
    ASSERT_EQ(out.size(), 1u);  // at least one
    EXPECT_EQ(out[0].seq, 5u);
}

// Groups of any size, so that records are packed together in any combination, including large and
// empty ones.
TEST_P(StoreConformance, RecordsOfAnyGroupComeBackOneByOneAndInRanges) {
    std::mt19937 random(7);
    std::vector<std::string> log;
    Open s(store, "s"), other(store, "t");
    while (log.size() < (ACCP_SANITIZED ? 800 : 3000)) {
        for (size_t left = random() % 400; left; --left) {
            const size_t size = random() % 50 ? random() % 200 : random() % 40000;
            log.push_back(std::to_string(log.size()) + std::string(size, 'x'));
            if (random() % 20 == 0) log.back().clear();
            ASSERT_EQ(s.append(log.back(), random() % 3 ? "" : std::to_string(log.size())),
                      ACCP_OK);
        }
        ASSERT_EQ(other.append("between"), ACCP_OK);
        ASSERT_TRUE(store->sync().ok());
    }
    Memory memory(private_allocator(), UINT64_MAX);
    store::StoreRecords found(memory);
    auto expect = [&](uint64_t first, uint64_t last, bool back, size_t max) {
        ASSERT_TRUE(s->scan(first, last, back, max, found).ok());
        ASSERT_GT(found.size(), 0u);
        if (max == SIZE_MAX) {
            ASSERT_EQ(found.size(), last - first + 1);
        }
        for (size_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found[i].seq, back ? last - i : first + i);
            ASSERT_EQ(found[i].bytes, log[found[i].seq - 1]);
        }
    };
    for (uint64_t seq = 1; seq <= log.size(); ++seq) expect(seq, seq, seq % 2, SIZE_MAX);
    for (int i = 0; i < 300 && !HasFatalFailure(); ++i) {
        const uint64_t first = 1 + random() % log.size(),
                       last = first + random() % (log.size() - first + 1);
        expect(first, last, i % 2, i % 3 ? SIZE_MAX : random() % 100000);
    }
    store::StoreStats stats;
    ASSERT_TRUE(store->stats(stats).ok());
    size_t bytes = 0;
    for (const std::string &record : log) bytes += record.size();
    EXPECT_EQ(stats.records, log.size() + other->row().last);
    EXPECT_EQ(stats.record_bytes, bytes + 7 * other->row().last);
    EXPECT_EQ(store.damage(), "");
}

TEST_P(StoreConformance, ACommitIsComparedAndWholeOrNothing) {
    Open s(store, "s");
    store::StoreBatch batch(memory);
    batch.append("one");
    batch.set_state("state");
    batch.put(store::Tier::kWarm, "k", "v");
    batch.note_mid("0123456789ab");
    EXPECT_EQ(s->commit(batch, 1, 0).code, ACCP_ERR_BUSY);
    EXPECT_EQ(s->commit(batch, 0, 1).code, ACCP_ERR_BUSY);
    batch.put(store::Tier::kWarm, "", "v");
    EXPECT_EQ(s->commit(batch).code, ACCP_ERR_ARG);
    EXPECT_EQ(s->row().last, 0u);
    EXPECT_EQ(s->row().version, 0u);
    EXPECT_EQ(s.records() + s.state(), "");
    EXPECT_EQ(s.blob(store::Tier::kWarm, "k"), "E2001");
    EXPECT_FALSE(s.has_mid("0123456789ab"));
    batch.clear();
    batch.append("one");
    batch.append("two");
    batch.set_state("state");
    EXPECT_EQ(s->commit(batch, 0, 0).code, ACCP_OK);
    EXPECT_EQ(s.records() + s.state(), "1:one 2:twostate");
    EXPECT_EQ(s->row().last, 2u);
    EXPECT_EQ(s->row().version, 1u);
}

TEST_P(StoreConformance, LimitsRefuseAtTheirEdge) {
    Open s(store, "s");
    EXPECT_EQ(s.set_state(std::string(accp::kMaxStateBytes, 's')), ACCP_OK);
    EXPECT_EQ(s.set_state(std::string(accp::kMaxStateBytes + 1, 's')), ACCP_ERR_ARG);
    EXPECT_EQ(s.put(store::Tier::kCold, std::string(256, 'k'), "v"), ACCP_OK);
    EXPECT_EQ(s.put(store::Tier::kCold, std::string(257, 'k'), "v"), ACCP_ERR_ARG);
    EXPECT_EQ(s->row().version, 1u);
}

TEST_P(StoreConformance, TheNewestWriterAloneWrites) {
    Open old(store, "s"), other(store, "other");
    EXPECT_EQ(old.append("first"), ACCP_OK);
    Open young(store, "s");
    EXPECT_EQ(young.records(), "1:first");
    EXPECT_EQ(young.append("second"), ACCP_OK);
    EXPECT_EQ(young->sync().code, ACCP_OK);
    accp_status committed = old.append("lost");
    EXPECT_TRUE(committed == ACCP_ERR_CLOSED || committed == ACCP_OK);
    EXPECT_EQ(other.append("other"), ACCP_OK);
    EXPECT_EQ(old->sync().code, ACCP_ERR_CLOSED);
    EXPECT_EQ(old.append("again"), ACCP_ERR_CLOSED);
    EXPECT_EQ(other->sync().code, ACCP_OK);  // the rest of its group is stored all the same
    EXPECT_EQ(young.append("third"), ACCP_OK);
    EXPECT_EQ(young->sync().code, ACCP_OK);
    EXPECT_EQ(Open(store, "s", false).records(), "1:first 2:second 3:third");
    EXPECT_EQ(Open(store, "other", false).records(), "1:other");
}

TEST_P(StoreConformance, BlobsReplaceEraseAndExpire) {
    Open s(store, "s");
    for (int synced = 0; synced < 2; ++synced) {
        EXPECT_EQ(s.put(store::Tier::kWarm, "k", "one"), ACCP_OK);
        EXPECT_EQ(s.put(store::Tier::kWarm, "k", "two", 100), ACCP_OK);
        EXPECT_EQ(s.put(store::Tier::kCold, "k", "cold"), ACCP_OK);
        if (synced) {
            EXPECT_EQ(s->sync().code, ACCP_OK);
        }
        EXPECT_EQ(s.blob(store::Tier::kWarm, "k", 99), "two");
        EXPECT_EQ(s.blob(store::Tier::kWarm, "k", 100), "E2002");
        EXPECT_EQ(s.blob(store::Tier::kCold, "k", UINT64_MAX), "cold");
        EXPECT_EQ(s.blob(store::Tier::kHot, "k"), "E2001");
        store::StoreBatch batch(memory);
        batch.erase(store::Tier::kWarm, "k");
        batch.erase(store::Tier::kWarm, "never");
        EXPECT_EQ(s->commit(batch).code, ACCP_OK);
        if (synced) {
            EXPECT_EQ(s->sync().code, ACCP_OK);
        }
        EXPECT_EQ(s.blob(store::Tier::kWarm, "k", 0), "E2001");
    }
    store::StoreBatch batch(memory);
    Digest name = batch.put_content(store::Tier::kCold, "abc");
    EXPECT_EQ(name.view(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(s->commit(batch).code, ACCP_OK);
    EXPECT_EQ(s.blob(store::Tier::kCold, name.hex), "abc");
}

// ACCP-3.7-01/02: a mid is never forgotten, even after a restart; the index has several levels
TEST_P(StoreConformance, ACCP_3_7_02_AMidIsSeenForEver) {
    auto mid = [](int i) {
        char text[32];
        if (i % 5 == 0) return "free text " + std::to_string(i);
        std::snprintf(text, sizeof text, "%012llx", (i * 0x9E3779B97F4A7C15ull) >> 16);
        return std::string(text);
    };
    constexpr int kCount = 9000;  // 35 runs of 256: two levels
    {
        Open s(store, "s"), other(store, "other");
        EXPECT_EQ(other.append("x", mid(kCount)), ACCP_OK);
        for (int i = 0; i < kCount; ++i) {
            ASSERT_EQ(s.append("x", mid(i)), ACCP_OK);
            if (i % 256 == 255) {
                ASSERT_EQ(s->sync().code, ACCP_OK);
            }
        }
    }
    for (int again = 0; again < 2; ++again) {
        Open s(store, "s");
        for (int i = 0; i < kCount; i += 7) ASSERT_TRUE(s.has_mid(mid(i))) << i;
        for (int i = kCount; i < kCount + 1000; ++i) ASSERT_FALSE(s.has_mid(mid(i))) << i;
    }
    store::StoreBatch batch(memory);  // a batch without a record
    batch.note_mid("alone");
    {
        Open s(store, "s");
        EXPECT_EQ(s->commit(batch).code, ACCP_OK);
        EXPECT_TRUE(s.has_mid("alone"));
        EXPECT_EQ(s->sync().code, ACCP_OK);
    }
    EXPECT_TRUE(Open(store, "s").has_mid("alone"));
    EXPECT_TRUE(Open(store, "s").has_mid(mid(1)));
    store::StoreStats stats;
    EXPECT_TRUE(store->stats(stats).ok());
    EXPECT_EQ(stats.mids, kCount + 2u);
    EXPECT_EQ(store.damage(), "");
}

TEST(StoreMid, StandardMidsAreExactAndTheRestIsHashed) {
    EXPECT_EQ(store::mid_word("0123456789ab"), 0x0123456789abu);
    EXPECT_EQ(store::mid_word("000000000000"), 0u);
    for (const char *other : {"0123456789AB", "0123456789ag", "0123456789a", "0123456789abc", ""})
        EXPECT_EQ(store::mid_word(other) >> 62, 1u) << other;
}

// ACCP-9-04 Cold refs scoped to the current session; ACCP-9-05 cross-session access needs explicit
// authorisation
TEST_P(StoreConformance, ACCP_9_04_NothingIsSharedWithoutAGrant) {
    Open owner(store, "owner"), guest(store, "guest"), other(store, "other");
    EXPECT_EQ(owner.put(store::Tier::kCold, "ckpt_1", "one"), ACCP_OK);
    EXPECT_EQ(owner.put(store::Tier::kWarm, "ckpt_1", "warm"), ACCP_OK);
    EXPECT_EQ(owner.put(store::Tier::kCold, "old", "old", 50), ACCP_OK);
    EXPECT_EQ(owner->sync().code, ACCP_OK);
    EXPECT_EQ(guest.blob(store::Tier::kCold, "ckpt_1"), "E2001");
    for (const char *key : {"ckpt_1", "nothing", ""})
        EXPECT_EQ(guest.shared("owner", store::Tier::kCold, key), "E5002");
    EXPECT_EQ(guest.shared("nobody", store::Tier::kCold, "ckpt_1"), "E5002");
    EXPECT_EQ(guest.shared("guest", store::Tier::kCold, "ckpt_1"), "E5002");
}

TEST_P(StoreConformance, ACCP_9_05_AGrantHasAPrefixAGranteeAndAnEnd) {
    Open owner(store, "owner"), guest(store, "guest"), other(store, "other");
    store::StoreBatch batch(memory);
    batch.put(store::Tier::kCold, "ckpt_1", "one");
    batch.put(store::Tier::kCold, "old", "old", 50);
    batch.put(store::Tier::kWarm, "ckpt_1", "warm");
    batch.grant("guest", "cold.ckpt_", 100);
    batch.grant("other", "cold.old");
    EXPECT_EQ(owner->commit(batch).code, ACCP_OK);
    EXPECT_EQ(owner->sync().code, ACCP_OK);
    EXPECT_EQ(guest.shared("owner", store::Tier::kCold, "ckpt_1", 99), "one");
    EXPECT_EQ(guest.shared("owner", store::Tier::kCold, "ckpt_2", 99), "E2001");
    EXPECT_EQ(other.shared("owner", store::Tier::kCold, "old", 49), "old");
    EXPECT_EQ(guest.shared("owner", store::Tier::kCold, "ckpt_1", 100), "E5002");
    EXPECT_EQ(guest.shared("owner", store::Tier::kCold, "ckpt_1", 99), "E5002")
        << "the clock goes back";
    EXPECT_EQ(guest.shared("owner", store::Tier::kCold, "old", 1), "E5002");
    EXPECT_EQ(guest.shared("owner", store::Tier::kWarm, "ckpt_1", 1), "E5002");
    EXPECT_EQ(store.damage(), "");
    EXPECT_EQ(other.shared("owner", store::Tier::kCold, "old", 50), "E2002");
    batch.clear();
    batch.grant("guest", "cold.ckpt_", 200);  // a new expiry
    batch.revoke("other", "cold.old");
    EXPECT_EQ(owner->commit(batch).code, ACCP_OK);
    EXPECT_EQ(owner->sync().code, ACCP_OK);
    EXPECT_EQ(guest.shared("owner", store::Tier::kCold, "ckpt_1", 199), "one");
    EXPECT_EQ(other.shared("owner", store::Tier::kCold, "old", 1), "E5002");
}

TEST_P(StoreConformance, AGrantHasAGranteeThatASessionCanBe) {
    Open owner(store, "owner");
    for (const size_t size : {0u, 1u, 256u, 257u, 5000u}) {
        const std::string grantee(size, 'g');
        const int expected = size && size <= 256 ? ACCP_OK : ACCP_ERR_ARG;
        store::StoreBatch granting(memory), revoking(memory);
        granting.grant(grantee, "cold.");
        revoking.revoke(grantee, "cold.");
        EXPECT_EQ(owner->commit(granting).code, expected) << size;
        EXPECT_EQ(owner->commit(revoking).code, expected) << size;
        EXPECT_EQ(owner->sync().code, ACCP_OK) << size;
    }
    EXPECT_EQ(store.damage(), "");
}

TEST_P(StoreConformance, AGrantEndsWithItsGrantee) {
    Open owner(store, "owner");
    EXPECT_EQ(owner.put(store::Tier::kCold, "k", "one"), ACCP_OK);
    store::StoreBatch batch(memory);
    for (const char *grantee : {"guest", "other"}) batch.grant(grantee, "cold.");
    EXPECT_EQ(owner->commit(batch).code, ACCP_OK);
    EXPECT_EQ(owner->sync().code, ACCP_OK);
    EXPECT_EQ(Open(store, "guest").shared("owner", store::Tier::kCold, "k"), "one")
        << "a grant may come before its grantee";
    EXPECT_TRUE(store->erase_session("guest").ok());
    EXPECT_EQ(Open(store, "guest").shared("owner", store::Tier::kCold, "k"), "E5002")
        << "another of that id";
    EXPECT_EQ(Open(store, "other").shared("owner", store::Tier::kCold, "k"), "one");
    EXPECT_EQ(owner.put(store::Tier::kCold, "l", "two"), ACCP_OK);
    EXPECT_EQ(owner->sync().code, ACCP_OK);
    EXPECT_EQ(store.damage(), "");
}

TEST_P(StoreConformance, PruningTakesWhatExpiredAndOldGenerationsAboveTheFloorStay) {
    Open s(store, "s"), unnamed(store, "no floor");
    for (uint64_t i = 1; i <= 6; ++i) {
        EXPECT_EQ(s.put(store::Tier::kCold, "g" + std::to_string(i), "x", 0, i), ACCP_OK);
        EXPECT_EQ(unnamed.put(store::Tier::kCold, "g" + std::to_string(i), "x", 0, i), ACCP_OK);
    }
    EXPECT_EQ(s.put(store::Tier::kWarm, "brief", "x", 10), ACCP_OK);
    EXPECT_EQ(s.put(store::Tier::kWarm, "longer", "x", 20), ACCP_OK);
    EXPECT_EQ(s.put(store::Tier::kCold, "plain", "x"), ACCP_OK);
    store::StoreBatch batch(memory);
    batch.grant("guest", "cold.", 10);
    batch.set_floor(3);
    EXPECT_EQ(s->commit(batch).code, ACCP_OK);
    uint64_t pruned = 0;
    ASSERT_TRUE(store->prune({10, 2}, pruned).ok());
    EXPECT_EQ(pruned, 4u);  // brief, the grant, g1, g2: 3 and 4 are old, but a delta's base is 3
    EXPECT_EQ(s.blob(store::Tier::kCold, "g2"), "E2001");
    EXPECT_EQ(s.blob(store::Tier::kCold, "g3"), "x");
    EXPECT_EQ(s.blob(store::Tier::kWarm, "brief"), "E2001");
    EXPECT_EQ(s.blob(store::Tier::kWarm, "longer"), "x");
    EXPECT_EQ(s.blob(store::Tier::kCold, "plain"), "x");
    EXPECT_EQ(unnamed.blob(store::Tier::kCold, "g1"), "x");
    batch.clear();
    batch.set_floor(6);
    EXPECT_EQ(s->commit(batch).code, ACCP_OK);
    ASSERT_TRUE(store->prune({10, 2}, pruned).ok());
    EXPECT_EQ(pruned, 2u);  // 5 and 6 are the newest two
    EXPECT_EQ(s.blob(store::Tier::kCold, "g5"), "x");
}

TEST_P(StoreConformance, WhatIsExportedIsImportedByteForByte) {
    Opened there("memory:");
    std::string text;
    {
        Open s(store, "s"), odd(store, std::string("\xFF\0", 2));
        store::StoreBatch batch(memory);
        for (int i = 0; i < 700; ++i) {
            batch.append(i % 3 ? "plain \"text\"\n \xC3\xA4" : std::string("\xFE\0bytes", 7));
            batch.note_mid("mid " + std::to_string(i));
        }
        batch.note_mid("00000000000f");
        batch.set_state("one");
        EXPECT_EQ(s->commit(batch).code, ACCP_OK);
        batch.clear();
        batch.set_state("two");
        batch.set_floor(2);
        batch.put(store::Tier::kHot, "h", "hot", 5, 3);
        batch.put(store::Tier::kCold, std::string("\0", 1), std::string("\xFF", 1));
        batch.grant("guest", "warm.", 77);
        EXPECT_EQ(s->commit(batch).code, ACCP_OK);
        text = store.exported("s") + store.exported(std::string("\xFF\0", 2));
    }
    ASSERT_TRUE(there->import(text).ok());
    EXPECT_EQ(there.exported("s") + there.exported(std::string("\xFF\0", 2)), text);
    EXPECT_EQ(store->import(text).code, ACCP_ERR_BUSY);
    EXPECT_TRUE(store->erase_session("s").ok());
    EXPECT_TRUE(store->erase_session(std::string("\xFF\0", 2)).ok());
    EXPECT_EQ(store.exported("s"), "E2001");
    ASSERT_TRUE(store->import(text).ok());
    EXPECT_EQ(store.exported("s") + store.exported(std::string("\xFF\0", 2)), text);
    EXPECT_EQ(store.damage(), "");
    Open s(store, "s");
    EXPECT_TRUE(s.has_mid("mid 699"));
    EXPECT_TRUE(s.has_mid("00000000000f"));
    EXPECT_FALSE(s.has_mid("mid 700"));
    EXPECT_EQ(s->row().version, 2u);
    EXPECT_EQ(s.append("more"), ACCP_OK);
    EXPECT_EQ(s->row().last, 701u);
}

TEST_P(StoreConformance, ImportRefusesWholeWhatIsNoExport) {
    const char *good = "{\"session\":\"s\",\"version\":0,\"generation\":0,\"floor\":0}\n";
    for (const char *line :
         {"", "{\"record\":\"x\"}", "[]",
          "{\"session\":\"\",\"version\":0,\"generation\":0,\"floor\":0}", "{\"session\":\"s\"}"}) {
        EXPECT_NE(store->import(line).code, ACCP_OK) << line;
    }
    for (const char *line :
         {"{\"record\":1}", "{\"mid\":\"0123\"}", "{\"record_hex\":\"0\"}",
          "{\"record_hex\":\"zz\"}", "{\"mid\":\"ffffffffffffffff\"}",
          "{\"tier\":\"ice\",\"key\":\"k\",\"expires\":0,\"generation\":0,\"blob\":\"b\"}", "{",
          "{\"blob\":\"b\"}"}) {
        std::string text = std::string(good) + line;
        Status status = store->import(text);
        EXPECT_TRUE(status.code == ACCP_E1001 || status.code == ACCP_E1004) << line;
        EXPECT_GE(status.offset, std::string(good).size());
    }
    EXPECT_EQ(store->import(std::string(good) + good).code, ACCP_ERR_BUSY);  // the same id twice
    EXPECT_EQ(store.exported("s"), "E2001");
}

// The current form of an export. The number of a damaged line is reported, and nothing is imported.
TEST_P(StoreConformance, ImportTellsTheLineThatIsDamaged) {
    const std::vector<std::string> good = {
        R"({"session":"s","form":2,"version":1,"generation":1,"floor":0,"records":2,"state":"x"})",
        R"({"record":1,"bytes":"one"})",
        R"({"record":2,"bytes_hex":"ff"})",
        R"({"tier":"cold","key":"t1","expires":0,"generation":1,"blob":{"a":[1,"b"]}})",
        R"({"tier":"cold","key":"t2","expires":0,"generation":0,"blob_text":"{\"a\": 1}"})",
        R"({"grantee":"g","prefix":"cold.","expires":0})",
        R"({"mid":"0123456789ab"})"};
    struct Damage {
        uint32_t line;
        std::string put;
        uint64_t had, limit;
        uint32_t told;  // the reported line number
    };
    const std::string key = std::string(257, 'k');
    const Damage all[] = {
        {0, R"({"session":"s","form":3,"version":0})", 3, 2, 0},
        {0, R"({"session":"","form":2,"version":0})", 0, 256, 0},
        {0, R"({"session":"s","form":2,"version":0,"generation":1,"floor":0,"records":3})", 2, 3,
         7},
        {0, R"({"session":"s","form":2,"version":0,"generation":0,"floor":0})", 0, 0, 0},
        {1, R"({"record":2,"bytes":"one"})", 2, 1, 1},
        {1, R"({"record":1,"bytes":"one","more":1})", 0, 0, 1},
        {1, R"({"bytes":"one","record":1})", 0, 0, 1},
        {1, R"({"record":1,"kind":"message"})", 0, 0, 1},
        {1, R"({"record":"one"})", 0, 0, 1},
        {2, R"({"record":2,"bytes_hex":"FF"})", 0, 0, 2},
        {2, R"({"record":2,"bytes_hex":"6f"})", 0, 0, 2},
        {2, "", 0, 0, 2},
        {3, R"({"tier":"cold","key":")" + key + R"(","expires":0,"generation":1,"blob":1})", 257,
         256, 3},
        {3, R"({"tier":"cold","key":"t1","expires":0,"generation":4,"blob":1})", 4, 1, 3},
        {3, R"({"tier":"ice","key":"t1","expires":0,"generation":1,"blob":1})", 0, 0, 3},
        {4, R"({"tier":"cold","key":"t2","expires":0,"generation":0,"blob_text":"{}"})", 0, 0, 4},
        {5, R"({"grantee":"g","prefix":"cold."})", 0, 0, 5},
        {6, R"({"mid":"0123"})", 4, 16, 6},
        {6, R"({"mid":"0123456789AB"})", 0, 0, 6},
    };
    const auto joined = [&](const Damage *damage) {
        std::string text;
        for (uint32_t i = 0; i < good.size(); ++i)
            text += (damage && damage->line == i ? damage->put : good[i]) + "\n";
        return text;
    };
    for (const Damage &damage : all) {
        const Status status = store->import(joined(&damage));
        EXPECT_TRUE(status.code == ACCP_E1001 || status.code == ACCP_E1004) << damage.put;
        EXPECT_EQ(status.record, damage.told) << damage.put;
        EXPECT_EQ(status.had, damage.had) << damage.put;
        EXPECT_EQ(status.limit, damage.limit) << damage.put;
        EXPECT_EQ(store.exported("s"), "E2001") << damage.put;
    }
    ASSERT_TRUE(store->import(joined(nullptr)).ok());
    EXPECT_EQ(store.exported("s"), joined(nullptr));
}

TEST_P(StoreConformance, SessionsAreListedAndErased) {
    for (const char *id : {"b", "a", "c"}) Open(store, id).append("x");
    std::string all;
    Buffer<char> id(memory);
    uint64_t number = 0;
    while (store->next_session(number, id).ok()) all.append(id.data(), id.size());
    EXPECT_EQ(all, "bac");
    number = 0;  // erasing sessions during the listing skips none of them
    all.clear();
    for (const char *made : {"d", "e"}) Open(store, made).append("x");
    while (store->next_session(number, id).ok()) {
        all.append(id.data(), id.size());
        if (all.back() > 'c') {
            EXPECT_TRUE(store->erase_session({id.data(), id.size()}).ok());
        }
    }
    EXPECT_EQ(all, "bacde");
    Open held(store, "a");
    EXPECT_TRUE(store->erase_session("a").ok());
    EXPECT_EQ(store->erase_session("a").code, ACCP_E2001);
    accp_status status = held.append("y");
    EXPECT_TRUE(status == ACCP_ERR_CLOSED || held->sync().code == ACCP_ERR_CLOSED);
    EXPECT_EQ(Open(store, "a").records(), "");
    EXPECT_EQ(Open(store, "b").records(), "1:x");
    store::StoreStats stats;
    EXPECT_TRUE(store->stats(stats).ok());
    EXPECT_EQ(stats.sessions, 3u);
    EXPECT_EQ(stats.records, 2u);
    EXPECT_EQ(stats.record_bytes, 2u);
}

TEST_P(StoreConformance, ClosedHandlesLoseNothing) {
    {
        Open s(store, "s");
        EXPECT_EQ(s.append("unsynced", "0123456789ab"), ACCP_OK);
        EXPECT_EQ(s.put(store::Tier::kHot, "k", "v"), ACCP_OK);
    }
    EXPECT_TRUE(store->sync().ok());
    Open s(store, "s", false);
    EXPECT_EQ(s.records(), "1:unsynced");
    EXPECT_TRUE(s.has_mid("0123456789ab"));
    EXPECT_EQ(s.blob(store::Tier::kHot, "k"), "v");
}

TEST_P(StoreConformance, AStoreOpenedToReadChangesNothing) {
    if (name_ == "memory:") return;
    Open(store, "s").append("x");
    EXPECT_TRUE(store->sync().ok());
    store::StorePlace place;
    place.writes = false;
    Opened reader(name_, place);
    ASSERT_EQ(reader.status, ACCP_OK);
    EXPECT_EQ(Open(reader, "s", false).records(), "1:x");
    EXPECT_EQ(Open(reader, "s", true).status, ACCP_ERR_ARG);
    uint64_t pruned;
    EXPECT_NE(reader->prune({1, 1}, pruned).code, ACCP_OK);
    EXPECT_NE(reader->erase_session("s").code, ACCP_OK);
    EXPECT_EQ(reader.damage(), "");
}

INSTANTIATE_TEST_SUITE_P(Backends, StoreConformance, testing::Values(ACCP_STORE_KINDS),
                         [](const auto &it) { return std::string(it.param); });

}  // namespace
