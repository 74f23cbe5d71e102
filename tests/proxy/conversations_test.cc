// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The memory of conversations: what it keeps, what it forgets, and what it reads back from the
// journal.
#include <gtest/gtest.h>

#include "proxy/conversations.h"
#include "unit.h"

namespace {

using proxy::ConversationLimits;
using proxy::ConversationPath;
using proxy::Conversations;
using proxy::Hash;
using proxy::MemoryJournal;

constexpr int64_t kStart = 1'700'000'000'000;

ConversationPath path_of(const std::vector<uint64_t> &pages) {
    ConversationPath path;
    Hash chain;
    for (const uint64_t page : pages)
        path.chains.push_back(chain = proxy::hash_chain(chain, {page, page}, {1, 2}));
    return path;
}

// Notes a call with these pages and returns how many were known.
size_t call(Conversations &conversations, const std::vector<uint64_t> &pages, int64_t now_ms,
            const std::vector<size_t> &evicted = {}) {
    ConversationPath path = path_of(pages);
    EXPECT_TRUE(conversations.find(path, now_ms));
    const size_t known = path.known.size();
    for (size_t i = 0; i < path.fresh.size(); ++i)
        path.fresh[i].tokens = static_cast<uint32_t>(pages[known + i]);
    path.has_tool = pages.back() % 2;
    EXPECT_TRUE(conversations.note_call(path, evicted, 7, now_ms));
    return known;
}

std::vector<bool> evicted(Conversations &conversations, const std::vector<uint64_t> &pages,
                          int64_t now_ms) {
    ConversationPath path = path_of(pages);
    EXPECT_TRUE(conversations.find(path, now_ms));
    std::vector<bool> out;
    for (const uint32_t number : path.known) out.push_back(conversations.page(number).is_evicted());
    return out;
}

TEST(Conversations, ABranchSharesItsPrefix) {
    Conversations conversations({});
    EXPECT_EQ(call(conversations, {1, 2, 3}, kStart), 0u);
    EXPECT_EQ(call(conversations, {1, 2, 3, 4, 5}, kStart + 1000, {2}), 3u);
    EXPECT_EQ(call(conversations, {1, 2, 3, 6}, kStart + 2000), 3u);
    EXPECT_EQ(call(conversations, {1, 7, 3}, kStart + 3000), 1u)
        << "an equal page elsewhere is another";
    EXPECT_EQ(call(conversations, {2, 3}, kStart + 3000), 0u);
    EXPECT_EQ(evicted(conversations, {1, 2, 3, 6}, kStart + 4000),
              (std::vector<bool>{false, false, true, false}));
    EXPECT_EQ(evicted(conversations, {1, 7, 3}, kStart + 4000),
              (std::vector<bool>{false, false, false}));
    EXPECT_EQ(conversations.page_count(), 10u);
}

TEST(Conversations, AgesAreThoseOfTheLastCallThatHadThePage) {
    Conversations conversations({});
    call(conversations, {1, 2, 3}, kStart);
    call(conversations, {1, 2, 4}, kStart + 100'000);
    ConversationPath path = path_of({1, 2, 3});
    ASSERT_TRUE(conversations.find(path, kStart + 150'000));
    EXPECT_EQ(conversations.age_ms(path.known[0], kStart + 150'000), 50'000);
    EXPECT_EQ(conversations.age_ms(path.known[1], kStart + 150'000), 50'000);
    EXPECT_EQ(conversations.age_ms(path.known[2], kStart + 150'000), 150'000);
    EXPECT_EQ(conversations.age_ms(path.known[2], kStart - 1), 0) << "a clock that goes back";
}

TEST(Conversations, TheOldestAreForgottenFirst) {
    ConversationLimits limits;
    limits.max_pages = 100;
    Conversations conversations(limits);
    for (uint64_t i = 0; i < 50; ++i)
        call(conversations, {1, 100 + i, 200 + i, 300 + i, 400 + i},
             kStart + static_cast<int64_t>(i) * 1000);
    EXPECT_LE(conversations.page_count(), 100u);
    EXPECT_EQ(call(conversations, {1, 149, 249, 349, 449}, kStart + 50'000), 5u) << "the newest";
    EXPECT_EQ(call(conversations, {1, 100, 200, 300, 400}, kStart + 50'000), 1u) << "the oldest";
    ConversationPath path = path_of(std::vector<uint64_t>(101, 1));
    EXPECT_FALSE(conversations.find(path, kStart)) << "more pages than fit";
    path = path_of(std::vector<uint64_t>(100, 1));
    EXPECT_TRUE(conversations.find(path, kStart));
}

// Also if the page that came last is among the oldest.
TEST(Conversations, AQuarterIsForgotten) {
    ConversationLimits limits;
    limits.max_pages = 8;
    Conversations conversations(limits);
    for (uint64_t page = 1; page <= 8; ++page) call(conversations, {page}, kStart);
    for (uint64_t page = 1; page <= 7; ++page)
        call(conversations, {page}, kStart + static_cast<int64_t>(page) * 1000);
    call(conversations, {9}, kStart + 9000);
    EXPECT_EQ(conversations.page_count(), 7u) << "without the last and the first";
    for (uint64_t page = 2; page <= 7; ++page)
        EXPECT_EQ(call(conversations, {page}, kStart + 9000), 1u) << page;
}

TEST(Conversations, AConversationThatFillsTheMemoryIsKept) {
    ConversationLimits limits;
    limits.max_pages = 100;
    Conversations conversations(limits);
    std::vector<uint64_t> pages;
    for (uint64_t i = 0; i < 100; ++i) {
        pages.push_back(i);
        EXPECT_EQ(call(conversations, pages, kStart + static_cast<int64_t>(i) * 1000), i);
    }
}

TEST(Conversations, OldOnesAreForgotten) {
    ConversationLimits limits;
    limits.retention_ms = 3600'000;
    Conversations conversations(limits);
    call(conversations, {1, 2, 3}, kStart);
    call(conversations, {4, 5}, kStart + 3000'000);
    EXPECT_EQ(call(conversations, {6}, kStart + 3602'000), 0u);
    EXPECT_EQ(conversations.page_count(), 3u);
    EXPECT_EQ(call(conversations, {1, 2}, kStart + 3602'000), 0u);
    EXPECT_EQ(call(conversations, {4, 5}, kStart + 3602'000), 2u);
}

TEST(Conversations, APageNeedsLessThan48Bytes) {
    Conversations conversations({});
    std::vector<uint64_t> pages(150'000);
    for (size_t i = 0; i < pages.size(); ++i) pages[i] = i;
    call(conversations, pages, kStart);
    EXPECT_LE(conversations.memory_bytes(), 48 * pages.size());
}

// Returns the pages that a journal restores, in a form by which two objects can be compared.
std::string dump(const Conversations &conversations) {
    std::string out;
    for (uint32_t i = 1; i <= conversations.page_count(); ++i) {
        const proxy::PageState &page = conversations.page(i);
        out += std::to_string(page.chain.low) + ' ' + std::to_string(page.parent) + ' ' +
               std::to_string(page.last_s) + ' ' + std::to_string(page.tokens) + ' ' +
               std::to_string(page.is_evicted()) + ' ' + std::to_string(page.has_tool) + '\n';
    }
    return out;
}

TEST(Conversations, TheJournalGivesEverythingBack) {
    accp_unit::Random random(3);
    ConversationLimits limits;
    limits.max_pages = 300;
    limits.retention_ms = 600'000;
    MemoryJournal journal;
    Conversations conversations(limits, &journal);
    ASSERT_TRUE(conversations.load());
    int64_t now_ms = kStart;
    size_t forgotten = 0;
    for (int step = 0; step < 1000; ++step) {
        std::vector<uint64_t> pages;
        for (size_t i = 0; i <= random.below(10); ++i) pages.push_back(random.below(3));
        pages.push_back(random.below(3) ? 9 : random.below(1000));
        std::vector<size_t> leaves;
        for (size_t i = 0; i < pages.size(); ++i)
            if (random.below(10) == 0) leaves.push_back(i);
        now_ms += static_cast<int64_t>(random.below(20'000));
        const size_t before = conversations.page_count();
        call(conversations, pages, now_ms, leaves);
        forgotten += conversations.page_count() < before;
        MemoryJournal copy = journal;
        Conversations loaded(limits, &copy);
        ASSERT_TRUE(loaded.load());
        ASSERT_EQ(dump(loaded), dump(conversations)) << step;
        EXPECT_EQ(loaded.key().low, conversations.key().low);
    }
    EXPECT_GT(forgotten, 3u);
}

// The journal of a long life does not grow without end.
TEST(Conversations, TheJournalIsRewritten) {
    MemoryJournal journal;
    Conversations conversations({}, &journal);
    conversations.load();
    size_t max = 0;
    for (int i = 0; i < 25'000; ++i) {
        call(conversations, {1, 2, 3}, kStart + i);
        max = std::max(max, journal.records.size());
    }
    EXPECT_GT(max, 5000u);
    EXPECT_LT(max, 11'000u);
}

// Any damage to any record: the journal is refused as a whole, and a new one is begun.
void check_damage(const MemoryJournal &journal) {
    size_t refused = 0;
    for (size_t i = 0; i < journal.records.size(); ++i) {
        for (size_t size = 0; size < journal.records[i].size(); ++size) {
            MemoryJournal cut = journal;
            cut.records[i].resize(size);
            Conversations conversations({}, &cut);
            EXPECT_FALSE(conversations.load()) << i << ' ' << size;
            EXPECT_EQ(conversations.page_count(), 0u);
            EXPECT_EQ(cut.records.size(), 1u);
            EXPECT_TRUE(Conversations({}, &cut).load());
            ++refused;
        }
        MemoryJournal twice = journal;
        twice.records.push_back(journal.records[i]);
        EXPECT_FALSE(Conversations({}, &twice).load()) << i;
        MemoryJournal without = journal;
        without.records.erase(without.records.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_EQ(Conversations({}, &without).load(), i + 1 == journal.records.size()) << i;
        MemoryJournal longer = journal;
        longer.records[i] += '\0';
        EXPECT_FALSE(Conversations({}, &longer).load()) << i;
    }
    EXPECT_GT(refused, 100u);
    MemoryJournal good = journal;
    EXPECT_TRUE(Conversations({}, &good).load());
}

TEST(Conversations, ADamagedJournalIsBegunAnew) {
    MemoryJournal journal;
    Conversations conversations({}, &journal);
    conversations.load();
    call(conversations, {1, 2, 3}, kStart, {1});
    call(conversations, {1, 2, 4}, kStart + 5000, {0, 2});
    check_damage(journal);
    // a rewritten journal has its pages in other records
    size_t records = 0;
    for (int64_t ms = kStart + 10'000; journal.records.size() >= records; ++ms) {
        records = journal.records.size();
        call(conversations, {1, 2, 5}, ms);
    }
    call(conversations, {1, 2, 5, 6}, kStart + 30'000);
    check_damage(journal);
}

// A record whose fields are well formed, but name pages that the journal does not have, or are
// larger than their types. The fields are those of conversations.cc.
struct OddRecord {
    const char *name;
    std::vector<uint64_t> fields;  // kHash stands for the hash of a page
    bool is_good;
};
constexpr uint64_t kHash = 1'000'000'000'000'000'000, kTooLarge = uint64_t{1} << 32;
constexpr uint64_t kCallRecord = 1, kPagesRecord = 2;
constexpr uint64_t kNow = kStart / 1000;
const OddRecord kOddRecords[] = {
    {"a call", {kCallRecord, kNow, 3, 1, kHash, 5, 5, 1, 4, 1, 0}, true},
    {"no page before it", {kCallRecord, kNow, 0, 1, kHash, 5, 5, 0, 1, 0}, true},
    {"a time that is too large", {kCallRecord, kTooLarge, 3, 1, kHash, 5, 5, 1, 4, 1, 0}, false},
    {"behind no page", {kCallRecord, kNow, 4, 1, kHash, 5, 5, 0, 1, 0}, false},
    {"behind no page, and cut", {kCallRecord, kNow, 4}, false},
    {"tokens", {kCallRecord, kNow, 3, 1, kHash, kTooLarge, 5, 1, 4, 1, 0}, false},
    {"tokens of the stub", {kCallRecord, kNow, 3, 1, kHash, 5, 65536, 1, 4, 1, 0}, false},
    {"page 0 evicted", {kCallRecord, kNow, 3, 1, kHash, 5, 5, 1, 0, 1, 0}, false},
    {"no such page evicted", {kCallRecord, kNow, 3, 1, kHash, 5, 5, 1, 5, 1, 0}, false},
    {"evicted by no call", {kCallRecord, kNow, 3, 1, kHash, 5, 5, 1, 4, 0, 0}, false},
    {"a page", {kPagesRecord, 1, kHash, 3, kNow, 5, 5, 1, 1}, true},
    {"a first page", {kPagesRecord, 1, kHash, 0, kNow, 5, 5, 0, 0}, true},
    {"a page behind no page", {kPagesRecord, 1, kHash, 4, kNow, 5, 5, 1, 1}, false},
    {"the time of a page", {kPagesRecord, 1, kHash, 3, kTooLarge, 5, 5, 1, 1}, false},
    {"the tokens of a page", {kPagesRecord, 1, kHash, 3, kNow, kTooLarge, 5, 1, 1}, false},
    {"the call of a page", {kPagesRecord, 1, kHash, 3, kNow, 5, 5, 65536, 1}, false},
    {"another kind", {9, 1}, false},
};

std::string packed(const std::vector<uint64_t> &fields) {
    accp::Memory memory{accp::private_allocator(), UINT64_MAX};
    accp::Buffer<char> out{memory};
    accp::Packer packer(out);
    for (const uint64_t field : fields) {
        if (field == kHash) out.append(std::string(sizeof(Hash), 'h'));
        else packer.number(field);
    }
    return {out.data(), out.size()};
}

TEST(Conversations, ARecordThatNamesWhatIsNotThereIsRefused) {
    for (const OddRecord &odd : kOddRecords) {
        MemoryJournal journal;
        Conversations conversations({}, &journal);
        conversations.load();
        call(conversations, {1, 2, 3}, kStart);
        journal.records.push_back(packed(odd.fields));
        EXPECT_EQ(Conversations({}, &journal).load(), odd.is_good) << odd.name;
    }
}

// Keeping an exchange writes it once for each page that keeps it, not at each call.
TEST(Conversations, AnExchangeIsWrittenOnceForEachPage) {
    MemoryJournal journal;
    Conversations conversations({}, &journal);
    conversations.load();
    call(conversations, {1, 2, 3}, kStart);
    const Hash place{5, 5}, chain = path_of({1, 2, 3}).chains.back();
    conversations.note_exchange(chain, place, {}, kStart);
    const size_t records = journal.records.size();
    conversations.keep_exchanges(place, 3, kStart);
    EXPECT_EQ(journal.records.size(), records) << "the same page";
    conversations.keep_exchanges({6, 6}, 2, kStart);
    EXPECT_EQ(journal.records.size(), records) << "no exchange there";
    conversations.keep_exchanges(place, 2, kStart);
    EXPECT_EQ(journal.records.size(), records + 1);
}

// A journal that sometimes refuses records.
class FailingJournal final : public proxy::Journal {
public:
    bool load(const std::function<void(std::string_view)> &use) override {
        return records.load(use);
    }
    bool append(std::string_view record) override { return !fails && records.append(record); }
    bool replace(const std::vector<std::string> &all) override {
        return !fails && records.replace(all);
    }

    MemoryJournal records;
    bool fails = false;
};

TEST(Conversations, NothingIsEvictedThatTheJournalDoesNotHave) {
    FailingJournal journal;
    Conversations conversations({}, &journal);
    conversations.load();
    call(conversations, {1, 2, 3}, kStart, {1});
    journal.fails = true;
    ConversationPath path = path_of({1, 2, 3, 4});
    ASSERT_TRUE(conversations.find(path, kStart + 1000));
    EXPECT_FALSE(conversations.note_call(path, {2}, 7, kStart + 1000));
    EXPECT_EQ(evicted(conversations, {1, 2, 3, 4}, kStart + 1000),
              (std::vector<bool>{false, true, false, false}));
    journal.fails = false;
    path = path_of({1, 2, 3, 4, 5});
    ASSERT_TRUE(conversations.find(path, kStart + 2000));
    EXPECT_FALSE(conversations.note_call(path, {2}, 7, kStart + 2000))
        << "it is tried a minute later";
    call(conversations, {1, 2, 3, 4, 5, 6}, kStart + 62'000, {3});
    Conversations loaded({}, &journal);
    ASSERT_TRUE(loaded.load());
    EXPECT_EQ(dump(loaded), dump(conversations));
}

}  // namespace
