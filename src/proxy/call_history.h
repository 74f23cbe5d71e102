// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The history of the newest conversations, for people: the bill as it grew, the pages of the last
// request, and what each eviction cost and saved.
//
// It is bounded: at most 4 MB, for 40 conversations with figures, of which the newest 8 have pages.
// The names of tools and their arguments are the only text. They are in memory only.
//
// The saving of a call is divided among the evictions in proportion to the tokens that each left
// out of it. So all savings minus all costs equal the untouched bill minus the bill, of the calls
// that left out any results.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "proxy/body_rewriter.h"
#include "proxy/ledger.h"

namespace proxy {

// Sums over time. Each second point is dropped when there are too many, but the newest stays.
struct BillPoint {
    int64_t time_ms = 0;
    double billed = 0, untouched = 0;
};
class BillCurve {
public:
    static constexpr size_t kMaxPoints = 240;

    void add(int64_t time_ms, const CallBill &bill);
    // In order of time. The last one is the sum of all calls.
    const std::vector<BillPoint> &points() const { return points_; }

private:
    std::vector<BillPoint> points_;
    uint64_t step_ = 1, added_ = 0;
};

// Calls whose bills are in the same unit.
struct BillGroup {
    Totals totals;
    BillCurve curve;

    void add(int64_t time_ms, const Totals &call) {
        totals.add(call);
        if (call.calls) curve.add(time_ms, call.bill);
    }
};

// Results that are left out since one call of the model.
struct EvictionAccount {
    uint32_t call = 0;      // the call before which they were evicted, from 1
    int64_t time_ms = 0;    // 0: before this process
    uint32_t pages = 0;     // that the last request left out because of it
    uint64_t left_out = 0;  // and their tokens
    double cost = 0;        // what was written to the cache again: an estimate
    double saved = 0;       // without the cost
};

struct CallRow {
    int64_t time_ms = 0;
    uint32_t call = 0;  // of the model, from 1
    int status = 0;
    bool has_usage = false, is_resolve = false;
    uint64_t evicted = 0;
    CallTokens tokens;
    Usage usage;
    CallBill bill;
    std::string failure;  // empty: it has not failed
};

class CallHistory {
public:
    static constexpr size_t kMaxConversations = 40, kMaxWithPages = 8;
    static constexpr size_t kMaxPages = 4000, kMaxLabelBytes = 128 << 10;  // of a conversation
    static constexpr size_t kSkipped = 1000;  // pages that are dropped at once
    static constexpr size_t kMaxCalls = 200, kMaxEvictions = 60;

    struct Page {
        SentPage sent;
        uint32_t label_begin = 0, label_bytes = 0;  // in labels
    };
    struct Conversation {
        uint64_t number = 0;
        std::string model, upstream;
        bool is_held_out = false;
        bool is_priced = false;  // its bill is in dollars
        int64_t began_ms = 0, last_ms = 0;
        uint32_t running = 0;  // calls
        BillGroup bill;
        std::deque<CallRow> calls;               // the newest, in order
        std::vector<EvictionAccount> evictions;  // in order of `call`
        std::vector<Page> pages;                 // of the last request; of older conversations none
        size_t skipped_pages = 0;                // before those in `pages`
        std::string labels;

        std::string_view label(const Page &page) const {
            return std::string_view(labels).substr(page.label_begin, page.label_bytes);
        }
    };

    // Notes the rewritten request that `bodies` has.
    void begin(uint64_t call, std::string_view upstream, BodyRewriter &bodies, int64_t now_ms);
    // Notes the end of a response to it. With accp_resolve, a call has several responses.
    void note_answer(uint64_t call, const CallAnswer &answer, int64_t now_ms);
    // Notes that the call has had its last response.
    void end(uint64_t call);

    // The conversation with the newest call is first.
    const std::list<Conversation> &conversations() const { return conversations_; }
    // Returns nullptr if the conversation is unknown.
    const Conversation *find(uint64_t number) const;
    // All calls whose bill is in dollars, or all others.
    const BillGroup &group(bool is_priced) const { return is_priced ? priced_ : unpriced_; }
    // The version changes whenever the history changes.
    uint64_t version() const { return version_; }

private:
    struct LeftOut {
        uint32_t call;  // before which it was evicted
        uint64_t tokens;
    };
    struct Pending {
        uint64_t conversation;
        uint32_t call;
        std::vector<LeftOut> left_out;
    };

    Conversation &touch(const CallPlan &plan, std::string_view upstream, int64_t now_ms);
    static void set_pages(Conversation &conversation, BodyRewriter &bodies,
                          const std::vector<SentPage> &sent);
    static std::vector<LeftOut> count_left_out(Conversation &conversation,
                                               const std::vector<SentPage> &sent, uint32_t call,
                                               int64_t now_ms);
    static EvictionAccount &eviction_of(Conversation &conversation, uint32_t call);
    Conversation *kept(uint64_t number);
    static void share(Conversation &conversation, const Pending &call, const CallAnswer &answer);

    std::list<Conversation> conversations_;
    std::unordered_map<uint64_t, Pending> pending_;
    BillGroup priced_, unpriced_;
    uint64_t version_ = 0;
};

}  // namespace proxy
