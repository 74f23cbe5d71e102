// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The proxy's memory of conversations: a tree of pages. Each page is identified by the hash of the
// conversation up to it, so requests with a common beginning share its pages, and what was evicted
// in it. No text is kept.
//
// An evicted page stays evicted. A page is forgotten if it is too old, or if there are too many.
// Then it counts as never seen: the next request that has it is sent with this page unchanged.
//
// Records of the journal (numbers and texts of base/pack.h; a hash has 16 bytes):
//
//   head = 0 version key                        ; the first record
//   call = 1 time last-known count *(chain tokens stub-tokens) count *(evicted page) call has-tool
//   pages = 2 count *(chain parent time tokens stub-tokens evicted-at has-tool)
//                                               ; of a rewritten journal
//   exchange = 3 page place answer is-open count *(words thoughts count *(json id number before
//   outcome))
//
// Times are in seconds. Pages are numbered in the order of their records, from 1; 0: none. A
// journal of version 1 has no `has-tool` and no exchanges; it is rewritten when it is read.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/pack.h"
#include "proxy/exchange.h"
#include "proxy/hash.h"
#include "proxy/journal.h"

namespace proxy {

struct PageState {
    Hash chain;                 // of the conversation up to and with this page
    uint32_t parent : 31 = 0;   // the page before; 0: none
    uint32_t has_tool : 1 = 0;  // it was first sent with the tool accp_resolve
    uint32_t last_s = 0;        // when a call last had it
    uint32_t tokens = 0;
    uint16_t stub_tokens = 0;  // 0: it has no stub
    uint16_t evicted_at = 0;   // the call before which it was evicted, from 1; 0: it was not

    bool is_evicted() const { return evicted_at != 0; }
};
static_assert(sizeof(PageState) == 32);

struct ConversationLimits {
    uint32_t max_pages = 200'000;
    int64_t retention_ms = int64_t{7} * 24 * 3600 * 1000;
};

// The pages of one request: those that are known, and those that are new.
struct ConversationPath {
    std::vector<Hash> chains;      // of all pages
    std::vector<Hash> places;      // the same, without the front: where an exchange belongs
    std::vector<uint32_t> known;   // the numbers of the first ones
    std::vector<PageState> fresh;  // of the others: tokens and stub_tokens
    bool has_tool = false;         // the call has the tool accp_resolve
};

class Conversations {
public:
    // `journal`: borrowed; nullptr: nothing survives the process.
    explicit Conversations(const ConversationLimits &limits, Journal *journal = nullptr);

    // Reads the journal, once, before all other calls. Returns false if it cannot be read or is
    // damaged; then nothing is known, and a new journal is begun.
    bool load();
    const HashKey &key() const { return key_; }

    // Sets `known` from the chains: the longest prefix that an earlier call had. Forgets pages that
    // are too old. Returns false if the path has more pages than fit.
    bool find(ConversationPath &path, int64_t now_ms);
    const PageState &page(uint32_t number) const {
        return blocks_[number >> kBits][number & kMask];
    }
    // Returns how long ago a call last had this page.
    int64_t age_ms(uint32_t number, int64_t now_ms) const;

    // Notes a call with the pages that find() has found. `evicted`: the places in the path of the
    // pages that are evicted before this call. `call`: the number of this call of the model, from
    // 1. Returns false if the journal did not accept the record. Then nothing is evicted, and only
    // known pages are noted, in memory.
    bool note_call(ConversationPath &path, const std::vector<size_t> &evicted, uint32_t call,
                   int64_t now_ms);

    // Notes the exchange in the response to a call whose last page has this chain and this place.
    // If the journal does not accept it, it is lost at the end of the process.
    void note_exchange(const Hash &chain, const Hash &place, Exchange exchange, int64_t now_ms);
    // Returns the exchange in a response at this place, or nullptr.
    const Exchange *find_exchange(const Hash &place, const Hash &answer) const;
    bool has_exchange(const Hash &place) const { return exchanges_.count(place) != 0; }
    // Keeps the exchanges of this place as long as this page.
    void keep_exchanges(const Hash &place, uint32_t page, int64_t now_ms);

    // Returns whether the journal did not accept the last record. Then nothing more is evicted.
    bool journal_fails() const { return is_behind_; }
    size_t page_count() const { return count_; }
    size_t memory_bytes() const;

private:
    static constexpr uint32_t kBits = 10, kMask = (1 << kBits) - 1;

    PageState &at(uint32_t number) { return blocks_[number >> kBits][number & kMask]; }
    uint32_t lookup(const Hash &chain) const;
    uint32_t insert(const PageState &page);
    void grow_index();
    void touch(uint32_t number, uint32_t now_s);
    void find_known(ConversationPath &path) const;
    void forget_old(int64_t now_ms);
    void forget_oldest(size_t fresh);
    void keep_from(uint32_t min_last_s);
    void clear();
    bool read_record(std::string_view record);
    bool read_page(accp::Unpacker &from);
    bool read_call(accp::Unpacker &from);
    bool read_exchange(accp::Unpacker &from);
    void add_exchange(uint32_t page, const Hash &place, Exchange exchange);
    bool write_journal(std::string_view record, uint32_t now_s);
    bool rewrite_journal();

    ConversationLimits limits_;
    Journal *journal_;
    HashKey key_;
    std::vector<std::unique_ptr<PageState[]>> blocks_;
    uint32_t count_ = 0;
    std::vector<uint32_t> index_;  // open addressing, by the chain; 0: free
    struct Exchanges {
        uint32_t page = 0;  // the last page of the newest request at this place
        std::vector<Exchange> all;
    };
    std::map<Hash, Exchanges> exchanges_;  // by their places
    uint64_t version_ = 0;                 // of the journal that is read
    uint64_t records_ = 0;                 // in the journal
    bool is_behind_ = false;               // the journal lacks pages that are in memory
    uint32_t retry_s_ = 0;                 // when a journal that failed is tried again
    uint32_t next_look_s_ = 0;             // when forget() looks for old pages again
};

}  // namespace proxy
